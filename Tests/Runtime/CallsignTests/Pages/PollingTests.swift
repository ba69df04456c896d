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

/// A list that grows, as timelines do: newest first, three to a page, above `since_id`.
private final class Timeline: Sendable {
  private struct State {
    var ids: [Int] = []
    var queries: [String] = []
    /// The responses to the next requests; `nil` if the list responds.
    var failures: [TransportResponse?] = []
    /// The ids that appear during waits for the rate limit, one for each wait.
    var arrivals: [Int]
    /// The requests in the current window.
    var used = 0

    init(arrivals: [Int]) { self.arrivals = arrivals }
  }

  private let state: Locked<State>
  let heedsSince: Bool
  /// Ids that are counted and left out, as X leaves out posts that a filter does not match.
  let hidden: Set<Int>
  /// The lowest id that the list still has. A lower one is refused, as X's recent search refuses ids that are a week old.
  let oldest: Int
  /// The number of requests that a window of its rate limit allows.
  let perWindow: Int

  init(
    _ ids: [Int] = [], heedsSince: Bool = true, hidden: Set<Int> = [], oldest: Int = 0, perWindow: Int = .max,
    arrivals: [Int] = []
  ) {
    state = Locked(State(arrivals: arrivals))
    self.perWindow = perWindow
    self.heedsSince = heedsSince
    self.hidden = hidden
    self.oldest = oldest
    state.withLock { $0.ids = ids }
  }

  var queries: [String] { state.withLock { $0.queries } }

  func add(_ ids: Int...) { state.withLock { $0.ids += ids } }

  func fail(_ responses: TransportResponse?...) { state.withLock { $0.failures = responses } }

  func response(_ request: TransportRequest) -> TransportResponse {
    state.withLock { state in
      let query = request.url.query ?? ""
      state.queries.append(query)
      // A reader that starts again each time would do so for ever.
      if state.queries.count > 100 { return .json("{}", status: .notFound) }
      if !state.failures.isEmpty, let failure = state.failures.removeFirst() { return failure }
      if state.used == perWindow {
        state.used = 0
        if !state.arrivals.isEmpty { state.ids.append(state.arrivals.removeFirst()) }
        return .json("{}", status: .tooManyRequests, headerFields: [.retryAfter: "900"])
      }
      state.used += 1
      func number(_ name: String) -> Int? { decodeForm(query).first { $0[0] == name }.flatMap { Int($0[1]) } }
      let since = heedsSince ? number("since_id") ?? 0 : 0
      if query.contains("start_time="), query.contains("since_id=") { return Self.refusal("start_time") }
      if let since = number("since_id"), since < oldest { return Self.refusal("since_id") }
      let ids = state.ids.sorted(by: >).filter { $0 > since && $0 >= oldest }
      let start = number("page_token") ?? 0
      let page = ids.dropFirst(start).prefix(3).filter { !hidden.contains($0) }
      let next = start + 3 < ids.count ? ",\"next\":\"\(start + 3)\"" : ""
      return .json("{\"items\":[\(page.map { "{\"id\":\"\($0)\"}" }.joined(separator: ","))]\(next)}")
    }
  }
}

extension Timeline {
  /// X's response to a parameter that it does not accept.
  private static func refusal(_ parameter: String) -> TransportResponse {
    .json(
      #"{"errors":[{"parameters":{"\#(parameter)":["1"]},"message":"no"}],"title":"Invalid Request","detail":"no"}"#,
      status: .badRequest)
  }
}

@Suite("Polling", .timeLimit(.minutes(2)))
struct PollingTests {
  private let time = TestTime(.moves)

  private func pages(
    _ timeline: Timeline, since: String? = nil, start: Date? = nil, at time: TestTime? = nil
  ) -> Pages<JSONValue, JSONValue> {
    let transport = InMemoryTransport { timeline.response($0) }
    let client = Client(
      auth: [],
      configuration: ClientConfiguration(transport: transport, retry: .never, time: time ?? self.time),
      conventions: .x)
    var call = Call(endpoint())
    call.add("since_id", since, in: .query)
    call.add("start_time", start, in: .query)
    return Pages<JSONValue, JSONValue>(
      client, call, .token("page_token"), next: { $0["next"]?.string }, items: { $0["items"]?.array ?? [] }
    ).pollable(since: "since_id") { $0["id"]?.string }
  }

  private func next(
    _ count: Int, _ iterator: inout Polling<JSONValue, JSONValue>.Iterator
  ) async throws(CallError) -> [Int] {
    var ids: [Int] = []
    while ids.count < count, let item = try await iterator.next() { ids.append(Int(item["id"]?.string ?? "") ?? 0) }
    return ids
  }

  @Test("New elements are yielded once, oldest first, from any number of pages")
  func polling() async throws {
    let timeline = Timeline([1, 2, 3, 4])
    var iterator = pages(timeline).polling(every: .seconds(60), since: "2").makeAsyncIterator()
    #expect(try await next(2, &iterator) == [3, 4])
    timeline.add(5, 6, 7, 8, 9, 10, 11)
    #expect(try await next(7, &iterator) == [5, 6, 7, 8, 9, 10, 11])
    #expect(time.sleeps == [.seconds(60)])
    #expect(
      timeline.queries == [
        "since_id=2", "since_id=4", "since_id=4&page_token=3", "since_id=4&page_token=6",
      ])
  }

  @Test("It starts after the argument of the call")
  func argument() async throws {
    let timeline = Timeline([1, 2, 3])
    var iterator = pages(timeline, since: "2").polling(every: .seconds(60)).makeAsyncIterator()
    #expect(try await next(1, &iterator) == [3])
    #expect(timeline.queries == ["since_id=2"])
  }

  /// The first element that is yielded, if one appears after the first poll.
  private func firstFromNowOn(_ timeline: Timeline, adding id: Int) async throws -> String? {
    let standing = TestTime(.lasts)
    let polling = pages(timeline, at: standing).polling(every: .seconds(60))
    let first = Task {
      var iterator = polling.makeAsyncIterator()
      return try await iterator.next()?["id"]?.string
    }
    try await eventually { standing.sleeping == 1 }
    timeline.add(id)
    standing.advance(by: 60)
    return try await first.value
  }

  @Test("Without an id, it starts with elements that appear from now on", arguments: [[], [1, 2, 3, 4]])
  func fromNowOn(ids: [Int]) async throws {
    let timeline = Timeline(ids)
    #expect(try await firstFromNowOn(timeline, adding: 5) == "5")
    #expect(timeline.queries == ["", ids.isEmpty ? "" : "since_id=4"])
  }

  @Test("Pages without a matching element do not hide how far the list goes")
  func emptyFirstPage() async throws {
    let timeline = Timeline([1, 2, 3, 4, 5, 6, 7], hidden: [5, 6, 7])
    #expect(try await firstFromNowOn(timeline, adding: 8) == "8")
    #expect(timeline.queries == ["", "page_token=3", "since_id=4", "since_id=4&page_token=3"])
  }

  /// An id of 2022 that contains its time.
  private let base = 1_600_000_000_000_000_000

  @Test("The start of the requested span moves on, because X accepts no id with it")
  func startTime() async throws {
    let timeline = Timeline([base + 1, base + 2])
    let standing = TestTime(.lasts)
    let made = try #require(Snowflake("\(base + 2)")?.date)
    let polling = pages(timeline, start: made.addingTimeInterval(-5000), at: standing).polling(every: .seconds(60))
    let first = Task {
      var iterator = polling.makeAsyncIterator()
      return try await iterator.next()?["id"]?.string
    }
    try await eventually { standing.sleeping == 1 }
    timeline.add(base + 3)
    standing.advance(by: 60)
    #expect(try await first.value == "\(base + 3)")
    let dates = timeline.queries.map { query in
      decodeForm(query).first { $0[0] == "start_time" }.flatMap { DateFormat.rfc3339.date(from: $0[1]) }
    }
    #expect(dates.count == 2)
    let second = try #require(dates.last ?? nil)
    #expect(second <= made && second > made.addingTimeInterval(-1))
    #expect(!timeline.queries.contains { $0.contains("since_id") })
  }

  @Test("A span that starts after the id stays unchanged")
  func laterStart() async throws {
    let timeline = Timeline([base + 1, base + 2])
    let made = try #require(Snowflake("\(base)")?.date)
    var iterator = pages(timeline, start: made.addingTimeInterval(5000)).polling(every: .seconds(60), since: "\(base)")
      .makeAsyncIterator()
    #expect(try await next(2, &iterator) == [base + 1, base + 2])
    let start = decodeForm(timeline.queries.first ?? "").first { $0[0] == "start_time" }?[1] ?? ""
    let date = try #require(DateFormat.rfc3339.date(from: start))
    #expect(abs(date.timeIntervalSince(made) - 5000) < 0.01)
    #expect(!timeline.queries.contains { $0.contains("since_id") })
  }

  @Test("An id that is too old for the list is left out, and newer elements still come")
  func tooOld() async throws {
    let timeline = Timeline((1...5).map { base + $0 }, oldest: base + 4)
    var iterator = pages(timeline).polling(every: .seconds(60), since: "\(base + 2)").makeAsyncIterator()
    #expect(try await next(2, &iterator) == [base + 4, base + 5])
    timeline.add(base + 6)
    #expect(try await next(1, &iterator) == [base + 6])
    #expect(timeline.queries == ["since_id=\(base + 2)", "", "since_id=\(base + 5)"])
    #expect(time.sleeps == [.seconds(60)])
  }

  @Test("A list that has been quiet for longer than it reaches back is polled on, without asking in vain each time")
  func quiet() async throws {
    let timeline = Timeline([base + 1, base + 2], oldest: base + 3)
    let standing = TestTime(.lasts)
    let polling = pages(timeline, at: standing).polling(every: .seconds(60), since: "\(base + 2)")
    let first = Task {
      var iterator = polling.makeAsyncIterator()
      return try await iterator.next()?["id"]?.string
    }
    try await eventually { standing.sleeping == 1 }
    standing.advance(by: 60)
    try await eventually { standing.sleeping == 1 && timeline.queries.count == 3 }
    timeline.add(base + 7)
    standing.advance(by: 60)
    #expect(try await first.value == "\(base + 7)")
    #expect(timeline.queries == ["since_id=\(base + 2)", "", "", ""])
  }

  @Test("An id that no element can have yet is refused, and ends it")
  func nonsense() async throws {
    let future = Int(Snowflake.first(at: time.now().addingTimeInterval(86_400))?.description ?? "") ?? 0
    let timeline = Timeline([1], oldest: future + 1)
    var iterator = pages(timeline).polling(every: .seconds(60), since: "\(future)").makeAsyncIterator()
    await #expect(throws: CallError.self) { try await iterator.next() }
    #expect(timeline.queries.count == 1)
  }

  @Test("An API that does not heed the parameter is not read to its beginning")
  func unheeded() async throws {
    let timeline = Timeline(Array(1...100), heedsSince: false)
    var iterator = pages(timeline).polling(every: .seconds(60), since: "96").makeAsyncIterator()
    #expect(try await next(4, &iterator) == [97, 98, 99, 100])
    #expect(timeline.queries.count == 2)
  }

  @Test("Rate limits and server failures are waited for; other errors end it")
  func failures() async throws {
    let timeline = Timeline([1, 2, 3, 4, 5])
    timeline.fail(
      .json("{}", status: .serviceUnavailable), .json("{}", status: .badGateway),
      .json("{}", status: .tooManyRequests, headerFields: [.retryAfter: "500"]))
    var iterator = pages(timeline).polling(every: .seconds(60), since: "1").makeAsyncIterator()
    #expect(try await next(4, &iterator) == [2, 3, 4, 5])
    #expect(time.sleeps == [.seconds(60), .seconds(120), .seconds(500)])
    timeline.fail(.json("{}", status: .notFound))
    await #expect(throws: CallError.self) { try await iterator.next() }
  }

  @Test("A used-up quota ends it, though it has a rate limit's status") func quota() async throws {
    let timeline = Timeline([1, 2])
    timeline.fail(
      .json(
        #"{"title":"UsageCapExceeded","type":"https://api.x.com/2/problems/usage-capped"}"#, status: .tooManyRequests))
    var iterator = pages(timeline).polling(every: .seconds(60), since: "1").makeAsyncIterator()
    let error = await #expect(throws: CallError.self) { try await iterator.next() }
    guard case .api? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(time.sleeps.isEmpty)
  }

  @Test("A failure on a later page loses nothing of the earlier")
  func failureOnLaterPage() async throws {
    let timeline = Timeline([1, 2, 3, 4, 5])
    timeline.fail(
      timeline.response(TransportRequest(method: .get, url: try #require(AbsoluteURL("http://a/")))),
      .json("{}", status: .badGateway))
    var iterator = pages(timeline).polling(every: .seconds(60), since: "0").makeAsyncIterator()
    #expect(try await next(5, &iterator) == [1, 2, 3, 4, 5])
    #expect(timeline.queries.dropFirst() == ["since_id=0", "since_id=0&page_token=3", "since_id=0&page_token=3"])
  }

  @Test("A backlog of more pages than a window of the rate limit allows is read window by window")
  func longBacklog() async throws {
    let timeline = Timeline(Array(1...20), perWindow: 3)
    var iterator = pages(timeline).polling(every: .seconds(60), since: "0").makeAsyncIterator()
    #expect(try await next(20, &iterator) == Array(1...20))
    #expect(time.sleeps == [.seconds(900), .seconds(900)])
    // The refused page is requested again, and no earlier one.
    let places = ["", "3", "6", "9", "9", "12", "15", "18", "18"]
    #expect(timeline.queries == places.map { $0.isEmpty ? "since_id=0" : "since_id=0&page_token=\($0)" })
  }

  @Test("Elements that appear during a wait for a limit come with the next poll, and none comes twice")
  func arrivalsInBacklog() async throws {
    let timeline = Timeline(Array(1...6), perWindow: 1, arrivals: [7])
    var iterator = pages(timeline).polling(every: .seconds(60), since: "0").makeAsyncIterator()
    #expect(try await next(7, &iterator) == Array(1...7))
  }

  @Test("A page that keeps failing is retried after growing waits, and progress makes them short again")
  func failingPage() async throws {
    let timeline = Timeline(Array(1...9))
    let failure = TransportResponse.json("{}", status: .badGateway)
    timeline.fail(nil, failure, failure, failure, nil, failure)
    var iterator = pages(timeline).polling(every: .seconds(60), since: "0").makeAsyncIterator()
    #expect(try await next(9, &iterator) == Array(1...9))
    #expect(time.sleeps == [60, 120, 240, 60].map { .seconds($0) })
    #expect(timeline.queries.count { $0 == "since_id=0" } == 1)
  }

  @Test("A position that the API has forgotten is given up once, and the list is read from the start")
  func staleToken() async throws {
    let timeline = Timeline([1, 2, 3, 4, 5])
    timeline.fail(nil, .json("{}", status: .badGateway), .json("{}", status: .badRequest))
    var iterator = pages(timeline).polling(every: .seconds(60), since: "0").makeAsyncIterator()
    #expect(try await next(5, &iterator) == [1, 2, 3, 4, 5])
    timeline.add(6, 7, 8, 9)
    timeline.fail(nil, .json("{}", status: .badRequest))
    await #expect(throws: CallError.self) { try await iterator.next() }
  }

  @Test("A position is given up if the API responds with HTML or always fails")
  func forgottenPlaces() async throws {
    let failure = TransportResponse.json("{}", status: .badGateway)
    for isPage in [true, false] {
      let timeline = Timeline([1, 2, 3, 4, 5])
      // The first page gets a response, and the second no more.
      if isPage {
        timeline.fail(nil, failure, TransportResponse(body: Data("<html></html>".utf8)))
      } else {
        timeline.fail(nil, failure, failure, failure, failure, failure)
      }
      var iterator = pages(timeline).polling(every: .seconds(60), since: "0").makeAsyncIterator()
      #expect(try await next(5, &iterator) == [1, 2, 3, 4, 5])
      #expect(timeline.queries.count { $0 == "since_id=0" } == 2)
    }
  }

  /// The number of requests until polling ends, where each fails so.
  private func requests(failing kind: TransportError.Kind) async -> Int {
    let counter = Counter()
    let transport = InMemoryTransport { (_) throws(TransportError) in
      // Polling that would continue for ever ends here.
      throw TransportError(counter.next() < 50 ? kind : .invalidRequest("enough"), delivery: .delivered)
    }
    let client = Client(
      auth: [], configuration: ClientConfiguration(transport: transport, retry: .never, time: time))
    let pages = Pages<JSONValue, JSONValue>(
      client, Call(endpoint()), .token("page_token"), next: { $0["next"]?.string },
      items: { $0["items"]?.array ?? [] }
    ).pollable(since: "since_id") { $0["id"]?.string }
    var iterator = pages.polling(every: .seconds(60), since: "1").makeAsyncIterator()
    await #expect(throws: CallError.self) { try await iterator.next() }
    return transport.requests.count
  }

  @Test("A response that is too large ends it, and so do responses that are not HTTP, after a few of them")
  func hopelessResponses() async {
    #expect(await requests(failing: .bodyTooLarge) == 1)
    #expect(await requests(failing: .protocolViolation) == 10)
  }

  @Test("A limit ends it, and pages that cannot be polled say so")
  func limits() async throws {
    let timeline = Timeline([1, 2, 3, 4, 5])
    var iterator = pages(timeline).limit(2).polling(every: .seconds(60), since: "1").makeAsyncIterator()
    #expect(try await next(9, &iterator) == [2, 3])
    let transport = InMemoryTransport { timeline.response($0) }
    let plain = Pages<JSONValue, JSONValue>(
      client([], transport), Call(endpoint()), .token("page_token"), next: { $0["next"]?.string }, items: { _ in [] })
    var other = plain.polling(every: .seconds(60)).makeAsyncIterator()
    guard case .invalidCall = await #expect(throws: CallError.self, performing: { try await other.next() }) else {
      Issue.record("not .invalidCall")
      return
    }
    #expect(transport.requests.isEmpty)
  }

  @Test("Ids are compared as numbers, however long")
  func longIDs() async throws {
    let timeline = Timeline([9, 10, 99, 100])
    var iterator = pages(timeline).polling(every: .seconds(60), since: "9").makeAsyncIterator()
    #expect(try await next(3, &iterator) == [10, 99, 100])
  }
}
