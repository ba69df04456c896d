import Foundation
import LoopbackSockets

/// The posts that a stream's client asked for, and their form.
struct StreamSubscription: Sendable {
  /// The operation's key.
  var operation: String
  var version: APIVersion
  var principal: Principal
  /// Whether each record's size comes before it (`delimited=length`).
  var isDelimited = false
  /// Makes a record of a post; returns `nil` for a post that this client does not get.
  var record: @Sendable (PostRecord, Database) -> JSON?
  /// Makes a notice of a deleted post.
  var deletion: (@Sendable (PostRecord) -> JSON)?
  /// The limit of connections of the same client.
  var connectionLimit = ConnectionLimit.none

  enum ConnectionLimit: Sendable {
    case none
    /// A number of connections of one app to the operation.
    case app(atMost: Int)
    /// A user's new connection ends the one before.
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
