import CallsignJSON
import Foundation

/// An API's announcement, in a stream, that it disconnects.
public struct StreamDisconnect: Sendable, Hashable {
  /// The number of the cause, for APIs that have one.
  public var code: Int?
  /// The kind of disconnection in the API's words, for APIs that name it.
  public var kind: String?
  /// Why, in the API's words.
  public var reason: String?
  /// The name of the stream, where it has one.
  public var streamName: String?
  /// All that the API says.
  public var document: JSONValue
  /// The kind of failure that it counts as, by which ``ReconnectPolicy`` waits before the next connection.
  public var cause: DisconnectReason

  /// Describes a message.
  public init(
    code: Int? = nil, kind: String? = nil, reason: String? = nil, streamName: String? = nil, document: JSONValue,
    cause: DisconnectReason = .httpError
  ) {
    self.code = code
    self.kind = kind
    self.reason = reason
    self.streamName = streamName
    self.document = document
    self.cause = cause
  }
}
