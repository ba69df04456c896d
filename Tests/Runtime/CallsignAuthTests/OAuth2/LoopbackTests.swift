import Callsign
import CallsignAuth
import CallsignHTTP
import CallsignLoopback
import Foundation
import HTTPTypes
import TestSupport
import Testing
import XCore

@Suite("Loopback redirects") struct LoopbackTests {
  /// Asks the listener as a browser does.
  private func get(
    _ uri: String, method: HTTPRequest.Method = .get, host: String? = nil
  ) async throws -> (status: Int, body: String, headers: HTTPFields) {
    let url = try #require(URLComponents(string: uri))
    let query = url.percentEncodedQuery.map { "?\($0)" } ?? ""
    let response = try await DefaultTransport.shared.send(
      TransportRequest(
        head: HTTPRequest(
          method: method, scheme: "http", authority: host ?? "127.0.0.1:\(url.port ?? 0)",
          path: url.percentEncodedPath + query)))
    return (
      response.head.status.code, String(decoding: try await response.body.collect(), as: UTF8.self),
      response.head.headerFields
    )
  }

  private let provider = MemoryProvider { (_, body) in
    body.contains("code=bad") ? refusal("invalid_grant", "no <good>") : tokens("a1", "r1")
  }

  private func begin(_ loopback: LoopbackRedirect) throws -> (OAuth2Authorization, state: String) {
    let oauth2 = OAuth2(clientID: "public", store: MemoryTokenStore(), provider: AuthorizationServer.provider)
    let login = try oauth2.beginLogin(
      scopes: [.tweetRead], redirectURI: loopback.uri, configuration: provider.configuration)
    return (login, try #require(URLComponents(url: login.url, resolvingAgainstBaseURL: false)?.value("state")))
  }

  @Test("The redirect with the login's path and state counts; all else gets an error page and changes nothing")
  func oneRedirect() async throws {
    let loopback = try await LoopbackRedirect.start(
      port: 0, page: LoopbackPage(title: "Ready <b>", text: "Go back & on"))
    let (login, state) = try begin(loopback)
    let origin = try #require(loopback.uri.range(of: "/callback")).lowerBound
    let base = String(loopback.uri[..<origin])
    #expect(base.hasPrefix("http://127.0.0.1:"))
    let completing = Task { try await loopback.complete(login, within: .seconds(60)) }
    for other in ["/favicon.ico", "/", "/callback/more?code=c&state=\(state)", "/callback", "/Callback?state=\(state)"]
    {
      #expect(try await get(base + other).status == 404)
    }
    #expect(try await get("\(base)/callback?code=c&state=\(state)", method: .post).status == 405)
    for query in [
      "code=c", "code=c&state=x", "code=c&state=\(state)x", "error=access_denied", "error=access_denied&state=x",
    ] {
      let page = try await get("\(base)/callback?\(query)")
      #expect(page.status == 400)
      #expect(page.body.contains("not the response to the login"))
    }
    #expect(provider.tokenRequests == 0)

    let page = try await get("\(base)/callback?code=a%2Bb&state=\(state)")
    #expect(page.status == 200)
    #expect(page.body.contains("Ready &lt;b&gt;") && page.body.contains("Go back &amp; on"))
    #expect(!page.body.contains("a%2Bb"))
    #expect(page.headers[.contentType] == "text/html; charset=utf-8")
    #expect(page.headers[.cacheControl] == "no-store")
    #expect(try await completing.value.accessToken == "a1")
    await expectClosed(loopback, state)
    #expect(provider.tokenRequests == 1)
  }

  /// Another test's server may have the port by now, so it does not matter whether and how it responds. But a listener that is
  /// still open would say that the login is over.
  private func expectClosed(_ loopback: LoopbackRedirect, _ state: String) async {
    let late = try? await get("\(loopback.uri)?code=again&state=\(state)")
    #expect(late?.status != 410)
  }

  @Test("The same for OAuth 1.0a, whose redirect names the request token")
  func oauth1() async throws {
    let loopback = try await LoopbackRedirect.start(port: 0)
    let transport = InMemoryTransport { request in
      request.head.path == "/request"
        ? TransportResponse(body: Data("oauth_token=rt&oauth_token_secret=rs&oauth_callback_confirmed=true".utf8))
        : TransportResponse(body: Data("oauth_token=t&oauth_token_secret=s".utf8))
    }
    let app = OAuth1App(
      OAuth1Provider(
        requestTokenURL: "https://api.test/request", authorizeURL: "https://api.test/authorize",
        accessTokenURL: "https://api.test/access"), key: "k", secret: "s",
      configuration: ClientConfiguration(transport: transport))
    let login = try await app.callback(loopback.uri)
    let completing = Task { try await loopback.complete(login, within: .seconds(60)) }
    for query in ["", "?oauth_token=other&oauth_verifier=v", "?oauth_verifier=v", "?denied=other", "?state=rt"] {
      #expect(try await get(loopback.uri + query).status == (query.isEmpty ? 404 : 400), "\(query)")
    }
    #expect(try await get(loopback.uri + "/more?oauth_token=rt&oauth_verifier=v").status == 404)
    #expect(transport.requests.count == 1)
    let page = try await get(loopback.uri + "?oauth_token=rt&oauth_verifier=v")
    #expect(page.status == 200 && page.body.contains("Done"))
    #expect(try await completing.value.token == "t")
  }

  @Test("The page says what failed")
  func failurePage() async throws {
    let loopback = try await LoopbackRedirect.start(port: 0)
    let (login, state) = try begin(loopback)
    let completing = Task { await loginFailure { () throws(LoginError) in try await loopback.complete(login) } }
    let page = try await get("\(loopback.uri)?code=bad&state=\(state)")
    #expect(page.status == 400)
    #expect(page.body.contains("Not logged in") && page.body.contains("no &lt;good&gt;"))
    guard case .codeRefused = await completing.value else {
      Issue.record("not .codeRefused")
      return
    }
  }

  @Test("A redirect that arrives before anybody waits for it is not lost")
  func early() async throws {
    let loopback = try await LoopbackRedirect.start(port: 0, path: "/oauth/done")
    let (login, state) = try begin(loopback)
    let browser = Task { try await get("\(loopback.uri)?code=c&state=\(state)").status }
    try await Task.sleep(for: .milliseconds(100))
    #expect(try await loopback.complete(login).accessToken == "a1")
    #expect(try await browser.value == 200)
  }

  @Test("A listener that stops takes no requests of one that starts")
  func neighbours() async throws {
    for _ in 0..<60 {
      let first = try await LoopbackRedirect.start(port: 0)
      let stopping = Task { await first.stop() }
      // It is given the descriptor of the first one's socket, once that is closed.
      let second = try await LoopbackRedirect.start(port: 0, path: "/second")
      for _ in 0..<4 { #expect(try await get("\(second.uri)?code=c", method: .post).status == 405) }
      await stopping.value
      await second.stop()
    }
  }

  /// A browser that waits for the page of a listener that no longer exists, and its error if there is one.
  private func abandoned() async throws -> Task<TransportError.Kind?, Never> {
    let loopback = try await LoopbackRedirect.start(port: 0)
    let uri = loopback.uri
    let browser = Task { () -> TransportError.Kind? in
      do { _ = try await get("\(uri)?code=c&state=s") } catch { return (error as? TransportError)?.kind }
      return nil
    }
    // By then it usually waits; if it comes later, it is turned away at once.
    for _ in 0..<3 { #expect(try await get("\(uri)/more?code=c").status == 404) }
    withExtendedLifetime(loopback) {}
    return browser
  }

  @Test("A browser does not wait for a program that has dropped the listener")
  func dropped() async throws {
    if case .timedOut = try await abandoned().value { Issue.record("it has waited in vain") }
  }

  @Test("On port 80, which browsers leave out of their requests")
  func schemesOwnPort() async throws {
    let loopback: LoopbackRedirect
    do throws(LoginError) { loopback = try await LoopbackRedirect.start(port: 80) } catch {
      // Not everybody may listen there.
      return #expect(error.description.contains("port 80"))
    }
    #expect(loopback.uri == "http://127.0.0.1/callback")
    let (login, state) = try begin(loopback)
    let completing = Task { try await loopback.complete(login, within: .seconds(60)) }
    #expect(try await get("\(loopback.uri)?code=c&state=\(state)", host: "127.0.0.1").status == 200)
    #expect(try await completing.value.accessToken == "a1")
  }

  @Test("A redirect that is pasted by hand, after others that are not this login's")
  func pasted() async throws {
    let loopback = try await LoopbackRedirect.start(port: 0)
    let (login, state) = try begin(loopback)
    let texts = Guarded([
      "nonsense", "http://127.0.0.1:1/callback?code=c&state=\(state)", "\(loopback.uri)?state=x&code=c",
      "  \(loopback.uri)?state=\(state)&code=c\n", "never read",
    ])
    let token = try await loopback.complete(login) { texts.with { $0.isEmpty ? nil : $0.removeFirst() } }
    #expect(token.accessToken == "a1")
    #expect(texts.with { $0 } == ["never read"])
  }

  @Test("The default port is always the same, so that it can be registered")
  func defaultPort() async throws {
    #expect(LoopbackRedirect.defaultPort == 8765)
    // Whether another program has it or not, the response is about this port.
    do throws(LoginError) {
      let loopback = try await LoopbackRedirect.start()
      #expect(loopback.uri == "http://127.0.0.1:8765/callback")
      await loopback.stop()
    } catch { #expect(error.description.contains("port 8765")) }
  }

  @Test("The time limit, cancellation, and stopping end it")
  func ends() async throws {
    let late = try await LoopbackRedirect.start(port: 0)
    let (lateLogin, state) = try begin(late)
    let tooLate = await loginFailure { () throws(LoginError) in
      try await late.complete(lateLogin, within: .milliseconds(20))
    }
    guard case .timedOut = tooLate else {
      Issue.record("\(String(describing: tooLate))")
      return
    }
    await expectClosed(late, state)
    #expect(provider.tokenRequests == 0)

    let cancelled = try await LoopbackRedirect.start(port: 0)
    let (cancelledLogin, _) = try begin(cancelled)
    let task = Task { await loginFailure { () throws(LoginError) in try await cancelled.complete(cancelledLogin) } }
    task.cancel()
    guard case .cancelled = await task.value else {
      Issue.record("not .cancelled")
      return
    }

    let stopped = try await LoopbackRedirect.start(port: 0)
    let (stoppedLogin, _) = try begin(stopped)
    let waiting = Task { await loginFailure { () throws(LoginError) in try await stopped.complete(stoppedLogin) } }
    await stopped.stop()
    guard case .cancelled = await waiting.value else {
      Issue.record("not .cancelled")
      return
    }
  }

  @Test("A port that is taken and a text that is not a path are refused")
  func badSetups() async throws {
    let first = try await LoopbackRedirect.start(port: 0)
    let port = try #require(URLComponents(string: first.uri)?.port.flatMap { UInt16(exactly: $0) })
    let error = await loginFailure { () throws(LoginError) in try await LoopbackRedirect.start(port: port) }
    guard case .invalidSetup(let advice) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(advice.contains("\(port)"))
    await first.stop()
    for path in ["callback", "/a b", "/a?b=c", "/a#b"] {
      let error = await loginFailure { () throws(LoginError) in try await LoopbackRedirect.start(path: path) }
      guard case .invalidSetup = error else {
        Issue.record("\(path)")
        return
      }
    }
  }

  @Test(
    "A login on a command line, with authlib as the provider",
    .needs(.python(with: "authlib.oauth2.rfc9207")))
  func commandLine() async throws {
    try await AuthorizationServer.with { server in
      let oauth2 = OAuth2(clientID: "public", store: MemoryTokenStore(), provider: AuthorizationServer.provider)
      let loopback = try await LoopbackRedirect.start(port: 0)
      try await server.control(["redirect_uris": [.string(loopback.uri)]])
      let login = try oauth2.beginLogin(
        scopes: [.tweetRead], redirectURI: loopback.uri, configuration: server.configuration())
      let redirect = try await server.decide(login.url)
      async let arrived = loopback.complete(login)
      _ = try await get(redirect.absoluteString)
      _ = try await arrived
      #expect(try await server.api(oauth2).me() == "alice")

      // The same in one call; the person is the closure.
      let other = oauth2.account("other")
      try await other.logInOnCommandLine(scopes: [.tweetRead], port: 0, configuration: server.configuration()) { url in
        guard let uri = URLComponents(url: url, resolvingAgainstBaseURL: false)?.value("redirect_uri"),
          (try? await server.control(["redirect_uris": [.string(uri)]])) != nil,
          let redirect = try? await server.decide(url)
        else { return }
        _ = try? await get(redirect.absoluteString)
      }
      #expect(try await server.api(other).me() == "alice")
    }
  }
}
