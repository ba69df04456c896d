import Callsign
import CallsignAuth
import CallsignHTTP
import Foundation
import TestSupport
import Testing
import XCore

/// Tokens in files; it counts the leases that this process has had.
private struct CountedStore: TokenStore {
  let files: FileTokenStore
  let leases = Counter()

  var place: String { files.place }

  func load(_ key: TokenKey) async throws(TokenStoreError) -> VersionedToken? { try await files.load(key) }

  func lease(_ key: TokenKey, lasting duration: Duration) async throws(TokenStoreError) -> TokenLease {
    let lease = try await files.lease(key, lasting: duration)
    _ = leases.next()
    return lease
  }

  func save(
    _ token: StoredToken, replacing expected: TokenPrecondition, under lease: TokenLease
  ) async throws(TokenStoreError) -> TokenVersion {
    try await files.save(token, replacing: expected, under: lease)
  }

  func delete(_ expected: TokenPrecondition, under lease: TokenLease) async throws(TokenStoreError) {
    try await files.delete(expected, under: lease)
  }
}

/// 8 processes refresh one token 100 times each, while something goes wrong.
@Suite("Refreshes of several processes at once", .serialized, .needs(.python(with: "authlib.oauth2.rfc9207")))
struct RefreshRaceTests {
  private static let (processes, refreshes) = (8, 100)

  /// The outcome of a run.
  private struct Outcome {
    var successes: [Int?] = []
    var complaints = ""
    /// How many requests sent a refresh token that an earlier one had already sent.
    var repeats = 0
    var requests = 0
  }

  /// Lets the processes refresh while something else happens.
  private func run(
    failing: Int = 0, isGracious: Bool = false,
    meanwhile: @escaping @Sendable ([Probe], AuthorizationServer, OAuth2, FileTokenStore) async throws -> Void = {
      _, _, _, _ in
    },
    then check: (Outcome, AuthorizationServer, OAuth2, FileTokenStore) async throws -> Void
  ) async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("callsign-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    try await AuthorizationServer.with { server in
      try await server.control(["grace": .bool(isGracious)])
      let store = FileTokenStore(folder: folder)
      let oauth2 = OAuth2(clientID: "public", store: store, provider: AuthorizationServer.provider)
      try await server.logIn(oauth2)
      let url = server.url
      let probes = try await onThread {
        try (0..<Self.processes).map { _ in
          try Probe(folder: folder, url: url, tasks: Self.refreshes, failing: failing)
        }
      }
      defer { for probe in probes { probe.end() } }
      for probe in probes { try probe.go() }
      async let disturbance: Void = meanwhile(probes, server, oauth2, store)
      var outcome = Outcome()
      for probe in probes {
        let (successes, complaint) = try await onThread { try probe.result() }
        outcome.successes.append(successes)
        outcome.complaints += complaint
      }
      try await disturbance
      let sent = try await sentTokens(server)
      outcome.requests = sent.count
      outcome.repeats = sent.count - Set(sent).count
      try await check(outcome, server, oauth2, store)
    }
  }

  /// The refresh tokens that the provider has received.
  private func sentTokens(_ server: AuthorizationServer) async throws -> [String] {
    try await server.control()["requests"]?.array?.compactMap { $0["form"]?["refresh_token"]?.string } ?? []
  }

  /// The token in the store is the one that the provider gave last, and can be refreshed.
  private func expectGoodToken(
    _ server: AuthorizationServer, _ store: some TokenStore, _ oauth2: OAuth2
  ) async throws {
    let stored = try #require(try await store.token(for: oauth2.key))
    let tokens = try #require(try await server.control()["tokens"]?.array)
    let issued = tokens.first { $0["refresh"]?.string == stored.refreshToken?.reveal() }
    #expect(issued?["refreshIsGood"]?.bool == true)
    // By a value that knows nothing of the earlier events.
    try await oauth2.account("default").refresh(configuration: server.configuration())
  }

  @Test("Nothing goes wrong: each refresh token is sent once, and every refresh succeeds") func calm() async throws {
    try await run { outcome, server, oauth2, store in
      #expect(outcome.successes == Array(repeating: Self.refreshes, count: Self.processes), "\(outcome.complaints)")
      #expect(outcome.repeats == 0)
      #expect(outcome.requests <= Self.processes * Self.refreshes)
      try await expectGoodToken(server, store, oauth2)
    }
  }

  @Test("If processes pause for a while, the same holds") func stopped() async throws {
    try await run(meanwhile: { probes, _, _, _ in
      for probe in probes { try await probe.stop(for: .milliseconds(200)) }
    }) { outcome, server, oauth2, store in
      #expect(outcome.successes == Array(repeating: Self.refreshes, count: Self.processes), "\(outcome.complaints)")
      #expect(outcome.repeats == 0)
      try await expectGoodToken(server, store, oauth2)
    }
  }

  @Test(
    "A process that is stopped until it has lost its lease stores its token afterwards, and nobody sends the same one")
  func lostLease() async throws {
    let folder = try TemporaryFolder()
    let tokens = folder.url.appendingPathComponent("tokens")
    try await AuthorizationServer.with { server in
      let store = CountedStore(files: FileTokenStore(folder: tokens))
      let oauth2 = OAuth2(clientID: "public", store: store, provider: AuthorizationServer.provider)
      try await server.logIn(oauth2)
      // Time to stop the process while it holds the lease and waits for the response.
      try await server.control(["delay_after": 3])
      let url = server.url
      let probe = try await onThread { try Probe(folder: tokens, url: url, tasks: 1, failing: 0, lease: 300) }
      defer { probe.end() }
      try probe.go()
      try await eventually { try await server.seen("refresh_token") == 1 }
      let leases = store.leases.value
      let refresh = Task { try await oauth2.refresh(configuration: server.configuration()) }
      try await probe.stop { try await eventually { store.leases.value > leases } }
      let (successes, complaint) = try await onThread { try probe.result() }
      #expect(successes == 1, "\(complaint)")
      _ = try await refresh.value
      let sent = try await sentTokens(server)
      #expect(sent.count == Set(sent).count)
      try await server.control(["delay_after": 0])
      try await expectGoodToken(server, store, oauth2)
    }
    withExtendedLifetime(folder) {}
  }

  @Test("If half of the processes are killed, the provider's grace period lets the others continue") func killed()
    async throws
  {
    try await run(
      isGracious: true,
      meanwhile: { probes, _, _, _ in
        for probe in probes.prefix(4) {
          try await Task.sleep(for: .milliseconds(150))
          probe.end()
        }
      }
    ) { outcome, server, oauth2, store in
      #expect(
        outcome.successes.suffix(4) == Array(repeating: Self.refreshes, count: 4)[...], "\(outcome.complaints)")
      // A response that was lost with a process is requested again once.
      #expect(outcome.repeats <= 4)
      try await expectGoodToken(server, store, oauth2)
    }
  }

  @Test("If every 20th save fails, the token that is only in memory is saved later, and the login survives")
  func failingStore() async throws {
    try await run(failing: 20) { outcome, server, oauth2, store in
      #expect(outcome.successes.allSatisfy { $0 != nil }, "\(outcome.complaints)")
      try await expectGoodToken(server, store, oauth2)
    }
  }

  @Test("While people log in and out, no refresh overwrites the last login or undoes the last logout")
  func logins() async throws {
    try await run(meanwhile: { _, server, oauth2, store in
      for _ in 0..<5 {
        try await Task.sleep(for: .milliseconds(100))
        try await oauth2.deauthorize(configuration: server.configuration())
        #expect(try await store.load(oauth2.key) == nil)
        try await Task.sleep(for: .milliseconds(100))
        #expect(try await store.load(oauth2.key) == nil, "a refresh has undone a logout")
        let login = try await server.logIn(oauth2)
        #expect(login.login != nil)
        try await Task.sleep(for: .milliseconds(100))
        #expect(try await store.token(for: oauth2.key)?.login == login.login, "a refresh has overwritten a login")
      }
    }) { outcome, server, oauth2, store in
      #expect(outcome.successes.allSatisfy { $0 != nil }, "\(outcome.complaints)")
      try await expectGoodToken(server, store, oauth2)
      try await oauth2.deauthorize(configuration: server.configuration())
      #expect(try await store.load(oauth2.key) == nil)
    }
  }

  @Test("All of this at once: every surviving process ends, and one login later all is well") func everything()
    async throws
  {
    try await run(
      failing: 20,
      meanwhile: { probes, server, oauth2, _ in
        for probe in probes.prefix(3) {
          try await probe.stop(for: .milliseconds(150))
          probe.end()
          try? await oauth2.deauthorize(configuration: server.configuration())
          try await server.logIn(oauth2)
        }
      }
    ) { outcome, server, oauth2, store in
      #expect(outcome.successes.suffix(5).allSatisfy { $0 != nil }, "\(outcome.complaints)")
      try await server.logIn(oauth2)
      try await expectGoodToken(server, store, oauth2)
    }
  }
}
