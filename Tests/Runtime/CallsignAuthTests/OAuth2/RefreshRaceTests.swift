import Callsign
import CallsignAuth
import CallsignHTTP
import Foundation
import TestSupport
import Testing
import XCore

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
    meanwhile: @escaping @Sendable ([Probe], AuthorizationServer, OAuth2) async throws -> Void = { _, _, _ in },
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
      async let disturbance: Void = meanwhile(probes, server, oauth2)
      var outcome = Outcome()
      for probe in probes {
        let (successes, complaint) = try await onThread { try probe.result() }
        outcome.successes.append(successes)
        outcome.complaints += complaint
      }
      try await disturbance
      let sent =
        try await server.control()["requests"]?.array?.compactMap { $0["form"]?["refresh_token"]?.string } ?? []
      outcome.requests = sent.count
      outcome.repeats = sent.count - Set(sent).count
      try await check(outcome, server, oauth2, store)
    }
  }

  /// The token in the store is the one that the provider gave last, and can be refreshed.
  private func expectGoodToken(
    _ server: AuthorizationServer, _ store: FileTokenStore, _ oauth2: OAuth2
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
    try await run(meanwhile: { probes, _, _ in
      for probe in probes { try await probe.stop(for: .milliseconds(200)) }
    }) { outcome, server, oauth2, store in
      #expect(outcome.successes == Array(repeating: Self.refreshes, count: Self.processes), "\(outcome.complaints)")
      #expect(outcome.repeats == 0)
      try await expectGoodToken(server, store, oauth2)
    }
  }

  @Test("If half of the processes are killed, the provider's grace period lets the others continue") func killed()
    async throws
  {
    try await run(
      isGracious: true,
      meanwhile: { probes, _, _ in
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
    try await run(meanwhile: { _, server, oauth2 in
      for _ in 0..<5 {
        try await Task.sleep(for: .milliseconds(100))
        try await oauth2.deauthorize(configuration: server.configuration())
        try await Task.sleep(for: .milliseconds(100))
        try await server.logIn(oauth2)
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
      meanwhile: { probes, server, oauth2 in
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
