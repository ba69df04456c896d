import Callsign
import CallsignAuth
import CallsignHTTP
import CallsignTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing
import XCore

@Suite("Accounts that a store keeps", .needs(.python(with: "oauthlib.oauth1")))
struct AccountTests {
  private func account(_ store: any TokenStore, app: String = "app", name: String = "default") -> OAuth1Account {
    OAuth1App(.x, key: app, secret: Provider.appSecret).account(name, store: store, hosts: ["api.x.com"])
  }

  @Test("From login to logout, over a restart")
  func lifecycle() async throws {
    try await Provider.with { provider in
      let store = MemoryTokenStore()
      let before = account(store)
      #expect(try await before.isAuthorized == false)
      let error = await callFailure { () throws(CallError) in
        try await provider.client(before).call(.get, "https://api.x.com/2/users/me")
      }
      #expect("\(error.map { "\($0)" } ?? "")".contains("api.x.com/default (oauth1, client app); log in"))
      try await before.save(try await provider.token())

      let after = account(store)
      #expect(try await after.isAuthorized)
      #expect(try await after.token()?.screenName == "alice")
      #expect(
        try await store.keys(service: "api.x.com") == [TokenKey(service: "api.x.com", scheme: .oauth1, clientID: "app")]
      )
      for _ in 0..<2 {
        let me = try await provider.client(after).call(.get, "https://api.x.com/2/users/me")
        #expect(me.value["screen_name"] == "alice")
      }

      #expect(try await after.refresh() == after.token())

      // Another value with the same store logs out, and this one notices.
      try await before.deauthorize()
      #expect(try await after.isAuthorized == false)
      #expect(try await after.refresh() == nil)
      let count = try await provider.count("/2/users/me")
      #expect(
        await callFailure { () throws(CallError) in
          try await provider.client(after).call(.get, "https://api.x.com/2/users/me")
        } != nil)
      #expect(try await provider.count("/2/users/me") == count)
    }
  }

  @Test("Invalidated: the provider refuses the token, and the store forgets it")
  func invalidate() async throws {
    try await Provider.with { provider in
      let account = account(MemoryTokenStore())
      let token = try await provider.token()
      try await account.save(token)
      try await account.invalidate(configuration: provider.configuration())
      #expect(try await account.isAuthorized == false)
      let error = await callFailure { () throws(CallError) in
        try await provider.client(provider.credentials(token)).call(.get, "https://api.x.com/2/users/me")
      }
      #expect(error?.problems.first?.code == 89)
      // A token that the provider no longer knows counts as invalidated; without a token nothing is sent.
      try await account.save(token)
      try await account.invalidate(configuration: provider.configuration())
      #expect(try await account.isAuthorized == false)
      try await account.invalidate(configuration: provider.configuration())
      #expect(try await provider.count("/1.1/oauth/invalidate_token") == 2)
    }
  }

  @Test("A token that cannot be invalidated stays")
  func notInvalidated() async throws {
    try await Provider.with { provider in
      let account = account(MemoryTokenStore())
      try await account.save(try await provider.token())
      let lost = provider.configuration {
        $0.transport = FailingTransport("/1.1/oauth", TransportError(.cannotConnect, delivery: .notSent))
      }
      #expect(
        await failure { () throws(LoginError) in try await account.invalidate(configuration: lost) }.name
          == "call(transport)")
      #expect(try await account.isAuthorized)
    }
    let flickr = OAuth1App(.flickr, key: "k", secret: "s").account(store: MemoryTokenStore())
    #expect(await failure { () throws(LoginError) in try await flickr.invalidate() }.name == "invalidSetup")
  }

  @Test(
    "A token's other fields and its expiry are kept, and an expired token is not a login",
    arguments: [
      ("oauth_expires_in=3600&oauth_session_handle=h", 3600), ("oauth_token_duration=60", 60),
      ("oauth_expires_in=0&edam_noteStoreUrl=https%3A%2F%2Fa.example", nil), ("oauth_expires_in=never", nil),
      ("oauth_expires_in=1e300", nil),
    ] as [(String, TimeInterval?)])
  func furtherFields(fields: String, lifetime: TimeInterval?) async throws {
    let time = TestTime(.moves)
    let transport = InMemoryTransport { _ in
      .json("oauth_callback_confirmed=true&oauth_token=t&oauth_token_secret=s&" + fields)
    }
    let app = OAuth1App(
      .x, key: "k", secret: "s", configuration: ClientConfiguration(transport: transport, time: time))
    let token = try await app.pin().complete(pin: "1")
    #expect(token.expires == lifetime.map { time.now().addingTimeInterval($0) })
    #expect(token.fields.count == fields.split(separator: "&").count + 1)
    let store = MemoryTokenStore()
    try await app.account(store: store).save(token)
    let account = app.account(store: store)
    #expect(try await account.token() == token)
    #expect(try await account.isAuthorized)
    try await time.sleep(for: .seconds(4000))
    #expect(try await account.isAuthorized == (lifetime == nil))
    let later = app.account(store: store)
    for await state in later.states {
      switch state {
      case .lost: #expect(lifetime != nil)
      case .valid(let expires): #expect(expires == nil && lifetime == nil)
      default: continue
      }
      break
    }
  }

  @Test("Several accounts side by side; tokens of other apps and kinds are not theirs")
  func several() async throws {
    let store = MemoryTokenStore()
    let token = OAuth1Token(token: "t", secret: "s", userID: "1", screenName: "one")
    try await account(store, name: "one").save(token)
    try await account(store, app: "other", name: "two").save(token)
    let bearer = StoredToken(kind: .bearer, accessToken: "b")
    try await store.save(bearer, for: TokenKey(service: "api.x.com", account: "three"))
    #expect(try await account(store, name: "one").token() == token)
    #expect(try await account(store, name: "two").token() == nil)
    #expect(try await account(store, name: "three").token() == nil)
    #expect(account(store, name: "one").identity == account(store, name: "one").identity)
    #expect(account(store, name: "one").identity != account(store, name: "two").identity)
  }
}

/// A store that cannot be read after its token was saved or deleted.
private struct OnceChangedStore: MemoryBackedStore {
  let memory = MemoryTokenStore()
  let isAway = Guarded(false)

  func load(_ key: TokenKey) async throws(TokenStoreError) -> VersionedToken? {
    if isAway.with({ $0 }) { throw TokenStoreError(.unavailable, advice: "the store is away") }
    return try await memory.load(key)
  }

  func save(
    _ token: StoredToken, replacing expected: TokenPrecondition, under lease: TokenLease
  ) async throws(TokenStoreError) -> TokenVersion {
    let version = try await memory.save(token, replacing: expected, under: lease)
    isAway.with { $0 = true }
    return version
  }

  func delete(_ expected: TokenPrecondition, under lease: TokenLease) async throws(TokenStoreError) {
    try await memory.delete(expected, under: lease)
    isAway.with { $0 = true }
  }
}

@Suite("Accounts whose store fails, and refusals") struct AccountFailureTests {
  private func firstState(of account: OAuth1Account) async -> TokenState? {
    var states = account.states.makeAsyncIterator()
    return await states.next()
  }

  @Test("A saved token is used even if the store cannot be read afterwards") func savedThenAway() async throws {
    let store = OnceChangedStore()
    let transport = InMemoryTransport { _ in .json("{}") }
    let account = OAuth1App(.x, key: "k", secret: "s").account(store: store, hosts: ["api.example"])
    try await store.memory.save(
      OAuth1Token(token: "t1", secret: "s1").stored(consumerKey: "k"), for: account.key)
    let client = Client(auth: account, configuration: ClientConfiguration(transport: transport))
    _ = try await client.call(.get, "https://api.example/")
    try await account.save(OAuth1Token(token: "t2", secret: "s2"))
    #expect(store.isAway.with { $0 })
    _ = try await client.call(.get, "https://api.example/")
    let tokens = transport.requests.map { $0.head.headerFields[.authorization]?.contains("oauth_token=\"t2\"") }
    #expect(tokens == [false, true])
  }

  @Test("A token that was invalidated and deleted is gone, even if the store cannot be read afterwards")
  func invalidatedThenAway() async throws {
    let store = OnceChangedStore()
    let transport = InMemoryTransport { _ in .json(#"{"access_token":"t"}"#) }
    let configuration = ClientConfiguration(transport: transport)
    let account = OAuth1App(.x, key: "k", secret: "s", configuration: configuration)
      .account(store: store, hosts: ["api.example"])
    try await store.memory.save(OAuth1Token(token: "t", secret: "ts").stored(consumerKey: "k"), for: account.key)
    try await account.invalidate()
    #expect(store.isAway.with { $0 })
    let state = await firstState(of: account)
    guard case .signedOut? = state else {
      Issue.record("\(String(describing: state))")
      return
    }
    // Without the store, no token is left to sign with.
    let client = Client(auth: account, configuration: configuration)
    _ = await callFailure { () throws(CallError) in try await client.call(.get, "https://api.example/") }
    #expect(transport.requests.map(\.head.path) == ["/1.1/oauth/invalidate_token"])
  }

  @Test("A refused token is noticed wherever it travels, with and without progress", arguments: [false, true])
  func refusedToken(reportsProgress: Bool) async throws {
    let options = reportsProgress ? CallOptions(progress: { _ in }) : CallOptions()
    for placement in [OAuth1Placement.header, .query, .body] {
      let transport = InMemoryTransport { _ in .json(#"{"errors":[{"code":89}]}"#, status: .unauthorized) }
      var provider = OAuth1Provider.x
      provider.placement = placement
      let account = OAuth1App(provider, key: "k", secret: "s")
        .account(store: MemoryTokenStore(), hosts: ["api.example"])
      try await account.save(OAuth1Token(token: "t", secret: "ts"))
      let client = Client(auth: account, configuration: ClientConfiguration(transport: transport))
      _ = await callFailure { () throws(CallError) in
        try await client.call(.post, "https://api.example/", body: .form(["a": "b"]), options: options)
      }
      let state = await firstState(of: account)
      guard case .lost? = state else {
        Issue.record("\(placement): \(String(describing: state))")
        continue
      }
    }
  }
}
