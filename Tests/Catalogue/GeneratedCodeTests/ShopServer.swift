import Callsign
import CallsignHTTP
import CallsignSupport
import Foundation
import TestSupport
import Testing

/// A server on loopback that responds to the Petstore's calls, and what it got.
final class ShopServer: Sendable {
  typealias Responder = @Sendable (_ request: ReceivedRequest, _ peer: Peer, _ number: Int) throws -> Void

  private let server: ScriptedServer
  private let log = Locked<[ReceivedRequest]>([])

  init(_ respond: @escaping Responder) throws {
    let log = log
    server = try ScriptedServer.responding { request, peer in
      let number = log.withLock { log in
        log.append(request)
        return log.count
      }
      try respond(request, peer, number)
    }
  }

  /// Responds with JSON bodies, one after the other; the last one again and again.
  convenience init(_ bodies: String...) throws {
    try self.init { _, peer, number in
      try peer.respond("200 OK", ["Content-Type: application/json"], Array(bodies[min(number, bodies.count) - 1].utf8))
    }
  }

  var requests: [ReceivedRequest] { log.withLock { $0 } }
  var targets: [String] { requests.map(\.target) }
  var base: String { server.url("") }

  func stop() { server.stop() }

  /// The API at this server.
  func petstore(
    auth: [any Authenticator] = [Credentials()], _ change: (inout ClientConfiguration) -> Void = { _ in }
  ) -> Petstore {
    var configuration = ClientConfiguration(hosts: .all(to: base), retry: .never)
    change(&configuration)
    return Petstore(auth: auth, configuration: configuration)
  }
}

extension ReceivedRequest {
  var text: String { String(decoding: body, as: UTF8.self) }

  /// The query's pairs, decoded.
  var query: [String] { Self.pairs(target.split(separator: "?", maxSplits: 1).dropFirst().first ?? "") }
  /// The form's pairs, decoded.
  var form: [String] { Self.pairs(text[...]) }

  private static func pairs(_ text: Substring) -> [String] {
    text.split(separator: "&").map { $0.removingPercentEncoding ?? "undecodable" }
  }
}
