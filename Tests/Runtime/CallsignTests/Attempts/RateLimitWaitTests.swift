import Callsign
import CallsignAuth
import CallsignHTTP
import CallsignJSON
import CallsignTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing
import XCore

@Suite("Rate limits: waiting", .timeLimit(.minutes(10)))
struct RateLimitWaitTests: RateLimitSuite {
  let time = TestTime(.lasts)

  @Test("By default nothing is sent while the limit is known to be used up, and no call waits")
  func fail() async {
    let server = LimitingServer(time, perWindow: 1)
    let (client, transport) = client(.fail) { _ in server.response() }
    #expect(await call(client) == nil)
    for _ in 0..<2 {
      guard case .rateLimited(let limit?, nil) = await call(client) else {
        Issue.record("not .rateLimited")
        return
      }
      #expect(limit.reset == time.now().addingTimeInterval(900))
    }
    #expect(transport.requests.count == 1)
    time.advance(by: 900)
    #expect(await call(client) == nil)
    #expect(transport.requests.count == 2)
  }

  @Test("A call waits for the reset, by the server's clock", arguments: [-3600.0, 0, 3600])
  func wait(ahead: TimeInterval) async throws {
    let server = LimitingServer(time, perWindow: 1, ahead: ahead)
    let (client, transport) = client(.wait(upTo: .seconds(1000))) { _ in server.response() }
    #expect(await call(client) == nil)
    async let second = call(client, Call(endpoint("POST", repeatable: false)))
    try await eventually { time.sleeping == 1 }
    time.advance(by: 899)
    for _ in 0..<50 { await Task.yield() }
    #expect(transport.requests.count == 1, "not sent before the reset")
    time.advance(by: 1)
    #expect(await second == nil)
    #expect(transport.requests.count == 2)
    #expect(server.refusals == 0)
  }

  @Test("A slow response does not hide what later ones say", arguments: [0, 1, 2])
  func slowResponse(slow: Int) async {
    let server = LimitingServer(time, perWindow: 4)
    let (client, transport) = client(.fail) { [time] _ in
      let isSlow = server.responded == slow
      let response = server.response()
      if isSlow { time.advance(by: 5) }
      return response
    }
    for _ in 0..<4 { #expect(await call(client) == nil) }
    guard case .rateLimited = await call(client) else {
      Issue.record("sent, though nothing is left")
      return
    }
    #expect(transport.requests.count == 4)
    #expect(server.refusals == 0)
  }

  @Test("A refusal that comes as a surprise is waited out too, also that of a write")
  func surprise() async throws {
    let server = LimitingServer(time, perWindow: 1)
    _ = server.response()
    let (client, transport) = client(.wait(upTo: .seconds(1000))) { _ in server.response() }
    async let error = call(client, Call(endpoint("POST", repeatable: false)))
    try await eventually { time.sleeping == 1 }
    #expect(transport.requests.count == 1)
    time.advance(by: 900)
    #expect(await error == nil)
    #expect(transport.requests.count == 2)
  }

  @Test("A wait beyond the bound is not begun")
  func bound() async throws {
    let server = LimitingServer(time, perWindow: 1)
    let (client, transport) = client(.wait(upTo: .seconds(899))) { _ in server.response() }
    #expect(await call(client) == nil)
    let error = await call(client)
    guard case .rateLimited(let limit, nil) = error else {
      Issue.record("not .rateLimited")
      return
    }
    #expect(limit?.remaining == 0)
    #expect(error?.attempts == 0)
    #expect("\(error as Any)".contains("not sent"))
    #expect(transport.requests.count == 1)
    #expect(time.sleeping == 0)
    // For one call it may be longer.
    async let patient = call(client, Call(endpoint(), CallOptions(rateLimitPolicy: .wait(upTo: .seconds(900)))))
    try await eventually { time.sleeping == 1 }
    time.advance(by: 900)
    #expect(await patient == nil)
  }

  @Test("All waits of a call together are bounded, and the error has the server's response")
  func boundOfAll() async throws {
    let (client, transport) = client(.wait(upTo: .seconds(100))) { _ in
      .json("{}", status: .tooManyRequests, headerFields: [.retryAfter: "40"])
    }
    async let error = call(client)
    for sent in 1...2 {
      try await eventually { time.sleeping == 1 && transport.requests.count == sent }
      time.advance(by: 40)
    }
    guard case .rateLimited(let limit, let refusal?) = await error else {
      Issue.record("not .rateLimited")
      return
    }
    #expect(limit == RateLimit(remaining: 0, reset: time.now().addingTimeInterval(40)))
    #expect(refusal.status == .tooManyRequests)
    #expect(refusal.attempts == 3)
    #expect(transport.requests.count == 3)
  }

  @Test("A cancelled call leaves the queue at once, and the others their places")
  func cancellation() async throws {
    let server = LimitingServer(time, perWindow: 1)
    let (client, transport) = client(.wait(upTo: .seconds(1000))) { _ in server.response() }
    #expect(await call(client) == nil)
    let first = Task { await call(client) }
    try await eventually { time.sleeping == 1 }
    first.cancel()
    guard case .cancelled = await first.value else {
      Issue.record("not .cancelled")
      return
    }
    // Nobody waits for the alarm any more.
    try await eventually { time.sleeping == 0 }
    async let second = call(client)
    try await eventually { time.sleeping == 1 }
    time.advance(by: 900)
    #expect(await second == nil)
    #expect(transport.requests.count == 2)
  }

  @Test("A closure is asked before each wait")
  func ask() async throws {
    let server = LimitingServer(time, perWindow: 1)
    let asked = Asked()
    let (client, transport) = client(.ask { await asked.decide($0) }) { _ in server.response() }
    #expect(await call(client) == nil)
    await asked.resolve(.fail)
    guard case .rateLimited(_, nil) = await call(client) else {
      Issue.record("not .rateLimited")
      return
    }
    #expect(transport.requests.count == 1)
    await asked.resolve(.wait)
    async let second = call(client)
    try await eventually { time.sleeping == 1 }
    time.advance(by: 900)
    #expect(await second == nil)
    let waits = await asked.waits
    #expect(waits.map(\.duration) == [.seconds(900), .seconds(900)])
    #expect(waits.map(\.endpoint) == ["testCall", "testCall"])
    #expect(waits.first?.limit?.limit == 1)
  }

  @Test("A closure is not asked again while one of the waiting calls finds out what the new window allows")
  func askOnce() async throws {
    let server = LimitingServer(time, perWindow: 2)
    let asked = Asked()
    let (client, transport) = client(.ask { await asked.decide($0) }) { _ in server.response() }
    for _ in 0..<2 { #expect(await call(client) == nil) }
    await asked.resolve(.wait)
    let calls = (0..<2).map { _ in Task { await call(client) } }
    try await eventually { await asked.waits.count == 2 && time.sleeping == 1 }
    time.advance(by: 900)
    for call in calls { #expect(await call.value == nil) }
    #expect(await asked.waits.count == 2)
    #expect(transport.requests.count == 4)
  }

  /// A ledger whose last place is used by a call in progress, and the window's end.
  private func busyLedger(_ key: RateLimitKey) async throws -> (RateLimitLedger, RateLimit.Window, reset: Date) {
    let ledger = RateLimitLedger(time: time)
    let reset = time.now().addingTimeInterval(600)
    let window = RateLimit.Window(limit: 9, remaining: 1, reset: reset)
    _ = try await ledger.admit([key], until: nil)
    await ledger.settle([key], .responded([key: window]))
    #expect(try await ledger.admit([key], until: nil) == .admitted)
    return (ledger, window, reset)
  }

  @Test("A call waits for the responses of others only as long as it may, even if they outlast the window")
  func boundBehindOthers() async throws {
    let key = RateLimitKey(endpoint: "testCall", holder: .user(nil), span: .window)
    let (ledger, window, reset) = try await busyLedger(key)
    let (finished, deadline) = (Counter(), time.now().addingTimeInterval(2))
    let second = Task {
      defer { _ = finished.next() }
      return try await ledger.admit([key], until: deadline)
    }
    try await eventually { time.sleeping == 1 }
    time.advance(by: 1.5)
    for _ in 0..<50 { await Task.yield() }
    #expect(finished.value == 0)
    time.advance(by: 0.5)
    #expect(try await second.value == .exhausted(key, window, until: reset))
    #expect(time.sleeping == 0)
    // The window ends, and the new limit is known after the first call's response.
    time.advance(by: 600)
    let late = time.now().addingTimeInterval(3)
    let third = Task { try await ledger.admit([key], until: late) }
    try await eventually { time.sleeping == 1 }
    time.advance(by: 3)
    // No known limit would be broken, and the last window had room for nine.
    #expect(try await third.value == .admitted)
    for _ in 0..<2 { await ledger.settle([key], .noResponse) }
    #expect(try await ledger.admit([key], until: time.now()) == .admitted)
  }

  @Test("A call with a nearer deadline need not wait for the alarm of the one before it")
  func nearerDeadline() async throws {
    let key = RateLimitKey(endpoint: "testCall", holder: .user(nil), span: .window)
    let (ledger, window, reset) = try await busyLedger(key)
    let (far, near) = (time.now().addingTimeInterval(300), time.now().addingTimeInterval(2))
    let patient = Task { try await ledger.admit([key], until: far) }
    try await eventually { time.sleeping == 1 }
    let hasty = Task { try await ledger.admit([key], until: near) }
    try await eventually { time.sleeps.last == .seconds(2) && time.sleeping == 1 }
    time.advance(by: 2)
    #expect(try await hasty.value == .exhausted(key, window, until: reset))
    await ledger.settle([key], .responded([key: window]))
    #expect(try await patient.value == .admitted)
  }

  @Test("A closure is asked only if the responses of others do not come within a second")
  func askBehindOthers() async throws {
    let key = RateLimitKey(endpoint: "testCall", holder: .user(nil), span: .window)
    let (ledger, window, reset) = try await busyLedger(key)
    let asked = Asked()
    let transport = InMemoryTransport { _ in .json("{}") }
    let client = Client(
      auth: [],
      configuration: ClientConfiguration(
        transport: transport, rateLimitPolicy: .ask { await asked.decide($0) }, rateLimitStore: ledger, time: time),
      conventions: .x)
    let first = Task { await call(client) }
    try await eventually { time.sleeping == 1 }
    await ledger.settle([key], .responded([key: window]))
    #expect(await first.value == nil)
    #expect(await asked.waits.isEmpty)
    #expect(try await ledger.admit([key], until: nil) == .admitted)
    let second = Task { await call(client) }
    try await eventually { time.sleeping == 1 }
    time.advance(by: 1)
    guard case .rateLimited(_, nil) = await second.value else {
      Issue.record("not .rateLimited")
      return
    }
    let waits = await asked.waits
    #expect(waits.map(\.duration) == [Duration(bounded: reset.timeIntervalSince(time.now()))])
    #expect(transport.requests.count == 1)
  }

  @Test("After a refusal without a reset, the waits grow")
  func guesses() async throws {
    let counter = Counter()
    let (client, transport) = client(.wait(upTo: .seconds(1000))) { _ in
      counter.next() < 3 ? .json("{}", status: .tooManyRequests) : .json("{}")
    }
    async let error = call(client)
    for seconds in [1.0, 2, 4] {
      try await eventually { time.sleeping == 1 }
      time.advance(by: seconds)
      try await eventually { time.sleeping == 1 || transport.requests.count == 4 }
    }
    #expect(await error == nil)
    #expect(time.sleeps == [.seconds(1), .seconds(2), .seconds(4)])
  }

  @Test("A body's code 88 is a refusal, whatever the status")
  func code88() async throws {
    let counter = Counter()
    let reset = time.now().addingTimeInterval(60)
    let (client, _) = client(.wait(upTo: .seconds(100))) { _ in
      counter.next() == 0
        ? .json(
          #"{"errors":[{"code":88,"message":"m"}]}"#, status: .badRequest, headerFields: limitHeaders(15, 0, reset))
        : .json("{}")
    }
    async let error = call(client)
    try await eventually { time.sleeping == 1 }
    time.advance(by: 60)
    #expect(await error == nil)
  }
}
