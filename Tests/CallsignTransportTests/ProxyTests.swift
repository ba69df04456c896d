import Callsign
import CallsignAuth
import CallsignHTTP
import Foundation
import Testing

/// The environment's proxy is used, but for the hosts that it excepts.
@Suite struct ProxyTests {
  @Test("The proxy gets the request", arguments: TransportKind.exact) func theProxyGetsTheRequest(kind: TransportKind)
    async throws
  {
    let response = try await kind.make().send(TransportRequest(.get, "http://proxied.example/a?b=c"))
    #expect(response.head["Via"] == "1.1 test")
    let body = String(decoding: try await response.body.collect(), as: UTF8.self)
    #expect(body == "GET http://proxied.example/a?b=c")
  }

  @Test("Excepted hosts are reached directly", arguments: TransportKind.exact) func exceptedHostsAreReachedDirectly(
    kind: TransportKind
  ) async throws {
    let server = try RequestTests.echo()
    let response = try await kind.make().send(TransportRequest(.get, server.url("/a")))
    #expect(response.head["Via"] == nil)
    #expect(server.accepted == 1)
  }

  @Test("A proxy that refuses the tunnel", arguments: TransportKind.exact) func aProxyThatRefusesTheTunnel(
    kind: TransportKind
  ) async throws {
    let error = try await transportError {
      try await kind.make().send(TransportRequest(.post, "https://proxied.example/", body: .data(Data([1]))))
    }
    #expect(error.kind == .proxy)
    #expect(error.delivery == .notSent)
  }
}
