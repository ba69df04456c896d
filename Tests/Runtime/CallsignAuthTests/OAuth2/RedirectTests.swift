import Callsign
import CallsignAuth
import CallsignHTTP
import Foundation
import Testing
import XCore

@Suite("Redirects, right and wrong") struct RedirectTests {
  private let provider = MemoryProvider { (_, _) in tokens("a1", "r1") }

  private func begin(_ redirectURI: String = "myapp://login") throws -> (OAuth2Authorization, state: String) {
    let oauth2 = OAuth2(clientID: "public", store: MemoryTokenStore(), provider: AuthorizationServer.provider)
    let login = try oauth2.beginLogin(
      scopes: [.tweetRead], redirectURI: redirectURI, configuration: provider.configuration)
    let state = try #require(URLComponents(url: login.url, resolvingAgainstBaseURL: false)?.value("state"))
    return (login, state)
  }

  private func outcome(_ login: OAuth2Authorization, _ redirect: String) async throws -> LoginError? {
    let url = try #require(URL(string: redirect))
    return await loginFailure { () throws(LoginError) in try await login.complete(redirect: url) }
  }

  @Test(
    "A redirect to another address is foreign, and leaves the login open",
    arguments: [
      ("myapp://login", "other://login"), ("myapp://login", "myapp://logout"), ("myapp://login", "myapp://login/more"),
      ("myapp://login", "myapp://login.evil"), ("https://app.test/cb", "https://app.test.evil/cb"),
      ("https://app.test/cb", "http://app.test/cb"), ("https://app.test/cb", "https://app.test:8443/cb"),
      ("https://app.test/cb", "https://app.test/CB"), ("https://app.test/cb", "https://app.test/cb/../cb"),
      ("https://app.test/cb", "https://user@app.test/cb"), ("http://127.0.0.1:8765/cb", "http://127.0.0.1:8766/cb"),
      ("com.example.app:/login", "com.example.app:/other"), ("https://app.test/cb?tenant=1", "https://app.test/cb"),
      ("https://app.test/cb?tenant=1", "https://app.test/cb?tenant=2"),
    ])
  func foreign(_ redirectURI: String, _ redirect: String) async throws {
    let (login, state) = try begin(redirectURI)
    let separator = redirect.contains("?") ? "&" : "?"
    let error = try await outcome(login, "\(redirect)\(separator)code=c&state=\(state)")
    guard case .foreignRedirect = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    let own = redirectURI.contains("?") ? "&" : "?"
    #expect(try await outcome(login, "\(redirectURI)\(own)code=c&state=\(state)") == nil)
  }

  @Test(
    "The same place, written otherwise",
    arguments: [
      ("myapp://login", "MYAPP://LOGIN"), ("https://app.test/", "https://APP.test"),
      ("myapp://login", "myapp://login/"),
      ("https://app.test/cb?tenant=1", "https://app.test/cb?tenant=1"),
    ])
  func same(_ redirectURI: String, _ redirect: String) async throws {
    let (login, state) = try begin(redirectURI)
    let separator = redirect.contains("?") ? "&" : "?"
    #expect(try await outcome(login, "\(redirect)\(separator)code=c&state=\(state)#_=_") == nil)
  }

  @Test("Another state, or none, is refused, and leaves the login open")
  func state() async throws {
    let (login, state) = try begin()
    for query in [
      "code=c", "code=c&state=", "code=c&state=x", "code=c&state=\(state)x", "code=c&state=\(state.dropLast())",
      "code=c&state=\(state.lowercased())", "error=access_denied", "error=access_denied&state=x",
    ] {
      let error = try await outcome(login, "myapp://login?\(query)")
      guard case .stateMismatch = error else {
        Issue.record("\(query): \(String(describing: error))")
        return
      }
    }
    #expect(provider.tokenRequests == 0)
    #expect(try await outcome(login, "myapp://login?code=c&state=\(state)") == nil)
  }

  @Test("A parameter that occurs twice is refused", arguments: ["code=a&code=b", "error=a&error=b", "code=a&state=b"])
  func duplicates(_ query: String) async throws {
    let (login, state) = try begin()
    let error = try await outcome(login, "myapp://login?\(query)&state=\(state)")
    guard case .unexpectedResponse(let what, _) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(what.contains("more than once"))
    #expect(provider.tokenRequests == 0)
  }

  @Test("The provider's errors are distinguished")
  func errors() async throws {
    let (denied, first) = try begin()
    guard case .denied = try await outcome(denied, "myapp://login?error=access_denied&state=\(first)") else {
      Issue.record("not .denied")
      return
    }
    let (refused, second) = try begin()
    let error = try await outcome(
      refused, "myapp://login?error=invalid_scope&error_description=no+such%20scope%0A&state=\(second)")
    guard case .refused("invalid_scope", "no such scope") = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    let (empty, third) = try begin()
    guard case .unexpectedResponse = try await outcome(empty, "myapp://login?code=&state=\(third)") else {
      Issue.record("another error")
      return
    }
    for (login, state) in [(denied, first), (refused, second), (empty, third)] {
      guard case .alreadyUsed = try await outcome(login, "myapp://login?code=c&state=\(state)") else {
        Issue.record("not .alreadyUsed")
        return
      }
    }
  }

  @Test(
    "An unused parameter does not break a login",
    arguments: ["x=%E9", "x=%", "x=%4", "%E9=x", "x=%ZZ&x=1", "x=%00%FF", "error_description=%E9", "scope=%E9+%"])
  func unreadable(_ other: String) async throws {
    for query in ["\(other)&code=c&state=", "code=c&\(other)&state="] {
      let (login, state) = try begin()
      let redirect = "myapp://login?\(query)\(state)"
      #expect(login.isCompleted(by: try #require(URL(string: redirect))))
      #expect(try await outcome(login, redirect) == nil)
    }
    let (denied, state) = try begin()
    guard case .denied = try await outcome(denied, "myapp://login?error=access_denied&\(other)&state=\(state)") else {
      Issue.record("not .denied")
      return
    }
  }

  @Test("A parameter that is needed must be readable, and the login stays open", arguments: ["code=%E9", "error=%E9"])
  func neededUnreadable(_ needed: String) async throws {
    let (login, state) = try begin()
    let error = try await outcome(login, "myapp://login?\(needed)&state=\(state)")
    guard case .unexpectedResponse(let what, _) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(what.contains("cannot be decoded"))
    #expect(try await outcome(login, "myapp://login?code=c&state=\(state)") == nil)
  }

  @Test("A login that was cancelled stays so")
  func cancelled() async throws {
    let (login, state) = try begin()
    login.cancel()
    guard case .cancelled = try await outcome(login, "myapp://login?code=c&state=\(state)") else {
      Issue.record("not .cancelled")
      return
    }
    #expect(provider.tokenRequests == 0)
  }

  @Test("Of many tasks with the same redirect one succeeds")
  func race() async throws {
    for round in 1...40 {
      let (login, state) = try begin()
      let url = try #require(URL(string: "myapp://login?code=c&state=\(state)"))
      let successes = await withTaskGroup(of: Bool.self) { group in
        for number in 0..<50 {
          group.addTask {
            // Some come just when the exchange has ended.
            for _ in 0..<number { await Task.yield() }
            return (try? await login.complete(redirect: url)) != nil
          }
        }
        var successes = 0
        for await isSuccess in group where isSuccess { successes += 1 }
        return successes
      }
      #expect(successes == 1)
      #expect(provider.tokenRequests == round)
    }
  }

  @Test("When the code never left this machine, it can be used again")
  func offline() async throws {
    let provider = MemoryProvider { (number, _) throws(TransportError) in
      if number <= 3 { throw TransportError(.cannotConnect, delivery: .notSent) }
      return tokens("a1")
    }
    let oauth2 = OAuth2(clientID: "public", store: MemoryTokenStore(), provider: AuthorizationServer.provider)
    let login = try oauth2.beginLogin(
      scopes: [.tweetRead], redirectURI: "myapp://login", configuration: provider.configuration)
    let state = try #require(URLComponents(url: login.url, resolvingAgainstBaseURL: false)?.value("state"))
    guard case .call(.transport) = try await outcome(login, "myapp://login?code=c&state=\(state)") else {
      Issue.record("not .call")
      return
    }
    #expect(try await outcome(login, "myapp://login?code=c&state=\(state)") == nil)
  }
}
