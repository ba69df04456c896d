import Callsign
import CallsignAuth
import CallsignHTTP
import CallsignSupport
import Foundation
import PostgresServer
import TestSupport
import Testing

@testable import CallsignPostgres

/// A store whose leases end long before they are renewed: its process gets no time, or its clock's task is delayed.
private struct DelayedStore: TokenStore {
  let store: PostgresTokenStore

  var place: String { store.place }

  func load(_ key: TokenKey) async throws(TokenStoreError) -> VersionedToken? { try await store.load(key) }

  func lease(_ key: TokenKey, lasting duration: Duration) async throws(TokenStoreError) -> TokenLease {
    // Long enough to ask the provider, on any machine.
    try await store.lease(key, lasting: .seconds(5))
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

@Suite("Slow servers of a fleet", .needs(.postgres), .timeLimit(.minutes(10))) struct PostgresSlowRefreshTests {
  private func oauth2(_ store: some TokenStore, refreshTimeout: Duration = .seconds(180)) -> OAuth2 {
    OAuth2(
      clientID: "client", store: store, account: "ann",
      provider: OAuth2Provider(
        authorizeURL: "https://api.example/authorize", tokenURL: "https://api.example/token",
        refreshTimeout: refreshTimeout))
  }

  @Test("If the provider responds after the lease has ended, no other server sends the same token, and both continue")
  func responseAfterLease() async throws {
    let database = try await Fixture.database()
    let store = try Fixture.store(database)
    let second = try Fixture.store(try await Fixture.database(schema: database.schema, migrated: false))
    let (asked, isAsked) = AsyncStream.makeStream(of: Void.self)
    let (goOn, letGoOn) = AsyncStream.makeStream(of: Void.self)
    let transport = InMemoryTransport { _ in
      isAsked.yield()
      for await _ in goOn { break }
      return .json(#"{"access_token":"a1","refresh_token":"r1","token_type":"bearer","expires_in":7200}"#)
    }
    let other = InMemoryTransport { _ in .json(#"{"error":"invalid_grant"}"#, status: .badRequest) }
    let slow = oauth2(DelayedStore(store: store))
    try await store.save(.sample("ann", expires: Date() - 60), for: slow.key)
    let first = Task { try await slow.token(configuration: ClientConfiguration(transport: transport)).value }
    for await _ in asked { break }
    let time = TestTime(.lasts, at: Date())
    let waiting = oauth2(second)
    let next = Task {
      try await waiting.token(configuration: ClientConfiguration(transport: other, time: time)).value
    }
    // It has taken the lease over, and waits for the outcome; or it has sent the same token and was refused.
    try await eventually { time.sleeping > 0 }
    letGoOn.finish()
    let clock = Task {
      while !Task.isCancelled {
        time.advance(by: 0.1)
        try? await Task.sleep(for: .milliseconds(5))
      }
    }
    defer { clock.cancel() }
    #expect(try await first.value == "a1")
    #expect(try await next.value == "a1")
    #expect(other.requests.isEmpty)
    #expect(try await store.token(for: slow.key)?.refreshToken == "r1")
  }

  @Test("A server disappears with the response: others wait as long as its request may last, then the loss is named")
  func lost() async throws {
    let database = try await Fixture.database()
    let store = try Fixture.store(database)
    let gone = try Fixture.store(try await Fixture.database(schema: database.schema, migrated: false))
    let transport = InMemoryTransport { _ in .json(#"{"error":"invalid_grant"}"#, status: .badRequest) }
    let server = oauth2(store)
    try await store.save(.sample("ann", expires: Date() - 60), for: server.key)
    let version = try #require(try await store.load(server.key)).version
    let lease = try await gone.lease(server.key, lasting: .seconds(1))
    let start = ContinuousClock.now
    try await lease.announceRequest(using: version, lasting: .seconds(4))
    do {
      _ = try await server.token(configuration: ClientConfiguration(transport: transport))
      Issue.record("a token came from nowhere")
    } catch {
      #expect(ContinuousClock.now - start >= .seconds(4))
      guard case .authorization(let problem) = error else { throw error }
      #expect(problem.lostWith == "the server \(gone.database.server)")
      #expect(problem.advice.contains(gone.database.server) && problem.advice.contains("log in again"))
    }
    #expect(transport.requests.count == 1)
    let records = try await store.records(state: .lost)
    #expect(records.map(\.key) == [server.key])
    #expect(records.first?.lostWith == "the server \(gone.database.server)")
    // A login ends that.
    try await store.save(.sample("ann", expires: Date() + 60), for: server.key)
    #expect(try await store.records().map(\.state) == [.valid])
  }

  @Test("A login that the provider has ended is listed as refused, and not as lost") func refused() async throws {
    let store = try Fixture.store(try await Fixture.database())
    let transport = InMemoryTransport { _ in .json(#"{"error":"invalid_grant"}"#, status: .badRequest) }
    let server = oauth2(store)
    try await store.save(.sample("ann", expires: Date() - 60), for: server.key)
    do {
      _ = try await server.token(configuration: ClientConfiguration(transport: transport))
      Issue.record("a token came from nowhere")
    } catch {
      guard case .authorization(let problem) = error else { throw error }
      #expect(problem.reason == .refused && problem.lostWith == nil)
    }
    let records = try await store.records()
    #expect(records.map(\.state) == [.refused])
    #expect(records.first?.lostWith == nil)
  }

  @Test("An announcement outlives its lease, ends with a save or withdrawal, and needs a lease")
  func announcements() async throws {
    let store = try Fixture.store(try await Fixture.database())
    try await store.save(.sample("1"), for: .ann)
    let version = try #require(try await store.load(.ann)).version
    func pending() async throws -> PendingTokenRequest? {
      let lease = try await store.lease(.ann, lasting: .seconds(60))
      await lease.release()
      return lease.pendingRequest
    }
    #expect(try await pending() == nil)
    let lease = try await store.lease(.ann, lasting: .seconds(60))
    try await lease.announceRequest(using: version, lasting: .seconds(600))
    await lease.release()
    let request = try #require(try await pending())
    #expect(request.leaseID == lease.id && request.version == version && request.timeLeft > .seconds(400))
    #expect(
      await storeError { try await lease.announceRequest(using: version, lasting: .seconds(1)) }?.reason == .leaseLost)
    await lease.withdrawRequest()
    #expect(try await pending() == nil)
    let next = try await store.lease(.ann, lasting: .seconds(60))
    try await next.announceRequest(using: version, lasting: .seconds(600))
    let saved = try await store.save(.sample("2"), replacing: .version(version), under: next)
    await next.release()
    #expect(try await pending()?.version != saved)
  }
}
