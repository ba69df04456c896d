import Callsign
import CallsignAuth
import CallsignHTTP
import Foundation
import TestSupport
import Testing
import XCore

@Suite("Tokens of another library") struct SavedTokenTests {
  private func client(_ store: some TokenStore) -> OAuth2 {
    OAuth2(clientID: "public", store: store, provider: AuthorizationServer.provider)
  }

  @Test("They serve as a login's, and are refreshed, also by the next process")
  func saved() async throws {
    let provider = MemoryProvider { (_, body) in
      body.contains("refresh_token=other-refresh") ? tokens("a1", "r1") : refusal("invalid_grant")
    }
    provider.good.with { $0 = ["other-access", "a1"] }
    let store = MemoryTokenStore()
    let oauth2 = client(store)
    var states = oauth2.states.makeAsyncIterator()
    guard case .signedOut? = await states.next() else {
      Issue.record("not .signedOut")
      return
    }
    try await oauth2.save(
      StoredToken(
        kind: .oauth2, accessToken: "other-access", refreshToken: "other-refresh", expires: provider.time.now() + 3600,
        scopes: ["tweet.read"], userID: "7"))
    guard case .valid? = await states.next() else {
      Issue.record("not .valid")
      return
    }
    #expect(try await oauth2.isAuthorized)
    #expect(try await provider.api(oauth2).me() == "alice")
    #expect(provider.tokenRequests == 0)
    let kept = try #require(try await store.token(for: oauth2.key))
    #expect(kept.clientID == "public" && kept.login?.isEmpty == false && kept.userID == "7")
    #expect(kept.refreshToken == "other-refresh" && kept.scopes == ["tweet.read"])

    provider.time.advance(by: 3600)
    let next = client(store)
    #expect(try await next.isAuthorized)
    #expect(try await provider.api(next).me() == "alice")
    #expect(try await store.token(for: oauth2.key)?.refreshToken == "r1")
    #expect(try await provider.api(oauth2).me() == "alice")
    #expect(provider.tokenRequests == 1)
  }

  @Test("An access token that is over is refreshed before it is used, and one of unknown age once it is refused")
  func age() async throws {
    for expiry in [Date.distantPast, nil] {
      let provider = MemoryProvider { (_, _) in tokens("a1", "r1") }
      provider.good.with { $0 = ["a1"] }
      let oauth2 = client(MemoryTokenStore())
      try await oauth2.save(StoredToken(kind: .oauth2, accessToken: "gone", refreshToken: "r0", expires: expiry))
      #expect(try await provider.api(oauth2).me() == "alice")
      #expect(provider.events.with { $0 } == (expiry == nil ? ["used gone", "used a1"] : ["used a1"]))
    }
  }

  @Test("They take the place of a login that is over, and are another login")
  func another() async throws {
    let provider = MemoryProvider { (_, _) in refusal("invalid_grant") }
    provider.good.with { $0 = ["a2"] }
    let store = MemoryTokenStore()
    let oauth2 = try await provider.oauth2(store: store, expiresIn: -5)
    #expect(await failure { () throws(CallError) in try await provider.api(oauth2).me() } != nil)
    #expect(try await !oauth2.isAuthorized)
    // Also the very refresh token that was refused: a provider may have been wrong.
    for refresh in ["r0", "r2"] {
      let before = oauth2.identity
      try await oauth2.save(StoredToken(kind: .oauth2, accessToken: "a2", refreshToken: Secret(refresh)))
      #expect(try await oauth2.isAuthorized)
      #expect(try await client(store).isAuthorized)
      #expect(oauth2.identity != before)
    }
    #expect(try await provider.api(oauth2).me() == "alice")
  }

  @Test(
    "A token of another client is refused, and the previous one stays",
    arguments: [
      (StoredToken(kind: .oauth1, accessToken: "a", tokenSecret: "s"), "kind is oauth1"),
      (StoredToken(kind: .bearer, accessToken: "a"), "kind is bearer"),
      (StoredToken(kind: .oauth2, accessToken: "a", clientID: "another"), "another client"),
      (StoredToken(kind: .oauth2, accessToken: ""), "access token is empty"),
      (StoredToken(kind: .oauth2, accessToken: "a b"), "characters that no token has"),
      (StoredToken(kind: .oauth2, accessToken: "a\n"), "white space or a line break"),
      (StoredToken(kind: .oauth2, accessToken: "a", refreshToken: ""), "refresh token is empty"),
      (StoredToken(kind: .oauth2, accessToken: "a", refreshToken: "r "), "white space or a line break"),
    ])
  func unusable(_ token: StoredToken, _ words: String) async throws {
    let store = MemoryTokenStore()
    let oauth2 = client(store)
    try await oauth2.save(StoredToken(kind: .oauth2, accessToken: "before"))
    let error = await loginFailure { () throws(LoginError) in try await oauth2.save(token) }
    guard case .invalidSetup(let advice) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(advice.contains(words), "\(advice)")
    #expect(try await store.token(for: oauth2.key)?.accessToken == "before")
  }

  @Test("Where the store fails, nothing has changed")
  func failingStore() async throws {
    let provider = MemoryProvider { (_, _) in tokens("never") }
    provider.good.with { $0 = ["before"] }
    let store = WitnessedStore()
    let oauth2 = client(store)
    try await oauth2.save(StoredToken(kind: .oauth2, accessToken: "before"))
    store.savingFails.with { $0 = true }
    let error = await loginFailure { () throws(LoginError) in
      try await oauth2.save(StoredToken(kind: .oauth2, accessToken: "after"))
    }
    guard case .store(let problem) = error, problem.reason == .system else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(try await provider.api(oauth2).me() == "alice")
    #expect(provider.events.with { $0 } == ["used before"])
  }
}
