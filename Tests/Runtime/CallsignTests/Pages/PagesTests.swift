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

/// A server of numbered elements that pages in every style.
private struct Library: Sendable {
  var pages: [[Int]] = [[1, 2, 3], [], [4, 5], [6]]

  /// Token style: `{"items": […], "next": "t1", "previous": "t0"}`.
  func tokenResponse(_ request: TransportRequest) -> TransportResponse {
    let index = Self.parameter("page_token", request).flatMap { Int($0.dropFirst()) } ?? 0
    guard pages.indices.contains(index) else { return .json("{}", status: .badRequest) }
    var text = #"{"items":\#(pages[index])"#
    if index + 1 < pages.count { text += #","next":"t\#(index + 1)""# }
    if index > 0 { text += #","previous":"t\#(index - 1)""# }
    return .json(text + "}")
  }

  static func parameter(_ name: String, _ request: TransportRequest) -> String? {
    let query = request.head.path?.split(separator: "?", maxSplits: 1).dropFirst().first ?? ""
    return decodeForm(String(query)).first { $0[0] == name }?[1]
  }
}

private func numbers(_ page: JSONValue) -> [Int] {
  (page["items"] ?? page).array?.compactMap(\.int) ?? []
}

private func tokenPages(_ transport: InMemoryTransport) -> Pages<JSONValue, Int> {
  Pages(
    client([], transport), Call(endpoint()), .token("page_token"), next: { $0["next"]?.string },
    previous: { $0["previous"]?.string }, items: numbers)
}

/// Collects the elements of a sequence, and the error that ends it.
private func collect<Sequence: AsyncSequence>(_ sequence: Sequence) async -> ([Sequence.Element], (any Error)?)
where Sequence.Element: Sendable {
  var elements: [Sequence.Element] = []
  do {
    for try await element in sequence { elements.append(element) }
    return (elements, nil)
  } catch { return (elements, error) }
}

@Suite struct PagesTests {
  private let library = InMemoryTransport { Library().tokenResponse($0) }

  private func tokens(_ name: String = "page_token", of transport: InMemoryTransport) -> [String?] {
    transport.requests.map { Library.parameter(name, $0) }
  }

  @Test("An empty page is not the end") func anEmptyPageIsNotTheEnd() async {
    let (pages, error) = await collect(tokenPages(library))
    #expect(error == nil)
    #expect(pages.map { numbers($0.value) } == [[1, 2, 3], [], [4, 5], [6]])
    #expect(tokens(of: library) == [nil, "t1", "t2", "t3"])
    let (items, _) = await collect(tokenPages(library).items)
    #expect(items == [1, 2, 3, 4, 5, 6])
  }

  @Test(
    "A missing token is the end",
    arguments: [#"{"items":[1],"next":""}"#, #"{"items":[1],"next":null}"#, #"{"items":[1]}"#])
  func aMissingTokenIsTheEnd(body: String) async {
    let transport = InMemoryTransport { _ in .json(body) }
    let (pages, error) = await collect(tokenPages(transport))
    #expect(error == nil)
    #expect(pages.count == 1)
    #expect(transport.requests.count == 1)
  }

  @Test("Nothing is sent before it is requested") func nothingIsSentBeforeItIsAskedFor() async throws {
    let pages = tokenPages(library)
    var items = pages.items.makeAsyncIterator()
    #expect(library.requests.isEmpty)
    for expected in 1...3 { #expect(try await items.next() == expected) }
    #expect(library.requests.count == 1)
    #expect(try await items.next() == 4)
    #expect(library.requests.count == 3)
  }

  @Test("A repeated token is an error instead of a loop", arguments: [1, 2, 3])
  func aRepeatedTokenIsAnErrorInsteadOfALoop(cycle: Int) async {
    let transport = InMemoryTransport { request in
      let number = Library.parameter("page_token", request).flatMap { Int($0) } ?? 0
      return .json(#"{"items":[\#(number)],"next":"\#(number % cycle + 1)"}"#)
    }
    let (pages, error) = await collect(tokenPages(transport))
    #expect(pages.count == cycle + 1)
    #expect(transport.requests.count == cycle + 1)
    guard case .unexpectedContent(let content) = error as? CallError else {
      Issue.record("not .unexpectedContent")
      return
    }
    #expect(content.kind == .repeatedPage)
  }

  @Test("After an error the token is that of the page that failed") func resumeWhereItFailed() async throws {
    let failures = Counter()
    let library = library
    let transport = InMemoryTransport { request in
      if Library.parameter("page_token", request) == "t2", failures.next() == 0 {
        return .json("{}", status: .forbidden)
      }
      return Library().tokenResponse(request)
    }
    var iterator = tokenPages(transport).makeAsyncIterator()
    var read: [Int] = []
    do throws(CallError) {
      while let page = try await iterator.next() { read += numbers(page.value) }
      Issue.record("no error")
    } catch {}
    #expect(iterator.token == "t2" && library.requests.isEmpty)
    let (items, error) = await collect(tokenPages(transport).resuming(from: iterator.token).items)
    #expect(read + items == [1, 2, 3, 4, 5, 6] && error == nil)
  }

  @Test("Reading resumes where it stopped") func resumeWhereItStopped() async throws {
    var iterator = tokenPages(library).makeAsyncIterator()
    _ = try await iterator.next()
    let second = try #require(try await iterator.next())
    let saved = tokenPages(library).token(after: second)
    #expect(saved == "t2")
    let (items, _) = await collect(tokenPages(library).resuming(from: saved).items)
    #expect(items == [4, 5, 6])
    let (all, _) = await collect(tokenPages(library).resuming(from: nil).items)
    #expect(all.count == 6)
  }

  @Test("Pages are read backwards") func backwards() async {
    let (pages, error) = await collect(tokenPages(library).resuming(from: "t2").backwards())
    #expect(error == nil)
    #expect(pages.map { numbers($0.value) } == [[4, 5], [], [1, 2, 3]])
    let oneWay = Pages<JSONValue, Int>(
      client([], library), Call(endpoint()), .token("page_token"), next: { $0["next"]?.string }, items: numbers)
    let (_, refusal) = await collect(oneWay.backwards())
    guard case .invalidCall = refusal as? CallError else {
      Issue.record("not .invalidCall")
      return
    }
  }

  @Test(
    "A limit ends the pages",
    arguments: [(0, 0, []), (1, 1, [1]), (3, 1, [1, 2, 3]), (4, 3, [1, 2, 3, 4]), (99, 4, [1, 2, 3, 4, 5, 6])])
  func limit(count: Int, requests: Int, expected: [Int]) async {
    let transport = InMemoryTransport { Library().tokenResponse($0) }
    let (items, _) = await collect(tokenPages(transport).limit(count).items)
    #expect(items == expected)
    #expect(transport.requests.count == requests)
  }

  @Test("At a limit, the iterator says where to continue", arguments: [(0, nil), (2, "t1"), (4, "t3"), (6, nil)])
  func tokenAtLimit(count: Int, expected: String?) async throws {
    var iterator = tokenPages(library).limit(count).makeAsyncIterator()
    while try await iterator.next() != nil {}
    #expect(iterator.token == expected)
    var resumed = tokenPages(library).resuming(from: "t1").limit(0).makeAsyncIterator()
    #expect(try await resumed.next() == nil)
    #expect(resumed.token == "t1")
  }

  @Test("An error ends the iteration, and the next one starts from the beginning")
  func anErrorEndsItAndTheNextIterationBeginsAnew()
    async throws
  {
    let transport = InMemoryTransport { request in
      Library.parameter("page_token", request) == "t1"
        ? .json("{}", status: .tooManyRequests) : Library().tokenResponse(request)
    }
    let pages = tokenPages(transport)
    var iterator = pages.makeAsyncIterator()
    _ = try? await iterator.next()
    await #expect(throws: CallError.self) { _ = try await iterator.next() }
    #expect(try await iterator.next() == nil)
    #expect(transport.requests.count == 2)
    let (again, error) = await collect(pages)
    #expect(again.count == 1)
    guard case .rateLimited = error as? CallError else {
      Issue.record("not .rateLimited")
      return
    }
  }

  @Test("Pages continue by cursor") func cursors() async {
    let transport = InMemoryTransport { request in
      switch Library.parameter("cursor", request) {
      case "-1": .json(#"{"items":[1,2],"next_cursor":77}"#)
      case "77": .json(#"{"items":[3],"next_cursor":0}"#)
      default: .json("{}", status: .badRequest)
      }
    }
    let pages = Pages<JSONValue, Int>(
      client([], transport), Call(endpoint()), .cursor("cursor"), next: { $0["next_cursor"]?.int }, items: numbers)
    let (items, error) = await collect(pages.items)
    #expect(error == nil)
    #expect(items == [1, 2, 3])
    #expect(tokens("cursor", of: transport) == ["-1", "77"])
  }

  @Test("Ids never come twice at the border") func idsNeverComeTwiceAtTheBorder() async {
    // Like a timeline: newest first, at most three, up to and including `max_id`; two came in between.
    let ids = [9_007_199_254_740_993, 40, 30, 20, 10, 5, 1]
    let transport = InMemoryTransport { request in
      let bound = Library.parameter("max_id", request).flatMap { Int($0) } ?? .max
      return .json("\(Array(ids.filter { $0 <= bound }.prefix(3)))")
    }
    let pages = Pages<JSONValue, Int>(
      client([], transport), Call(endpoint()), .maxID("max_id"), items: numbers, id: { $0 })
    let (items, error) = await collect(pages.items)
    #expect(error == nil)
    #expect(items == ids)
    #expect(tokens("max_id", of: transport) == [nil, "29", "4", "0"])
  }

  @Test("Elements without an id are skipped") func elementsWithoutAnIDArePassedOver() async {
    let transport = InMemoryTransport { request in
      .json(Library.parameter("max_id", request) == nil ? #"[{"id":9},{},{"id":7}]"# : "[]")
    }
    let pages = Pages<[JSONValue], JSONValue>(
      client([], transport), Call(endpoint()), .maxID("max_id"), items: { $0 }, id: { $0["id"]?.int })
    let (items, error) = await collect(pages.items)
    #expect(error == nil)
    #expect(items.count == 3)
    #expect(tokens("max_id", of: transport) == [nil, "6"])
  }

  @Test("Reading waits for a rate limit in the middle") func theRateLimitIsWaitedForInTheMiddle() async throws {
    let time = TestTime(.moves)
    let counter = Counter()
    let transport = InMemoryTransport { request in
      counter.next() == 2
        ? .json("{}", status: .tooManyRequests, headerFields: [.retryAfter: "30"]) : Library().tokenResponse(request)
    }
    let client = Client(
      auth: [],
      configuration: ClientConfiguration(
        transport: transport, rateLimitPolicy: .wait(upTo: .seconds(60)), time: time))
    let pages = Pages<JSONValue, Int>(
      client, Call(endpoint()), .token("page_token"), next: { $0["next"]?.string }, items: numbers)
    let (items, error) = await collect(pages.items)
    #expect(error == nil)
    #expect(items == [1, 2, 3, 4, 5, 6])
    #expect(tokens(of: transport) == [nil, "t1", "t2", "t2", "t3"])
    #expect(time.sleeps == [.seconds(30)])
  }

  @Test("An API that ignores `max_id` ends the pages in an error") func anAPIThatIgnoresMaxID() async {
    let transport = InMemoryTransport { _ in .json("[3,2,1]") }
    let pages = Pages<JSONValue, Int>(
      client([], transport), Call(endpoint()), .maxID("max_id"), items: numbers, id: { $0 })
    let (_, error) = await collect(pages.items)
    guard case .unexpectedContent(let content) = error as? CallError else {
      Issue.record("not .unexpectedContent")
      return
    }
    #expect(content.kind == .repeatedPage)
  }

  @Test("Pages continue by number") func numberedPages() async {
    let transport = InMemoryTransport { request in
      let page = Library.parameter("page", request).flatMap { Int($0) } ?? 0
      return .json(
        ["", "[1,2]", "[3,4]", "[5]"].indices.contains(page) ? ["[]", "[1,2]", "[3,4]", "[5]"][page] : "[]")
    }
    func pages(_ size: Int?) -> Pages<JSONValue, Int> {
      Pages(client([], transport), Call(endpoint()), .page("page"), size: size, items: numbers)
    }
    #expect(await collect(pages(nil).items).0 == [1, 2, 3, 4, 5])
    #expect(tokens("page", of: transport) == ["1", "2", "3", "4"])
    #expect(await collect(pages(2).items).0 == [1, 2, 3, 4, 5])
    #expect(transport.requests.count == 8)
    #expect(await collect(pages(2).resuming(from: "3").items).0 == [5])
    let (backwards, error) = await collect(pages(2).resuming(from: "3").backwards())
    #expect(error == nil)
    #expect(backwards.map { numbers($0.value) } == [[5], [3, 4], [1, 2]])
  }

  @Test(
    "Counted pages can be read backwards from anywhere, with no element twice or missing",
    arguments: [(10, 25), (10, 20), (10, 3), (10, 0), (nil, 25), (nil, 20), (nil, 27)] as [(Int?, Int)])
  func countedBackwards(size: Int?, start: Int) async {
    let transport = InMemoryTransport { request in
      let offset = Library.parameter("offset", request).flatMap { Int($0) } ?? 0
      return .json("\((0..<28).dropFirst(offset).prefix(10).map { $0 })")
    }
    let pages = Pages<JSONValue, Int>(
      client([], transport), Call(endpoint()), .offset("offset"), size: size, items: numbers
    ).resuming(from: "\(start)").backwards()
    let expected = Array(0..<min(28, start + 10))
    let (items, error) = await collect(pages.items)
    #expect(error == nil)
    #expect(items.sorted() == expected)
    let raw = await collect(pages.rawItems).0
    #expect(raw.map(\.value) == items)
    #expect(raw.allSatisfy { $0.bytes == Data("\($0.value)".utf8) })
    #expect(await collect(pages.limit(expected.count).items).0 == items)
  }

  @Test("An element that cannot be read counts in the page before it")
  func countedBackwardsWithGap() async throws {
    let list = ["0", "1", "\"x\"", "3", "4", "5", "6"]
    let transport = InMemoryTransport { request in
      let offset = Library.parameter("offset", request).flatMap { Int($0) } ?? 0
      return .json("[\(list.dropFirst(offset).prefix(4).joined(separator: ","))]")
    }
    let pages = Pages<[Int], Int>(
      client([], transport), Call(endpoint()), .offset("offset"), size: 4, items: { $0 }
    ).resuming(from: "7").backwards()
    let (items, error) = await collect(pages.items)
    #expect(error == nil)
    #expect(items == [3, 4, 5, 6, 0, 1])
  }

  @Test("The iterator says where to continue, for every style") func iteratorToken() async throws {
    let transport = InMemoryTransport { _ in .json("[1,2]") }
    var numbered = Pages<JSONValue, Int>(client([], transport), Call(endpoint()), .page("page"), items: numbers)
      .resuming(from: "4").makeAsyncIterator()
    _ = try await numbered.next()
    #expect(numbered.token == "5")
    var tokens = tokenPages(library).makeAsyncIterator()
    for expected in ["t1", "t2", "t3", nil] {
      _ = try await tokens.next()
      #expect(tokens.token == expected)
    }
  }

  @Test("Pages by cursor are read backwards until the cursor is 0") func cursorsBackwards() async {
    let transport = InMemoryTransport { request in
      switch Library.parameter("cursor", request) {
      case "77": .json(#"{"items":[3],"previous_cursor":-55}"#)
      case "-55": .json(#"{"items":[1,2],"previous_cursor":0}"#)
      default: .json("{}", status: .badRequest)
      }
    }
    let pages = Pages<JSONValue, Int>(
      client([], transport), Call(endpoint()), .cursor("cursor"), next: { $0["next_cursor"]?.int },
      previous: { $0["previous_cursor"]?.int }, items: numbers)
    let (items, error) = await collect(pages.resuming(from: "77").backwards().items)
    #expect(error == nil)
    #expect(items == [3, 1, 2])
  }

  @Test("A token in the body") func aTokenInTheBody() async throws {
    let transport = InMemoryTransport { _ in .json(#"{"items":[]}"#) }
    var call = Call(endpoint("POST", body: .json))
    call.json("q", "x")
    let pages = Pages<JSONValue, Int>(
      client([], transport), call, .token("after", in: .field), next: { $0["next"]?.string }, items: numbers)
    _ = await collect(pages.resuming(from: "t"))
    #expect(try await transport.requests.first?.bodyText() == #"{"q":"x","after":"t"}"#)
  }

  @Test(
    "A page that promises more without saying how to get it is not an end",
    arguments: [
      "token", "header", "cursor", "maxID", "lastID", "offset", "url", "link",
    ])
  func missingPage(style: String) async {
    let transport = InMemoryTransport { _ in .json(#"{"items":[],"has_more":true,"n":1}"#) }
    func pages(_ transport: InMemoryTransport) -> Pages<JSONValue, Int> {
      let (client, call) = (client([], transport), Call(endpoint()))
      let next: @Sendable (JSONValue) -> String? = { $0["next"]?.string }
      let pages: Pages<JSONValue, Int> =
        switch style {
        case "token": Pages(client, call, .token("t"), next: next, items: numbers)
        case "header": Pages(client, call, .token("t"), items: numbers).next(header: "X-Next")
        case "cursor": Pages(client, call, .cursor("t"), next: next, items: numbers)
        case "maxID": Pages(client, call, .maxID("t"), items: numbers, id: { $0 })
        case "lastID": Pages(client, call, .lastID("t"), items: numbers, id: { $0 })
        case "offset": Pages(client, call, .offset("t"), items: numbers)
        case "url": Pages(client, call, .url, next: next, items: numbers)
        default: Pages(client, call, .link, items: numbers)
        }
      return pages.more { $0["has_more"]?.bool }
    }
    let (read, error) = await collect(pages(transport))
    #expect(read.count == 1 && transport.requests.count == 1)
    guard case .unexpectedContent(let content) = error as? CallError else {
      Issue.record("not .unexpectedContent")
      return
    }
    #expect(content.kind == .missingPage)
    #expect("\(content)".contains("narrower") && (error as? CallError)?.advice != nil)
    // Nobody misses what was not asked for, and a response that says that it is the last is believed.
    let whole = InMemoryTransport { _ in .json(#"{"items":[1],"has_more":true,"total":1}"#) }
    #expect(await collect(pages(whole).limit(1)).1 == nil)
    let last = InMemoryTransport { _ in .json(#"{"items":[],"has_more":false}"#) }
    #expect(await collect(pages(last)).1 == nil)
  }

  @Test("A page that comes twice and promises more is not an end, unless all elements were there")
  func repeatedPromise() async {
    let transport = InMemoryTransport { _ in .json(#"{"items":[1],"has_more":true,"total":1}"#) }
    let pages = Pages<JSONValue, Int>(client([], transport), Call(endpoint()), .page("page"), items: numbers)
      .more { $0["has_more"]?.bool }
    let (items, error) = await collect(pages.items)
    #expect(items == [1])
    guard case .unexpectedContent(let content) = error as? CallError else {
      Issue.record("not .unexpectedContent")
      return
    }
    #expect(content.kind == .repeatedPage)
    #expect(await collect(pages.total { $0["total"]?.int }).1 == nil)
  }

  @Test("Only the first page has the key that lets the API recognise a repeated call") func keys() async throws {
    let transport = InMemoryTransport { Library().tokenResponse($0) }
    let searching = Endpoint(
      "search", "POST", "https://api.example", "/search", body: .none, details: "idempotency Idempotency-Key")
    var options = CallOptions()
    options.idempotencyKey = "mine"
    let pages = Pages<JSONValue, Int>(
      client([], transport), Call(searching, options), .token("page_token"), next: { $0["next"]?.string },
      previous: { $0["previous"]?.string }, items: numbers)
    #expect(await collect(pages.items).0 == [1, 2, 3, 4, 5, 6])
    #expect(await collect(pages.resuming(from: "t3").items).0 == [6])
    let name = try #require(HTTPField.Name("Idempotency-Key"))
    let keys = transport.requests.map { $0.headerFields[name] }
    #expect(keys.count == 5 && keys.first == "mine" && keys.last == "mine")
    #expect(Set(keys).count == 4 && !keys.contains(nil))
  }
}
