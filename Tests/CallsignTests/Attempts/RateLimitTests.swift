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

/// A server that counts calls in windows of 900 seconds, by the test's clock, as X does.
private final class LimitingServer: @unchecked Sendable {
  private let lock = NSLock()
  private let time: TestTime
  /// By how many seconds the server's clock is ahead.
  private let ahead: TimeInterval
  private let saysWhatTimeItIs: Bool
  private var used = 0
  private var reset = Date.distantPast
  private(set) var refusals = 0
  private(set) var answered = 0
  var perWindow: Int

  init(_ time: TestTime, perWindow: Int, ahead: TimeInterval = 0, saysWhatTimeItIs: Bool = true) {
    self.time = time
    self.perWindow = perWindow
    self.ahead = ahead
    self.saysWhatTimeItIs = saysWhatTimeItIs
  }

  func answer() -> TransportResponse {
    lock.withLock {
      let now = time.now().addingTimeInterval(ahead)
      if now >= reset { (used, reset) = (0, now.addingTimeInterval(900)) }
      let isRefused = used >= perWindow
      if isRefused { refusals += 1 } else { used += 1 }
      answered += 1
      var headers = limitHeaders(perWindow, perWindow - used, reset)
      if saysWhatTimeItIs { headers[.date] = httpDate(now) }
      return .json("{}", status: isRefused ? .tooManyRequests : .ok, headerFields: headers)
    }
  }
}

private func limitHeaders(_ limit: Int, _ remaining: Int, _ reset: Date, prefix: String = "x-rate-limit") -> HTTPFields
{
  var headers = HTTPFields()
  for (name, value) in [("limit", limit), ("remaining", remaining), ("reset", Int(reset.timeIntervalSince1970))] {
    if let name = HTTPField.Name("\(prefix)-\(name)") { headers[name] = String(value) }
  }
  return headers
}

@Suite("Rate limits", .timeLimit(.minutes(10)))
struct RateLimitTests {
  private let time = TestTime(.lasts)

  private func client(
    _ policy: RateLimitPolicy, _ answer: @escaping InMemoryTransport.Answer
  ) -> (Client, InMemoryTransport) {
    let transport = InMemoryTransport(answer: answer)
    let client = Client(
      auth: [], configuration: ClientConfiguration(transport: transport, rateLimitPolicy: policy, time: time),
      conventions: .x)
    return (client, transport)
  }

  private func call(_ client: Client, _ call: Call = Call(endpoint())) async -> CallError? {
    do throws(CallError) {
      let _: Response<NoContent> = try await client.send(call)
      return nil
    } catch { return error }
  }

  @Test("By default nothing is sent while the limit is known to be used up, and nothing is waited for")
  func fail() async {
    let server = LimitingServer(time, perWindow: 1)
    let (client, transport) = client(.fail) { _ in server.answer() }
    #expect(await call(client) == nil)
    for _ in 0..<2 {
      guard case .rateLimited(let limit?, nil) = await call(client) else { return #expect(Bool(false)) }
      #expect(limit.reset == time.now().addingTimeInterval(900))
    }
    #expect(transport.requests.count == 1)
    time.advance(by: 900)
    #expect(await call(client) == nil)
    #expect(transport.requests.count == 2)
  }

  @Test("An answer from memory tells of the limits as they were, and holds up no other call")
  func storedAnswers() async {
    let transport = InMemoryTransport { [time] _ in
      let now = time.now()
      var headers = limitHeaders(1, 0, now.addingTimeInterval(300))
      headers[.date] = httpDate(now)
      headers[.cacheControl] = "max-age=3600"
      return .json("{}", headerFields: headers)
    }
    let client = Client(
      auth: [],
      configuration: ClientConfiguration(transport: transport, middleware: [ResponseCache(time: time)], time: time),
      conventions: .x)
    #expect(await call(client, Call(endpoint("GET", "/2/a"))) == nil)
    time.advance(by: 400)
    #expect(await call(client, Call(endpoint("GET", "/2/a"))) == nil)
    #expect(transport.requests.count == 1)
    #expect(await call(client, Call(endpoint("GET", "/2/b"))) == nil)
    #expect(transport.requests.count == 2)
  }

  @Test("When the clock was set back, a limit is not used up for as long as it had been ahead")
  func clockSetBack() async {
    let ends = time.now().addingTimeInterval(300)
    // The server's clock is right, and this machine's is an hour ahead.
    let (client, transport) = client(.fail) { _ in
      var headers = limitHeaders(1, 0, ends)
      headers[.date] = httpDate(ends.addingTimeInterval(-300))
      return .json("{}", headerFields: headers)
    }
    time.advance(by: 3600)
    #expect(await call(client) == nil)
    #expect(await call(client) != nil)
    time.advance(by: 2)
    #expect(await call(client) != nil)
    time.advance(by: 300 - 3600)
    #expect(await call(client) == nil)
    #expect(transport.requests.count == 2)
  }

  @Test("A refusal says until when the default sends nothing, or the server is asked again")
  func failAfterRefusal() async {
    for (headers, requests) in [([.retryAfter: "40"], 1), ([:], 2)] as [(HTTPFields, Int)] {
      let (client, transport) = client(.fail) { _ in .json("{}", status: .tooManyRequests, headerFields: headers) }
      for _ in 0..<2 {
        guard case .rateLimited(let limit, _) = await call(client) else { return #expect(Bool(false)) }
        #expect(limit?.reset == (requests == 1 ? time.now().addingTimeInterval(40) : nil))
      }
      #expect(transport.requests.count == requests)
      let stated = client.rateLimits["testCall"]
      #expect(stated?.remaining == 0)
      #expect(stated?.reset == (requests == 1 ? time.now().addingTimeInterval(40) : nil))
    }
  }

  @Test("A Retry-After that ends after the window is the limit's reset, in the error and in the client's limits")
  func laterRetryAfter() async {
    for (remaining, seconds) in [(0, 40.0), (7, 10)] {
      let (client, _) = client(.fail) { [time] _ in
        var headers = limitHeaders(15, remaining, time.now().addingTimeInterval(10))
        headers[.retryAfter] = "40"
        return .json("{}", status: .tooManyRequests, headerFields: headers)
      }
      guard case .rateLimited(let limit?, _) = await call(client) else { return #expect(Bool(false)) }
      #expect(limit.reset == time.now().addingTimeInterval(seconds))
      #expect(limit.remaining == remaining)
      #expect(client.rateLimits["testCall"] == limit)
    }
  }

  @Test("A refusal while calls are left says nothing of the window's end")
  func refusalWithCallsLeft() async {
    let reset = time.now().addingTimeInterval(900)
    let (client, transport) = client(.fail) { _ in
      .json("{}", status: .tooManyRequests, headerFields: limitHeaders(15, 7, reset))
    }
    for _ in 0..<2 { _ = await call(client) }
    #expect(transport.requests.count == 2)
    #expect(client.rateLimits["testCall"]?.remaining == 7)
  }

  @Test("A call waits for the reset, by the server's clock", arguments: [-3600.0, 0, 3600])
  func wait(ahead: TimeInterval) async throws {
    let server = LimitingServer(time, perWindow: 1, ahead: ahead)
    let (client, transport) = client(.wait(upTo: .seconds(1000))) { _ in server.answer() }
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

  @Test("An answer that was long on its way does not hide what later ones say", arguments: [0, 1, 2])
  func slowAnswer(slow: Int) async {
    let server = LimitingServer(time, perWindow: 4)
    let (client, transport) = client(.fail) { [time] _ in
      let isSlow = server.answered == slow
      let answer = server.answer()
      if isSlow { time.advance(by: 5) }
      return answer
    }
    for _ in 0..<4 { #expect(await call(client) == nil) }
    guard case .rateLimited = await call(client) else { return #expect(Bool(false), "sent, though nothing is left") }
    #expect(transport.requests.count == 4)
    #expect(server.refusals == 0)
  }

  @Test("A refusal that comes as a surprise is waited out too, also that of a write")
  func surprise() async throws {
    let server = LimitingServer(time, perWindow: 1)
    _ = server.answer()
    let (client, transport) = client(.wait(upTo: .seconds(1000))) { _ in server.answer() }
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
    let (client, transport) = client(.wait(upTo: .seconds(899))) { _ in server.answer() }
    #expect(await call(client) == nil)
    let error = await call(client)
    guard case .rateLimited(let limit, nil) = error else { return #expect(Bool(false)) }
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

  @Test("All waits of a call together are bounded, and the error has the server's answer")
  func boundOfAll() async throws {
    let (client, transport) = client(.wait(upTo: .seconds(100))) { _ in
      .json("{}", status: .tooManyRequests, headerFields: [.retryAfter: "40"])
    }
    async let error = call(client)
    for sent in 1...2 {
      try await eventually { time.sleeping == 1 && transport.requests.count == sent }
      time.advance(by: 40)
    }
    guard case .rateLimited(let limit, let refusal?) = await error else { return #expect(Bool(false)) }
    #expect(limit == RateLimit(remaining: 0, reset: time.now().addingTimeInterval(40)))
    #expect(refusal.status == .tooManyRequests)
    #expect(refusal.attempts == 3)
    #expect(transport.requests.count == 3)
  }

  @Test("Calls wait together, and go as many as there are places when the window begins")
  func noStampede() async throws {
    let server = LimitingServer(time, perWindow: 3)
    let (client, transport) = client(.wait(upTo: .seconds(10_000))) { _ in server.answer() }
    for _ in 0..<3 { #expect(await call(client) == nil) }
    let finished = Counter()
    let calls = (0..<8).map { _ in
      Task {
        defer { _ = finished.next() }
        return await call(client)
      }
    }
    // One alarm for all of them.
    try await eventually { time.sleeping == 1 }
    for count in [3, 6, 8] {
      #expect(server.refusals == 0)
      time.advance(by: 900)
      // The clock must stand still until all answers have arrived, for it is compared with their `Date`.
      try await eventually { finished.value == count && (count == 8 || time.sleeping == 1) }
      #expect(transport.requests.count == count + 3)
    }
    for call in calls { #expect(await call.value == nil) }
    #expect(server.refusals == 0, "the server never had to refuse one")
  }

  @Test("Calls at once are no more than the places that are left")
  func reservations() async throws {
    let server = LimitingServer(time, perWindow: 4)
    let (client, transport) = client(.wait(upTo: .seconds(10_000))) { _ in
      await Task.yield()
      return server.answer()
    }
    #expect(await call(client) == nil)
    let finished = Counter()
    let calls = (0..<5).map { _ in
      Task {
        defer { _ = finished.next() }
        return await call(client)
      }
    }
    try await eventually { time.sleeping == 1 && finished.value == 3 }
    #expect(transport.requests.count == 4)
    time.advance(by: 900)
    for call in calls { #expect(await call.value == nil) }
    #expect(server.refusals == 0)
  }

  @Test("A probe whose answer is lost hands over to the next")
  func lostProbe() async throws {
    let server = LimitingServer(time, perWindow: 1)
    let counter = Counter()
    let (client, _) = client(.wait(upTo: .seconds(1000))) { _ throws(TransportError) in
      if counter.next() == 1 { throw TransportError(.tls, delivery: .notSent) }
      return server.answer()
    }
    #expect(await call(client) == nil)
    let calls = (0..<2).map { _ in Task { await call(client) } }
    try await eventually { time.sleeping == 1 }
    time.advance(by: 900)
    var lost = 0
    for call in calls where await call.value != nil { lost += 1 }
    #expect(lost == 1)
  }

  @Test("A window that ends without a word lets everyone go")
  func silence() async throws {
    let server = LimitingServer(time, perWindow: 1)
    let counter = Counter()
    let (client, transport) = client(.wait(upTo: .seconds(1000))) { _ in
      counter.next() == 0 ? server.answer() : .json("{}")
    }
    #expect(await call(client) == nil)
    let calls = (0..<4).map { _ in Task { await call(client) } }
    try await eventually { time.sleeping == 1 }
    time.advance(by: 900)
    for call in calls { #expect(await call.value == nil) }
    #expect(transport.requests.count == 5)
  }

  @Test("A cancelled call leaves the queue at once, and the others their places")
  func cancellation() async throws {
    let server = LimitingServer(time, perWindow: 1)
    let (client, transport) = client(.wait(upTo: .seconds(1000))) { _ in server.answer() }
    #expect(await call(client) == nil)
    let first = Task { await call(client) }
    try await eventually { time.sleeping == 1 }
    first.cancel()
    guard case .cancelled = await first.value else { return #expect(Bool(false)) }
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
    let (client, transport) = client(.ask { await asked.decide($0) }) { _ in server.answer() }
    #expect(await call(client) == nil)
    await asked.answer(.fail)
    guard case .rateLimited(_, nil) = await call(client) else { return #expect(Bool(false)) }
    #expect(transport.requests.count == 1)
    await asked.answer(.wait)
    async let second = call(client)
    try await eventually { time.sleeping == 1 }
    time.advance(by: 900)
    #expect(await second == nil)
    let waits = await asked.waits
    #expect(waits.map(\.duration) == [.seconds(900), .seconds(900)])
    #expect(waits.map(\.endpoint) == ["testCall", "testCall"])
    #expect(waits.first?.limit?.limit == 1)
  }

  @Test("A closure is not asked again while one of those that were to wait finds out what the new window allows")
  func askOnce() async throws {
    let server = LimitingServer(time, perWindow: 2)
    let asked = Asked()
    let (client, transport) = client(.ask { await asked.decide($0) }) { _ in server.answer() }
    for _ in 0..<2 { #expect(await call(client) == nil) }
    await asked.answer(.wait)
    let calls = (0..<2).map { _ in Task { await call(client) } }
    try await eventually { await asked.waits.count == 2 && time.sleeping == 1 }
    time.advance(by: 900)
    for call in calls { #expect(await call.value == nil) }
    #expect(await asked.waits.count == 2)
    #expect(transport.requests.count == 4)
  }

  /// A ledger of which the last place is taken by a call under way, and the window's end.
  private func busyLedger(_ key: RateLimitKey) async throws -> (RateLimitLedger, RateLimit.Window, reset: Date) {
    let ledger = RateLimitLedger(time: time)
    let reset = time.now().addingTimeInterval(600)
    let window = RateLimit.Window(limit: 9, remaining: 1, reset: reset)
    _ = try await ledger.admit([key], until: nil)
    await ledger.settle([key], .answered([key: window]))
    #expect(try await ledger.admit([key], until: nil) == .admitted)
    return (ledger, window, reset)
  }

  @Test("A call waits for the answers of others no longer than it may, also where they outlast the window")
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
    // The window ends, and what the next allows is known once the first call is answered.
    time.advance(by: 600)
    let late = time.now().addingTimeInterval(3)
    let third = Task { try await ledger.admit([key], until: late) }
    try await eventually { time.sleeping == 1 }
    time.advance(by: 3)
    // Nobody knows of a limit that it would break, and the last window had room for nine.
    #expect(try await third.value == .admitted)
    for _ in 0..<2 { await ledger.settle([key], .unanswered) }
    #expect(try await ledger.admit([key], until: time.now()) == .admitted)
  }

  @Test("In a new window no more calls go without an answer than the last one allowed", arguments: [1, 2])
  func newWindowUnanswered(limit: Int) async throws {
    let key = RateLimitKey(endpoint: "testCall", holder: .user(nil), span: .window)
    let ledger = RateLimitLedger(time: time)
    let window = RateLimit.Window(limit: limit, remaining: 0, reset: time.now().addingTimeInterval(60))
    await ledger.settle([key], .answered([key: window]))
    time.advance(by: 60)
    #expect(try await ledger.admit([key], until: time.now()) == .admitted)
    let second = Task { try await ledger.admit([key], until: time.now()) }
    try await eventually { time.sleeping == 1 }
    time.advance(by: 1)
    let refusal = RateLimitAdmission.exhausted(key, window, until: time.now().addingTimeInterval(1))
    #expect(try await second.value == (limit == 1 ? refusal : .admitted))
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
    await ledger.settle([key], .answered([key: window]))
    #expect(try await patient.value == .admitted)
  }

  @Test("A closure is asked when the answers of others do not come within a second, and not before")
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
    await ledger.settle([key], .answered([key: window]))
    #expect(await first.value == nil)
    #expect(await asked.waits.isEmpty)
    #expect(try await ledger.admit([key], until: nil) == .admitted)
    let second = Task { await call(client) }
    try await eventually { time.sleeping == 1 }
    time.advance(by: 1)
    guard case .rateLimited(_, nil) = await second.value else { return #expect(Bool(false)) }
    let waits = await asked.waits
    #expect(waits.map(\.duration) == [Duration(bounded: reset.timeIntervalSince(time.now()))])
    #expect(transport.requests.count == 1)
  }

  @Test("A refusal that says nothing is waited out longer each time")
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

  @Test("What the answers told, by endpoint and credential")
  func ledger() async throws {
    let reset = time.now().addingTimeInterval(900)
    let (client, _) = client(.fail) { _ in
      var headers = limitHeaders(15, 7, reset)
      for field in limitHeaders(1000, 0, reset, prefix: "x-app-limit-24hour") { headers.append(field) }
      for field in limitHeaders(50, 49, reset, prefix: "x-user-limit-24hour") { headers.append(field) }
      return .json("{}", headerFields: headers)
    }
    #expect(client.rateLimits.isEmpty)
    let response: Response<NoContent> = try await client.send(Call(endpoint()))
    #expect(response.rateLimit?.remaining == 7)
    #expect(response.rateLimit?.appDay == .init(limit: 1000, remaining: 0, reset: reset))
    #expect(response.rateLimit?.userDay == .init(limit: 50, remaining: 49, reset: reset))
    #expect(response.rateLimit?.exhausted?.limit == 1000)
    #expect(client.rateLimits["testCall"] == response.rateLimit)
    #expect(client.rateLimits["testCall", nil] == response.rateLimit)
    #expect(client.rateLimits["testCall", CredentialIdentity("bearer", account: "x")] == nil)
    #expect(client.rateLimits["other"] == nil)
    #expect(client.rateLimits.map(\.endpoint) == ["testCall"])
  }

  @Test("Two credentials have limits of their own")
  func credentials() async throws {
    let one = Bearer("one")
    let two = Bearer("two")
    let reset = time.now().addingTimeInterval(900)
    let transport = InMemoryTransport { request in
      .json("{}", headerFields: limitHeaders(15, request.authorization == "Bearer one" ? 0 : 9, reset))
    }
    let configuration = ClientConfiguration(
      transport: transport, rateLimitPolicy: .wait(upTo: .zero), time: time)
    let first = Client(auth: one, configuration: configuration, conventions: .x)
    #expect(await call(first, Call(endpoint(auth: "bearer"))) == nil)
    guard case .rateLimited(_, nil) = await call(first, Call(endpoint(auth: "bearer"))) else {
      return #expect(Bool(false))
    }
    #expect(first.rateLimits["testCall", one.identity]?.remaining == 0)
    #expect(first.rateLimits["testCall", two.identity] == nil)
  }

  @Test(
    "The day's limit counts when the endpoint's own does not", arguments: ["x-app-limit-24hour", "x-user-limit-24hour"])
  func days(prefix: String) async {
    let reset = time.now().addingTimeInterval(5000)
    let (client, transport) = client(.wait(upTo: .seconds(900))) { [time] _ in
      var headers = limitHeaders(15, 7, time.now().addingTimeInterval(60))
      for field in limitHeaders(50, 0, reset, prefix: prefix) { headers.append(field) }
      return .json("{}", headerFields: headers)
    }
    #expect(await call(client) == nil)
    guard case .rateLimited(let limit?, nil) = await call(client) else { return #expect(Bool(false)) }
    #expect(limit.exhausted?.reset == reset)
    #expect(transport.requests.count == 1)
  }

  @Test("The app's day is known to all its accounts, and an account's to itself alone", arguments: [true, false])
  func appDay(isOfApp: Bool) async throws {
    let reset = time.now().addingTimeInterval(5000)
    let prefix = isOfApp ? "x-app-limit-24hour" : "x-user-limit-24hour"
    let (client, transport) = client(.fail) { _ in
      .json("{}", headerFields: limitHeaders(17, 0, reset, prefix: prefix))
    }
    func account(_ token: String, app: String = "app") -> Client {
      client.with(auth: OAuth1(consumerKey: app, consumerSecret: "s", token: token, tokenSecret: "t"))
    }
    let signed = Call(endpoint(auth: "oauth1"))
    #expect(await call(account("alice"), signed) == nil)
    guard case .rateLimited(_, nil) = await call(account("alice"), signed) else { return #expect(Bool(false)) }
    let error = await call(account("bob"), signed)
    if isOfApp {
      guard case .rateLimited(let limit?, nil) = error else { return #expect(Bool(false)) }
      #expect(limit.appDay == .init(limit: 17, remaining: 0, reset: reset))
    } else {
      #expect(error == nil)
    }
    #expect(await call(account("bob", app: "other"), signed) == nil)
    #expect(await call(account("bob"), Call(Endpoint("other", "GET", "https://api.example", "/x"))) == nil)
    #expect(transport.requests.count == (isOfApp ? 3 : 4))
  }

  @Test("The app's day is the same for its accounts and for the app alone, and another app's is its own")
  func appDayOfAppAlone() async throws {
    let reset = time.now().addingTimeInterval(5000)
    let (client, transport) = client(.fail) { request in
      request.head.path == "/token"
        ? .json(#"{"access_token":"a","token_type":"bearer"}"#)
        : .json("{}", headerFields: limitHeaders(17, 0, reset, prefix: "x-app-limit-24hour"))
    }
    let appOnly = AppOnly(
      consumerKey: "app", consumerSecret: "s", provider: AppOnly.Provider(tokenURL: "https://api.example/token"))
    let call = Call(endpoint(auth: "bearer | oauth1"))
    #expect(await self.call(client.with(auth: appOnly), call) == nil)
    func account(of app: String) -> Client {
      client.with(auth: OAuth1(consumerKey: app, consumerSecret: "s", token: "alice", tokenSecret: "t"))
    }
    guard case .rateLimited(_, nil) = await self.call(account(of: "app"), call) else { return #expect(Bool(false)) }
    #expect(await self.call(account(of: "other"), call) == nil)
    #expect(transport.requests.count == 3)
  }

  @Test("Untyped calls for different ids share a limit")
  func untyped() async throws {
    let reset = time.now().addingTimeInterval(900)
    let (client, transport) = client(.fail) { _ in .json("{}", headerFields: limitHeaders(1, 0, reset)) }
    func get(_ path: String) async -> Bool {
      (try? await client.call(.get, "https://api.example/\(path)")) != nil
    }
    #expect(await get("2/users/12/followers?a=1"))
    #expect(await !get("2/users/13/followers"))
    #expect(await get("2/users/me/followers"))
    #expect(await get("2/users/by/username/alice"))
    #expect(await !get("2/users/by/username/bob"))
    #expect(await get("2/lists/12/followers"))
    #expect(await get("1.1/statuses/show/12.json"))
    #expect(await !get("1.1/statuses/show/1700000000000000013.json"))
    #expect(transport.requests.count == 5)
    #expect(client.rateLimits["GET https://api.example/2/users/99/followers"]?.remaining == 0)
    #expect(
      client.rateLimits.map(\.endpoint) == [
        "GET https://api.example/1.1/statuses/show/:id.json", "GET https://api.example/2/lists/:id/followers",
        "GET https://api.example/2/users/:id/followers", "GET https://api.example/2/users/by/username/:id",
        "GET https://api.example/2/users/me/followers",
      ])
  }

  @Test("However many limits there are, one that is used up is remembered, and memory is bounded")
  func eviction() async throws {
    let ledger = RateLimitLedger(time: time)
    let reset = time.now().addingTimeInterval(900)
    func key(_ number: Int) -> RateLimitKey {
      RateLimitKey(endpoint: "e\(number)", holder: .user(nil), span: .window)
    }
    func use(_ number: Int, remaining: Int, until reset: Date) async throws -> RateLimitAdmission {
      let admission = try await ledger.admit([key(number)], until: nil)
      let window = RateLimit.Window(limit: 15, remaining: remaining, reset: reset)
      if admission == .admitted { await ledger.settle([key(number)], .answered([key(number): window])) }
      return admission
    }
    for number in 0..<3000 { _ = try await use(number, remaining: 0, until: reset) }
    for number in 3000..<40_000 { _ = try await use(number, remaining: 14, until: reset.addingTimeInterval(-1)) }
    for number in 0..<3000 {
      guard case .exhausted = try await use(number, remaining: 0, until: reset) else {
        return #expect(Bool(false), "\(number) is forgotten")
      }
    }
    #expect(ledger.count <= 10_000)
    time.advance(by: 900)
    for number in 40_000..<60_000 { _ = try await use(number, remaining: 0, until: time.now().addingTimeInterval(1)) }
    #expect(try await use(0, remaining: 1, until: reset) == .admitted)
  }

  @Test("A store of one's own is asked before each call and told its end, whatever the policy", arguments: [0, 1, 2])
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
    guard case .answered(let windows)? = store.reports.first else { return #expect(Bool(false)) }
    #expect(windows.values.map(\.remaining) == [7])
    store.refuseOnce()
    let error = await call(client, Call(endpoint(auth: "bearer")))
    if case .fail = policy {
      guard case .rateLimited(_, nil) = error else { return #expect(Bool(false)) }
      #expect(transport.requests.count == 1)
    } else {
      #expect(error == nil, "asked again when the store said")
      #expect(transport.requests.count == 2)
    }
  }

  @Test("A store that fails stops nobody")
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
    guard case .rateLimited = await call(client) else { return #expect(Bool(false)) }
    #expect(transport.requests.count == 3)
    #expect(time.sleeps == [.seconds(30), .seconds(30)])
  }

  @Test("A refusal that the store does not learn of is asked about, too")
  func unheldRefusalAsked() async {
    let time = TestTime(.moves)
    let asked = Asked()
    await asked.answer(.wait)
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
    await asked.answer(.fail)
    counter.reset()
    guard case .rateLimited = await call(client, signed) else { return #expect(Bool(false)) }
    #expect(transport.requests.count == 4)
    #expect(time.sleeps.count == 2)
  }

  @Test("Two clients that share a ledger share what it knows")
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
    guard case .rateLimited(let limit?, nil) = await call(clients[1]) else { return #expect(Bool(false)) }
    #expect(limit.reset == reset)
    #expect(transport.requests.count == 1)
  }

  @Test("Header fields that are no numbers, or absurd ones", arguments: ["", "x", "1e3", "99999999999999999999", "-5"])
  func hostileHeaders(value: String) async {
    let (client, _) = client(.wait(upTo: .seconds(1))) { _ in
      var headers = HTTPFields()
      for name in ["limit", "remaining", "reset"] {
        if let name = HTTPField.Name("x-rate-limit-\(name)") { headers[name] = value }
      }
      return .json("{}", headerFields: headers)
    }
    for _ in 0..<3 { #expect(await call(client) == nil) }
  }

  @Test("RateLimit fields on several lines are one list, of which the entry with the fewest calls left counts")
  func severalLines() throws {
    let sent = time.now()
    let entries = [#""burst";r=50;t=30"#, #""day";r=3;t=600"#]
    let limits = try #require(HTTPField.Name("RateLimit"))
    let policies = try #require(HTTPField.Name("RateLimit-Policy"))
    for order in [[0, 1], [1, 0]] {
      var headers: HTTPFields = [.date: httpDate(sent)]
      for index in order { headers.append(HTTPField(name: limits, value: entries[index])) }
      for policy in [#""day";q=1000;w=86400"#, #""burst";q=100;w=60"#] {
        headers.append(HTTPField(name: policies, value: policy))
      }
      #expect(
        RateLimit(standardFields: headers)
          == RateLimit(limit: 1000, remaining: 3, reset: sent.addingTimeInterval(600)))
    }
  }

  @Test("A reset is in seconds since 1970, or in milliseconds where that would be the far future")
  func resetUnits() throws {
    let name = try #require(HTTPField.Name("x-ratelimit-reset"))
    for value in ["1741305600", "1741305600000"] {
      let limit = RateLimit(standardFields: [name: value])
      #expect(limit?.reset == Date(timeIntervalSince1970: 1_741_305_600))
    }
    let sent = time.now()
    #expect(
      RateLimit(standardFields: [name: "60", .date: httpDate(sent)])?.reset == sent.addingTimeInterval(60))
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

private actor Asked {
  private(set) var waits: [RateLimitWait] = []
  private var decision = RateLimitDecision.fail

  func answer(_ decision: RateLimitDecision) { self.decision = decision }

  func decide(_ wait: RateLimitWait) -> RateLimitDecision {
    waits.append(wait)
    return decision
  }
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
      return .exhausted(key, RateLimit.Window(remaining: 0), until: time.now().addingTimeInterval(5))
    }
  }

  func settle(_ keys: [RateLimitKey], _ report: RateLimitReport) async throws {
    state.withLock { $0.reports.append(report) }
  }
}
