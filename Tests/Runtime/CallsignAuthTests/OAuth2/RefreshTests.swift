import Callsign
import CallsignAuth
import CallsignHTTP
import Foundation
import HTTPTypes
import TestSupport
import Testing
import XCore

@Suite("Refresh") struct RefreshTests {
  @Test("Before expiry, and the new token is in the store before it is used")
  func order() async throws {
    let events = Guarded<[String]>([])
    let provider = MemoryProvider(events: events) { (number, body) in
      #expect(body.contains("grant_type=refresh_token"))
      #expect(body.contains("refresh_token=r\(number - 1)"))
      return tokens("a\(number)", "r\(number)")
    }
    provider.good.with { $0 = ["a0", "a1", "a2"] }
    let oauth2 = try await provider.oauth2(store: WitnessedStore(events), expiresIn: 100)
    let api = provider.api(oauth2)
    #expect(try await api.me() == "alice")
    provider.time.advance(by: 45)
    #expect(try await api.me() == "alice")
    provider.time.advance(by: 7000)
    #expect(try await api.me() == "alice")
    provider.time.advance(by: 7200)
    #expect(try await api.me() == "alice")
    #expect(
      events.with { $0 } == [
        "saved a0", "used a0", "saved a1", "used a1", "used a1", "saved a2", "used a2",
      ])
  }

  @Test("After a 401, one refresh serves all waiting calls, and the same call succeeds")
  func afterRejection() async throws {
    let events = Guarded<[String]>([])
    let provider = MemoryProvider(events: events) { (number, _) in
      try? await Task.sleep(for: .milliseconds(20))
      return tokens("a\(number)", "r\(number)")
    }
    provider.good.with { $0 = ["a1"] }
    let oauth2 = try await provider.oauth2(store: WitnessedStore(events))
    let api = provider.api(oauth2)
    try await withThrowingTaskGroup(of: String?.self) { group in
      for _ in 0..<100 { group.addTask { try await api.me() } }
      for try await user in group { #expect(user == "alice") }
    }
    #expect(provider.tokenRequests == 1)
    let all = events.with { $0 }
    let saved = try #require(all.firstIndex(of: "saved a1"))
    #expect(!all[..<saved].contains("used a1"))
    #expect(all.filter { $0 == "used a1" }.count == 100)
  }

  @Test("An expired token: 100 calls wait for one refresh")
  func expired() async throws {
    let provider = MemoryProvider { (number, _) in
      try? await Task.sleep(for: .milliseconds(20))
      return tokens("a\(number)", "r\(number)")
    }
    provider.good.with { $0 = ["a1"] }
    let store = MemoryTokenStore()
    let oauth2 = try await provider.oauth2(store: store, expiresIn: -5)
    // Authenticators that know nothing of each other share the store's lock.
    let other = OAuth2(clientID: "public", store: store, provider: AuthorizationServer.provider)
    try await withThrowingTaskGroup(of: String?.self) { group in
      for index in 0..<100 {
        group.addTask { try await provider.api(index.isMultiple(of: 2) ? oauth2 : other).me() }
      }
      for try await user in group { #expect(user == "alice") }
    }
    #expect(provider.tokenRequests == 1)
    #expect(try await store.token(for: oauth2.key)?.refreshToken == "r1")
  }

  @Test("A call that stops waiting does not stop the refresh")
  func cancelledWaiter() async throws {
    let (asked, isAsked) = AsyncStream.makeStream(of: Void.self)
    let (goOn, letGoOn) = AsyncStream.makeStream(of: Void.self)
    let provider = MemoryProvider { (number, _) in
      isAsked.yield()
      for await _ in goOn { break }
      return tokens("a\(number)", "r\(number)")
    }
    provider.good.with { $0 = ["a1"] }
    let oauth2 = try await provider.oauth2(store: MemoryTokenStore(), expiresIn: -5)
    let api = provider.api(oauth2)
    let first = Task { await failure { () throws(CallError) in try await api.me() } }
    for await _ in asked { break }
    let second = Task { try await api.me() }
    first.cancel()
    guard case .cancelled = await first.value else {
      Issue.record("not .cancelled")
      return
    }
    letGoOn.yield()
    #expect(try await second.value == "alice")
    #expect(provider.tokenRequests == 1)
  }

  @Test("If the provider is away, a token that is still valid is used; after it expires, the error says so")
  func providerIsAway() async throws {
    let isAway = Guarded(true)
    for problem in ["connection", "status", "temporarily_unavailable", "server_error", "slow_down"] {
      isAway.with { $0 = true }
      let provider = MemoryProvider { (number, _) throws(TransportError) in
        guard isAway.with({ $0 }) else { return tokens("a1", "r1") }
        if problem == "connection" { throw TransportError(.cannotConnect, delivery: .notSent) }
        return problem == "status" ? .json("{}", status: .serviceUnavailable) : refusal(problem)
      }
      provider.good.with { $0 = ["a0", "a1"] }
      let oauth2 = try await provider.oauth2(store: MemoryTokenStore(), expiresIn: 40)
      let api = provider.api(oauth2)
      for _ in 0..<5 { #expect(try await api.me() == "alice") }
      #expect(provider.tokenRequests == 1, "the provider is not asked again at once")
      provider.time.advance(by: 20)
      #expect(try await api.me() == "alice")
      #expect(provider.tokenRequests == 2)
      provider.time.advance(by: 21)
      let error = await failure { () throws(CallError) in try await api.me() }
      if problem == "connection" {
        guard case .transport(let lost) = error, lost.delivery == .notSent else {
          Issue.record("\(String(describing: error))")
          return
        }
      } else {
        #expect(error?.authorization?.advice.contains("try again later") == true)
      }
      isAway.with { $0 = false }
      #expect(try await api.me() == "alice")
    }
  }

  @Test(
    "If the refresh token is no longer valid, the error says to log in, and the provider is asked once",
    arguments: [
      "invalid_grant", "invalid_request", "bad_refresh_token", "invalid_refresh_token", "refresh_token_not_found",
      "invalid_token", "expired_token", "token_expired", "token_revoked",
    ], [HTTPResponse.Status.badRequest, .ok])
  func loginIsOver(_ code: String, _ status: HTTPResponse.Status) async throws {
    let provider = MemoryProvider { (_, _) in refusal(code, "The token was invalid.", status: status) }
    let store = MemoryTokenStore()
    let oauth2 = try await provider.oauth2(store: store, expiresIn: -5)
    for _ in 0..<3 {
      let error = await failure { () throws(CallError) in try await provider.api(oauth2).me() }
      #expect(error?.authorization?.reason == .refused)
      #expect(error?.authorization?.advice.contains("log in again") == true)
    }
    #expect(provider.tokenRequests == 1)
    #expect(try await !oauth2.isAuthorized)
    // Logged in again, by another process.
    provider.good.with { $0 = ["b0"] }
    let again = StoredToken(
      kind: .oauth2, accessToken: "b0", refreshToken: "s0", expires: provider.time.now() + 7200, clientID: "public")
    try await store.save(again, for: oauth2.key)
    #expect(try await provider.api(oauth2).me() == "alice")
  }

  @Test("Another process was first, and its store has no lock: its result is taken over")
  func anotherWon() async throws {
    let store = WitnessedStore()
    let key = TokenKey(service: "api.test", scheme: .oauth2, clientID: "public")
    let provider = MemoryProvider { [weak store] (_, _) in
      let winners = StoredToken(
        kind: .oauth2, accessToken: "won", refreshToken: "r-won", expires: Date() + 7200, clientID: "public")
      try? await store?.save(winners, for: key)
      return refusal("invalid_grant")
    }
    provider.good.with { $0 = ["won"] }
    let oauth2 = try await provider.oauth2(store: store, expiresIn: -5)
    #expect(oauth2.key == key)
    #expect(try await provider.api(oauth2).me() == "alice")
    #expect(provider.tokenRequests == 1)
  }

  @Test("If another process is first and slow, its result is waited for, within bounds")
  func anotherWonSlowly() async throws {
    let store = WitnessedStore()
    let provider = MemoryProvider { (_, _) in refusal("invalid_grant") }
    let oauth2 = try await provider.oauth2(store: store, expiresIn: -5)
    let error = await failure { () throws(CallError) in try await provider.api(oauth2).me() }
    #expect(error?.authorization?.advice.contains("log in again") == true)
    #expect(!provider.time.sleeps.isEmpty)
    #expect(provider.time.sleeps.reduce(.zero, +) < .seconds(5))
  }

  @Test("A new token that cannot be kept is not used, is said loudly, and is not lost")
  func savingFails() async throws {
    let events = Guarded<[String]>([])
    let provider = MemoryProvider(events: events) { (number, _) in tokens("a\(number)", "r\(number)") }
    provider.good.with { $0 = ["a1", "a2"] }
    let store = WitnessedStore(events)
    let oauth2 = try await provider.oauth2(store: store, expiresIn: -5)
    let api = provider.api(oauth2)
    store.savingFails.with { $0 = true }
    for _ in 0..<3 {
      let error = await failure { () throws(CallError) in try await api.me() }
      #expect(error?.authorization?.advice.contains("the disk is full; make room") == true)
    }
    #expect(provider.tokenRequests == 1)
    #expect(events.with { $0 } == ["saved a0"])
    #expect(try await oauth2.isAuthorized)
    store.savingFails.with { $0 = false }
    #expect(try await api.me() == "alice")
    #expect(events.with { $0 } == ["saved a0", "saved a1", "used a1"])
    #expect(provider.tokenRequests == 1)
  }

  @Test("A new token that could not be saved is saved as soon as the store accepts it, without another call")
  func savingLater() async throws {
    let events = Guarded<[String]>([])
    let provider = MemoryProvider(events: events) { (number, _) in tokens("a\(number)", "r\(number)") }
    let store = WitnessedStore(events)
    do {
      let oauth2 = try await provider.oauth2(store: store, expiresIn: -5)
      let api = provider.api(oauth2)
      store.savingFails.with { $0 = true }
      _ = await failure { () throws(CallError) in try await api.me() }
    }
    store.savingFails.with { $0 = false }
    // Even if the authenticator no longer exists: its process must not take the login with it.
    try await eventually { events.with { $0 } == ["saved a0", "saved a1"] }
    #expect(provider.tokenRequests == 1)
  }

  @Test("A provider that gives no new refresh token keeps the old one good")
  func notRotated() async throws {
    let provider = MemoryProvider { (number, body) in
      #expect(body.contains("refresh_token=r0"))
      return tokens("a\(number)")
    }
    provider.good.with { $0 = ["a1", "a2"] }
    let store = MemoryTokenStore()
    let oauth2 = try await provider.oauth2(store: store, expiresIn: -5, scopes: ["tweet.read", "x"])
    for _ in 0..<2 {
      #expect(try await provider.api(oauth2).me() == "alice")
      provider.time.advance(by: 7300)
    }
    let kept = try await store.token(for: oauth2.key)
    #expect(kept?.refreshToken == "r0")
    #expect(kept?.scopes == ["tweet.read", "x"])
  }

  @Test("Other data in the store survives a refresh")
  func keptMembers() async throws {
    let provider = MemoryProvider { (number, _) in tokens("a\(number)", "r\(number)") }
    provider.good.with { $0 = ["a1"] }
    let store = MemoryTokenStore()
    let oauth2 = try await provider.oauth2(store: store, expiresIn: -5)
    let text = try JSONValue(jsonData: try #require(try await store.token(for: oauth2.key)).encoded())
    var members = try #require(text.object)
    members["username"] = "alice"
    members["device"] = "written by a newer version"
    try await store.save(try StoredToken(encoded: JSONValue.object(members).jsonData()), for: oauth2.key)
    #expect(try await provider.api(oauth2).me() == "alice")
    let kept = try #require(try await store.token(for: oauth2.key))
    #expect(kept.accessToken == "a1" && kept.refreshToken == "r1" && kept.username == "alice")
    #expect(try JSONValue(jsonData: kept.encoded())["device"]?.string == "written by a newer version")
  }

  @Test("A short-lived token is not refreshed for each call")
  func shortLived() async throws {
    let provider = MemoryProvider { (number, _) in tokens("a\(number)", "r\(number)", expiresIn: 40) }
    provider.good.with { $0 = ["a1", "a2"] }
    let oauth2 = try await provider.oauth2(store: MemoryTokenStore(), expiresIn: -5)
    for _ in 0..<5 { #expect(try await provider.api(oauth2).me() == "alice") }
    #expect(provider.tokenRequests == 1)
    provider.time.advance(by: 31)
    #expect(try await provider.api(oauth2).me() == "alice")
    #expect(provider.tokenRequests == 2)
  }

  @Test("Nor is one that follows a token with a longer life")
  func shortLivedAfterLongLived() async throws {
    let provider = MemoryProvider { (number, _) in tokens("a\(number)", "r\(number)", expiresIn: 50) }
    provider.good.with { $0 = ["a1"] }
    let store = MemoryTokenStore()
    let oauth2 = try await provider.oauth2(store: store, expiresIn: -5)
    var before = try #require(try await store.token(for: oauth2.key))
    before.lifetime = 7200
    try await store.save(before, for: oauth2.key)
    for _ in 0..<5 { #expect(try await provider.api(oauth2).me() == "alice") }
    #expect(provider.tokenRequests == 1)
    #expect(try await store.token(for: oauth2.key)?.lifetime == 50)
  }

  @Test("Nor is one that another process has obtained")
  func shortLivedAndTakenOver() async throws {
    let provider = MemoryProvider { (number, _) in tokens("a\(number)", "r\(number)", expiresIn: 40) }
    provider.good.with { $0 = ["a1"] }
    let store = MemoryTokenStore()
    let one = try await provider.oauth2(store: store, expiresIn: -5)
    let other = OAuth2(clientID: "public", store: store, provider: AuthorizationServer.provider)
    await other.prepare()
    for _ in 0..<3 {
      #expect(try await provider.api(one).me() == "alice")
      #expect(try await provider.api(other).me() == "alice")
    }
    #expect(provider.tokenRequests == 1)
  }

  @Test("When the API refuses even fresh tokens, refresh tokens are not spent on and on")
  func refusedOverAndOver() async throws {
    let provider = MemoryProvider { (number, _) in tokens("a\(number)", "r\(number)") }
    let oauth2 = try await provider.oauth2(store: MemoryTokenStore())
    for _ in 0..<5 {
      let error = await failure { () throws(CallError) in try await provider.api(oauth2).me() }
      #expect(error?.authorization?.reason == .refused)
    }
    #expect(provider.tokenRequests == 1)
  }

  @Test("Tokens that are revoked one soon after the other are all replaced, as long as each new one was accepted")
  func revokedAgain() async throws {
    let provider = MemoryProvider { (number, _) in tokens("a\(number)", "r\(number)") }
    let api = provider.api(try await provider.oauth2(store: MemoryTokenStore()))
    for number in 1...4 {
      provider.good.with { $0 = ["a\(number)"] }
      #expect(try await api.me() == "alice")
    }
    #expect(provider.tokenRequests == 4)
  }

  @Test("A call that is refused while a postponed renewal is under way still has the token renewed")
  func refusedDuringRenewal() async throws {
    let renewing = HeldRenewal { .json("{}", status: .serviceUnavailable) }
    let provider = renewing.provider
    let oauth2 = try await provider.oauth2(store: MemoryTokenStore(), expiresIn: 100)
    // The response to this call waits until another has begun to renew the token.
    let (sent, isSent) = AsyncStream.makeStream(of: Void.self)
    let (responded, letRespond) = AsyncStream.makeStream(of: Void.self)
    var configuration = provider.configuration
    configuration.middleware = [HeldResponse(isSent: isSent, responded: responded)]
    let api = MemoryProvider.API(client: Client(auth: [oauth2], configuration: configuration))
    let call = Task { try await api.me() }
    for await _ in sent { break }
    provider.time.advance(by: 50)
    let renewal = Task { [configuration = provider.configuration] in
      try await oauth2.token(configuration: configuration)
    }
    await renewing.hasBegun()
    letRespond.finish()
    // Time to join the renewal; otherwise it renews by itself.
    try await Task.sleep(for: .milliseconds(50))
    renewing.end()
    #expect(try await call.value == "alice")
    _ = try await renewal.value
    #expect(provider.tokenRequests == 2)
  }

  @Test("A call that wants another token while a postponed renewal is under way still gets one")
  func wantedDuringRenewal() async throws {
    let renewing = HeldRenewal { .json("{}", status: .serviceUnavailable) }
    let provider = renewing.provider
    let oauth2 = try await provider.oauth2(store: MemoryTokenStore(), expiresIn: 40)
    let configuration = provider.configuration
    let renewal = Task { try await oauth2.token(configuration: configuration) }
    await renewing.hasBegun()
    let wanted = Task { try await oauth2.refresh(configuration: configuration) }
    // Time to join the renewal; otherwise it renews by itself.
    try await Task.sleep(for: .milliseconds(50))
    renewing.end()
    #expect(try await wanted.value.value == "a1")
    _ = try await renewal.value
    #expect(provider.tokenRequests == 2)
  }

  @Test("An endpoint that refuses every token uses up no refresh tokens, though other calls succeed in between")
  func closedEndpoint() async throws {
    let provider = MemoryProvider { (number, _) in tokens("a\(number)", "r\(number)") }
    provider.good.with { $0 = ["a0", "a1"] }
    let api = provider.api(try await provider.oauth2(store: MemoryTokenStore()))
    for _ in 0..<5 {
      let error = await failure { () throws(CallError) in
        try await api.call(.get, "closed", auth: .accepting("oauth2"))
      }
      #expect(error?.authorization?.reason == .refused)
      #expect(try await api.me() == "alice")
    }
    #expect(provider.tokenRequests == 1)
  }

  @Test("A token without a refresh token is used until it expires, and only then is the login over")
  func usedToTheEnd() async throws {
    for expiresIn in [30, 100] as [TimeInterval] {
      let provider = MemoryProvider { (_, _) in tokens("never") }
      provider.good.with { $0 = ["a0"] }
      let oauth2 = try await provider.oauth2(store: MemoryTokenStore(), refresh: nil, expiresIn: expiresIn)
      #expect(try await provider.api(oauth2).me() == "alice")
      provider.time.advance(by: expiresIn - 1)
      #expect(try await provider.api(oauth2).me() == "alice")
      var states = oauth2.states.makeAsyncIterator()
      guard case .valid? = await states.next() else {
        Issue.record("not .valid")
        return
      }
      provider.time.advance(by: 2)
      let error = await failure { () throws(CallError) in try await provider.api(oauth2).me() }
      #expect(error?.authorization?.advice.contains("offline.access") == true)
      #expect(provider.tokenRequests == 0)
    }
  }

  @Test("Without a refresh token, the error says how to get one")
  func noRefreshToken() async throws {
    let provider = MemoryProvider { (_, _) in tokens("never") }
    let oauth2 = try await provider.oauth2(store: MemoryTokenStore(), refresh: nil, expiresIn: -5)
    let error = await failure { () throws(CallError) in try await provider.api(oauth2).me() }
    #expect(error?.authorization?.advice.contains("offline.access") == true)
    #expect(provider.tokenRequests == 0)
    #expect(try await !oauth2.isAuthorized)
  }

  @Test("A token of another client, a store that cannot be read")
  func unusable() async throws {
    let provider = MemoryProvider { (_, _) in tokens("never") }
    let store = WitnessedStore()
    _ = try await provider.oauth2(store: store)
    let other = OAuth2(clientID: "another", store: store, provider: AuthorizationServer.provider)
    let foreign = await failure { () throws(CallError) in try await provider.api(other).me() }
    #expect(foreign?.authorization?.advice.contains("nobody is logged in") == true)
    #expect(try await !other.isAuthorized)
    store.loadingFails.with { $0 = true }
    let fresh = OAuth2(clientID: "public", store: store, provider: AuthorizationServer.provider)
    let error = await failure { () throws(CallError) in try await provider.api(fresh).me() }
    #expect(error?.authorization?.advice.contains("the file is damaged; delete it") == true)
    await #expect(throws: TokenStoreError.self) { try await fresh.isAuthorized }
  }

  @Test(
    "A logout that overtakes a refresh, here or elsewhere, stays one, even without a lock", arguments: [true, false])
  func logoutDuringRefresh(_ isHere: Bool) async throws {
    let renewing = HeldRenewal { tokens("a1", "r1") }
    let provider = renewing.provider
    let store = WitnessedStore()
    let oauth2 = try await provider.oauth2(store: store, expiresIn: -5)
    let call = Task { await failure { () throws(CallError) in try await provider.api(oauth2).me() } }
    await renewing.hasBegun()
    let other = OAuth2(clientID: "public", store: store, provider: AuthorizationServer.provider)
    try await (isHere ? oauth2 : other).deauthorize(configuration: provider.configuration)
    renewing.end()
    #expect(await call.value?.authorization?.advice.contains("nobody is logged in") == true)
    #expect(try await store.keys(service: nil).isEmpty)
    // The logout could not know the refreshed token.
    try await eventually { renewing.revoked.with { $0 } == ["r0", "a0", "r1", "a1"] }
  }

  @Test("A logout by another process also revokes a refreshed token that could not be saved yet")
  func logoutElsewhere() async throws {
    let revoked = Guarded<[String]>([])
    let provider = MemoryProvider { (_, body) in
      guard let token = revokedToken(body) else { return tokens("a1", "r1") }
      revoked.with { $0.append(token) }
      return .json("{}")
    }
    let store = WitnessedStore()
    let oauth2 = try await provider.oauth2(store: store, expiresIn: -5)
    store.savingFails.with { $0 = true }
    #expect(await failure { () throws(CallError) in try await provider.api(oauth2).me() } != nil)
    let other = OAuth2(clientID: "public", store: store, provider: AuthorizationServer.provider)
    try await other.deauthorize(configuration: provider.configuration)
    store.savingFails.with { $0 = false }
    let error = await failure { () throws(CallError) in try await provider.api(oauth2).me() }
    #expect(error?.authorization?.advice.contains("nobody is logged in") == true)
    #expect(try await store.keys(service: nil).isEmpty)
    try await eventually { revoked.with { Set($0).isSuperset(of: ["r0", "a0", "r1", "a1"]) } }
  }

  @Test("A save of tokens that fails during a refresh does not lose the refreshed token")
  func failedSaveDuringRefresh() async throws {
    let renewing = HeldRenewal(then: { _ in refusal("invalid_grant") }) { tokens("a1", "r1") }
    let provider = renewing.provider
    let store = WitnessedStore()
    let oauth2 = try await provider.oauth2(store: store, expiresIn: -5)
    let call = Task { await failure { () throws(CallError) in try await provider.api(oauth2).me() } }
    await renewing.hasBegun()
    store.savingFails.with { $0 = true }
    let error = await loginFailure { () throws(LoginError) in
      try await oauth2.save(StoredToken(kind: .oauth2, accessToken: "a2", refreshToken: "r2"))
    }
    guard case .store = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    renewing.end()
    #expect(await call.value?.authorization?.advice.contains("only in memory") == true)
    store.savingFails.with { $0 = false }
    #expect(try await provider.api(oauth2).me() == "alice")
    #expect(try await store.token(for: oauth2.key)?.refreshToken == "r1")
    #expect(provider.tokenRequests == 1)
  }

  @Test("A login during a refresh serves the calls that wait for it, and no refresh token is sent twice")
  func loginDuringRefresh() async throws {
    for store in [WitnessedStore(), MemoryTokenStore()] as [any TokenStore] {
      let spent = Guarded(0)
      let renewing = HeldRenewal(
        then: { body in
          if body.contains("refresh_token=r0") { spent.with { $0 += 1 } }
          return body.contains("code=c") ? tokens("a2", "r2") : refusal("invalid_grant")
        }, { tokens("a1", "r1") })
      let provider = renewing.provider
      provider.good.with { $0 = ["a1", "a2"] }
      let oauth2 = try await provider.oauth2(store: store, expiresIn: -5)
      let call = Task { try await provider.api(oauth2).me() }
      await renewing.hasBegun()
      let login = try oauth2.beginLogin(
        scopes: [.tweetRead], redirectURI: "myapp://login", configuration: provider.configuration)
      let state = try #require(URLComponents(url: login.url, resolvingAgainstBaseURL: false)?.value("state"))
      let redirect = try #require(URL(string: "myapp://login?code=c&state=\(state)"))
      let completed = Task { try await login.complete(redirect: redirect) }
      if store is WitnessedStore {
        #expect(try await completed.value.accessToken == "a2")
      } else {
        // It waits for the lease of the refresh.
        try await eventually { provider.tokenRequests == 2 }
        for _ in 0..<50 { await Task.yield() }
      }
      renewing.end()
      #expect(try await call.value == "alice")
      #expect(try await completed.value.accessToken == "a2")
      #expect(try await store.token(for: oauth2.key)?.refreshToken == "r2")
      #expect(try await provider.api(oauth2).me() == "alice")
      #expect(spent.with { $0 } == 0)
      #expect(provider.tokenRequests == 2)
    }
  }

  @Test(
    "A stream waits for a provider that is away, and ends if nobody is logged in",
    arguments: [
      ("{}", HTTPResponse.Status.serviceUnavailable), (#"{"error":"temporarily_unavailable"}"#, .badRequest),
      ("<html>", .ok),
    ])
  func stream(_ response: String, _ status: HTTPResponse.Status) async throws {
    let provider = MemoryProvider { (number, _) in
      number <= 6 ? .json(response, status: status) : tokens("a1", "r1")
    }
    provider.good.with { $0 = ["a1"] }
    let oauth2 = try await provider.oauth2(store: MemoryTokenStore(), expiresIn: -5)
    func first(_ oauth2: OAuth2) async throws -> String? {
      let call = Call(
        Endpoint("watch", "GET", "https://api.test", "/me", auth: "oauth2", repeatable: true, stream: .lines))
      let stream: EventStream<JSONValue> = provider.api(oauth2).client.stream(call)
      for try await element in stream { return element.value?["user"]?.string }
      return nil
    }
    #expect(try await first(oauth2) == "alice")
    #expect(provider.tokenRequests == 7)
    let nobody = OAuth2(clientID: "public", store: MemoryTokenStore(), provider: AuthorizationServer.provider)
    let error = await #expect(throws: CallError.self) { try await first(nobody) }
    #expect(error?.authorization?.advice.contains("nobody is logged in") == true)
  }

  @Test("If a revocation fails, the token is forgotten, and the error says so")
  func revocationFails() async throws {
    let provider = MemoryProvider { (_, _) in .json("{}", status: .badGateway) }
    let store = MemoryTokenStore()
    let oauth2 = try await provider.oauth2(store: store)
    let error = await loginFailure { () throws(LoginError) in
      try await oauth2.deauthorize(configuration: provider.configuration)
    }
    guard case .call(.api) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(provider.tokenRequests == 2)
    #expect(try await store.keys(service: nil).isEmpty)
    #expect(try await !oauth2.isAuthorized)
  }
}

/// The token that a request wants to be revoked; `nil` for other requests.
private func revokedToken(_ body: String) -> String? {
  body.split(separator: "&").first { $0.hasPrefix("token=") }.map { String($0.dropFirst(6)) }
}

/// A provider whose first response to a request for a token waits until a test lets it go. `a1` is good.
private struct HeldRenewal {
  let provider: MemoryProvider
  /// The tokens that were revoked.
  let revoked: Guarded<[String]>
  private let asked: AsyncStream<Void>
  private let letGoOn: AsyncStream<Void>.Continuation

  /// - Parameters:
  ///   - then: The responses to later requests for a token.
  ///   - first: The response that waits.
  init(
    then: @escaping @Sendable (String) -> TransportResponse = { _ in tokens("a1", "r1") },
    _ first: @escaping @Sendable () -> TransportResponse
  ) {
    let (asked, isAsked) = AsyncStream.makeStream(of: Void.self)
    let (goOn, letGoOn) = AsyncStream.makeStream(of: Void.self)
    self.asked = asked
    self.letGoOn = letGoOn
    let revoked = Guarded<[String]>([])
    self.revoked = revoked
    provider = MemoryProvider { (number, body) in
      if let token = revokedToken(body) {
        revoked.with { $0.append(token) }
        return .json("{}")
      }
      guard number == 1 else { return then(body) }
      isAsked.yield()
      for await _ in goOn { break }
      return first()
    }
    provider.good.with { $0 = ["a1"] }
  }

  /// Waits until the provider receives a request for a token.
  func hasBegun() async { for await _ in asked { break } }

  /// Releases the response.
  func end() { letGoOn.finish() }
}

/// Holds the first response until it is released.
private struct HeldResponse: Middleware {
  let isSent: AsyncStream<Void>.Continuation
  let responded: AsyncStream<Void>

  func send(
    _ request: TransportRequest, context: AttemptContext, next: Next
  ) async throws(TransportError) -> TransportResponse {
    let response = try await next(request)
    if context.attempt == 1 {
      isSent.finish()
      for await _ in responded { break }
    }
    return response
  }
}
