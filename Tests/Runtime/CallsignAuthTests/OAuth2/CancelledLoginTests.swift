import Callsign
import CallsignAuth
import CallsignHTTP
import Foundation
import TestSupport
import Testing
import XCore

@Suite("A login whose task is cancelled") struct CancelledLoginTests {
  @Test("Once it is used up, the code is sent and its token handed out later") func usedUp() async throws {
    let provider = MemoryProvider { (number, _) in tokens("a\(number)", "r\(number)") }
    let time = CancellingTime()
    var configuration = provider.configuration
    configuration.time = time
    let oauth2 = OAuth2(clientID: "public", store: MemoryTokenStore(), provider: AuthorizationServer.provider)
    let login = try oauth2.beginLogin(
      scopes: [.tweetRead], redirectURI: "myapp://login", configuration: configuration)
    let state = try #require(URLComponents(url: login.url, resolvingAgainstBaseURL: false)?.value("state"))
    let redirect = try #require(URL(string: "myapp://login?code=c&state=\(state)"))
    // The clock is looked at when the login is taken down as used, after the task was found not to be cancelled.
    time.arm()
    let first = Task { await loginFailure { () throws(LoginError) in try await login.complete(redirect: redirect) } }
    let error = await first.value
    guard case .cancelled = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    try await eventually { provider.tokenRequests == 1 }
    #expect(try await login.complete(redirect: redirect).accessToken == "a1")
    #expect(provider.tokenRequests == 1)
  }

  @Test("A task that joins an exchange just as it fails gets its failure or starts a new one")
  func failing() async throws {
    // Many times, as the moment cannot be chosen.
    for _ in 0..<300 {
      let gate = TaskGate()
      let provider = MemoryProvider { (number, _) throws(TransportError) in
        if number == 1 { await gate.pass() }
        // It is sent up to three times.
        if number <= 3 { throw TransportError(.cannotConnect, delivery: .notSent) }
        return tokens("a1", "r1")
      }
      let oauth2 = OAuth2(clientID: "public", store: MemoryTokenStore(), provider: AuthorizationServer.provider)
      let login = try oauth2.beginLogin(
        scopes: [.tweetRead], redirectURI: "myapp://login", configuration: provider.configuration)
      let state = try #require(URLComponents(url: login.url, resolvingAgainstBaseURL: false)?.value("state"))
      let redirect = try #require(URL(string: "myapp://login?code=c&state=\(state)"))
      let first = Task { await loginFailure { () throws(LoginError) in try await login.complete(redirect: redirect) } }
      await gate.hasCome()
      first.cancel()
      guard case .cancelled = await first.value else {
        Issue.record("not .cancelled")
        return
      }
      let second = Task { await loginFailure { () throws(LoginError) in try await login.complete(redirect: redirect) } }
      gate.open()
      if let error = await second.value {
        guard case .call(.transport) = error else {
          Issue.record("\(error)")
          return
        }
        #expect(try await login.complete(redirect: redirect).accessToken == "a1")
      }
      #expect(provider.tokenRequests == 4)
    }
  }
}
