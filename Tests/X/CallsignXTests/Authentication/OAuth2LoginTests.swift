import Callsign
import CallsignTesting
import CallsignX
import Foundation
import Testing
import XSandbox

@Suite("OAuth 2.0 on the sandbox") struct OAuth2LoginTests {
  private func oauth2(_ session: Session, store: some TokenStore) -> OAuth2 {
    OAuth2(
      clientID: session.sandbox.app.clientID, clientSecret: session.sandbox.app.clientSecret.map { Secret($0) },
      store: store)
  }

  private func logIn(
    _ oauth2: OAuth2, as user: Sandbox.User, _ session: Session,
    scopes: [OAuth2Scope] = [.tweetRead, .usersRead, .offlineAccess]
  ) async throws {
    let login = try oauth2.beginLogin(
      scopes: scopes, redirectURI: "sandbox://login", configuration: session.x.client.configuration)
    let redirect = try #require(try await session.sandbox.approve(login.url, as: user).url)
    try await login.complete(redirect: redirect)
  }

  @Test("Login, call, refresh, call, logout, for public and for confidential clients", arguments: [true, false])
  func theWholeWay(_ isConfidential: Bool) async throws {
    try await withSession { configuration in
      configuration.app.isConfidential = isConfidential
    } _: { (session) async throws in
      #expect((session.sandbox.app.clientSecret != nil) == isConfidential)
      let store = MemoryTokenStore()
      let oauth2 = oauth2(session, store: store)
      try await logIn(oauth2, as: session.bob, session)
      let x = session.api(.oauth2(oauth2))
      #expect(try await x.getUsersMe().data.username == "bob")

      let first = try #require(try await store.token(for: oauth2.key))
      #expect(first.scopes == ["tweet.read", "users.read", "offline.access"])
      await session.sandbox.revoke(token: first.accessToken.reveal())
      try await withThrowingTaskGroup(of: String?.self) { group in
        for _ in 0..<30 { group.addTask { try await x.getUsersMe().data.username } }
        for try await username in group { #expect(username == "bob") }
      }
      #expect(await session.sandbox.refreshCount == 1)

      // The next run of the program.
      let restarted = session.api(.oauth2(self.oauth2(session, store: store)))
      #expect(try await restarted.getUsersMe().data.username == "bob")
      #expect(await session.sandbox.refreshCount == 1)

      let last = try #require(try await store.token(for: oauth2.key))
      try await oauth2.deauthorize(configuration: x.client.configuration)
      #expect(try await !oauth2.isAuthorized)
      let after = await failure { () throws(CallError) in try await x.getUsersMe() }
      guard case .authorization(let problem)? = after else {
        Issue.record("\(String(describing: after))")
        return
      }
      #expect(problem.advice.contains("nobody is logged in"))
      // The provider knows neither token any more.
      try await store.save(last, for: oauth2.key)
      let revived = session.api(.oauth2(self.oauth2(session, store: store)))
      let refused = await failure { () throws(CallError) in try await revived.getUsersMe() }
      guard case .authorization(let problem)? = refused else {
        Issue.record("\(String(describing: refused))")
        return
      }
      #expect(problem.advice.contains("log in again"))
    }
  }

  @Test("A token that expires by the sandbox's clock is refreshed before it is sent")
  func expiry() async throws {
    let clock = Sandbox.ManualClock()
    try await withSession { configuration in
      configuration.clock = clock
      configuration.accessTokenLifetime = 120
    } _: { (session) async throws in
      let time = SandboxTime(clock: clock)
      let oauth2 = oauth2(session, store: MemoryTokenStore())
      var configuration = session.x.client.configuration
      configuration.time = time
      let login = try oauth2.beginLogin(
        scopes: [.tweetRead, .usersRead, .offlineAccess], redirectURI: "sandbox://login", configuration: configuration)
      try await login.complete(
        redirect: try #require(try await session.sandbox.approve(login.url, as: session.alice).url))
      let x = XAPI(auth: .oauth2(oauth2), configuration: configuration)
      for _ in 0..<4 {
        #expect(try await x.getUsersMe().data.username == "alice")
        clock.advance(by: 119)
      }
      #expect(await session.sandbox.refreshCount == 3)
      let statuses = await session.sandbox.requests().filter { $0.path == "/2/users/me" }.map(\.status)
      #expect(statuses == [200, 200, 200, 200])
    }
  }

  @Test("The person refuses; a scope is missing; a code comes late")
  func refusals() async throws {
    let clock = Sandbox.ManualClock()
    try await withSession { configuration in
      configuration.clock = clock
    } _: { (session) async throws in
      let oauth2 = oauth2(session, store: MemoryTokenStore())
      let denied = try oauth2.beginLogin(
        scopes: [.tweetRead], redirectURI: "sandbox://login", configuration: session.x.client.configuration)
      let refusal = try #require(try await session.sandbox.deny(denied.url))
      await #expect {
        try await denied.complete(redirect: refusal)
      } throws: { error in
        if case .denied? = error as? LoginError { true } else { false }
      }

      let late = try oauth2.beginLogin(
        scopes: [.tweetRead], redirectURI: "sandbox://login", configuration: session.x.client.configuration)
      let redirect = try #require(try await session.sandbox.approve(late.url, as: session.alice).url)
      clock.advance(by: 31)
      await #expect {
        try await late.complete(redirect: redirect)
      } throws: { error in
        switch error as? LoginError {
        case .codeRefused?, .refused?: true
        default: false
        }
      }

      try await logIn(oauth2, as: session.alice, session)
      let x = session.api(.oauth2(oauth2))
      let before = await session.requests().count
      let error = await failure { () throws(CallError) in try await x.createPosts(text: "no") }
      guard case .authorization(let problem)? = error, case .missingScopes(["tweet.write"]) = problem.reason else {
        Issue.record("\(String(describing: error))")
        return
      }
      #expect(await session.requests().count == before)
    }
  }

  @Test("Two accounts on one store; switching is one line")
  func accounts() async throws {
    try await withSession { (session) async throws in
      let store = MemoryTokenStore()
      let alice = oauth2(session, store: store)
      let bob = alice.account("bob")
      try await logIn(alice, as: session.alice, session)
      try await logIn(bob, as: session.bob, session)
      let x = session.api(.oauth2(alice))
      let other = x.with(auth: .oauth2(bob))
      #expect(try await x.getUsersMe().data.username == "alice")
      #expect(try await other.getUsersMe().data.username == "bob")
    }
  }

  @Test("X's app opens by a URL that the provider serves as well")
  func appLink() async throws {
    try await withSession { (session) async throws in
      let oauth2 = oauth2(session, store: MemoryTokenStore())
      let login = try oauth2.beginLogin(
        scopes: [.tweetRead, .usersRead], redirectURI: "sandbox://login",
        configuration: session.x.client.configuration
      ) { $0.scheme == "twitter" }
      #expect(login.url.path == "/i/oauth2_start_flow")
      let redirect = try #require(try await session.sandbox.approve(login.url, as: session.carol).url)
      try await login.complete(redirect: redirect)
      #expect(try await session.api(.oauth2(oauth2)).getUsersMe().data.username == "carol")
    }
  }
}

@Suite("App-only on the sandbox") struct AppOnlyLoginTests {
  @Test("Fetched once, given back, fetched again")
  func theWholeWay() async throws {
    try await withSession { (session) async throws in
      let app = AppOnly(
        consumerKey: session.sandbox.app.consumerKey, consumerSecret: Secret(session.sandbox.app.consumerSecret))
      let x = session.api(.appOnly(app))
      try await withThrowingTaskGroup(of: String?.self) { group in
        for _ in 0..<30 { group.addTask { try await x.getUsersById(id: session.bob.id).data.username } }
        for try await username in group { #expect(username == "bob") }
      }
      #expect(await session.sandbox.authorizationCounts().bearerTokens == 1)

      try await app.invalidate(configuration: x.client.configuration)
      #expect(try await x.getUsersById(id: session.bob.id).data.username == "bob")
      #expect(await session.sandbox.authorizationCounts().bearerTokens == 2)

      // Somebody else has given it back.
      let other = AppOnly(
        consumerKey: session.sandbox.app.consumerKey, consumerSecret: Secret(session.sandbox.app.consumerSecret))
      _ = try await session.api(.appOnly(other)).getUsersById(id: session.bob.id)
      try await other.invalidate(configuration: x.client.configuration)
      #expect(try await x.getUsersById(id: session.bob.id).data.username == "bob")
      #expect(await session.sandbox.authorizationCounts().bearerTokens == 4)
    }
  }

  @Test("A wrong client secret is refused") func wrongSecret() async throws {
    try await withSession { (session) async throws in
      let x = session.api(.appOnly(AppOnly(consumerKey: session.sandbox.app.consumerKey, consumerSecret: "wrong")))
      let error = await failure { () throws(CallError) in try await x.getUsersById(id: session.bob.id) }
      guard case .authorization(let problem)? = error else {
        Issue.record("\(String(describing: error))")
        return
      }
      #expect(problem.reason == .refused)
      #expect(problem.advice.contains("key and secret"))
    }
  }
}

/// The client keeps the sandbox's time.
private struct SandboxTime: TimeSource {
  let clock: Sandbox.ManualClock

  func now() -> Date { clock.now() }
  func sleep(for duration: Duration) async throws(CancellationError) { await Task.yield() }
}
