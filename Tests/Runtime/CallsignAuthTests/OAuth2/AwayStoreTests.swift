import Callsign
import CallsignAuth
import CallsignHTTP
import Foundation
import HTTPTypes
import TestSupport
import Testing
import XCore

/// A store that is away for a given number of loads and leases.
private final class AwayStore: MemoryBackedStore {
  let memory = MemoryTokenStore()
  let reason: TokenStoreError.Reason
  let failingLoads = Guarded(0)
  let failingLeases = Guarded(0)

  init(_ reason: TokenStoreError.Reason = .unavailable) { self.reason = reason }

  private func pass(_ count: Guarded<Int>) throws(TokenStoreError) {
    let isAway = count.with { count in
      defer { count = max(0, count - 1) }
      return count > 0
    }
    if isAway { throw TokenStoreError(reason, advice: "the store is away") }
  }

  func load(_ key: TokenKey) async throws(TokenStoreError) -> VersionedToken? {
    try pass(failingLoads)
    return try await memory.load(key)
  }

  func lease(_ key: TokenKey, lasting duration: Duration) async throws(TokenStoreError) -> TokenLease {
    try pass(failingLeases)
    return try await memory.lease(key, lasting: duration)
  }
}

@Suite("A token store that is away for a moment") struct AwayStoreTests {
  private static let watch = Endpoint(
    "watch", "GET", "https://api.test", "/me", auth: "oauth2", repeatable: true, stream: .lines)

  private func first(_ client: Client) async throws -> String? {
    let stream: EventStream<JSONValue> = client.stream(Call(Self.watch))
    for try await element in stream { return element.value?["user"]?.string }
    return nil
  }

  @Test("A stream waits for it", arguments: [TokenStoreError.Reason.unavailable, .lockTimedOut, .system])
  func stream(_ reason: TokenStoreError.Reason) async throws {
    let provider = MemoryProvider { (_, _) in tokens("a1", "r1") }
    provider.good.with { $0 = ["a1"] }
    let store = AwayStore(reason)
    let oauth2 = try await provider.oauth2(store: store, expiresIn: -5)
    store.failingLoads.with { $0 = 2 }
    store.failingLeases.with { $0 = 2 }
    #expect(try await first(provider.api(oauth2).client) == "alice")
    #expect(provider.tokenRequests == 1)
  }

  @Test("A stream ends if the token cannot be read", arguments: [TokenStoreError.Reason.damaged, .wrongKey])
  func unreadable(_ reason: TokenStoreError.Reason) async throws {
    let provider = MemoryProvider { (_, _) in tokens("never") }
    let store = AwayStore(reason)
    let oauth2 = try await provider.oauth2(store: store)
    store.failingLoads.with { $0 = 1_000 }
    let error = await #expect(throws: CallError.self) { try await first(provider.api(oauth2).client) }
    #expect(error?.authorization?.advice.contains("the store is away") == true)
  }

  @Test("A login for which it gave no lease does not undo a logout by another process")
  func login() async throws {
    let provider = MemoryProvider { (_, body) in body.contains("grant_type") ? tokens("a1", "r1") : .json("{}") }
    let store = AwayStore()
    let oauth2 = try await provider.oauth2(store: store)
    store.failingLeases.with { $0 = 1 }
    let login = try oauth2.beginLogin(
      scopes: [.tweetRead], redirectURI: "myapp://login", configuration: provider.configuration)
    let state = try #require(URLComponents(url: login.url, resolvingAgainstBaseURL: false)?.value("state"))
    let redirect = try #require(URL(string: "myapp://login?code=c&state=\(state)"))
    guard case .notKept = await loginFailure({ () throws(LoginError) in try await login.complete(redirect: redirect) })
    else {
      Issue.record("not .notKept")
      return
    }
    try await OAuth2(clientID: "public", store: store, provider: AuthorizationServer.provider)
      .deauthorize(configuration: provider.configuration)
    let error = await failure { () throws(CallError) in try await provider.api(oauth2).me() }
    #expect(error?.authorization?.advice.contains("nobody is logged in") == true)
    #expect(try await store.load(oauth2.key) == nil)
  }

  @Test("An OAuth 1.0a account continues with the token that it knows")
  func oauth1() async throws {
    let transport = InMemoryTransport { _ in .json(#"{"user":"alice"}"#) }
    let app = OAuth1App(
      OAuth1Provider(
        requestTokenURL: "https://api.test/r", authorizeURL: "https://api.test/a",
        accessTokenURL: "https://api.test/t", hosts: ["api.test"]), key: "k", secret: "s")
    for (reason, serves) in [
      (.unavailable, true), (.system, true), (.lockTimedOut, true), (.damaged, false), (.wrongKey, false),
      (.cancelled, false),
    ] as [(TokenStoreError.Reason, Bool)] {
      let store = AwayStore(reason)
      let account = app.account(store: store)
      try await account.save(OAuth1Token(token: "t", secret: "ts"))
      let client = Client(auth: account, configuration: ClientConfiguration(transport: transport))
      func call() async throws(CallError) -> JSONValue { try await client.call(.get, "https://api.test/me").value }
      _ = try await call()
      store.failingLoads.with { $0 = 1_000 }
      let error = await failure { () throws(CallError) in try await call() }
      #expect((error == nil) == serves, "\(reason)")
      // A request to the store itself is not answered from memory.
      await #expect(throws: TokenStoreError.self) { try await account.isAuthorized }
      store.failingLoads.with { $0 = 0 }
      _ = try await call()
    }
  }

  @Test("An app's token is fetched without it, and kept in memory")
  func appOnly() async throws {
    for reason in [TokenStoreError.Reason.unavailable, .system] {
      let provider = MemoryProvider { (number, _) in tokens("app\(number)", expiresIn: nil) }
      provider.good.with { $0 = ["app1"] }
      let store = AwayStore(reason)
      store.failingLoads.with { $0 = 1_000 }
      store.failingLeases.with { $0 = 1_000 }
      let app = AppOnly(
        consumerKey: "k", consumerSecret: "s", store: store,
        provider: AppOnly.Provider(tokenURL: "https://api.test/oauth2/token"))
      for _ in 0..<3 { #expect(try await provider.api(app).me() == "alice") }
      // Refused, it is replaced.
      provider.good.with { $0 = ["app2"] }
      #expect(try await provider.api(app).me() == "alice")
      #expect(provider.tokenRequests == 2)
    }
  }
}
