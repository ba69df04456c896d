import Callsign
import CallsignAuth
import CallsignHTTP
import CallsignSupport
import Foundation
import PostgresServer
import TestSupport
import Testing

@testable import CallsignPostgres

@Suite("Tokens in PostgreSQL", .needs(.postgres), .timeLimit(.minutes(5))) struct PostgresTokenStoreTests {
  @Test("A token comes back unchanged, only under its own key") func roundTrip() async throws {
    let store = try Fixture.store(try await Fixture.database())
    #expect(try await store.load(.ann) == nil)
    let token = StoredToken.sample("ann", expires: Date(timeIntervalSinceReferenceDate: 900_000_000.125))
    try await store.save(token, for: .ann)
    #expect(try await store.token(for: .ann) == token)
    #expect(try await store.load(.bob) == nil)
    let own = TokenKey(service: "api.example", account: "ann")
    #expect(try await store.load(own) == nil)
    try await store.save(.sample("own"), for: own)
    #expect(try await store.keys(service: "api.example") == [own, .ann])
    try await store.delete(.ann)
    try await store.delete(.ann)
    #expect(try await store.keys(service: nil) == [own])
    let rows = try await Fixture.sql("SELECT count(*) FROM \(store.database.schema.quoted).tokens")
    #expect(rows == "1")
  }

  @Test("Accounts are compared byte by byte", arguments: [["Kelly", "\u{212A}elly"], ["\u{E9}", "e\u{301}"]])
  func accounts(names: [String]) async throws {
    let store = try Fixture.store(try await Fixture.database())
    let keys = names.map { TokenKey(service: "api.example", account: $0) }
    for (key, token) in zip(keys, ["first", "second"]) { try await store.save(.sample(token), for: key) }
    for (key, token) in zip(keys, ["first", "second"]) {
      #expect(try await store.token(for: key)?.accessToken == StoredToken.sample(token).accessToken)
    }
    try await store.delete(keys[0])
    #expect(try await store.token(for: keys[0]) == nil)
    #expect(try await store.keys(service: nil) == [keys[1]])
  }

  @Test("A save replaces what it expects, and nothing else") func preconditions() async throws {
    let store = try Fixture.store(try await Fixture.database())
    let lease = try await store.lease(.ann, lasting: .seconds(60))
    let first = try await store.save(.sample("1"), replacing: .absent, under: lease)
    #expect(
      await storeError { _ = try await store.save(.sample("2"), replacing: .absent, under: lease) }?.reason == .conflict
    )
    let second = try await store.save(.sample("2"), replacing: .version(first), under: lease)
    #expect(first != second)
    #expect(
      await storeError { _ = try await store.save(.sample("3"), replacing: .version(first), under: lease) }?.reason
        == .conflict)
    #expect(await storeError { try await store.delete(.version(first), under: lease) }?.reason == .conflict)
    _ = try await store.save(.sample("4"), replacing: .any, under: lease)
    #expect(try await store.load(.ann)?.token == .sample("4"))
    await lease.release()
    #expect(
      await storeError { _ = try await store.save(.sample("5"), replacing: .any, under: lease) }?.reason == .leaseLost)
    #expect(await storeError { try await lease.renew(for: .seconds(1)) }?.reason == .leaseLost)
  }

  @Test("A wait that is cancelled while the database gives the lease leaves none behind") func cancelledLease()
    async throws
  {
    let database = try await Fixture.database()
    let store = try Fixture.store(database)
    let error = try await Fixture.cancel(whileLocked: "tokens", of: database) {
      _ = try await store.lease(.ann, lasting: .seconds(3600))
    }
    #expect((error as? TokenStoreError)?.reason == .cancelled)
    let count = "SELECT count(*) FROM \(database.schema.quoted).tokens WHERE lease_end > now()"
    try await eventually { try await Fixture.sql(count) == "0" }
    await (try await store.lease(.ann, lasting: .seconds(60))).release()
  }

  @Test("A lease keeps others out until its end, and a server that has lost it cannot change anything") func leases()
    async throws
  {
    let database = try await Fixture.database()
    let store = try Fixture.store(database)
    let other = try Fixture.store(try await Fixture.database(schema: database.schema, migrated: false))
    let lease = try await store.lease(.ann, lasting: .seconds(15))
    let impatient = PostgresTokenStore(other.database, keys: try Fixture.keys.get(), lockTimeLimit: .milliseconds(100))
    #expect(await storeError { _ = try await impatient.lease(.ann, lasting: .seconds(1)) }?.reason == .lockTimedOut)
    // Another key is free.
    await (try await impatient.lease(.bob, lasting: .seconds(1))).release()
    let next = try await other.lease(.ann, lasting: .seconds(60))
    #expect(
      await storeError { _ = try await store.save(.sample("late"), replacing: .any, under: lease) }?.reason
        == .leaseLost)
    _ = try await other.save(.sample("new"), replacing: .any, under: next)
    await lease.release()
    #expect(await storeError { _ = try await impatient.lease(.ann, lasting: .seconds(1)) }?.reason == .lockTimedOut)
    await next.release()
    #expect(try await store.token(for: .ann) == .sample("new"))
  }

  @Test("A task that keeps the lease for long keeps others of its process waiting for no longer than they may")
  func boundedTurns() async throws {
    let database = try await Fixture.database()
    let store = PostgresTokenStore(database, keys: try Fixture.keys.get(), lockTimeLimit: .milliseconds(200))
    let lease = try await store.lease(.ann, lasting: .seconds(3600))
    for _ in 0..<2 {
      #expect(await storeError { _ = try await store.lease(.ann, lasting: .seconds(1)) }?.reason == .lockTimedOut)
    }
    await lease.release()
    await (try await store.lease(.ann, lasting: .seconds(60))).release()
  }

  @Test("A task that neither renews nor releases its lease keeps others of its process out until its end")
  func endedTurns() async throws {
    let store = try Fixture.store(try await Fixture.database())
    let hanging = try await store.lease(.ann, lasting: .seconds(1))
    let next = try await store.lease(.ann, lasting: .seconds(60))
    #expect(
      await storeError { _ = try await store.save(.sample("late"), replacing: .any, under: hanging) }?.reason
        == .leaseLost)
    // Returning a lost lease takes nothing from its current holder.
    await hanging.release()
    _ = try await store.save(.sample("next"), replacing: .any, under: next)
    await next.release()
    #expect(try await store.token(for: .ann) == .sample("next"))
  }

  @Test("A process that is paused past its lease cannot overwrite the newer token") func stopped()
    async throws
  {
    let database = try await Fixture.database()
    let store = try Fixture.store(database)
    try await store.save(.sample("first"), for: .probe)
    let process = try await Fixture.probe(database, "stall", 300)
    var lines = process.lines.makeAsyncIterator()
    // It holds a lease of 300 milliseconds and has loaded the token.
    #expect(await lines.next() == "leased")
    process.signal(SIGSTOP)

    let lease = try await store.lease(.probe, lasting: .seconds(60))
    let loaded = try await store.load(.probe)
    #expect(loaded?.token == .sample("first"))
    process.signal(SIGCONT)
    // First before anything is saved, so that the version check would not refuse it.
    process.say("save")
    #expect(await lines.next() == "leaseLost")
    _ = try await store.save(.sample("newer"), replacing: TokenPrecondition(loaded), under: lease)
    await lease.release()
    // Then afterwards, under the previous lease and with any precondition.
    process.say("save")
    #expect(await lines.next() == "leaseLost")
    #expect(await process.status() == 0)
    #expect(try await store.token(for: .probe) == .sample("newer"))
  }

  @Test("Processes that are stopped at any moment overwrite nothing newer") func stoppedAtAnyMoment() async throws {
    let database = try await Fixture.database()
    let store = try Fixture.store(database)
    var generator = SeededGenerator(seed: 7)
    for round in 1...6 {
      try await store.delete(.probe)
      let process = try await Fixture.probe(database, "churn", 100)
      var lines = process.lines.makeAsyncIterator()
      for _ in 0..<Int.random(in: 1...4, using: &generator) { _ = await lines.next() }
      try await Task.sleep(for: .microseconds(Int.random(in: 0...30_000, using: &generator)))
      process.signal(SIGSTOP)
      try await store.save(.sample("newer \(round)"), for: .probe)
      process.signal(SIGCONT)
      // It continues under new leases, from the stored state, never from its earlier one.
      var found = false
      // It may have said much before it was stopped.
      for _ in 0..<5000 {
        guard let line = await lines.next() else { break }
        guard line.hasPrefix("over ") else { continue }
        // If the first lease of all found nothing, it says so.
        if line == "over nothing" { continue }
        #expect(line == "over newer \(round)")
        found = true
        break
      }
      #expect(found, "the token that was saved meanwhile was overwritten unseen")
      process.kill()
      _ = await process.status()
    }
  }

  @Test("Increments of four stores with ten tasks each are all there") func increments() async throws {
    let database = try await Fixture.database()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<4 {
        let store = try Fixture.store(try await Fixture.database(schema: database.schema, migrated: false))
        for _ in 0..<10 {
          group.addTask {
            for _ in 0..<5 {
              try await store.withLease(.ann) { (lease) throws(TokenStoreError) in
                let loaded = try await store.load(.ann)
                var token = loaded?.token ?? .sample("counter")
                token.userID = String((token.userID.flatMap(Int.init) ?? 0) + 1)
                _ = try await store.save(token, replacing: TokenPrecondition(loaded), under: lease)
              }
            }
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(try await Fixture.store(database).token(for: .ann)?.userID == "200")
  }

  @Test("A dump gives nothing away, and a row put in another's place does not open") func sealing() async throws {
    let database = try await Fixture.database()
    let store = try Fixture.store(database)
    let name = database.schema.quoted
    try await store.save(.sample("ann"), for: .ann)
    try await store.save(.sample("bob"), for: .bob)
    let dump = try await Fixture.sql("SELECT t::text, encode(sealed, 'escape') FROM \(name).tokens t")
    #expect(!dump.contains("s3cr3t"))
    try await Fixture.sql(
      "UPDATE \(name).tokens SET sealed = (SELECT sealed FROM \(name).tokens WHERE account = 'ann') WHERE account = 'bob'"
    )
    #expect(await storeError { _ = try await store.load(.bob) }?.reason == .damaged)
    let stranger = PostgresTokenStore(database, keys: try SealingKeys(SealingKey()))
    let error = await storeError { _ = try await stranger.load(.ann) }
    #expect(error?.reason == .wrongKey)
    #expect(error?.advice.contains("previous") == true)
    // A login replaces a token that cannot be opened.
    try await stranger.save(.sample("new"), for: .ann)
    #expect(try await stranger.token(for: .ann) == .sample("new"))
  }

  @Test("Keys rotate while servers keep working") func rotation() async throws {
    let database = try await Fixture.database()
    let (old, new) = (try SealingKey(), try SealingKey())
    let before = PostgresTokenStore(database, keys: try SealingKeys(old))
    for number in 0..<20 {
      try await before.save(.sample("\(number)"), for: TokenKey(service: "s", account: "\(number)"))
    }
    let both = PostgresTokenStore(database, keys: try SealingKeys(new, previous: [old]))
    let version = try await both.load(TokenKey(service: "s", account: "7"))?.version
    #expect(try await both.reseal() == 20)
    #expect(try await both.reseal() == 0)
    let after = PostgresTokenStore(database, keys: try SealingKeys(new))
    let loaded = try await after.load(TokenKey(service: "s", account: "7"))
    let expected = VersionedToken(.sample("7"), version: try #require(version))
    #expect(loaded == expected)
    #expect(await storeError { _ = try await before.load(TokenKey(service: "s", account: "7")) }?.reason == .wrongKey)
    #expect(await storeError { _ = try await before.reseal() }?.reason == .wrongKey)
  }

  @Test("Tokens are listed by service, last use and state") func listing() async throws {
    let database = try await Fixture.database()
    let store = try Fixture.store(database)
    try await store.save(.sample("ann", expires: Date() - 60), for: .ann)
    try await store.save(.sample("bob", expires: Date() + 60), for: .bob)
    let other = TokenKey(service: "other.example", scheme: .bearer, clientID: "app")
    try await store.save(.sample("app"), for: other)
    try await Fixture.sql(
      "UPDATE \(database.schema.quoted).tokens SET used = now() - interval '3 days' WHERE account = 'bob'")
    #expect(try await store.records().map(\.key) == [.bob, .ann, other])
    #expect(try await store.records(service: "api.example", state: .expired).map(\.key) == [.ann])
    #expect(try await store.records(unusedSince: Date() - 86_400).map(\.key) == [.bob])
    #expect(try await store.records(limit: 1).count == 1)
    let lease = try await store.lease(.ann, lasting: .seconds(60))
    let leased = try await store.records(state: .leased)
    #expect(leased.map(\.key) == [.ann])
    #expect(leased.first?.leaseHolder?.hasPrefix(database.server) == true)
    await lease.release()
    // A load is a use.
    _ = try await store.load(.bob)
    try await eventually { try await store.records(unusedSince: Date() - 86_400).isEmpty }
  }

  @Test("A server whose clock is a minute off sees the same expiry") func clocks() async throws {
    let database = try await Fixture.database()
    let ahead = try Fixture.store(
      try await Fixture.database(schema: database.schema, migrated: false, time: ShiftedTime(seconds: 60)))
    let store = try Fixture.store(database)
    let due = Date() + 300
    try await store.save(.sample("ann", expires: due), for: .ann)
    let expires = try #require(try await ahead.token(for: .ann)?.expires)
    #expect(abs(expires.timeIntervalSince(due) - 60) < 20)
    try await ahead.save(.sample("ann", expires: due + 60), for: .ann)
    let back = try #require(try await store.token(for: .ann)?.expires)
    #expect(abs(back.timeIntervalSince(due)) < 20)
  }

  @Test("A change and a logout elsewhere are known here within seconds") func notifications() async throws {
    let database = try await Fixture.database()
    let store = try Fixture.store(database)
    let other = try Fixture.store(try await Fixture.database(schema: database.schema, migrated: false))
    let changes = Locked<[TokenChange]>([])
    let observation = store.observe(.ann) { change in changes.withLock { $0.append(change) } }
    // Changes may have been missed until the connection listens.
    try await eventually { changes.withLock { $0 } == [.unknown] }
    try await other.save(.sample("bob"), for: .bob)
    let lease = try await other.lease(.ann, lasting: .seconds(60))
    let version = try await other.save(.sample("ann"), replacing: .any, under: lease)
    try await other.delete(.any, under: lease)
    await lease.release()
    try await eventually { changes.withLock { $0 } == [.unknown, .saved(version), .deleted] }

    // A lost connection is replaced, and possibly missed changes are reported.
    try await Fixture.cut(database)
    try await eventually { changes.withLock { $0.count { $0 == .unknown } } == 2 }
    try await other.save(.sample("ann"), for: .ann)
    try await eventually {
      changes.withLock { if case .saved? = $0.last { true } else { false } }
    }
    withExtendedLifetime(observation) {}
  }

  @Test("A change that is made before the connection listens for the first time is made up for") func firstConnection()
    async throws
  {
    let server = try await onThread { try PostgresServer() }
    let database = try await Fixture.database(on: server)
    let store = try Fixture.store(database)
    let changes = Locked<[TokenChange]>([])
    try await onThread { server.stop(SIGQUIT) }
    let observation = store.observe(.ann) { change in changes.withLock { $0.append(change) } }
    try await onThread { try server.start() }
    try await eventually { changes.withLock { $0.contains(.unknown) } }
    withExtendedLifetime(observation) {}
  }
}

/// A clock that is off.
struct ShiftedTime: TimeSource {
  let seconds: TimeInterval

  func now() -> Date { Date() + seconds }
  func sleep(for duration: Duration) async throws(CancellationError) { try await SystemTime().sleep(for: duration) }
}
