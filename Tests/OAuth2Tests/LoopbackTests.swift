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

  @Test("One redirect counts; icons and other paths do not")
  func oneRedirect() async throws {
    let loopback = try await LoopbackRedirect.start(page: LoopbackPage(title: "Ready <b>", text: "Go back & on"))
    let origin = try #require(loopback.uri.range(of: "/callback")).lowerBound
    let base = String(loopback.uri[..<origin])
    #expect(base.hasPrefix("http://127.0.0.1:"))
    for other in ["/favicon.ico", "/", "/callback/more?code=c", "/callback", "/Callback?code=c"] {
      #expect(try await get(base + other).status == 404)
    }
    #expect(try await get("\(base)/callback?code=c", method: .post).status == 405)

    let waiting = Task { try await loopback.redirect(within: .seconds(60)) }
    let page = try await get("\(base)/callback?code=a%2Bb&state=s")
    #expect(page.status == 200)
    #expect(page.body.contains("Ready &lt;b&gt;") && page.body.contains("Go back &amp; on"))
    #expect(!page.body.contains("a%2Bb"))
    #expect(page.headers[.contentType] == "text/html; charset=utf-8")
    #expect(page.headers[.cacheControl] == "no-store")
    #expect(try await waiting.value.absoluteString == "\(base)/callback?code=a%2Bb&state=s")
    // It has closed.
    await #expect(throws: TransportError.self) { try await get("\(base)/callback?code=again") }
  }

  @Test("A redirect that comes before anybody waits is not lost, and a second is refused")
  func early() async throws {
    let loopback = try await LoopbackRedirect.start(path: "/oauth/done")
    #expect(try await get("\(loopback.uri)?oauth_token=t&oauth_verifier=v").status == 200)
    #expect(try await get("\(loopback.uri)?oauth_token=t&oauth_verifier=v").status == 410)
    #expect(try await loopback.redirect().absoluteString == "\(loopback.uri)?oauth_token=t&oauth_verifier=v")
  }

  @Test("The time limit, cancellation, and stopping end it")
  func ends() async throws {
    let late = try await LoopbackRedirect.start()
    let tooLate = await loginFailure { () throws(LoginError) in try await late.redirect(within: .milliseconds(20)) }
    guard case .timedOut = tooLate else { return #expect(Bool(false), "\(String(describing: tooLate))") }
    await #expect(throws: TransportError.self) { try await get("\(late.uri)?code=c") }

    let cancelled = try await LoopbackRedirect.start()
    let task = Task { await loginFailure { () throws(LoginError) in try await cancelled.redirect() } }
    task.cancel()
    guard case .cancelled = await task.value else { return #expect(Bool(false)) }

    let stopped = try await LoopbackRedirect.start()
    let waiting = Task { await loginFailure { () throws(LoginError) in try await stopped.redirect() } }
    await stopped.stop()
    guard case .cancelled = await waiting.value else { return #expect(Bool(false)) }
  }

  @Test("A port that is taken, a path that is none")
  func badSetups() async throws {
    let first = try await LoopbackRedirect.start()
    let port = try #require(URLComponents(string: first.uri)?.port.flatMap { UInt16(exactly: $0) })
    let error = await loginFailure { () throws(LoginError) in try await LoopbackRedirect.start(port: port) }
    guard case .invalidSetup(let advice) = error else { return #expect(Bool(false), "\(String(describing: error))") }
    #expect(advice.contains("\(port)"))
    await first.stop()
    for path in ["callback", "/a b", "/a?b=c", "/a#b"] {
      let error = await loginFailure { () throws(LoginError) in try await LoopbackRedirect.start(path: path) }
      guard case .invalidSetup = error else { return #expect(Bool(false), "\(path)") }
    }
  }

  @Test(
    "A login on a command line, with authlib as the provider",
    .needs(.python(with: "authlib.oauth2.rfc9207")))
  func commandLine() async throws {
    try await AuthorizationServer.with { server in
      let oauth2 = OAuth2(clientID: "public", store: MemoryTokenStore(), provider: AuthorizationServer.provider)
      let loopback = try await LoopbackRedirect.start()
      try await server.control(["redirect_uris": [.string(loopback.uri)]])
      let login = try oauth2.beginLogin(
        scopes: [.tweetRead], redirectURI: loopback.uri, configuration: server.configuration())
      let redirect = try await server.decide(login.url)
      async let arrived = loopback.redirect()
      _ = try await get(redirect.absoluteString)
      try await login.complete(redirect: try await arrived)
      #expect(try await server.api(oauth2).me() == "alice")

      // The same in one call; the person is the closure.
      let port = try #require(URLComponents(string: loopback.uri)?.port.flatMap { UInt16(exactly: $0) })
      let other = oauth2.account("other")
      try await other.logInOnCommandLine(scopes: [.tweetRead], port: port, configuration: server.configuration()) {
        url in
        guard let redirect = try? await server.decide(url) else { return }
        _ = try? await get(redirect.absoluteString)
      }
      #expect(try await server.api(other).me() == "alice")
    }
  }
}
