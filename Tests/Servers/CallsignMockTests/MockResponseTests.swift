import CallsignCatalogue
import CallsignHTTP
import CallsignJSON
import Foundation
import HTTPTypes
import Testing

@testable import CallsignMock

@Suite("A mock's responses") struct MockResponseTests {
  @Test("The same seed has the same responses, and another seed others")
  func seeds() async throws {
    let first = try await Petstore.mock().call("/pets").bytes
    #expect(try await Petstore.mock().call("/pets").bytes == first)
    #expect(try await Petstore.mock(MockConfiguration(seed: 2)).call("/pets").bytes != first)
  }

  @Test("A response has the requested id, and a pet in a list equals the single one")
  func ids() async throws {
    let mock = try Petstore.mock()
    #expect(try await mock.call("/pets/7").body.id == "7")
    let listed = try #require(try await mock.call("/pets").body.data?[3])
    let alone = try await mock.call("/pets/\(try #require(listed.id?.string))").body
    #expect(alone.name == listed.name && alone.born == listed.born && alone["kind"] == listed["kind"])
    let found = try await mock.call("/pets/find?ids=4,5,6").body
    #expect(found.array?.compactMap(\.id) == ["4", "5", "6"])
    let made = try await mock.call(
      "POST", "/pets", ["Authorization": "Bearer x", "Content-Type": "application/json"],
      body: #"{"name": "Rex", "kind": "dog"}"#)
    #expect(made.body.name == "Rex" && made.body["kind"] == "dog" && made.body.secret == nil)
  }

  @Test("Responses do not say that the call failed", arguments: [1, 2, 3, 4, 5, 6] as [UInt64])
  func failures(seed: UInt64) async throws {
    #expect(try await Petstore.mock(MockConfiguration(seed: seed)).call("/ping").body.ok == true)
    let records = String(
      decoding: try await Petstore.mock(MockConfiguration(seed: seed)).call("/statuses").bytes, as: UTF8.self)
    #expect(records.contains("\"ok\":true") && !records.contains("\"ok\":false"))
  }

  @Test("Bytes have their media type, and operations without a response get 204")
  func others() async throws {
    let mock = try Petstore.mock()
    let photo = try await mock.call("/pets/7/photo")
    #expect(photo.headers[.contentType] == "image/png" && !photo.bytes.isEmpty)
    #expect(try await mock.call("DELETE", "/pets/7").status == 204)
  }

  @Test("Responses have the catalogue's status, and otherwise that of their kind")
  func statuses() async throws {
    let text = """
      api: {name: Words, hosts: {api: https://petstore.example/v1}, auth: [none]}
      endpoints:
        makeWord: {call: POST /words, params: {word: string}, returns: string, status: 201}
        saveWord: {call: PUT /words, returns: string}
        forgetWord: {call: DELETE /words, status: 200}
        forgetAll: {call: DELETE /all}
        seeWord: {call: HEAD /seen}

      """
    let result = CatalogueLoader().load(files: [CatalogueSource(path: "words.yaml", bytes: Array(text.utf8))])
    let mock = MockServer(
      try #require(result.catalogue, "\(result.diagnostics)"), configuration: MockConfiguration())
    let made = try await mock.call("POST", "/words", ["Content-Type": "application/json"], body: #"{"word": "a"}"#)
    #expect(made.status == 201 && made.body.string != nil)
    #expect(try await mock.call("PUT", "/words", [:]).status == 200)
    #expect(try await mock.call("DELETE", "/words", [:]).status == 200)
    #expect(try await mock.call("DELETE", "/all", [:]).status == 204)
    #expect(try await mock.call("HEAD", "/seen", [:]).status == 200)
    // A test's own replies come first.
    try mock.reply(to: "makeWord", with: .status(503), times: 1)
    #expect(
      try await mock.call("POST", "/words", ["Content-Type": "application/json"], body: #"{"word": "a"}"#).status == 503
    )
  }

  @Test(
    "A text is in quotes if the response is JSON, whatever parameters its media type has",
    arguments: [
      ("application/json; charset=utf-8", true), ("application/hal+json;v=2", true), ("APPLICATION/JSON", true),
      ("text/plain; charset=utf-8", false),
    ])
  func texts(accept: String, isJSON: Bool) async throws {
    let text = """
      api: {name: Words, hosts: {api: https://petstore.example/v1}, auth: [none]}
      endpoints: {getWord: {call: GET /word, accept: "\(accept)", returns: string}}

      """
    let result = CatalogueLoader().load(files: [CatalogueSource(path: "words.yaml", bytes: Array(text.utf8))])
    let mock = MockServer(
      try #require(result.catalogue, "\(result.diagnostics)"), configuration: MockConfiguration())
    let response = try await mock.call("GET", "/word", [:])
    #expect(response.status == 200)
    #expect((response.body.string != nil) == isJSON)
    #expect(response.bytes.starts(with: Data("\"".utf8)) == isJSON)
  }

  @Test("A response has its usual members of the request's values, at any depth", arguments: ["Key", "Way"])
  func onlySent(type: String) async throws {
    let text = """
      api: {name: Doors, hosts: {api: https://petstore.example/v1}, auth: [none]}
      models:
        Key: {name: string, pin: {type: string?, write_only: true}}
        Way: {$tag: name, $union: {a: Key}}
        Door: {id: string, keys: "[\(type)]", main: \(type)}
      endpoints:
        addDoor: {call: POST /doors, params: {keys: "[\(type)]", main: \(type)}, returns: Door}

      """
    let result = CatalogueLoader().load(files: [CatalogueSource(path: "doors.yaml", bytes: Array(text.utf8))])
    let mock = MockServer(
      try #require(result.catalogue, "\(result.diagnostics)"), configuration: MockConfiguration())
    let key = #"{"name": "a", "pin": "1234"}"#
    let door = try await mock.call(
      "POST", "/doors", ["Content-Type": "application/json"], body: #"{"keys": [\#(key)], "main": \#(key)}"#
    ).body
    #expect(door["keys"] == [["name": "a"]] && door["main"] == ["name": "a"], "\(door)")
  }

  @Test("A Location is a URL of the mock, and XML is well formed") func places() async throws {
    let text = """
      api: {name: Jobs, hosts: {api: https://petstore.example/v1}, auth: [none]}
      models:
        Job: {id: int, state: string?}
      endpoints:
        makeJob: {call: POST /jobs/, returns: Job, status: 201, response_headers: {Location: string}}
        saveJob: {call: "PUT /jobs/{id}", params: {id: int}, returns: Job, response_headers: {Location: string}}
        getFeed: {call: GET /feed, returns: bytes, accept: application/atom+xml}
        getText: {call: GET /text, returns: string, accept: text/xml}

      """
    let result = CatalogueLoader().load(files: [CatalogueSource(path: "jobs.yaml", bytes: Array(text.utf8))])
    let mock = MockServer(try #require(result.catalogue, "\(result.diagnostics)"))
    let made = try await mock.call("POST", "/jobs/")
    let id = try #require(made.body.id?.int)
    #expect(made.headers[.location] == "https://petstore.example/v1/jobs/\(id)")
    let saved = try await mock.call("PUT", "/jobs/7")
    #expect(saved.headers[.location] == "https://petstore.example/v1/jobs/7")
    for path in ["/feed", "/text"] {
      let response = try await mock.call(path)
      #expect(String(decoding: response.bytes, as: UTF8.self) == "<root/>" && response.headers[.contentType] != nil)
    }
  }

  // MARK: Long operations

  private static let operations = """
    api: {name: Jobs, hosts: {api: https://petstore.example/v1}, schemes: {bearer: A token.}, auth: [bearer]}
    models:
      Job: {id: int, state: string?}
      Phase: enum [waiting, done, lost]
      Task: {id: int, phase: Phase, links: Links?}
      Links: {state: url}
    endpoints:
      startJob: {call: POST /jobs, poll: {header: Location, returns: Job}}
      getJob: {call: "GET /jobs/{id}", params: {id: int}, returns: Job}
      startSale: {call: POST /sales, poll: {header: Location, returns: json, done: {status: Succeeded}}}
      startTask:
        call: POST /tasks
        poll: {url: links.state, returns: Task, done: {phase: done}, failed: {phase: lost}}
        returns: Task
      startShip: {call: POST /ships, poll: {ask: getShip, with: {id: id}, done: {phase: done}}, returns: Task}
      getShip: {call: "GET /ships/{id}", params: {id: int}, returns: Task}

    """

  @Test(
    "A long operation is accepted, and leads to a state that says that it is over",
    arguments: ["startJob", "startSale", "startTask", "startShip"])
  func operationsThatGoOn(name: String) async throws {
    let text = Self.operations
    let result = CatalogueLoader().load(files: [CatalogueSource(path: "jobs.yaml", bytes: Array(text.utf8))])
    let mock = MockServer(try #require(result.catalogue, "\(result.diagnostics)"))
    let endpoint = try #require(mock.catalogue.groups[0].endpoints.first { $0.name == name })
    let started = try await mock.call("POST", endpoint.path)
    #expect(started.status == 202, "\(started.body)")
    let place =
      switch endpoint.poll?.place {
      case .header: started.headers[.location]
      case .url: started.body.links?.state?.string
      case .endpoint, nil: started.body.id?.int.map { "https://petstore.example/v1/ships/\($0)" }
      }
    let state = try await Petstore.call(mock, try #require(place), "GET")
    #expect(state.status == 200, "\(place ?? "") \(state.body)")
    for sign in endpoint.poll?.done ?? [] {
      #expect(state.body[sign.path]?.string.map(sign.values.contains) == true, "\(state.body)")
    }
    if name == "startJob" { #expect(mock.requests.last?.operation == "getJob") }
  }

  @Test("A job that has just been started has not failed") func startsThatWork() async throws {
    let text = Self.operations
    let result = CatalogueLoader().load(files: [CatalogueSource(path: "jobs.yaml", bytes: Array(text.utf8))])
    let catalogue = try #require(result.catalogue, "\(result.diagnostics)")
    for seed in 1...20 as ClosedRange<UInt64> {
      let mock = MockServer(catalogue, configuration: MockConfiguration(seed: seed))
      let phase = try await mock.call("POST", "/tasks").body.phase
      #expect(phase == "waiting" || phase == "done", "seed \(seed)")
    }
  }

  @Test("A final state has not failed, even if all but a few words say that it is over")
  func statesThatAreOver() async throws {
    let text = """
      api: {name: Jobs, hosts: {api: https://petstore.example/v1}, auth: [none]}
      models:
        State: enum [failed, canceled, running, succeeded]
        Job: {id: string, status: State}
      endpoints:
        startJob:
          call: POST /jobs
          poll: {ask: getJob, with: {id: id}, done: {status: not running}, failed: {status: [failed, canceled]}}
          returns: Job
        getJob: {call: "GET /jobs/{id}", params: {id: string}, returns: Job}

      """
    let result = CatalogueLoader().load(files: [CatalogueSource(path: "jobs.yaml", bytes: Array(text.utf8))])
    let catalogue = try #require(result.catalogue, "\(result.diagnostics)")
    for seed in 1...5 as ClosedRange<UInt64> {
      let mock = MockServer(catalogue, configuration: MockConfiguration(seed: seed))
      #expect(try await mock.call("GET", "/jobs/7", [:]).body.status == "succeeded")
    }
  }

  // MARK: Pages

  /// Follows pages to their end.
  private func walk(
    _ first: String, _ next: (JSONValue, HTTPFields, String) -> String?
  ) async throws -> [[JSONValue]] {
    let mock = try Petstore.mock()
    var pages: [[JSONValue]] = []
    var target: String? = first
    while let current = target, pages.count < 50 {
      let response = try await mock.call(current)
      try #require(response.status == 200, "\(response.body)")
      let items = response.body.array ?? response.body.data?.array ?? response.body.pets?.array ?? []
      pages.append(items)
      target = next(response.body, response.headers, current)
    }
    return pages
  }

  private func expectAll(_ pages: [[JSONValue]], id: String = "id") {
    let ids = pages.flatMap { $0 }.compactMap { $0[id]?.description }
    #expect(ids.count == 25 && Set(ids).count == 25)
  }

  @Test("Tokens lead to the end, and back")
  func tokens() async throws {
    let pages = try await walk("/pets?limit=9") { body, _, _ in
      body.meta?.next?.string.map { "/pets?limit=9&token=\($0)" }
    }
    #expect(pages.map(\.count) == [9, 9, 7])
    expectAll(pages)
    let mock = try Petstore.mock()
    let second = try #require(try await mock.call("/pets?limit=9").body.meta?.next?.string)
    let response = try await mock.call("/pets?limit=9&token=\(second)")
    #expect(response.body.meta?.result_count == 9)
    let previous = try #require(response.body.meta?.previous?.string)
    #expect(try await mock.call("/pets?limit=9&token=\(previous)").body.data?.array == pages[0])
    #expect(try await mock.call("/pets?token=aaaaaaaaaaaaaaaaaaaa").status == 400)
  }

  @Test("Cursors start at -1 and end at 0")
  func cursors() async throws {
    let pages = try await walk("/cursor?cursor=-1") { body, _, _ in
      body.next_cursor?.int.flatMap { $0 == 0 ? nil : "/cursor?cursor=\($0)" }
    }
    #expect(pages.map(\.count) == [10, 10, 5])
    expectAll(pages)
    let mock = try Petstore.mock()
    let back = try #require(try await mock.call("/cursor?cursor=10").body.previous_cursor?.int)
    #expect(try await mock.call("/cursor?cursor=\(back)").body.pets?.array == pages[0])
  }

  @Test("Numbers and offsets end with a short page")
  func numbers() async throws {
    var page = 0
    let numbered = try await walk("/numbered?size=10&page=0") { body, _, _ in
      page += 1
      return body.array?.count == 10 ? "/numbered?size=10&page=\(page)" : nil
    }
    expectAll(numbered)
    var offset = 0
    let pages = try await walk("/offset?limit=10") { body, _, _ in
      offset += body.data?.array?.count ?? 0
      return body.data?.array?.count == 10 ? "/offset?limit=10&offset=\(offset)" : nil
    }
    expectAll(pages)
  }

  @Test("Ids descend, and newer elements are requested by the greatest")
  func maximumIDs() async throws {
    let pages = try await walk("/max?count=10") { body, _, _ in
      body.array?.last?.number?.int.map { "/max?count=10&max_id=\($0 - 1)" }
    }
    expectAll(pages, id: "number")
    let greatest = try #require(pages.first?.first?.number?.int)
    #expect(try await Petstore.mock().call("/max?since_id=\(greatest)").body == [])
    #expect(try await Petstore.mock().call("/max?since_id=\(greatest - 2_500)").body.array?.count == 3)
  }

  @Test("The last id leads on until there are no more elements")
  func lastIDs() async throws {
    let pages = try await walk("/last?limit=10") { body, _, _ in
      guard body.has_more == true, let id = body.data?.array?.last?.id?.string else { return nil }
      return "/last?limit=10&starting_after=\(id)"
    }
    #expect(pages.map(\.count) == [10, 10, 5])
    expectAll(pages)
  }

  @Test("URLs in the response and in the Link field lead on")
  func links() async throws {
    let prefix = "https://petstore.example/v1"
    let byURL = try await walk("/url") { body, _, _ in
      body.links?.next?.string.map { String($0.dropFirst(prefix.count)) }
    }
    expectAll(byURL)
    let byLink = try await walk("/link") { _, headers, _ in
      let field = HTTPField.Name("Link").flatMap { headers[$0] } ?? ""
      let next = field.split(separator: ",").first { $0.contains("rel=\"next\"") }
      return next.map { String($0.drop { $0 != "<" }.dropFirst().prefix { $0 != ">" }.dropFirst(prefix.count)) }
    }
    expectAll(byLink)
  }

  // MARK: Streams

  @Test("Streams are framed as the catalogue says, and end as it says")
  func streams() async throws {
    let mock = try Petstore.mock()
    let events = String(decoding: try await mock.call("/events").bytes, as: UTF8.self)
    #expect(events.components(separatedBy: "data: {").count == 11 && events.hasSuffix("data: [DONE]\n\n"))
    #expect(try await mock.call("/array").body.array?.count == 10)
    var configuration = MockConfiguration()
    configuration.streamLength = 4
    let lines = try await Petstore.mock(configuration).call("/lines").bytes.split(separator: 0x0A)
    #expect(lines.count == 4)
    for line in lines { #expect(try JSONValue(jsonData: Data(line)).id?.string != nil) }
  }

  @Test("A stream without an end continues until its reader stops")
  func endless() async throws {
    let mock = try Petstore.mock()
    let url = try #require(AbsoluteURL("https://petstore.example/v1/lines"))
    let response = try await mock.send(
      TransportRequest(method: .get, url: url, headerFields: [.authorization: "Bearer x"]))
    var count = 0
    for try await _ in response.body {
      count += 1
      if count == 500 { break }
    }
    #expect(count == 500)
  }
}

@Suite("Generated values") struct GeneratedValueTests {
  @Test(
    "A text matches its pattern",
    arguments: [
      "^[0-9]{1,19}$", "^[A-Za-z0-9_]{1,15}$", #"^[a-z]{2}(-[A-Z]{2})?$"#, #"^\d{4}-\d{2}$"#, "^(on|off)$",
      "^#[0-9a-f]{6}$",
      #"^\w+@\w+\.com$"#, "^[^/]+/[^/]+$", "a|b", "^(?:x|y)+z*$", #"^https?://.+\.png$"#, #"^\p{L}+$"#,
      "^[[:alpha:]]{3}$",
    ])
  func patterns(pattern: String) throws {
    let regex = try Regex(pattern.replacingOccurrences(of: "[[:alpha:]]", with: "[A-Za-z]"))
    for seed in 0..<50 as Range<UInt64> {
      var generator = Seed(seed).generator
      let scalar = ScalarGenerator(scalar: .string, constraints: Constraints(pattern: pattern), name: "code")
      let text = try #require(scalar.value(&generator).string)
      #expect(try regex.firstMatch(in: text) != nil, "\(text)")
    }
  }

  /// Nested repetitions with more combinations than any number can count.
  private static let nested =
    String(repeating: "(", count: 10) + "(a*b*)" + String(repeating: "){100}", count: 10) + "z"

  @Test(
    "Patterns with absurd repetitions end", .timeLimit(.minutes(5)),
    arguments: [
      #"\Qa{-5}\E"#, "((^{9999}){9999}){9999}z", "(a{9999}){9999}", nested, "^(a|a)*b(?=c)d$", "^(a+(?!,))*b(?=c)d$",
    ])
  func absurdPatterns(pattern: String) {
    var generator = Seed(1).generator
    let scalar = ScalarGenerator(scalar: .string, constraints: Constraints(pattern: pattern), name: "code")
    #expect(scalar.value(&generator).string != nil)
  }

  @Test(
    "A text that could be tested without end matches",
    arguments: ["^(a|a)*b$", "^(a+(?!,))*b$", "^(a+)+$", "^(a*)(\\1a?)*b$"])
  func endlessPatterns(pattern: String) {
    let text = String(repeating: "a", count: 60) + "c"
    #expect(!PatternTests.shared.canTest(text, pattern))
    #expect(PatternTests.shared.matches(text, pattern))
  }

  @Test("Bounds hold, whatever the name suggests", arguments: 0..<200 as Range<UInt64>)
  func bounds(seed: UInt64) throws {
    var generator = Seed(seed).generator
    let names = ["id", "latitude", "name", "description", "email", "count", "url", "percent", "year"]
    let name = try #require(names.randomElement(using: &generator))
    let low = Int.random(in: -1_000...1_000, using: &generator)
    let high = low + Int.random(in: 0...50, using: &generator)
    let constraints = Constraints(minimum: String(low), maximum: String(high))
    for scalar in [Scalar.int, .int32] {
      let value = ScalarGenerator(scalar: scalar, constraints: constraints, name: name).value(&generator)
      #expect((low...high).contains(try #require(value.int)))
    }
    let number = ScalarGenerator(scalar: .number, constraints: constraints, name: name).value(&generator)
    #expect((Double(low)...Double(high)).contains(try #require(number.double)))
    let length = Constraints(minimum: String(abs(low) % 40), maximum: String(abs(low) % 40 + 5))
    let text = ScalarGenerator(scalar: .string, constraints: length, name: name).value(&generator)
    #expect((abs(low) % 40...abs(low) % 40 + 5).contains(try #require(text.string).count))
  }

  /// Texts with more code points than characters.
  private static let wide: [(text: String, codePoints: Int)] = [
    ("🇩🇪🇫🇷", 4), ("👨‍👩‍👧‍👦", 7), ("a\r\nb", 4), ("e\u{301}", 2), ("plain", 5),
  ]

  @Test("Lengths are counted in code points, as JSON Schema counts them", arguments: wide)
  func codePoints(text: String, count: Int) throws {
    func problem(_ minimum: Int, _ maximum: Int) -> String? {
      let constraints = Constraints(minimum: String(minimum), maximum: String(maximum))
      return ScalarCheck(.string, constraints).problem(of: .string(text))
    }
    #expect(problem(count, count) == nil)
    #expect(problem(1, count - 1) == "has \(count) characters, but may have \(count - 1) or fewer")
    #expect(problem(count + 1, 99) == "has \(count) characters, but needs \(count + 1) or more")
  }

  @Test("Types that contain themselves end", arguments: 0..<20 as Range<UInt64>)
  func recursion(seed: UInt64) throws {
    let text = """
      api: {name: Trees, hosts: {api: https://trees.example}, auth: [none]}
      endpoints: {tree: {call: GET /tree, returns: Tree}}
      models:
        Tree: {left: indirect Tree?, children: "[Tree]", node: Node}
        Node: union [Leaf, Branch]
        Leaf: {value: int}
        Branch: {first: indirect Node, second: indirect Node}

      """
    let catalogue = try #require(
      CatalogueLoader().load(files: [CatalogueSource(path: "trees.yaml", bytes: Array(text.utf8))]).catalogue)
    let generator = ValueGenerator(types: ModelIndex(catalogue), seed: Seed(seed))
    let type = TypeReference(.named("Tree"))
    let value = generator.value(type, Seed(seed), name: "tree")
    #expect(try TypeJudge(catalogue).issues(of: JSONText.data(value), type).isEmpty)
  }
}
