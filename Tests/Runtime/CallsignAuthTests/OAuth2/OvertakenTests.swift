import Callsign
import CallsignHTTP
import Foundation
import HTTPTypes
import TestSupport
import Testing
import XCore

@testable import CallsignAuth

/// A store in memory that reports changes. A test can hold up its next step of a kind: a load after it has read, a save or a
/// deletion before it changes anything, a release after the lease is free.
private final class GatedStore: MemoryBackedStore, ObservableTokenStore {
  enum Step { case load, save, delete, release }

  let memory = MemoryTokenStore()
  private let gates = Guarded<[Step: TaskGate]>([:])
  private let observers = Guarded<[@Sendable (TokenChange) -> Void]>([])
  /// How often it was read.
  let loads = Guarded(0)

  /// Holds up the next step of a kind.
  func hold(_ step: Step) -> TaskGate {
    let gate = TaskGate()
    gates.with { $0[step] = gate }
    return gate
  }

  private func pass(_ step: Step) async {
    let gate = gates.with { $0.removeValue(forKey: step) }
    await gate?.pass()
  }

  private func tell(_ change: TokenChange) {
    for observer in observers.with({ $0 }) { observer(change) }
  }

  func observe(_ key: TokenKey, onChange: @escaping @Sendable (TokenChange) -> Void) -> TokenObservation {
    observers.with { $0.append(onChange) }
    return TokenObservation(end: {})
  }

  func load(_ key: TokenKey) async throws(TokenStoreError) -> VersionedToken? {
    loads.with { $0 += 1 }
    let loaded = try await memory.load(key)
    await pass(.load)
    return loaded
  }

  func lease(_ key: TokenKey, lasting duration: Duration) async throws(TokenStoreError) -> TokenLease {
    let lease = try await memory.lease(key, lasting: duration)
    return TokenLease(
      key, id: lease.id, end: lease.end,
      renew: { (duration) throws(TokenStoreError) in
        try await lease.renew(for: duration)
        return lease.end
      },
      release: { [self] in
        await lease.release()
        await pass(.release)
      })
  }

  func save(
    _ token: StoredToken, replacing expected: TokenPrecondition, under lease: TokenLease
  ) async throws(TokenStoreError) -> TokenVersion {
    await pass(.save)
    let version = try await memory.save(token, replacing: expected, under: lease)
    tell(.saved(version))
    return version
  }

  func delete(_ expected: TokenPrecondition, under lease: TokenLease) async throws(TokenStoreError) {
    await pass(.delete)
    try await memory.delete(expected, under: lease)
    tell(.deleted)
  }
}

@Suite("Logins and logouts that overtake something") struct OvertakenTests {
  private func client(_ store: some TokenStore) -> OAuth2 {
    OAuth2(clientID: "public", store: store, provider: AuthorizationServer.provider)
  }

  private func logIn(_ oauth2: OAuth2, _ provider: MemoryProvider) async throws {
    let login = try oauth2.beginLogin(
      scopes: [.tweetRead], redirectURI: "myapp://login", configuration: provider.configuration)
    let state = try #require(URLComponents(url: login.url, resolvingAgainstBaseURL: false)?.value("state"))
    try await login.complete(redirect: try #require(URL(string: "myapp://login?code=c&state=\(state)")))
  }

  /// The state that a new reader is told first.
  private func state(_ states: AsyncStream<TokenState>) async -> String {
    var states = states.makeAsyncIterator()
    return switch await states.next() {
    case .signedOut: "signed out"
    case .valid: "valid"
    case .refreshing: "refreshing"
    case .expired: "expired"
    case .lost: "lost"
    case nil: "over"
    }
  }

  @Test("A login during a read of the empty store is not reported as a logout")
  func loginDuringLook() async throws {
    let provider = MemoryProvider { (_, _) in tokens("a1", "r1") }
    provider.good.with { $0 = ["a1"] }
    let store = GatedStore()
    let oauth2 = client(store)
    let gate = store.hold(.load)
    let look = Task { await oauth2.prepare() }
    await gate.hasCome()
    try await logIn(oauth2, provider)
    gate.open()
    await look.value
    #expect(await state(oauth2.states) == "valid")
    #expect(try await provider.api(oauth2).me() == "alice")
  }

  @Test("While a login is being saved, a first call continues with the token in the store")
  func callDuringLogin() async throws {
    let provider = MemoryProvider { (_, _) in tokens("a1", "r1") }
    provider.good.with { $0 = ["a0", "a1"] }
    let store = GatedStore()
    let oauth2 = try await provider.oauth2(store: store)
    let (loading, saving) = (store.hold(.load), store.hold(.save))
    let call = Task { try await provider.api(oauth2).me() }
    await loading.hasCome()
    let login = Task { try await logIn(oauth2, provider) }
    await saving.hasCome()
    loading.open()
    let user = try? await call.value
    #expect(user == "alice")
    saving.open()
    try await login.value
    #expect(provider.events.with { $0 } == ["used a0"])
    #expect(try await oauth2.token(configuration: provider.configuration).value == "a1")
  }

  @Test("A login by another process is reported with the next call") func loginElsewhere() async throws {
    let provider = MemoryProvider { (_, _) in tokens("never") }
    provider.good.with { $0 = ["a0"] }
    let store = MemoryTokenStore()
    let oauth2 = client(store)
    await oauth2.prepare()
    #expect(await state(oauth2.states) == "signed out")
    _ = try await provider.oauth2(store: store)
    #expect(try await provider.api(oauth2).me() == "alice")
    #expect(await state(oauth2.states) == "valid")
  }

  @Test("A change that the store reports while it is being read is noticed")
  func changeDuringLook() async throws {
    let provider = MemoryProvider { (_, _) in tokens("never") }
    let store = GatedStore()
    let oauth2 = try await provider.oauth2(store: store)
    let gate = store.hold(.load)
    let look = Task { await oauth2.prepare() }
    await gate.hasCome()
    _ = try await provider.oauth2(store: store, access: "b0")
    gate.open()
    await look.value
    #expect(try await oauth2.token(configuration: provider.configuration).value == "b0")
    // It is read once more, and not for each call.
    let loads = store.loads.with { $0 }
    #expect(try await oauth2.token(configuration: provider.configuration).value == "b0")
    #expect(store.loads.with { $0 } == loads)
  }

  @Test("A refreshed token is not used before it is stored, not even by a call that was refused with the previous one")
  func unsavedToken() async throws {
    let provider = MemoryProvider { (_, _) in tokens("a1", "r1") }
    let store = GatedStore()
    let oauth2 = try await provider.oauth2(store: store)
    let environment = TokenRequestEnvironment(provider.configuration)
    let gate = store.hold(.save)
    let first = Task { try await oauth2.tokens.token(after: "a0", environment) }
    await gate.hasCome()
    let isStoredWhenGiven = Task {
      let next = try await oauth2.tokens.token(after: "a0", environment)
      return try await store.token(for: oauth2.key)?.accessToken == next?.accessToken
    }
    for _ in 0..<50 { await Task.yield() }
    gate.open()
    #expect(try await first.value?.accessToken == "a1")
    #expect(try await isStoredWhenGiven.value)
    #expect(provider.tokenRequests == 1)
  }

  @Test("A logout that comes right after a login stays one") func logoutAfterLogin() async throws {
    let provider = MemoryProvider { (_, _) in tokens("a1", "r1") }
    let store = GatedStore()
    let oauth2 = client(store)
    let gate = store.hold(.release)
    let login = Task { try await logIn(oauth2, provider) }
    await gate.hasCome()
    try await oauth2.deauthorize(configuration: provider.configuration)
    gate.open()
    try await login.value
    #expect(await state(oauth2.states) == "signed out")
    let error = await failure { () throws(CallError) in try await oauth2.token(configuration: provider.configuration) }
    #expect(error?.authorization?.advice.contains("nobody is logged in") == true)
  }

  @Test("If a logout follows right after a refresh, the logout is reported last") func logoutAfterRefresh() async throws
  {
    let provider = MemoryProvider { (_, _) in tokens("a1", "r1") }
    let store = GatedStore()
    let oauth2 = try await provider.oauth2(store: store, expiresIn: -5)
    let gate = store.hold(.release)
    let call = Task { try await oauth2.token(configuration: provider.configuration) }
    await gate.hasCome()
    try await oauth2.deauthorize(configuration: provider.configuration)
    gate.open()
    #expect(try await call.value.value == "a1")
    #expect(await state(oauth2.states) == "signed out")
  }

  @Test("If a login follows right after a refused refresh, the login is reported last")
  func loginAfterRefusal() async throws {
    let provider = MemoryProvider { (_, body) in
      body.contains("code=c") ? tokens("a1", "r1") : refusal("invalid_grant")
    }
    let store = GatedStore()
    let oauth2 = try await provider.oauth2(store: store, expiresIn: -5)
    let gate = store.hold(.release)
    let call = Task {
      await failure { () throws(CallError) in try await oauth2.token(configuration: provider.configuration) }
    }
    await gate.hasCome()
    try await logIn(oauth2, provider)
    gate.open()
    #expect(await call.value != nil)
    #expect(await state(oauth2.states) == "valid")
  }

  @Test("An app's token that is being given back is not taken from the store again") func invalidation() async throws {
    let provider = MemoryProvider { (number, body) in
      body.contains("grant_type") ? tokens("app\(number)", expiresIn: nil) : .json("{}")
    }
    let store = GatedStore()
    let app = AppOnly(
      consumerKey: "k", consumerSecret: "s", store: store,
      provider: AppOnly.Provider(
        tokenURL: "https://api.test/oauth2/token", invalidateURL: "https://api.test/oauth2/invalidate_token"))
    #expect(try await app.token(configuration: provider.configuration).value == "app1")
    let gate = store.hold(.delete)
    let giving = Task { try await app.invalidate(configuration: provider.configuration) }
    await gate.hasCome()
    _ = try await app.token(configuration: provider.configuration)
    gate.open()
    try await giving.value
    #expect(await state(app.states) == "signed out")
    // The second request gave the first token back.
    #expect(try await app.token(configuration: provider.configuration).value == "app3")
  }

  @Test("An OAuth 1.0a account that logs out during a read of its store stays logged out")
  func accountLogout() async throws {
    let store = GatedStore()
    let account = OAuth1App(.x, key: "k", secret: "s").account(store: store)
    let nobody = account.identity
    try await account.save(OAuth1Token(token: "t", secret: "ts"))
    let gate = store.hold(.load)
    let look = Task { await account.prepare() }
    await gate.hasCome()
    try await account.deauthorize()
    gate.open()
    await look.value
    #expect(await state(account.states) == "signed out")
    #expect(account.identity == nobody)
  }

  @Test("A response about the token before a login of OAuth 1.0a does not end the login") func oldResponse()
    async throws
  {
    let gate = TaskGate()
    let transport = InMemoryTransport { request in
      let field = request.headerFields[.authorization] ?? ""
      if field.contains(#"oauth_token="old""#) { await gate.pass() }
      return .json(
        #"{"errors":[{"code":89,"message":"Invalid or expired token."}]}"#, status: .unauthorized)
    }
    let account = OAuth1App(.x, key: "k", secret: "s").account(store: MemoryTokenStore())
    let client = Client(auth: account, configuration: ClientConfiguration(transport: transport))
    @Sendable func call() async -> CallError? {
      await failure { () throws(CallError) in try await client.call(.get, "https://api.x.com/2/users/me") }
    }
    try await account.save(OAuth1Token(token: "old", secret: "s1"))
    let old = Task { await call() }
    await gate.hasCome()
    try await account.save(OAuth1Token(token: "new/1", secret: "s2"))
    gate.open()
    #expect(await old.value != nil)
    #expect(await state(account.states) == "valid")
    // A response about the current token counts.
    #expect(await call() != nil)
    #expect(await state(account.states) == "lost")
  }
}
