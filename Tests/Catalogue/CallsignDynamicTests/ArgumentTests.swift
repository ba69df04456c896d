import Callsign
import CallsignCatalogue
import CallsignDynamic
import Foundation
import HTTPTypes
import TestSupport
import Testing

@Suite("Arguments without generated code") struct ArgumentTests {
  private static let text = """
    api:
      name: Pets
      hosts: {api: "https://api.pets.example"}
      schemes: {bearer: null}
      auth: [bearer]
    endpoints:
      createPet:
        call: POST /pets/{shelter}
        params:
          shelter: string(/^[a-z]+$/)
          name: string(2..5)
          age: int(0..40)?
          weight: number(0.5..90)?
          kind: Kind?
          tags: "[string](1..2)?"
          owner: Owner?
          born: date(day)?
          note: string | null?
          user_id: string?
          screen_name: string?
          left: string?
          right: string?
        one_of: {"Who? who": [user_id, screen_name]}
        together: [left, right]
        returns: Pet
      listPets:
        call: GET /pets
        params:
          cursor: string?
          limit: int?
        pages: {token: cursor, next: meta.next, items: data}
        returns: PetPage
      findPets:
        call: GET /found/{ids};kind={kinds};{owner}/{ids}
        params:
          ids: "[string]"
          kinds: {type: "[Kind]", list: repeat}
          owner: {type: Owner, object: pairs, list: repeat}
          near: {type: "{int}?", object: flat}
          id: int?
          cookie_id: {type: int?, in: cookie, as: id}
          folder: {type: string?, reserved: true}
          folders: {type: "[string]?", reserved: true}
        returns: string
      listCounts:
        call: GET /counts
        returns: "[int]"
      wrapPet:
        call: GET /wrapped
        returns: Wrapped
      listChanges:
        call: GET /changes
        returns: "[Change]"
      numberPets:
        call: GET /numbered
        params: {page: int?}
        pages: {page: page, items: data}
        returns: PetPage
      payPet:
        call: POST /pay
        params: {amount: decimal(1..5)?, exact: "decimal(0.1..0.3)?", bill: Bill?}
      countPets:
        call: GET /counted
        params: {limit: "Count(1..100)?", code: "Code(..4)?", codes: "[Code(2..)]?", names: "Names(2..)?", many: "Few(50..)?"}
        returns: "[Change]"
      watchPets:
        call: GET /pets/stream
        stream: lines
        returns: Pet
    models:
      Kind: enum [cat, dog]
      Count: int
      Few: int(10..20)
      Code: string(3.., /^[a-z]*$/)
      Names: "[string](..3)"
      Owner:
        name: string
        phone: string?
      Pet:
        id: string
        kind: Kind?
        born: date(day)?
      Bill:
        kind: {type: string, value: bill}
        version: {type: int, value: "2"}
        open: {type: bool, value: "true"}
      Change: union [Pet, Owner, int]
      Wrapped: {data: {type: Pet, also: [.]}}
      PetPage:
        data: "[Pet]"
        meta: {type: "json?"}
    """

  static func api(_ respond: @escaping @Sendable (TransportRequest) -> TransportResponse) throws -> DynamicAPI {
    let result = CatalogueLoader().load(files: [CatalogueSource(path: "pets.yaml", bytes: Array(text.utf8))])
    let catalogue = try #require(result.catalogue, "\(result.diagnostics)")
    let transport = InMemoryTransport { request in respond(request) }
    return DynamicAPI(
      catalogue, auth: [Bearer(Secret("token"))],
      configuration: ClientConfiguration(transport: transport, retry: .never))
  }

  private func problems(
    _ arguments: [String: JSONValue], policy: ArgumentPolicy = ArgumentPolicy(), of name: String = "createPet"
  ) throws -> [String] {
    let operation = try Self.api { _ in .json("{}") }.operation(name)
    do throws(ArgumentError) { _ = try operation.call(arguments, policy: policy) } catch {
      return error.problems.map(\.description)
    }
    return []
  }

  @Test("All problems come at once, each with the name and the allowed values")
  func allProblems() throws {
    let found = try problems([
      "shelter": "NORTH", "nam": "Tom", "age": 41, "weight": "heavy", "kind": "dgo", "tags": ["a", "b", "c"],
      "owner": ["nme": "Ann"], "born": "yesterday", "user_id": "1", "screen_name": "ann", "left": "l",
    ])
    #expect(
      found == [
        "shelter: must be a text that matches /^[a-z]+$/",
        "name: is required: a text of 2 to 5 characters",
        "age: must be a whole number from 0 to 40",
        "weight: must be a number from 0.5 to 90, not a text",
        "kind: must be one of cat, dog; did you mean dog?",
        "tags: must be a list of 1 to 2: a text",
        "owner.name: is required: a text",
        "owner.nme: unknown name; did you mean name?",
        "born: must be a day, such as 2026-11-21, not another text",
        "give at most one of: user_id; screen_name",
        "give all of left, right, or none of them",
        "nam: unknown name; did you mean name?",
      ])
  }

  @Test("Values at the bounds pass, and null passes only if it is a value")
  func bounds() throws {
    #expect(try problems(["shelter": "a", "name": "ab", "age": 0, "weight": 90, "tags": ["a"], "note": nil]) == [])
    #expect(try problems(["shelter": "a", "name": "abcde", "age": 40, "kind": nil]) == [])
    #expect(try problems(["shelter": "a", "name": nil]) == ["name: must be a text of 2 to 5 characters, not null"])
    #expect(try problems(["shelter": "a", "name": "ab", "age": 1.5]).count == 1)
    #expect(try problems(["shelter": "a", "name": "👨‍👩‍👧"]) == [])  // five code points
  }

  @Test("Bounds at the use of an alias apply, and otherwise those of the alias")
  func boundsOfAliases() throws {
    #expect(try problems(["limit": 100, "code": "abc", "codes": ["ab"], "names": ["a", "b"]], of: "countPets") == [])
    #expect(
      try problems(["limit": 101, "code": "abcde", "codes": ["a"], "names": ["a"]], of: "countPets") == [
        "limit: must be a whole number from 1 to 100",
        "code: must be a text of 3 to 4 characters that matches /^[a-z]*$/",
        "codes[0]: must be a text of at least 2 characters that matches /^[a-z]*$/",
        "names: must be a list of 2 to 3: a text",
      ])
    #expect(
      try problems(["limit": 0, "code": "ab", "names": ["a", "b", "c", "d"]], of: "countPets") == [
        "limit: must be a whole number from 1 to 100",
        "code: must be a text of 3 to 4 characters that matches /^[a-z]*$/",
        "names: must be a list of 2 to 3: a text",
      ])
    #expect(try problems(["code": "ABC"], of: "countPets").count == 1)
    // A wider bound that leaves no value does not apply.
    #expect(try problems(["many": 60], of: "countPets") == [])
    #expect(try problems(["many": 15], of: "countPets").count == 1)
  }

  @Test("Decimal numbers have bounds, to the last digit") func decimals() throws {
    let wrong: JSONValue = .literal("0.30000000000000000001")
    #expect(
      try problems(["amount": 100, "exact": wrong], of: "payPet") == [
        "amount: must be a decimal number from 1 to 5", "exact: must be a decimal number from 0.1 to 0.3",
      ])
    #expect(try problems(["amount": 5, "exact": "0.3"], of: "payPet") == [])
    #expect(try problems(["amount": 100], policy: ArgumentPolicy(checksBounds: false), of: "payPet") == [])
  }

  @Test("A member that is always the same has no other value") func constantMembers() throws {
    #expect(try problems(["bill": [:]], of: "payPet") == [])
    #expect(try problems(["bill": ["kind": "bill", "version": 2, "open": true]], of: "payPet") == [])
    #expect(
      try problems(["bill": ["kind": "note", "version": 3, "open": false]], of: "payPet") == [
        "bill.kind: must be bill", "bill.version: must be 2", "bill.open: must be true",
      ])
  }

  @Test(
    "A text that is not a decimal number is not converted to one", arguments: ["0x10", "nan", "inf", "1e400", "", " 1"])
  func constantsThatAreNotNumbers(text: String) {
    let number = TypeReference(.scalar(.number))
    #expect(ModelTable([:]).constant(text, of: number) == .string(text))
    #expect(ModelTable([:]).constant("-1.5e2", of: number) == .number(-150))
    #expect(ModelTable([:]).constant("12345678901234567.89", of: number) == .literal("12345678901234567.89"))
  }

  @Test("Bounds can be left to the API, types cannot")
  func withoutBounds() throws {
    let policy = ArgumentPolicy(checksBounds: false)
    #expect(try problems(["shelter": "N", "name": "a", "age": 99, "kind": "bird", "tags": []], policy: policy) == [])
    #expect(try problems(["shelter": "N", "name": 7], policy: policy).count == 1)
  }

  @Test("A segment of the path that would climb it is refused", arguments: ["", ".", ".."])
  func pathSegment(text: String) throws {
    let found = try problems(["shelter": .string(text), "name": "Tom"], policy: ArgumentPolicy(checksBounds: false))
    #expect(found.count == 1 && found.first?.hasPrefix("shelter: ") == true)
  }

  @Test("No problem repeats a value")
  func secrets() throws {
    let found = try problems(["shelter": "SECRET", "name": "SECRET-SECRET", "kind": "SECRET", "owner": "SECRET"])
    #expect(found.count == 4)
    #expect(!found.contains { $0.contains("SECRET") })
  }

  /// An operation with a body.
  private func operation(_ facts: String) throws -> DynamicOperation {
    let catalogue = try #require(
      CatalogueLoader().load(files: [
        CatalogueSource(
          path: "a.yaml",
          bytes: Array(
            """
            api: {name: A, hosts: {api: "https://a.example"}, schemes: {none: null}, auth: [none]}
            endpoints:
              put: {call: POST /a, \(facts)}
            """.utf8))
      ]).catalogue)
    return try DynamicAPI(catalogue).operation("put")
  }

  @Test("A file is read only if the policy allows it")
  func files() throws {
    #expect(ArgumentPolicy().readsFiles == false)
    let operation = try operation("body: multipart, params: {media: file}")
    #expect(throws: ArgumentError.self) { try operation.call(["media": ["file": "/etc/hostname"]]) }
    #expect(throws: ArgumentError.self) { try operation.call(["media": "/etc/hostname"]) }
    _ = try operation.call(["media": ["file": .string(#filePath)]], policy: ArgumentPolicy(readsFiles: true))
    _ = try operation.call(["media": ["base64": "AAA=", "name": "a.bin"]])
  }

  @Test("A path to a missing file is not sent as base64")
  func missingFiles() throws {
    let operation = try operation("params: {thumb: bytes}")
    func problem(_ value: JSONValue, readsFiles: Bool = true) -> String? {
      do throws(ArgumentError) {
        _ = try operation.call(["thumb": value], policy: ArgumentPolicy(readsFiles: readsFiles))
        return nil
      } catch { return "\(error)" }
    }
    let values: [JSONValue] = ["/no/such/picture", "/abc", "./abc", ["file": "/no/such/picture"]]
    for value in values {
      #expect(problem(value)?.contains("the path of a file that cannot be read") == true, "\(value)")
    }
    // If the operation has nothing to do with files, it is base64.
    #expect(problem("/no/such/picture", readsFiles: false) == nil)
    let jpeg = Data([0xFF, 0xD8, 0xFF, 0xE0] + Array(repeating: 0x10, count: 191)).base64EncodedString()
    #expect(jpeg.hasPrefix("/") && !jpeg.hasSuffix("="))
    #expect(problem(["base64": "/abc"]) == nil && problem(["base64": "?"]) != nil)
    #expect(problem(.string(jpeg)) == nil && problem("/wECAw==") == nil && problem("aGVsbG8=") == nil)
  }

  @Test("A misspelt operation gets a suggestion")
  func unknownOperation() throws {
    let api = try Self.api { _ in .json("{}") }
    let error = #expect(throws: UnknownOperation.self) { try api.operation("creatPet") }
    #expect(error?.description == "unknown operation creatPet; did you mean createPet?")
  }
}

@Suite("Responses without generated code") struct DynamicResponseTests {
  @Test("A difference from the catalogue is an issue, and the JSON is complete")
  func issues() async throws {
    let api = try ArgumentTests.api { _ in .json(#"{"id":7,"kind":"bird","born":"soon","new":true}"#) }
    let call = try api.operation("createPet").call(["shelter": "a", "name": "Tom"])
    let response = try await api.send(call)
    #expect(
      response.issues.map(\.description) == [
        "id: expected a text, found a number", "born: expected a day, such as 2026-11-21, found another text",
      ])
    #expect(response.value["new"] == true && response.value["id"] == 7)
    let good = try ArgumentTests.api { _ in .json(#"{"id":"7","born":"2026-11-22"}"#) }
    #expect(try await good.send(call).issues == [])
  }

  @Test(
    "The error for a number with too many digits or a fraction says so",
    arguments: ["9223372036854775808", "1.5", "1e99"])
  func numbersThatDoNotFit(number: String) async throws {
    let api = try ArgumentTests.api { _ in .json("[\(number)]") }
    let response = try await api.send(try api.operation("listCounts").call())
    #expect(
      response.issues.map(\.description) == [
        "[0]: expected a whole number, found a number with a fraction or more bits"
      ])
  }

  @Test(
    "A response may be only the content that it should have inside",
    arguments: [
      (#"{"data":{"id":"1"}}"#, []), (#"{"id":"1"}"#, []), (#"{"data":{"id":1}}"#, ["data.id"]),
      (#"{"id":1}"#, ["id"]), ("{}", ["id"]),
    ])
  func bareResponses(text: String, paths: [String]) async throws {
    let api = try ArgumentTests.api { _ in .json(text) }
    #expect(try await api.send(try api.operation("wrapPet").call()).issues.map(\.path) == paths)
  }

  @Test("If a union's value fits no variant, the error says what the nearest one lacks")
  func issuesOfUnions() async throws {
    let changes = #"[{"id":"1","born":"soon"},{"phone":"5"},7,"b",{"name":"Ann"},{}]"#
    let api = try ArgumentTests.api { _ in .json(changes) }
    let response = try await api.send(try api.operation("listChanges").call())
    #expect(
      response.issues.map(\.description) == [
        "[0].born: expected a day, such as 2026-11-21, found another text", "[1].id: expected a text, found nothing",
        "[3]: expected an object (Pet), or an object (Owner), or a whole number, found a text",
        "[5].id: expected a text, found nothing",
      ])
  }

  @Test("Lists and objects in a path, and other names on the wire, go out as a generated method has them")
  func oneText() async throws {
    let api = try ArgumentTests.api { request in
      let cookie = request.head.headerFields.first { $0.name.rawName == "Cookie" }?.value ?? ""
      return .json("\"\(request.head.path ?? "") \(cookie)\"")
    }
    let call = try api.operation("findPets").call([
      "ids": ["a,b", "c"], "kinds": ["cat", "dog"], "owner": ["phone": "1;2", "name": "Ann"], "near": ["x": 1], "id": 7,
      "cookie_id": 8, "folder": "a/b,c&d", "folders": ["e/f,g"],
    ])
    #expect(
      try await api.send(call).value
        == "/found/a%2Cb,c;kind=cat;kind=dog;name=Ann;phone=1%3B2/a%2Cb,c?near=x,1&id=7&folder=a/b,c%26d&folders=e/f%2Cg id=8"
    )
    for empty in [
      ["ids": [], "kinds": ["cat"], "owner": ["name": "x"]], ["ids": ["a"], "kinds": [], "owner": ["name": "x"]],
    ]
      as [[String: JSONValue]]
    {
      let call = try api.operation("findPets").call(empty)
      await #expect(throws: CallError.self) { try await api.send(call) }
    }
  }

  @Test("Pages continue with the response's token, from where the caller begins")
  func pages() async throws {
    let api = try ArgumentTests.api { request in
      let path = request.head.path ?? ""
      if path.hasSuffix("cursor=b") { return .json(#"{"data":[{"id":"3"}]}"#) }
      if path.hasSuffix("cursor=a") { return .json(#"{"data":[{"id":"2"},{}],"meta":{"next":"b"}}"#) }
      return .json(#"{"data":[{"id":"1"}],"meta":{"next":"a"}}"#)
    }
    func ids(_ arguments: [String: JSONValue]) async throws -> ([String], Int) {
      var (ids, issues): ([String], Int) = ([], 0)
      for try await page in try #require(api.pages(try api.operation("listPets").call(arguments))) {
        ids += page.items.map { $0["id"]?.string ?? "?" }
        issues += page.response.issues.count
      }
      return (ids, issues)
    }
    #expect(try await ids(["limit": 2]) == (["1", "2", "?", "3"], 1))
    #expect(try await ids(["cursor": "b"]) == (["3"], 0))
    // Another run continues where this one stopped.
    let all = try #require(api.pages(try api.operation("listPets").call()))
    var first = all.makeAsyncIterator()
    _ = try await first.next()
    let token = try #require(first.token)
    var rest = all.resuming(from: token).makeAsyncIterator()
    #expect(try await rest.next()?.items == [["id": "2"], [:]])
    #expect(try await rest.next()?.items == [["id": "3"]])
    #expect(try await rest.next() == nil)
    #expect(rest.token == nil)
    #expect(try api.pages(api.operation("watchPets").call()) == nil)
    // An empty page may come without its list, and is not an element itself.
    let operation = try api.operation("listPets")
    for empty: JSONValue in [["meta": ["result_count": 0]], ["data": .null], ["data": []]] {
      #expect(operation.items(of: empty) == [])
    }
    #expect(try api.operation("watchPets").items(of: ["data": []]) == nil)
  }

  @Test("Pages begin at the checked number, however it is written") func pageNumber() async throws {
    let api = try ArgumentTests.api { request in
      request.head.path == "/numbered?page=2" ? .json(#"{"data":[{"id":"2"}]}"#) : .json(#"{"data":[]}"#)
    }
    let pages = try #require(api.pages(try api.operation("numberPets").call(["page": .number(2)])))
    var iterator = pages.makeAsyncIterator()
    #expect(try await iterator.next()?.items == [["id": "2"]])
  }

  @Test("A stream yields its records, and its operation is known for one")
  func stream() async throws {
    let api = try ArgumentTests.api { _ in .json("{\"id\":\"1\"}\r\n\r\n{\"id\":2}\r\n") }
    let operation = try api.operation("watchPets")
    #expect(operation.isStream)
    var found: [JSONValue] = []
    var issues: [Int] = []
    for try await element in try #require(api.stream(try operation.call())).reconnecting(.never) {
      guard case .value(let record) = element else { continue }
      found.append(record)
      issues.append(api.issues(in: record, of: operation).count)
    }
    #expect(found == [["id": "1"], ["id": 2]])
    #expect(issues == [0, 1])
  }
}
