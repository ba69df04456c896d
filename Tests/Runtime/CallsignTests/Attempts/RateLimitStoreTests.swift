import Callsign
import CallsignAuth
import CallsignHTTP
import CallsignJSON
import CallsignSupport
import CallsignTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing
import XCore

@Suite("Rate limits: stores", .timeLimit(.minutes(10)))
struct RateLimitStoreTests: RateLimitSuite {
  let time = TestTime(.lasts)

  @Test("With any number of limits, a used-up one is remembered, and memory is bounded")
  func eviction() async throws {
    let ledger = RateLimitLedger(time: time)
    let reset = time.now().addingTimeInterval(900)
    func key(_ number: Int) -> RateLimitKey {
      RateLimitKey(endpoint: "e\(number)", holder: .user(nil), span: .window)
    }
    func use(_ number: Int, remaining: Int, until reset: Date) async throws -> RateLimitAdmission {
      let admission = try await ledger.admit([key(number)], until: nil)
      let window = RateLimit.Window(limit: 15, remaining: remaining, reset: reset)
      if admission == .admitted { await ledger.settle([key(number)], .responded([key(number): window])) }
      return admission
    }
    for number in 0..<3000 { _ = try await use(number, remaining: 0, until: reset) }
    for number in 3000..<40_000 { _ = try await use(number, remaining: 14, until: reset.addingTimeInterval(-1)) }
    for number in 0..<3000 {
      guard case .exhausted = try await use(number, remaining: 0, until: reset) else {
        Issue.record("\(number) is forgotten")
        return
      }
    }
    #expect(ledger.count <= 10_000)
    time.advance(by: 900)
    for number in 40_000..<60_000 { _ = try await use(number, remaining: 0, until: time.now().addingTimeInterval(1)) }
    #expect(try await use(0, remaining: 1, until: reset) == .admitted)
  }

  @Test("A custom store is asked before each call and told its end, whatever the policy", arguments: [0, 1, 2])
  func ownStore(policy: Int) async throws {
    let store = ScriptedStore(time: time)
    let policy = [.fail, .wait(upTo: .seconds(60)), .ask { _ in .wait }][policy] as RateLimitPolicy
    let transport = InMemoryTransport { [time] _ in
      .json("{}", headerFields: limitHeaders(15, 7, time.now().addingTimeInterval(60)))
    }
    let client = Client(
      auth: Bearer("token"),
      configuration: ClientConfiguration(
        transport: transport, rateLimitPolicy: policy, rateLimitStore: store, time: TestTime(.moves)),
      conventions: .x)
    #expect(await call(client, Call(endpoint(auth: "bearer"))) == nil)
    let identity = client.authenticators[0].identity
    #expect(
      store.keys == [
        RateLimitKey(endpoint: "testCall", holder: .app(identity), span: .window),
        RateLimitKey(endpoint: "testCall", holder: .app(identity), span: .day),
      ])
    #expect(store.reports.count == 1)
    guard case .responded(let windows)? = store.reports.first else {
      Issue.record("no windows reported")
      return
    }
    #expect(windows.values.map(\.remaining) == [7])
    store.refuseOnce()
    let error = await call(client, Call(endpoint(auth: "bearer")))
    if case .fail = policy {
      guard case .rateLimited(_, nil) = error else {
        Issue.record("not .rateLimited")
        return
      }
      #expect(transport.requests.count == 1)
    } else {
      #expect(error == nil, "asked again when the store said")
      #expect(transport.requests.count == 2)
    }
  }

  @Test("A store's refusal reports the store's values, not those of a response whose window is over")
  func staleStatement() async {
    let store = ScriptedStore(time: time)
    let transport = InMemoryTransport { [time] _ in
      .json("{}", headerFields: limitHeaders(15, 0, time.now().addingTimeInterval(60)))
    }
    let client = Client(
      auth: [], configuration: ClientConfiguration(transport: transport, rateLimitStore: store, time: time),
      conventions: .x)
    #expect(await call(client) == nil)
    store.refuseOnce()
    guard case .rateLimited(let stated, nil) = await call(client) else {
      Issue.record("not .rateLimited")
      return
    }
    #expect(stated?.limit == 15, "as the last response stated it")
    time.advance(by: 3600)
    store.refuseOnce()
    guard case .rateLimited(let limit, nil) = await call(client) else {
      Issue.record("not .rateLimited")
      return
    }
    #expect(limit?.reset == time.now().addingTimeInterval(5))
  }

  @Test("A failing store stops no call")
  func brokenStore() async {
    let transport = InMemoryTransport { _ in .json("{}") }
    let client = Client(
      auth: [], configuration: ClientConfiguration(transport: transport, rateLimitStore: BrokenStore(), time: time))
    #expect(await call(client) == nil)
    #expect(transport.requests.count == 1)
  }

  @Test("A refusal that the store does not learn of is waited out, within the bound", arguments: [false, true])
  func unheldRefusal(isHidden: Bool) async {
    let time = TestTime(.moves)
    let transport = InMemoryTransport { _ in
      .json(#"{"ok":false}"#, status: isHidden ? .ok : .tooManyRequests, headerFields: [.retryAfter: "30"])
    }
    var configuration = ClientConfiguration(
      transport: transport, rateLimitPolicy: .wait(upTo: .seconds(60)), time: time)
    if !isHidden { configuration.rateLimitStore = BrokenStore() }
    let client = Client(auth: [], configuration: configuration).with(
      conventions: RefusingConventions(), defaults: APIDefaults(failures: [FailureSign("ok", is: "false")]))
    guard case .rateLimited = await call(client) else {
      Issue.record("not .rateLimited")
      return
    }
    #expect(transport.requests.count == 3)
    #expect(time.sleeps == [.seconds(30), .seconds(30)])
  }

  @Test("The store is also asked about a refusal that it did not see")
  func unheldRefusalAsked() async {
    let time = TestTime(.moves)
    let asked = Asked()
    await asked.resolve(.wait)
    let counter = Counter()
    let transport = InMemoryTransport { _ in
      counter.next() < 2 ? .json("{}", status: .tooManyRequests, headerFields: [.retryAfter: "30"]) : .json("{}")
    }
    let bearer = Bearer("token", hosts: ["api.example"])
    let client = Client(
      auth: bearer,
      configuration: ClientConfiguration(
        transport: transport, rateLimitPolicy: .ask { await asked.decide($0) }, rateLimitStore: BrokenStore(),
        time: time))
    let signed = Call(endpoint(auth: "bearer"))
    #expect(await call(client, signed) == nil)
    #expect(time.sleeps == [.seconds(30), .seconds(30)])
    let waits = await asked.waits
    #expect(waits.map(\.duration) == [.seconds(30), .seconds(30)])
    #expect(waits.map(\.waited) == [.zero, .seconds(30)])
    #expect(waits.map(\.endpoint) == ["testCall", "testCall"])
    #expect(waits.map(\.credential) == [bearer.identity, bearer.identity])
    #expect(waits.first?.limit?.remaining == 0)
    await asked.resolve(.fail)
    counter.reset()
    guard case .rateLimited = await call(client, signed) else {
      Issue.record("not .rateLimited")
      return
    }
    #expect(transport.requests.count == 4)
    #expect(time.sleeps.count == 2)
  }

  @Test("Two clients that share a ledger share its limits")
  func sharedLedger() async {
    let ledger = RateLimitLedger(time: time)
    let reset = time.now().addingTimeInterval(900)
    let transport = InMemoryTransport { _ in .json("{}", headerFields: limitHeaders(1, 0, reset)) }
    let clients = (0..<2).map { _ in
      Client(
        auth: [], configuration: ClientConfiguration(transport: transport, rateLimitStore: ledger, time: time),
        conventions: .x)
    }
    #expect(await call(clients[0]) == nil)
    guard case .rateLimited(let limit?, nil) = await call(clients[1]) else {
      Issue.record("not .rateLimited")
      return
    }
    #expect(limit.reset == reset)
    #expect(transport.requests.count == 1)
  }
}

/// A store that cannot be reached.
private struct BrokenStore: RateLimitStore {
  struct Failure: Error {}
  func admit(_ keys: [RateLimitKey], until deadline: Date?) async throws -> RateLimitAdmission { throw Failure() }
  func settle(_ keys: [RateLimitKey], _ report: RateLimitReport) async throws { throw Failure() }
}

/// An API whose errors all say that a limit is used up.
private struct RefusingConventions: APIConventions {
  func isRateLimited(_ error: APIError) -> Bool { true }
}

/// A store that remembers what it is asked and told.
private final class ScriptedStore: RateLimitStore {
  private struct State {
    var keys: [RateLimitKey] = []
    var reports: [RateLimitReport] = []
    var refusals = 0
  }

  private let time: TestTime
  private let state = Locked(State())

  init(time: TestTime) { self.time = time }

  var keys: [RateLimitKey] { state.withLock { $0.keys } }
  var reports: [RateLimitReport] { state.withLock { $0.reports } }

  func refuseOnce() { state.withLock { $0.refusals = 1 } }

  func admit(_ keys: [RateLimitKey], until deadline: Date?) async throws -> RateLimitAdmission {
    state.withLock { state in
      state.keys = keys
      guard state.refusals > 0, let key = keys.first else { return .admitted }
      state.refusals -= 1
      let reset = time.now().addingTimeInterval(5)
      return .exhausted(key, RateLimit.Window(remaining: 0, reset: reset), until: reset)
    }
  }

  func settle(_ keys: [RateLimitKey], _ report: RateLimitReport) async throws {
    state.withLock { $0.reports.append(report) }
  }
}
