import CallsignHTTP
import CallsignSupport
import Foundation
import TestSupport

/// A server on loopback that reads a request and responds with bytes of the test's choosing, or not at all.
final class RawServer: Sendable {
  /// A reaction to a request.
  enum Behaviour: Sendable {
    /// Sends this, and closes the connection.
    case response(String)
    /// Sends this, which may be nothing, and keeps the connection until the client closes it.
    case hang(after: String)
    /// Closes the connection with a reset.
    case reset
  }

  private let server: ScriptedServer
  private let counts = Locked((requests: 0, closedByClient: 0))

  var port: Int { server.port }
  var url: String { server.url("") }
  /// How many requests have arrived.
  var requests: Int { counts.withLock { $0.requests } }
  /// How many connections the client has closed while the server kept them.
  var closedByClient: Int { counts.withLock { $0.closedByClient } }

  init(_ behaviour: Behaviour) throws {
    let counts = counts
    server = try ScriptedServer { peer in
      guard try peer.readRequest() != nil else { return }
      counts.withLock { $0.requests += 1 }
      switch behaviour {
      case .response(let text): try peer.send(text)
      case .hang(let text):
        try peer.send(text)
        peer.waitUntilGone()
        counts.withLock { $0.closedByClient += 1 }
      case .reset: peer.reset()
      }
    }
  }

  /// Stops listening, and hangs up on all connections, so that their threads end.
  func stop() { server.stop() }
}
