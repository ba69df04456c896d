import Foundation
import LoopbackSockets

/// The posts that a stream's client requested, and their format.
struct StreamSubscription: Sendable {
  /// The operation's key.
  var operation: String
  var version: APIVersion
  var principal: Principal
  /// Whether each record is preceded by its size (`delimited=length`).
  var isDelimited = false
  /// Makes a record from a post; `nil` for a post that this client does not receive.
  var record: @Sendable (PostRecord, Database) -> JSON?
  /// Makes a notice about a deleted post.
  var deletion: (@Sendable (PostRecord) -> JSON)?
  /// The limit for connections of the same client.
  var connectionLimit = ConnectionLimit.none

  enum ConnectionLimit: Sendable {
    case none
    /// A maximum number of connections of one app to the operation.
    case app(atMost: Int)
    /// A user's new connection ends the previous one.
    case newestOfUser
  }

  /// Returns the bytes of a record on the wire.
  func framed(_ record: String) -> Data {
    let line = record + "\r\n"
    return Data((isDelimited ? "\(line.utf8.count)\r\n\(line)" : line).utf8)
  }

  func framed(_ record: JSON) -> Data { framed(String(decoding: record.bytes, as: UTF8.self)) }
}

/// The connection of a request that opens a stream.
struct StreamConnection: Sendable {
  var hub: StreamHub
  var client: LoopbackClient?
  var acceptsGzip: Bool

  init(hub: StreamHub, _ request: IncomingRequest) {
    self.hub = hub
    client = request.client
    acceptsGzip = ContentCoding.preferred(by: request.header("Accept-Encoding")) == .gzip
  }
}
