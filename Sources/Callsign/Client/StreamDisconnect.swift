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
  /// The kind of failure that it counts as, which decides how long to wait before the next connection.
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

/// The kinds of failure that the policy for further connections tells apart.
public enum DisconnectReason: Hashable, Sendable {
  /// The API ended the connection in good order.
  case end
  /// The network failed, or nothing arrived for too long.
  case network
  /// The API cannot serve the stream now: an answer of 5xx, or a cause that takes time to pass.
  case httpError
  /// The API answered with 429 or 420.
  case rateLimit
}
