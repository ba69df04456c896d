import Callsign
import CallsignAuth
import CallsignHTTP
import Foundation
import TestSupport
import Testing
import XCore

/// The length of leases: those for the first token and its refresh end long before they are renewed, since the process gets
/// no time, or its clock's task is delayed.
private struct DelayedClock: Sendable {
  private let leases = Guarded(0)

  func length(_ duration: Duration) -> Duration {
    leases.with { count in
      count += 1
      return count > 2 ? duration : .milliseconds(50)
    }
  }
}

/// A store of a server whose clock is delayed.
private struct DelayedStore: TokenStore {
  let store: any TokenStore
  let clock = DelayedClock()

  var place: String { store.place }

  func load(_ key: TokenKey) async throws(TokenStoreError) -> VersionedToken? { try await store.load(key) }

  func lease(_ key: TokenKey, lasting duration: Duration) async throws(TokenStoreError) -> TokenLease {
    try await store.lease(key, lasting: clock.length(duration))
  }

  func save(
    _ token: StoredToken, replacing expected: TokenPrecondition, under lease: TokenLease
  ) async throws(TokenStoreError) -> TokenVersion {
    try await store.save(token, replacing: expected, under: lease)
  }

  func delete(_ expected: TokenPrecondition, under lease: TokenLease) async throws(TokenStoreError) {
    try await store.delete(expected, under: lease)
  }
}

/// The same of somebody's own, whose leases are never renewed, and that keeps no announcements.
private struct ForgetfulStore: MemoryBackedStore {
  let memory: MemoryTokenStore
  let clock = DelayedClock()

  func lease(_ key: TokenKey, lasting duration: Duration) async throws(TokenStoreError) -> TokenLease {
    let lease = try await memory.lease(key, lasting: clock.length(duration))
    return TokenLease(
      key, id: lease.id, end: lease.end,
      renew: { (_) throws(TokenStoreError) in
        try? await Task.sleep(for: .seconds(3600))
        return lease.end
      }, release: { await lease.release() })
  }
}

@Suite("A refresh that is slow", .timeLimit(.minutes(5))) struct SlowRefreshTests {
  private static func stores() throws -> (folder: TemporaryFolder, stores: [any TokenStore]) {
    let folder = try TemporaryFolder()
    let files = FileTokenStore(folder: folder.url.appendingPathComponent("tokens"))
    return (folder, [MemoryTokenStore(), files, ForgetfulStore(memory: MemoryTokenStore())])
  }

  private func server(_ store: some TokenStore) -> OAuth2 {
    OAuth2(clientID: "public", store: store, provider: AuthorizationServer.provider)
  }

  /// Moves a clock on until it is cancelled.
  private func run(_ time: TestTime) -> Task<Void, Never> {
    Task {
      while !Task.isCancelled {
        time.advance(by: 0.1)
        try? await Task.sleep(for: .milliseconds(1))
      }
    }
  }

  @Test("If the provider responds after the lease has ended, no other server sends the same token, and both continue")
  func responseAfterLease() async throws {
    let (folder, stores) = try Self.stores()
    for store in stores {
      let (asked, isAsked) = AsyncStream.makeStream(of: Void.self)
      let (goOn, letGoOn) = AsyncStream.makeStream(of: Void.self)
      let provider = MemoryProvider { (number, _) in
        guard number == 1 else { return refusal("invalid_grant") }
        isAsked.yield()
        for await _ in goOn { break }
        return tokens("a1", "r1")
      }
      provider.good.with { $0 = ["a1"] }
      provider.time.standStill()
      let slow =
        if let forgetful = store as? ForgetfulStore {
          try await provider.oauth2(store: forgetful, expiresIn: -5)
        } else {
          try await provider.oauth2(store: DelayedStore(store: store), expiresIn: -5)
        }
      let first = Task { try await provider.api(slow).me() }
      for await _ in asked { break }
      func second(_ store: some TokenStore) -> Task<String?, any Error> {
        let other = server(store)
        return Task { try await provider.api(other).me() }
      }
      let other = second(store)
      // It waits for the outcome of the first one's request, or has sent the same token.
      try await eventually { provider.time.sleeping > 0 }
      #expect(provider.tokenRequests == 1, "a token that is being used up was sent again")
      letGoOn.finish()
      let clock = run(provider.time)
      defer { clock.cancel() }
      #expect(try await first.value == "alice")
      #expect(try await other.value == "alice")
      #expect(try await store.token(for: slow.key)?.refreshToken == "r1")
      #expect(provider.tokenRequests == 1)
    }
    withExtendedLifetime(folder) {}
  }

  @Test("A response that comes after another server was refused is stored, and that server continues with it")
  func responseAfterRefusal() async throws {
    let (folder, stores) = try Self.stores()
    for store in stores {
      let (asked, isAsked) = AsyncStream.makeStream(of: Void.self)
      let (goOn, letGoOn) = AsyncStream.makeStream(of: Void.self)
      let provider = MemoryProvider { (number, _) in
        guard number == 1 else {
          letGoOn.finish()
          return refusal("invalid_grant")
        }
        isAsked.yield()
        for await _ in goOn { break }
        return tokens("a1", "r1")
      }
      provider.good.with { $0 = ["a1"] }
      if store is ForgetfulStore { continue }
      let slow = try await provider.oauth2(store: DelayedStore(store: store), expiresIn: -5)
      let first = Task { try await provider.api(slow).me() }
      for await _ in asked { break }
      // Its clock runs through the wait, so that it sends the token; when it looks for the outcome, the first one has it.
      let time = TestTime(.lasts, at: provider.time.now())
      func second(_ store: some TokenStore) -> Task<StoredToken?, any Error> {
        let other = server(store)
        var configuration = provider.configuration
        configuration.time = time
        let given = configuration
        return Task {
          _ = try await other.token(configuration: given)
          return try await store.token(for: other.key)
        }
      }
      let clock = run(time)
      defer { clock.cancel() }
      #expect(try await second(store).value?.refreshToken == "r1")
      #expect(try await first.value == "alice")
      #expect(provider.tokenRequests == 2)
    }
    withExtendedLifetime(folder) {}
  }

  @Test("If the process that used the refresh token was killed, nobody waits for it, and the error names it")
  func killedProcess() async throws {
    let folder = try TemporaryFolder()
    let store = FileTokenStore(folder: folder.url.appendingPathComponent("tokens"))
    let provider = MemoryProvider { (_, _) in refusal("invalid_grant") }
    let key = TokenKey(service: "api.test", scheme: .oauth2, clientID: "public", account: "probe")
    let oauth2 = OAuth2(
      clientID: "public", store: store, account: "probe", provider: AuthorizationServer.provider)
    #expect(oauth2.key == key)
    try await store.save(
      StoredToken(
        kind: .oauth2, accessToken: "a0", refreshToken: "r0", expires: provider.time.now() - 5, clientID: "public"),
      for: key)
    let process = try ProbeProcess(store.folder.path, "ask", 600)
    for await line in process.lines where line == "asked" { break }
    process.kill()
    _ = await process.status()
    for server in [oauth2, oauth2, server(store).account("probe")] {
      let error = await failure { () throws(CallError) in try await provider.api(server).me() }
      #expect(error?.authorization?.reason == .refused)
      #expect(error?.authorization?.lostWith?.hasPrefix("process ") == true)
      #expect(error?.authorization?.advice.contains("log in again") == true)
    }
    // The second server of them tries once for itself, as after every refusal.
    #expect(provider.tokenRequests == 2)
    #expect(try await !oauth2.isAuthorized)
  }

  @Test("Nobody waits for a request that was not sent; one whose response was lost is named")
  func brokenConnection() async throws {
    for delivery in [TransportError.Delivery.notSent, .unknown] {
      let provider = MemoryProvider { (number, _) throws(TransportError) in
        if number == 1 { throw TransportError(.timedOut, delivery: delivery) }
        return refusal("invalid_grant")
      }
      let store = MemoryTokenStore()
      let oauth2 = try await provider.oauth2(store: store, expiresIn: -5)
      #expect(await failure { () throws(CallError) in try await provider.api(oauth2).me() } != nil)
      let other = await failure { () throws(CallError) in try await provider.api(server(store)).me() }
      #expect((other?.authorization?.lostWith == nil) == (delivery == .notSent))
      #expect(provider.tokenRequests == 2)
    }
  }

  @Test("Until a response is in the store, no other task of the process sends the same token, though saving has failed")
  func failedSave() async throws {
    let provider = MemoryProvider { (number, _) in number == 1 ? tokens("a1", "r1") : refusal("invalid_grant") }
    provider.good.with { $0 = ["a1"] }
    // It keeps no announcements, and its leases keep nobody out.
    let store = WitnessedStore()
    let oauth2 = try await provider.oauth2(store: store, expiresIn: -5)
    store.savingFails.with { $0 = true }
    #expect(await failure { () throws(CallError) in try await provider.api(oauth2).me() } != nil)
    provider.time.standStill()
    let other = server(store)
    let call = Task { try await provider.api(other).me() }
    try await eventually { provider.time.sleeping > 0 || provider.tokenRequests > 1 }
    #expect(provider.tokenRequests == 1)
    store.savingFails.with { $0 = false }
    // The first one tries again by itself.
    try await eventually { try await store.token(for: oauth2.key)?.refreshToken == "r1" }
    let clock = run(provider.time)
    defer { clock.cancel() }
    #expect(try await call.value == "alice")
    #expect(provider.tokenRequests == 1)
  }

  @Test("A login does not wait for a refresh that another server has left under way") func login() async throws {
    let store = MemoryTokenStore()
    let provider = MemoryProvider { (_, _) in refusal("invalid_grant") }
    provider.time.standStill()
    let oauth2 = try await provider.oauth2(store: store, expiresIn: -5)
    let version = try #require(try await store.load(oauth2.key)).version
    let lease = try await store.lease(oauth2.key, lasting: .seconds(60))
    try await lease.announceRequest(using: version, lasting: .seconds(600))
    await lease.release()
    let call = Task { try await provider.api(server(store)).me() }
    try await eventually { provider.time.sleeping > 0 }
    provider.good.with { $0 = ["b0"] }
    try await server(store).save(
      StoredToken(kind: .oauth2, accessToken: "b0", refreshToken: "s0", expires: provider.time.now() + 7200))
    let clock = run(provider.time)
    defer { clock.cancel() }
    #expect(try await call.value == "alice")
    #expect(provider.tokenRequests == 0)
  }
}
