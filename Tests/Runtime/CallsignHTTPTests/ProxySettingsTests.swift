import CallsignHTTP
import CallsignSupport
import Foundation
import HTTPTypes
import TestSupport
import Testing

#if os(Linux)
  /// Proxies that are given to a transport, instead of the environment's.
  @Suite("A transport's own proxy") struct ProxySettingsTests {
    fileprivate func transport(_ proxy: ProxySettings, trusting authorities: URL? = nil) -> any Transport {
      DefaultTransport.make(
        configuration: TransportConfiguration(
          certificateAuthorities: authorities.map(CertificateAuthorities.file) ?? .system, proxy: proxy))
    }

    fileprivate func text(_ url: String, by transport: any Transport) async throws -> String {
      let response = try await transport.send(TransportRequest(.get, url))
      return String(decoding: try await response.body.collect(), as: UTF8.self)
    }

    @Test("TLS goes through a tunnel; the proxy gets name and password and sees only the server's name and port")
    func tunnel() async throws {
      let server = try TLSServer(name: "DNS:proxied.example")
      let proxy = try TestProxy.http(upstream: server.port, credentials: "käthe:p:ä ss")
      let transport = transport(
        .http("127.0.0.1", port: proxy.port, username: "käthe", password: "p:ä ss"), trusting: server.authorities)
      #expect(try await text("https://proxied.example/secret?key=value", by: transport) == "hello")
      #expect(proxy.requests == [.init(line: "CONNECT proxied.example:443", credentials: "käthe:p:ä ss")])
    }

    @Test("Plain text goes to an HTTP proxy as it is") func plainText() async throws {
      let proxy = try TestProxy.http()
      let transport = transport(.http("127.0.0.1", port: proxy.port))
      #expect(try await text("http://proxied.example/a", by: transport) == "proxied")
      #expect(proxy.requests == [.init(line: "GET http://proxied.example/a", credentials: nil)])
    }

    @Test("A request takes over nothing from the URL of the request before it, in either direction")
    func alternation() async throws {
      let proxy = try TestProxy.http()
      let responses = try await alternate(.http("127.0.0.1", port: proxy.port))
      #expect(responses == ["proxied", "proxied", "proxied"])
      #expect(proxy.requests.map(\.line) == (0..<3).map { "GET http://proxied.example/d?e=\($0)" })
    }

    @Test("Nor does it if the proxy comes from the environment") func alternationBySystem() async {
      await #expect(processExitsWith: .success) {
        try ProxyEnvironment.prepare()
        let responses = try await ProxySettingsTests().alternate(.system)
        #expect(responses == (0..<3).map { "GET http://proxied.example/d?e=\($0)" })
      }
    }

    /// Calls two servers of this machine and the proxy in turn.
    ///
    /// - Returns: The proxy's responses.
    fileprivate func alternate(_ settings: ProxySettings) async throws -> [String] {
      let servers = [try RequestTests.echo(), try RequestTests.echo()]
      let transport = transport(settings)
      var responses: [String] = []
      for round in 0..<3 {
        for server in servers {
          #expect(try await text(server.url("/a/../b?c=\(round)"), by: transport) == "GET /a/../b?c=\(round)\n")
          #expect(try await text(server.url("/"), by: transport) == "GET /\n")
        }
        responses.append(try await text("http://proxied.example/d?e=\(round)", by: transport))
      }
      #expect(servers.allSatisfy { $0.accepted <= 2 })
      return responses
    }

    @Test("A proxy can be spoken to over TLS, and its certificate is checked") func proxyOverTLS() async throws {
      let proxy = try TestProxy.http(credentials: "a:b")
      let front = try TLSServer(.front(of: proxy.port), name: "IP:127.0.0.1")
      let settings = ProxySettings.https("127.0.0.1", port: front.port, username: "a", password: "b")
      let trusting = transport(settings, trusting: front.authorities)
      #expect(try await text("http://proxied.example/a", by: trusting) == "proxied")
      let error = try await transportError { try await text("http://proxied.example/a", by: transport(settings)) }
      #expect(error.kind == .tls)
      #expect(proxy.requests.count == 1)
    }

    @Test("A SOCKS proxy looks up names, and the server sees nothing of its password", arguments: [nil, "name:pass"])
    func socks(credentials: String?) async throws {
      let fields = Locked<[String]>([])
      let server = try ScriptedServer.responding { request, peer in
        fields.withLock { $0 += request.fields.map(\.name) }
        try peer.respond("200 OK", [], Array("\(request.method) \(request.target)".utf8))
      }
      let proxy = try TestProxy.socks(upstream: server.port, credentials: credentials)
      let parts = credentials?.split(separator: ":").map(String.init)
      let transport = transport(
        .socks5("127.0.0.1", port: proxy.port, username: parts?.first, password: parts?.last.map { Secret($0) }))
      #expect(try await text("http://proxied.example:8080/a", by: transport) == "GET /a")
      #expect(proxy.requests == [.init(line: "CONNECT proxied.example:8080", credentials: credentials)])
      #expect(!fields.withLock { $0 }.contains { $0.lowercased().contains("auth") })
    }

    @Test("A proxy that refuses name and password", arguments: ["http://proxied.example/", "https://proxied.example/"])
    func refusal(url: String) async throws {
      let proxy = try TestProxy.http(credentials: "name:right")
      let transport = transport(.http("127.0.0.1", port: proxy.port, username: "name", password: "wrong-password"))
      let error = try await transportError { try await text(url, by: transport) }
      #expect(error.kind == .proxy)
      #expect(error.delivery == .notSent)
      #expect(!"\(error) \(error.detail ?? "")".contains("wrong-password"))
      #expect(proxy.requests.map(\.credentials) == ["name:wrong-password"])
    }

    @Test("A SOCKS proxy that refuses name and password") func refusalBySOCKS() async throws {
      let proxy = try TestProxy.socks(upstream: 9, credentials: "name:right")
      let transport = transport(.socks5("127.0.0.1", port: proxy.port, username: "name", password: "wrong-password"))
      let error = try await transportError { try await text("http://proxied.example/", by: transport) }
      #expect(error.kind == .proxy)
      #expect(error.delivery == .notSent)
      #expect(!"\(error)".contains("wrong-password"))
    }

    @Test("A proxy that does not exist") func nobodyListens() async throws {
      let transport = transport(.http("127.0.0.1", port: try ScriptedServer.refusingPort()))
      let error = try await transportError { try await text("http://proxied.example/", by: transport) }
      #expect(error.kind == .cannotConnect)
      #expect(error.delivery == .notSent)
    }

    @Test("Requests to this machine bypass every proxy", arguments: ["127.0.0.1", "localhost", "LocalHost"])
    func loopback(host: String) async throws {
      let server = try RequestTests.echo()
      let proxy = try TestProxy.http()
      for settings in [ProxySettings.http("127.0.0.1", port: proxy.port), .none, .system] {
        _ = try await text("http://\(host):\(server.port)/a", by: transport(settings))
      }
      #expect(proxy.requests.isEmpty)
      #expect(server.accepted == 3)
    }

    @Test("Without a proxy, the environment's is not used either") func noProxy() async {
      await #expect(processExitsWith: .success) {
        try ProxyEnvironment.prepare()
        let tests = ProxySettingsTests()
        let url = "http://\(impossibleLabel).example/"
        let error = try await transportError { try await tests.text(url, by: tests.transport(.none)) }
        #expect(error.kind == .cannotResolveHost)
        // The system's setting follows the environment.
        #expect(try await tests.text(url, by: tests.transport(.system)) == "GET \(url)")
      }
    }

    @Test("The environment's exceptions do not apply to a transport's own proxy") func ownExceptions() async {
      await #expect(processExitsWith: .success) {
        try ProxyEnvironment.prepare()
        let proxy = try TestProxy.http()
        let tests = ProxySettingsTests()
        let transport = tests.transport(.http("127.0.0.1", port: proxy.port))
        #expect(try await tests.text("http://name.excepted.example/", by: transport) == "proxied")
      }
    }

    @Test(
      "Hosts that are excepted",
      arguments: [
        ("a.invalid", "http://a.invalid/", true), ("a.invalid", "http://x.a.invalid/", true),
        ("a.invalid", "http://xa.invalid/", false), ("A.Invalid", "http://a.invalid./", true),
        ("*.a.invalid", "http://a.invalid/", false), (".a.invalid", "http://x.a.invalid/", true),
        ("a.invalid:8080", "http://a.invalid:8080/", true), ("a.invalid:8080", "http://a.invalid/", false),
        ("a.invalid:80", "http://a.invalid/", true), ("*", "http://a.invalid/", true),
        ("0.0.0.0/8", "http://0.0.0.0:9/", true), ("0.0.0.0", "http://0.0.0.0:9/", true),
        ("0.0.0.1/32", "http://0.0.0.0:9/", false), ("0.0.0.0:9", "http://0.0.0.0:9/", true),
        ("::/127", "http://[::]:9/", true), ("::", "http://[::]:9/", true), ("[::]:8", "http://[::]:9/", false),
        ("10.0.0.0/8", "http://a.invalid/", false),
      ])
    func exceptions(pattern: String, url: String, isExcepted: Bool) async throws {
      let proxy = try TestProxy.http()
      // Directly there is nobody, and of these names nobody is asked who they are.
      let (pattern, url) = (Self.impossible(pattern), Self.impossible(url))
      let transport = transport(.http("127.0.0.1", port: proxy.port, bypassing: [pattern]))
      let response = try? await text(url, by: transport)
      #expect((response == nil) == isExcepted)
      #expect(proxy.requests.isEmpty == isExcepted)
    }

    private static func impossible(_ text: String) -> String {
      text.replacingOccurrences(of: ".invalid", with: ".\(impossibleLabel).invalid", options: .caseInsensitive)
    }

    @Test("Neither name nor password is printed") func redaction() throws {
      let proxy = Proxy(.http, host: "proxy.example", port: 3128, username: "the-name", password: "the-password")
      let configuration = TransportConfiguration(proxy: .proxy(proxy))
      var dumped = ""
      dump(configuration, to: &dumped)
      for text in ["\(proxy)", "\(configuration)", String(reflecting: configuration), dumped] {
        #expect(!text.contains("the-name") && !text.contains("the-password"))
        #expect(text.contains("http://‹redacted›@proxy.example:3128"))
      }
    }

    @Test(
      "A proxy's URL",
      arguments: [
        ("http://proxy.example:3128", Proxy(.http, host: "proxy.example", port: 3128)),
        ("HTTP://Proxy.Example/", Proxy(.http, host: "proxy.example", port: 80)),
        ("https://[2001:db8::1]", Proxy(.https, host: "[2001:db8::1]", port: 443)),
        ("socks5h://a%40b:p%3A%2Fq@h", Proxy(.socks5, host: "h", port: 1080, username: "a@b", password: "p:/q")),
        ("socks5://h:9", Proxy(.socks5, host: "h", port: 9)),
        ("http://name@h:1", Proxy(.http, host: "h", port: 1, username: "name")),
      ])
    func url(text: String, expected: Proxy) throws {
      #expect(try Proxy(url: text) == expected)
    }

    @Test(
      "A URL that is not a proxy's is refused, and the error does not repeat it",
      arguments: [
        "", "proxy.example:3128", "ftp://secret@h", "http://", "http://secret:secret@", "http://h:99999",
        "http://secret%ZZ@h:1", "http://secret%0A:b@h:1", "http://h:0", "socks5://secret:@h:1",
        "http://se%3Acret:b@h:1", "http://h%20secret:1",
      ])
    func badURL(text: String) {
      let error = #expect(throws: TransportError.self) { try Proxy(url: text) }
      #expect(error?.delivery == .notSent)
      #expect((error?.errorDescription ?? "secret").contains("secret") == false)
    }

    @Test(
      "Settings that cannot work send nothing, and say why",
      arguments: [
        (ProxySettings.http("h", port: 0), "port"), (.http("", port: 1), "host"), (.http("a/b", port: 1), "host"),
        (.http("u@h", port: 1), "host"), (.http("h\n", port: 1), "host"),
        (.http("h", port: 1, username: "a:b", password: "c"), "colon"),
        (.http("h", port: 1, username: "a:\u{301}b", password: "c"), "colon"),
        (.http("h", port: 1, username: "a\r\nX: y"), "control character"),
        (.http("h", port: 1, password: "c"), "no user name"), (.socks5("h", username: "a"), "255 bytes"),
        (.http("h", port: 1, bypassing: ["10.0.0.0/33"]), "10.0.0.0/33"),
        (.http("h", port: 1, bypassing: ["http://a"]), "http://a"), (.http("h", port: 1, bypassing: ["a b"]), "a b"),
      ])
    func problems(settings: ProxySettings, word: String) async throws {
      let error = try await transportError { try await text("http://proxied.example/", by: transport(settings)) }
      guard case .invalidRequest(let reason) = error.kind else {
        Issue.record("\(error)")
        return
      }
      #expect(reason.contains(word))
    }
  }
#endif
