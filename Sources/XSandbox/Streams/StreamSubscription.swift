import Foundation

/// What a stream's client asked for: which posts, and in which form.
struct StreamSubscription: Sendable {
  /// The operation's key.
  var operation: String
  var version: APIVersion
  var caller: Caller
  /// `delimited=length`: each record's size comes before it.
  var isDelimited = false
  /// The record that a post becomes; `nil` for a post that this client does not get.
  var record: @Sendable (PostRecord, World) -> JSON?
  /// The notice that a deleted post becomes.
  var deletion: (@Sendable (PostRecord) -> JSON)?
  /// How connections of the same client are bounded.
  var bound = Bound.none

  enum Bound: Sendable {
    case none
    /// No more than so many connections of one app to the operation.
    case app(atMost: Int)
    /// A user's new connection ends the one before.
    case newestOfUser
  }

  /// The bytes that a record is sent as.
  func framed(_ record: String) -> Data {
    let line = record + "\r\n"
    return Data((isDelimited ? "\(line.utf8.count)\r\n\(line)" : line).utf8)
  }

  func framed(_ record: JSON) -> Data { framed(String(decoding: record.bytes, as: UTF8.self)) }
}

/// What a request brings along for opening a stream.
struct StreamOpening: Sendable {
  var hub: StreamHub
  /// The client's port on loopback, by which a connection is found again.
  var peerPort: UInt16?
  var acceptsGzip: Bool

  init(hub: StreamHub, _ request: IncomingRequest) {
    self.hub = hub
    peerPort = request.peerPort
    let codings = request.header("Accept-Encoding")?.lowercased().split(separator: ",") ?? []
    acceptsGzip = codings.contains { coding in
      let parts = coding.split(separator: ";").map { $0.trimmingCharacters(in: .whitespaces) }
      return parts.first == "gzip" && !parts.dropFirst().contains { $0 == "q=0" }
    }
  }
}
