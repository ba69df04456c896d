import Callsign
import CallsignHTTP
import CallsignSupport
import Foundation
import PostgresServer
import Synchronization
import TestSupport
import Testing

@testable import CallsignPostgres

/// An API with one limit, which counts as a server does.
private actor LimitedAPI {
  private let size: Int
  private let length: TimeInterval
  private var used = 0
  private var reset: Date?
  private(set) var accepted = 0
  private(set) var refused = 0

  init(size: Int, window: TimeInterval) {
    self.size = size
    length = window
  }

  func call() -> (isAccepted: Bool, window: RateLimit.Window) {
    let now = Date()
    if reset.map({ $0 <= now }) ?? true { (used, reset) = (0, now + length) }
    guard used < size else {
      refused += 1
      return (false, RateLimit.Window(limit: size, remaining: 0, reset: reset))
    }
    used += 1
    accepted += 1
    return (true, RateLimit.Window(limit: size, remaining: size - used, reset: reset))
  }
}

extension RateLimitKey {
  fileprivate static let key = RateLimitKey(
    endpoint: "getUser", holder: .user(CredentialIdentity("test", account: "ann")), span: .window)
  fileprivate static let day = RateLimitKey(
    endpoint: "getUser", holder: .app(CredentialIdentity("test", account: "app")), span: .day)
}

extension PostgresRateLimitStore {
  /// Makes a call; whether the API took it, `nil` when it was not sent.
  fileprivate func call(
    _ api: LimitedAPI, _ keys: [RateLimitKey] = [.key], until deadline: Date? = .distantFuture
  ) async throws -> Bool? {
    guard case .admitted = try await admit(keys, until: deadline) else { return nil }
    try await Task.sleep(for: .milliseconds(1))
    let (isAccepted, window) = await api.call()
    await settle(keys, isAccepted ? .responded([.key: window]) : .refused([.key: window], retryAfter: nil))
    return isAccepted
  }
}

/// The calls that each server made.
private final class Counts: Sendable {
  private let counts: Mutex<[Int]>

  init(_ servers: Int) { counts = Mutex(Array(repeating: 0, count: servers)) }

  var total: Int { counts.withLock { $0.reduce(0, +) } }
  var least: Int { counts.withLock { $0.min() ?? 0 } }
  func add(_ server: Int) { counts.withLock { $0[server] += 1 } }
}

@Suite("Rate limits in PostgreSQL", .needs(.postgres), .timeLimit(.minutes(5))) struct PostgresRateLimitStoreTests {
  private func stores(_ count: Int, lifetime: Duration = .seconds(20)) async throws -> [PostgresRateLimitStore] {
    let first = try await Fixture.database()
    var stores = [PostgresRateLimitStore(first, grantLifetime: lifetime)]
    for _ in 1..<count {
      let database = try await Fixture.database(schema: first.schema, migrated: false)
      stores.append(PostgresRateLimitStore(database, grantLifetime: lifetime))
    }
    return stores
  }

  private func held(_ store: PostgresRateLimitStore) async throws -> Int {
    try await store.database.run(
      PostgresStatement(
        "SELECT coalesce(sum(held), 0) FROM \(store.database.schema.quoted).limit_grants WHERE expires > now()")
    )[0].rows[0].int(0) ?? -1
  }

  @Test("Four servers use up a limit to the last call, and the API refuses none") func sharing() async throws {
    let stores = try await stores(4)
    let api = LimitedAPI(size: 200, window: 600)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for store in stores {
        for _ in 0..<5 {
          group.addTask {
            while try await store.call(api, [.key, .day], until: Date() + 1) != nil {}
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(await api.accepted == 200)
    #expect(await api.refused == 0)
    for store in stores { await store.giveBack() }
    #expect(try await held(stores[0]) == 0)
    // Most calls were sent without a query.
    let requests = stores.map(\.counts.requests).reduce(0, +)
    #expect(requests < 150, "\(requests)")
  }

  @Test("Windows follow each other, the API refuses nothing, and every server gets through") func windows() async throws
  {
    let stores = try await stores(4)
    let api = LimitedAPI(size: 40, window: 3)
    let counts = Counts(4)
    let end = Date() + 120
    // More calls than two windows hold, including a call of each server.
    try await withThrowingTaskGroup(of: Void.self) { group in
      for (index, store) in stores.enumerated() {
        for _ in 0..<3 {
          group.addTask {
            while Date() < end, !(counts.total > 100 && counts.least > 0) {
              if try await store.call(api, until: Date() + 12) == true { counts.add(index) }
            }
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(await api.refused == 0)
    #expect(counts.total > 100)
    #expect(counts.least > 0)
  }

  @Test("A server with thirty calls at a time does not keep out one with three, in any window") func fairness()
    async throws
  {
    let stores = try await stores(2)
    let api = LimitedAPI(size: 60, window: 4)
    // The servers' calls in each window, in the order of the windows.
    let windows = Locked<[(end: Date, calls: [Int])]>([])
    let end = Date() + 200
    try await withThrowingTaskGroup(of: Void.self) { group in
      for (index, store) in stores.enumerated() {
        for _ in 0..<(index == 0 ? 30 : 3) {
          group.addTask {
            while Date() < end, windows.withLock({ $0.count }) < 7 {
              guard case .admitted = try await store.admit([.key], until: Date() + 30) else { continue }
              let (isAccepted, window) = await api.call()
              await store.settle(
                [.key], isAccepted ? .responded([.key: window]) : .refused([.key: window], retryAfter: nil))
              guard isAccepted, let reset = window.reset else { continue }
              windows.withLock { windows in
                let place = windows.firstIndex { $0.end == reset } ?? windows.endIndex
                if place == windows.endIndex { windows.append((reset, [0, 0])) }
                windows[place].calls[index] += 1
              }
            }
          }
        }
      }
      try await group.waitForAll()
    }
    // The first window begins before both are there, and the last is not over.
    let counts = windows.withLock { $0 }.dropFirst().dropLast().map(\.calls)
    #expect(await api.refused == 0)
    #expect(counts.count >= 5)
    for count in counts { #expect(count[1] >= 1, "\(counts)") }
    let (busy, other) = (counts.map { $0[0] }.reduce(0, +), counts.map { $0[1] }.reduce(0, +))
    // It has a tenth of the waiting calls, and gets more than a tenth of the places.
    #expect(other * 9 >= busy, "\(counts)")
  }

  @Test("A limit that the API reports as used up refuses calls everywhere, at once") func exhausted() async throws {
    let stores = try await stores(2)
    let reset = Date() + 300
    for store in stores { _ = try await store.admit([.key], until: nil) }
    await stores[0].settle(
      [.key], .refused([.key: RateLimit.Window(limit: 5, remaining: 0, reset: reset)], retryAfter: nil))
    try await eventually {
      guard case .exhausted(_, let window, let until) = try await stores[1].admit([.key], until: nil) else {
        await stores[1].settle([.key], .noResponse)
        return false
      }
      return window.limit == 5 && abs(until.timeIntervalSince(reset)) < 3
    }
    guard case .exhausted = try await stores[1].admit([.key], until: Date() + 5) else {
      Issue.record("admitted")
      return
    }
  }

  @Test("Numbers that the database cannot hold do not end the sharing") func hugeNumbers() async throws {
    let store = try await stores(1)[0]
    let windows = [
      RateLimit.Window(limit: .max, remaining: .max, reset: Date() + 1e15),
      RateLimit.Window(limit: 9_999_999_999, remaining: -7, reset: Date(timeIntervalSince1970: -1e15)),
    ]
    for window in windows {
      _ = try await store.admit([.key], until: Date() + 10)
      await store.settle([.key], .responded([.key: window]))
      await store.giveBack()
    }
    for _ in 0..<20 {
      _ = try await store.admit([.day], until: Date() + 10)
      await store.settle([.day], .responded([.day: RateLimit.Window(limit: 50, remaining: 20, reset: Date() + 300)]))
    }
    #expect(store.counts.fallbacks == 0)
    let sizes = try await Fixture.sql("SELECT max(size) FROM \(store.database.schema.quoted).limits")
    #expect(sizes == "\(Int32.max)")
  }

  @Test("Calls without a stated limit cost nothing") func silent() async throws {
    let store = try await stores(1)[0]
    for _ in 0..<300 {
      #expect(try await store.admit([.key, .day], until: Date() + 10) == .admitted)
      await store.settle([.key, .day], .responded([:]))
    }
    #expect(store.counts.requests < 10)
  }

  @Test("Calls whose limit the API does not state leave no place behind, even if more are requested in the meantime")
  func silentPlaces() async throws {
    let store = try await stores(1)[0]
    let limits = "\(store.database.schema.quoted).limits"
    #expect(try await store.admit([.day], until: Date() + 10) == .admitted)
    await store.settle([.day], .responded([:]))
    await store.giveBack()
    try await Fixture.sql("UPDATE \(limits) SET silent_until = now() + interval '1 second'")
    // The first call is in progress when the second asks for the limit's known state.
    #expect(try await store.admit([.day], until: Date() + 10) == .admitted)
    try await Task.sleep(for: .seconds(1.5))
    try await Fixture.sql("UPDATE \(limits) SET silent_until = now() + interval '1 minute'")
    #expect(try await store.admit([.day], until: Date() + 10) == .admitted)
    for _ in 0..<2 { await store.settle([.day], .responded([:])) }
    await store.giveBack()
    #expect(try await held(store) == 0)
  }

  @Test("A server that dies gives its places back when its grants end") func death() async throws {
    let stores = try await stores(2, lifetime: .seconds(15))
    let api = LimitedAPI(size: 10, window: 600)
    #expect(try await stores[0].call(api) == true)
    // It takes places and never reports back.
    for _ in 0..<4 { #expect(try await stores[0].admit([.key], until: Date() + 5) == .admitted) }
    stores[0].database.close()
    #expect(try await held(stores[1]) >= 4)
    try await withThrowingTaskGroup(of: Bool?.self) { group in
      for _ in 0..<9 { group.addTask { try await stores[1].call(api, until: Date() + 120) } }
      for try await accepted in group { #expect(accepted == true) }
    }
    #expect(await api.refused == 0)
    await stores[1].giveBack()
    #expect(try await held(stores[1]) == 0)
  }

  @Test("A cancelled call leaves no place behind") func cancellation() async throws {
    let stores = try await stores(2)
    let api = LimitedAPI(size: 3, window: 600)
    #expect(try await stores[0].call(api) == true)
    for _ in 0..<2 { #expect(try await stores[0].admit([.key], until: Date() + 5) == .admitted) }
    let waiting = Task { try await stores[1].admit([.key], until: .distantFuture) }
    try await Task.sleep(for: .milliseconds(300))
    waiting.cancel()
    await #expect(throws: CancellationError.self) { try await waiting.value }
    await stores[0].settle([.key], .noResponse)
    await stores[0].settle([.key], .noResponse)
    await stores[0].giveBack()
    await stores[1].giveBack()
    #expect(try await held(stores[0]) == 0)
  }

  @Test("Limits whose windows have ended long ago are forgotten, and found out again") func pruning() async throws {
    let store = try await stores(1)[0]
    let api = LimitedAPI(size: 50, window: 600)
    #expect(try await store.call(api) == true)
    let table = "\(store.database.schema.quoted).limits"
    try await Fixture.sql("INSERT INTO \(table) (key, silent_until) VALUES ('gone', now() - interval '2 days')")
    let schema = store.database.schema.quoted
    try await Fixture.sql(
      """
      INSERT INTO \(schema).limit_grants VALUES ('gone', 'dead', 1, now() - interval '2 days');
      INSERT INTO \(schema).limit_waiters VALUES ('gone', 'dead', 1, 1, now() - interval '2 days')
      """)
    #expect(try await store.prune() == 1)
    #expect(try await Fixture.sql("SELECT count(*) FROM \(schema).limit_grants WHERE server = 'dead'") == "0")
    #expect(try await Fixture.sql("SELECT count(*) FROM \(schema).limit_waiters") == "0")
    #expect(try await Fixture.sql("SELECT count(*) FROM \(table)") == "1")
    await store.giveBack()
    #expect(try await store.prune(olderThan: .seconds(-86_400)) == 1)
    #expect(try await store.call(api) == true)
    #expect(await api.refused == 0)
  }

  @Test("Without a database, each process uses what it has seen, and returns to the database later") func outage()
    async throws
  {
    let server = try await onThread { try PostgresServer() }
    let database = try await Fixture.database(on: server)
    let store = PostgresRateLimitStore(database)
    let api = LimitedAPI(size: 5, window: 600)
    #expect(try await store.call(api) == true)
    try await onThread { server.stop(SIGQUIT) }
    for _ in 0..<4 { #expect(try await store.call(api, until: Date() + 20) == true) }
    #expect(try await store.call(api, until: Date() + 20) == nil)
    #expect(await api.refused == 0)
    #expect(store.counts.fallbacks > 0)
    try await onThread { try server.start() }
    try await eventually {
      try await database.run(
        PostgresStatement("SELECT remaining FROM \(database.schema.quoted).limits WHERE remaining = 0")
      )[0].rows.count == 1
    }
    #expect(try await store.call(api, until: Date() + 1) == nil)
  }

  @Test("A slow response does not hide what later ones say", arguments: [true, false])
  func slowResponse(isToldAtOnce: Bool) async throws {
    let store = try await stores(1)[0]
    let end = Date() + 600
    let windows = [
      RateLimit.Window(limit: 10, remaining: 9, reset: end + 5), RateLimit.Window(limit: 10, remaining: 2, reset: end),
    ]
    for window in windows {
      #expect(try await store.admit([.key], until: Date() + 60) == .admitted)
      await store.settle([.key], .responded([.key: window]))
      if isToldAtOnce { await store.giveBack() }
    }
    let remaining = "SELECT remaining FROM \(store.database.schema.quoted).limits"
    try await eventually { try await Fixture.sql(remaining) == "2" }
  }

  @Test("Later responses are not lost if they are reported together") func mergedReports() {
    let now = Date()
    var report = LimitReport.stated(limit: 10, remaining: 9, reset: now + 605)
    report.merge(.stated(limit: 10, remaining: 2, reset: now + 600), now: now)
    #expect(report == .stated(limit: 10, remaining: 2, reset: now + 600))
    report.merge(.stated(limit: 10, remaining: 5, reset: now + 590), now: now)
    #expect(report == .stated(limit: 10, remaining: 2, reset: now + 590))
    // A response for a window that is over.
    report.merge(.stated(limit: 10, remaining: 0, reset: now - 10), now: now)
    #expect(report == .stated(limit: 10, remaining: 2, reset: now + 590))
    report.merge(.stated(limit: 10, remaining: 9, reset: now + 1490), now: now)
    #expect(report == .stated(limit: 10, remaining: 9, reset: now + 1490))
  }

  @Test("Places that are given up for waiting servers are announced at once") func placesGivenUp() throws {
    var places = LimitPlaces(time: SystemTime())
    let isAdmitted = places.begin(LimitWaiter([.key], deadline: .distantFuture), 20) != nil
    #expect(!isAdmitted)
    let asked = places.collect(20)
    let (round, name) = (try #require(asked), RateLimitKey.key.text)
    let row = PostgresRow(columns: [name, "granted", "6", "10", "6", "600", "t"])
    places.apply([row], to: round, lifetime: .seconds(20), batch: 20)
    // One call is in progress, and half of the five remaining places are kept; none if this was slow.
    let hasSome = places.placesAreWanted(name)
    #expect(hasSome)
    let told = places.collect(20)?.entries.first
    #expect(try #require(told).held <= 3)
  }

  @Test(
    "A database answer from before a refusal admits no call to the exhausted window",
    arguments: ["granted", "silent", "taken"], [true, false])
  func overtakenResponse(state: String, isRefused: Bool) throws {
    var places = LimitPlaces(time: SystemTime())
    let windows = [RateLimitKey.key: RateLimit.Window(limit: 50, remaining: 0, reset: Date() + 600)]
    places.enterUnshared([.key])
    let isAdmitted = places.begin(LimitWaiter([.key], deadline: nil), 20) != nil
    #expect(!isAdmitted)
    let asked = places.collect(20)
    let round = try #require(asked)
    places.settle([.key], isRefused ? .refused(windows, retryAfter: nil) : .responded(windows))
    let granted = state == "granted" ? "20" : "0"
    let row = PostgresRow(columns: [RateLimitKey.key.text, state, granted, "50", "30", "60", "t"])
    places.apply([row], to: round, lifetime: .seconds(600), batch: 20)
    _ = places.begin(LimitWaiter([.key], deadline: nil), 20)
    #expect(places.counts.admitted == 0)
    // None of the places is kept, and the refusal tells the database so.
    let told = places.collect(20)
    #expect(try #require(told).entries.map(\.held) == [0])
  }

  @Test("Of the places from the database, no more are used than a response has left in the meantime")
  func overtakenGrant() throws {
    var places = LimitPlaces(time: SystemTime())
    let windows = [RateLimitKey.key: RateLimit.Window(limit: 50, remaining: 2, reset: Date() + 600)]
    places.enterUnshared([.key])
    _ = places.begin(LimitWaiter([.key], deadline: nil), 20)
    let asked = places.collect(20)
    let round = try #require(asked)
    places.settle([.key], .responded(windows))
    let row = PostgresRow(columns: [RateLimitKey.key.text, "granted", "20", "50", "30", "600", "t"])
    places.apply([row], to: round, lifetime: .seconds(600), batch: 20)
    for _ in 0..<5 { _ = places.begin(LimitWaiter([.key], deadline: nil), 20) }
    #expect(places.counts.admitted == 2)
  }

  @Test("News that arrive during a database request are not lost: an exhausted limit is requested again")
  func newsWhileAsking() throws {
    var places = LimitPlaces(time: SystemTime())
    _ = places.begin(LimitWaiter([.key], deadline: .distantFuture), 20)
    let asked = places.collect(20)
    let (round, name) = (try #require(asked), RateLimitKey.key.text)
    _ = places.placesMayBeFree(name)
    let row = PostgresRow(columns: [name, "exhausted", "0", nil, "0", "60", "f"])
    places.apply([row], to: round, lifetime: .seconds(600), batch: 20)
    let again = places.collect(20)
    let next = try #require(again)
    #expect(next.entries.map(\.wanted) == [1])
    // Without news, it is not asked for again before its end.
    places.apply([row], to: next, lifetime: .seconds(600), batch: 20)
    let more = places.collect(20)
    #expect(more == nil)
  }

  @Test("Calls that the database admitted count while it is away, even if the limit seemed used up")
  func outageAfterRefusal() async throws {
    let server = try await onThread { try PostgresServer() }
    let database = try await Fixture.database(on: server)
    let store = PostgresRateLimitStore(database, grantLifetime: .seconds(600))
    let end = Date() + 3600
    func windows(_ remaining: Int, _ reset: Date) -> [RateLimitKey: RateLimit.Window] {
      [.key: RateLimit.Window(limit: 30, remaining: remaining, reset: reset)]
    }
    #expect(try await store.admit([.key], until: end) == .admitted)
    await store.settle([.key], .refused(windows(0, end), retryAfter: nil))
    await store.giveBack()
    // Another server has received a new window.
    try await Fixture.sql(
      "UPDATE \(database.schema.quoted).limits SET remaining = 9, reset = reset + interval '1 hour'", on: server)
    for _ in 0..<4 { #expect(try await store.admit([.key], until: end) == .admitted) }
    await store.settle([.key], .responded(windows(3, end + 3600)))
    await store.giveBack()
    try await onThread { server.stop(SIGQUIT) }
    // Three calls are left, and as many are in progress.
    let admission = try await store.admit([.key], until: Date() + 1)
    #expect(store.counts.fallbacks == 1)
    #expect(admission != .admitted)
  }

  @Test("Calls that an outage admitted are not counted by the database, and do not end in place of others")
  func outageCounts() async throws {
    let server = try await onThread { try PostgresServer() }
    let database = try await Fixture.database(on: server)
    let store = PostgresRateLimitStore(database, grantLifetime: .seconds(600))
    let end = Date() + 3600
    func report(_ remaining: Int) -> RateLimitReport {
      .responded([.key: RateLimit.Window(limit: 30, remaining: remaining, reset: end)])
    }
    #expect(try await store.admit([.key], until: end) == .admitted)
    await store.settle([.key], report(20))
    await store.giveBack()
    for _ in 0..<4 { #expect(try await store.admit([.key], until: end) == .admitted) }
    try await onThread { server.stop(SIGQUIT) }
    await store.settle([.key], report(19))
    var underway = 3
    // The database is asked again from time to time, and a remaining place may be used in between.
    while store.counts.fallbacks < 3 {
      let before = store.counts.fallbacks
      #expect(try await store.admit([.key], until: end) == .admitted)
      if store.counts.fallbacks == before { underway += 1 }
      try await Task.sleep(for: .milliseconds(20))
    }
    for _ in 0..<3 { await store.settle([.key], report(18)) }
    try await onThread { try server.start() }
    let schema = database.schema.quoted
    try await eventually { try await Fixture.sql("SELECT remaining FROM \(schema).limits", on: server) == "18" }
    await store.giveBack()
    #expect(try await held(store) == underway)
  }
}
