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

@Suite("Rate limits: windows and places", .timeLimit(.minutes(10)))
struct RateLimitWindowTests: RateLimitSuite {
  let time = TestTime(.lasts)

  @Test("A cached response reports the limits of its time, and delays no other call")
  func storedResponses() async {
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

  @Test("Calls wait together, and as many are sent as the new window has room for")
  func noStampede() async throws {
    let server = LimitingServer(time, perWindow: 3)
    let (client, transport) = client(.wait(upTo: .seconds(10_000))) { _ in server.response() }
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
      // The clock must stand still until all responses have arrived, for it is compared with their `Date`.
      try await eventually { finished.value == count && (count == 8 || time.sleeping == 1) }
      #expect(transport.requests.count == count + 3)
    }
    for call in calls { #expect(await call.value == nil) }
    #expect(server.refusals == 0, "the server never had to refuse one")
  }

  @Test("Concurrent calls do not exceed the calls that are left")
  func reservations() async throws {
    let server = LimitingServer(time, perWindow: 4)
    let (client, transport) = client(.wait(upTo: .seconds(10_000))) { _ in
      await Task.yield()
      return server.response()
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

  @Test("A probe whose response is lost hands over to the next")
  func lostProbe() async throws {
    let server = LimitingServer(time, perWindow: 1)
    let counter = Counter()
    let (client, _) = client(.wait(upTo: .seconds(1000))) { _ throws(TransportError) in
      if counter.next() == 1 { throw TransportError(.tls, delivery: .notSent) }
      return server.response()
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
      counter.next() == 0 ? server.response() : .json("{}")
    }
    #expect(await call(client) == nil)
    let calls = (0..<4).map { _ in Task { await call(client) } }
    try await eventually { time.sleeping == 1 }
    time.advance(by: 900)
    for call in calls { #expect(await call.value == nil) }
    #expect(transport.requests.count == 5)
  }

  @Test("In a new window no more calls go without a response than the last one allowed", arguments: [1, 2])
  func newWindowWithoutResponse(limit: Int) async throws {
    let key = RateLimitKey(endpoint: "testCall", holder: .user(nil), span: .window)
    let ledger = RateLimitLedger(time: time)
    let window = RateLimit.Window(limit: limit, remaining: 0, reset: time.now().addingTimeInterval(60))
    await ledger.settle([key], .responded([key: window]))
    time.advance(by: 60)
    #expect(try await ledger.admit([key], until: time.now()) == .admitted)
    let second = Task { try await ledger.admit([key], until: time.now()) }
    try await eventually { time.sleeping == 1 }
    time.advance(by: 1)
    let refusal = RateLimitAdmission.exhausted(key, window, until: time.now().addingTimeInterval(1))
    #expect(try await second.value == (limit == 1 ? refusal : .admitted))
  }

  @Test("Two credentials have separate limits")
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
      Issue.record("not .rateLimited")
      return
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
    guard case .rateLimited(let limit?, nil) = await call(client) else {
      Issue.record("not .rateLimited")
      return
    }
    #expect(limit.exhausted?.reset == reset)
    #expect(transport.requests.count == 1)
  }

  @Test("The app's daily limit applies to all its accounts, and an account's only to itself", arguments: [true, false])
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
    guard case .rateLimited(_, nil) = await call(account("alice"), signed) else {
      Issue.record("not .rateLimited")
      return
    }
    let error = await call(account("bob"), signed)
    if isOfApp {
      guard case .rateLimited(let limit?, nil) = error else {
        Issue.record("not .rateLimited")
        return
      }
      #expect(limit.appDay == .init(limit: 17, remaining: 0, reset: reset))
    } else {
      #expect(error == nil)
    }
    #expect(await call(account("bob", app: "other"), signed) == nil)
    #expect(await call(account("bob"), Call(Endpoint("other", "GET", "https://api.example", "/x"))) == nil)
    #expect(transport.requests.count == (isOfApp ? 3 : 4))
  }

  @Test("The daily limit is shared by the app and its accounts, and another app has its own")
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
    guard case .rateLimited(_, nil) = await self.call(account(of: "app"), call) else {
      Issue.record("not .rateLimited")
      return
    }
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
}
