import CallsignHTTP
import Foundation
import HTTPTypes
import TestSupport
import Testing

#if os(Linux)
  /// The environment's proxy is used, except for the hosts that it excludes. Each test has its own process.
  @Suite struct ProxyTests {
    @Test("The proxy gets the request") func theProxyGetsTheRequest() async {
      await #expect(processExitsWith: .success) {
        try ProxyEnvironment.prepare()
        let response = try await CurlTransport().send(TransportRequest(.get, "http://proxied.example/a?b=c"))
        #expect(response.head["Via"] == "1.1 test")
        let body = String(decoding: try await response.body.collect(), as: UTF8.self)
        #expect(body == "GET http://proxied.example/a?b=c")
      }
    }

    @Test("This machine and excepted hosts are reached directly") func exceptedHostsAreReachedDirectly() async {
      await #expect(processExitsWith: .success) {
        try ProxyEnvironment.prepare()
        let server = try RequestTests.echo()
        let transport = CurlTransport()
        for host in ["127.0.0.1", "localhost", "LocalHost"] {
          let response = try await transport.send(TransportRequest(.get, "http://\(host):\(server.port)/a"))
          #expect(response.head["Via"] == nil)
          #expect(try await response.body.collect() == Data("GET /a\n".utf8))
        }
        let error = try await transportError {
          try await transport.send(TransportRequest(.get, "http://\(impossibleLabel).excepted.example/"))
        }
        #expect(error.kind == .cannotResolveHost)
      }
    }

    @Test(
      "No error contains the password of a proxy whose URL cannot be used",
      arguments: [
        "http://ann:PA#SS@127.0.0.1:9", "ann:PA#SS@127.0.0.1:9", "http://ann:PASS@127.0.0.1:99999", "x://ann:PASS@a:9",
      ])
    func aProxyThatCannotBeUsed(url: String) async {
      await #expect(processExitsWith: .success) { [url = url as String] in
        try ProxyEnvironment.prepare()
        setenv("http_proxy", url, 1)
        let error = try await transportError {
          try await CurlTransport().send(TransportRequest(.get, "http://proxied.example/"))
        }
        #expect(error.kind == .proxy && error.delivery == .notSent)
        #expect(!"\(error) \(error.detail ?? "")".contains("PA"), "\(error)")
      }
    }

    @Test("A proxy that refuses the tunnel") func aProxyThatRefusesTheTunnel() async {
      await #expect(processExitsWith: .success) {
        try ProxyEnvironment.prepare()
        let error = try await transportError {
          try await CurlTransport().send(TransportRequest(.post, "https://proxied.example/", body: .data(Data([1]))))
        }
        #expect(error.kind == .proxy)
        #expect(error.delivery == .notSent)
      }
    }
  }
#endif
