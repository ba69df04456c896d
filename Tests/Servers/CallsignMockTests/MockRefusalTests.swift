import CallsignCatalogue
import CallsignHTTP
import CallsignJSON
import CallsignOpenAPI
import Foundation
import HTTPTypes
import Testing

@testable import CallsignMock

@Suite("Requests that a mock refuses") struct MockRefusalTests {
  private static let json = ["Authorization": "Bearer x", "Content-Type": "application/json"]

  @Test("An unknown path is 404, and another method is 405 with the existing ones")
  func paths() async throws {
    let mock = try Petstore.mock()
    #expect(try await mock.call("/nothing").status == 404)
    let response = try await mock.call("PATCH", "/pets/7")
    #expect(response.status == 405 && response.headers[.allow] == "DELETE, GET, HEAD, PUT")
    // A literal segment comes before a parameter.
    #expect(try await mock.call("/pets/find?ids=1").body.array?.count == 1)
  }

  @Test("A parameter that is missing or does not fit is named, with the allowed values")
  func parameters() async throws {
    let mock = try Petstore.mock()
    let response = try await mock.call("/pets?limit=500&kind=fish")
    #expect(response.status == 400 && response.headers[.contentType] == "application/json")
    let errors = try #require(response.body.errors?.array)
    #expect(errors.map(\.parameter) == ["kind", "limit"])
    #expect(errors.first?.allowed == "cat, dog" && errors.last?.allowed == "int(1..100)")
    #expect(errors.last?.detail == "500 is more than 100")
    #expect(try await mock.call("/pets?limit=many").body.errors?[0]?.detail == "must be a whole number, not a string")
    #expect(try await mock.call("/pets/abc").body.errors?[0]?.in == "path")
    #expect(try await mock.call("/pets/find").body.errors?[0]?.detail == "is missing")
    #expect(try await mock.call("/pets/find?ids=1,2,3,4").status == 400)
  }

  @Test("Lists and objects in a path or query are read with their delimiters as they are, or encoded")
  func pathTexts() async throws {
    let mock = try Petstore.mock()
    let headers = ["Authorization": "Bearer x", "X-Owner": "name=Ann, email=a=b"]
    func problems(_ target: String) async throws -> [String] {
      let response = try await mock.call("GET", target, headers)
      return response.status == 200
        ? []
        : response.body.errors?.array?.map { "\($0.parameter?.string ?? "") \($0.detail?.string ?? "")" } ?? [
          "\(response.status)"
        ]
    }
    let end = ";again=cat;again=dog/;w=1;h=2/.1.2/name,Ann%2C%20B"
    #expect(try await problems("/tagged/a%2Cb,c/a%2Cb,c\(end)?near=w,1").isEmpty)
    #expect(try await problems("/tagged/a%2Cb/a%2Cb\(end)?near=w%2C1").isEmpty)
    #expect(try await problems("/tagged/a/a\(end)?words=a%2Cb,c+d&near=w%2C,1").isEmpty)
    #expect(
      try await problems("/tagged/a/a\(end)?words=a%2Cb%2Cc") == ["words has 3 elements, but may have 2 or fewer"])
    #expect(try await problems("/tagged/a,b/a,b;again=cat/;w=1/.1%2E2/name%2CAnn").isEmpty)
    #expect(mock.requests.last?.pathParameters["tags"] == "a,b")
    // A placeholder that occurs twice has one value.
    #expect(try await problems("/tagged/a/b\(end)") == ["404"])
    #expect(try await problems("/tagged/a,b,c/a,b,c\(end)") == ["tags has 3 elements, but may have 2 or fewer"])
    #expect(try await problems("/tagged/a/a;again=cat;again=fish/;w=x/.1/mail,Ann").count == 3)
  }

  @Test(
    "A date that no calendar has is none",
    arguments: [
      ("2020-02-29", true), ("2020-02-30", false), ("2019-02-29", false), ("1900-02-29", false), ("2000-02-29", true),
      ("2021-04-31", false), ("2021-12-31", true), ("2021-13-01", false), ("2021-00-10", false), ("2021-01-00", false),
    ])
  func days(text: String, isValid: Bool) {
    #expect(Timestamps.isValid(text, .day) == isValid)
    #expect(Timestamps.isValid(text + "T10:20:30Z", .rfc3339) == isValid)
  }

  @Test(
    "A text that is only the beginning of a number, hexadecimal or infinite is not a number",
    arguments: ["0x10", "12abc", "nan", "inf", "1e", "", " 1", "1\n", "."])
  func numbers(text: String) {
    for scalar in [Scalar.decimal(isText: true), .date(.seconds), .date(.milliseconds)] {
      #expect(ScalarCheck(scalar, Constraints()).problem(of: .string(text)) != nil)
      #expect(ScalarCheck(scalar, Constraints()).problem(of: "-12.5") == nil)
    }
    #expect(ScalarCheck(.duration(.protobuf), Constraints()).problem(of: .string(text + "s")) != nil)
  }

  @Test("A number in a query has all of its digits", arguments: ["12345678901234567.89", "0.1", "1e-07", "7"])
  func digits(text: String) throws {
    let texts = try ParameterText(types: ModelIndex(Petstore.catalogue()))
    #expect(try texts.value(.text(text), TypeReference(.scalar(.number))) == JSONValue(jsonString: text))
    #expect(texts.value(.text(".5"), TypeReference(.scalar(.number))) == 0.5)
    for other in ["0x10", "nan", " 1"] {
      #expect(texts.value(.text(other), TypeReference(.scalar(.number))) == .string(other))
    }
  }

  @Test("Of a body that cannot be read it is not said that members are missing")
  func unreadableBodies() async throws {
    let mock = try Petstore.mock(MockConfiguration(isStrict: true))
    for body in ["{", "[]", "7"] {
      let response = try await mock.call("POST", "/pets", Self.json, body: body)
      #expect(response.status == 400 && response.body.errors?.array?.count == 1, "\(response.body)")
    }
  }

  @Test("A body that does not fit is refused, with the location")
  func bodies() async throws {
    let mock = try Petstore.mock()
    let wrong = try await mock.call("POST", "/pets", Self.json, body: #"{"name": "", "owner": {"email": 7}}"#)
    #expect(wrong.status == 400)
    #expect(wrong.body.errors?.array?.map(\.parameter) == ["name", "kind", "owner.name", "owner.email"])
    #expect(try await mock.call("POST", "/pets", Self.json, body: "{").body.errors?[0]?.in == "body")
    #expect(try await mock.call("POST", "/pets", Self.json, body: "[]").status == 400)
    let type = try await mock.call(
      "POST", "/pets", ["Authorization": "Bearer x", "Content-Type": "text/plain"], body: "{}")
    #expect(type.status == 415 && type.headers[.accept] == "application/json")
    let form = ["Authorization": "Bearer x", "Content-Type": "application/x-www-form-urlencoded"]
    #expect(try await mock.call("PUT", "/pets/7", form, body: "name=Rex+the%20dog").body.name == "Rex the dog")
    #expect(
      try await mock.call("PUT", "/pets/7", form).body.errors?[0]?.detail?.string?.contains("at least one") == true)
  }

  /// A document whose operations take the same members in bodies of several types, and as parameters.
  private static func things() throws -> MockServer {
    let schema = "{type: object, properties: {n: {type: integer, format: int32}, big: {type: integer, format: int64}}}"
    func post(_ path: String, _ type: String, _ required: String = "required: true, ") -> String {
      """
        /\(path):
          post:
            operationId: \(path)
            requestBody: {\(required)content: {\(type): {schema: \(schema)}}}
            responses: {"204": {description: ""}}

      """
    }
    let document = """
      openapi: 3.0.3
      info: {title: Things, version: "1"}
      servers: [{url: https://petstore.example/v1}]
      paths:
      \(post("json", "application/json"))\(post("optional", "application/json", ""))\
      \(post("form", "application/x-www-form-urlencoded"))\(post("parts", "multipart/form-data"))
        /list:
          get:
            operationId: list
            parameters:
            - {name: n, in: query, schema: {type: integer, format: int32}}
            - {name: big, in: query, schema: {type: integer, format: int64}}
            responses: {"204": {description: ""}}
        /edge:
          get:
            operationId: edge
            responses:
              "200":
                description: ""
                content:
                  application/json:
                    schema:
                      type: array
                      minItems: 50
                      items: {type: integer, format: int32, minimum: 2147483640}
      """
    return MockServer(try OpenAPIImporter().importDocument(Array(document.utf8)).catalogue)
  }

  @Test("A required body is required even if all its members are optional")
  func requiredBodies() async throws {
    let mock = try Self.things()
    func answer(_ path: String, _ type: String?, _ body: String = "") async throws -> String {
      let reply = try await mock.call("POST", path, type.map { ["Content-Type": $0] } ?? [:], body: body)
      let problem = reply.body.errors?[0]
      return "\(reply.status)" + (problem.map { " \($0.in?.string ?? "") \($0.detail?.string ?? "")" } ?? "")
    }
    let (json, form) = ("application/json", "application/x-www-form-urlencoded")
    #expect(try await answer("/json", nil) == "400 body is missing")
    #expect(try await answer("/json", json) == "400 body is missing")
    #expect(try await answer("/json", json, "{}") == "204")
    #expect(try await answer("/optional", nil) == "204")
    #expect(try await answer("/optional", json) == "204")
    #expect(try await answer("/parts", nil) == "400 body is missing")
    #expect(try await answer("/form", nil) == "400 body is missing")
    // A form without fields has no bytes.
    #expect(try await answer("/form", form) == "204")
  }

  @Test("Numbers of `int32` and `int64` have as many bits, in requests and in what the mock makes")
  func bits() async throws {
    let mock = try Self.things()
    func status(_ members: String) async throws -> [Int] {
      let query = members.filter { !"\"{}".contains($0) }.replacing(":", with: "=").replacing(",", with: "&")
      let body = try await mock.call("POST", "/json", ["Content-Type": "application/json"], body: members)
      return [body.status, try await mock.call("GET", "/list?\(query)", [:]).status]
    }
    #expect(try await status(#"{"n":2147483647,"big":9223372036854775807}"#) == [204, 204])
    #expect(try await status(#"{"n":-2147483648,"big":-9223372036854775808}"#) == [204, 204])
    for member in [
      #""n":2147483648"#, #""n":-2147483649"#, #""big":9223372036854775808"#, #""big":-9223372036854775809"#,
    ] {
      #expect(try await status("{\(member)}") == [400, 400], "\(member)")
    }
    let made = try await mock.call("GET", "/edge", [:]).body.array?.compactMap(\.int) ?? []
    #expect(made.count == 50 && made.allSatisfy { (2_147_483_640...2_147_483_647).contains($0) }, "\(made)")
  }

  @Test(
    "A value is compared with the variant as which a client reads it",
    arguments: [
      (#"{"kind":"draft","id":"1","text":"a","place":"b"}"#, 0), (#"{"kind":"note","id":"1"}"#, 1),
      (#"{"kind":"note","id":"1","place":"b"}"#, 1), (#"{"kind":"else","id":"1","text":"a"}"#, 2),
      (#"{"kind":"new-kind","id":"1","place":"b"}"#, 2), (#"{"kind":"post","id":"1","text":"a"}"#, 2),
      (#"{"data":{"kind":"note","id":"1"},"next":"a"}"#, 4), (#"{"data":{}}"#, 3), (#"{"id":"1"}"#, 5),
      (#"{"id":"1","state":"new","to":"x"}"#, 5), (#"{"id":"1","state":"moved"}"#, 6), ("{}", nil),
    ])
  func variants(_ text: String, _ expected: Int?) throws {
    let source = """
      api: {name: Notes, hosts: {api: https://notes.example}, auth: [none]}
      endpoints: {note: {call: GET /note, returns: Growing}}
      models:
        Kind: enum [post, long-post]
        Draft: {kind: {type: string, value: draft}, id: string}
        LongNote: {kind: {type: string, value: note}, id: string, text: string?}
        Publication: {kind: Kind, id: string, place: string?}
        DraftEnvelope: {data: Draft, next: string?}
        NoteEnvelope: {data: LongNote, next: string?}
        NewState: enum [new]
        NewThing: {id: string, state: NewState?}
        MovedState: enum [moved]
        MovedThing: {id: string, state: MovedState?, to: string?}
        Growing: union [Draft, LongNote, Publication, DraftEnvelope, NoteEnvelope, NewThing, MovedThing]

      """
    let catalogue = try #require(
      CatalogueLoader().load(files: [CatalogueSource(path: "notes.yaml", bytes: Array(source.utf8))]).catalogue)
    let types = ModelIndex(catalogue)
    guard case .union(_, let union) = types.resolve(TypeReference(.named("Growing"))).kind else {
      Issue.record("not .union")
      return
    }
    let checker = ValueChecker(types: types, direction: .request)
    try #expect(checker.variant(of: JSONValue(jsonString: text), in: union) == expected)
  }

  @Test(
    "A response may be only its inner content, and a request may not",
    arguments: [
      (#"{"data":{"id":"1"}}"#, true, true), (#"{"id":"1"}"#, true, false), (#"{"x":"1"}"#, false, false),
    ])
  func bareResponses(_ text: String, _ isResponse: Bool, _ isRequest: Bool) throws {
    let source = """
      api: {name: Notes, hosts: {api: https://notes.example}, auth: [none]}
      endpoints: {note: {call: GET /note, returns: Response}}
      models: {Response: {data: {type: Note, also: [.]}}, Note: {id: string}}

      """
    let catalogue = try #require(
      CatalogueLoader().load(files: [CatalogueSource(path: "notes.yaml", bytes: Array(source.utf8))]).catalogue)
    let value = try JSONValue(jsonString: text)
    for (direction, isAccepted) in [(ValueChecker.Direction.response, isResponse), (.request, isRequest)] {
      let checker = ValueChecker(types: ModelIndex(catalogue), direction: direction, isStrict: true)
      #expect(checker.accepts(value, TypeReference(.named("Response"))) == isAccepted)
    }
  }

  @Test("Credentials of an accepted kind must be there")
  func credentials() async throws {
    let mock = try Petstore.mock()
    let response = try await mock.call("GET", "/pets", [:])
    #expect(response.status == 401 && response.headers[.wwwAuthenticate] == "Bearer realm=\"mock\"")
    #expect(try await mock.call("GET", "/pets", ["Authorization": "Bearer "]).status == 401)
    #expect(try await mock.call("GET", "/pets", ["Authorization": "Basic eDp5"]).status == 401)
    #expect(try await mock.call("GET", "/ping", [:]).status == 200)
    let body = #"{"name": "Rex", "kind": "dog"}"#
    var fields = ["Authorization": "Basic eDp5", "Content-Type": "application/json"]
    #expect(try await mock.call("POST", "/pets", fields, body: body).status == 401)
    fields["X-App-Key"] = "k"
    #expect(try await mock.call("POST", "/pets", fields, body: body).status == 200)
    let open = try Petstore.mock(MockConfiguration(requiresCredentials: false))
    #expect(try await open.call("GET", "/pets", [:]).status == 200)
  }

  @Test("Parts that the catalogue does not name are refused only on request")
  func strictness() async throws {
    let strict = try Petstore.mock(MockConfiguration(isStrict: true))
    #expect(try await Petstore.mock().call("/pets?colour=red").status == 200)
    #expect(try await strict.call("/pets?colour=red").body.errors?[0]?.parameter == "colour")
    let body = #"{"name": "Rex", "kind": "dog", "colour": "red", "owner": {"name": "A", "age": 7}}"#
    let errors = try await strict.call("POST", "/pets", Self.json, body: body).body.errors?.array
    #expect(errors?.map(\.parameter) == ["owner.age", "colour"])
    #expect(try await Petstore.mock().call("POST", "/pets", Self.json, body: body).status == 200)
  }

  @Test("JSON in a query has values of the declared types") func queryOfJSON() async throws {
    let source = """
      api: {name: Notes, hosts: {api: https://notes.example/v1}, schemes: {none: null}, auth: [none]}
      endpoints:
        find:
          call: GET /find
          params:
            filter: {type: Filter?, object: json}
            filters: {type: "[Filter]?", object: json, list: repeat}
      models: {Filter: {x: int?, s: string?}}

      """
    let result = CatalogueLoader().load(files: [CatalogueSource(path: "notes.yaml", bytes: Array(source.utf8))])
    let catalogue = try #require(result.catalogue, "\(result.diagnostics)")
    let mock = MockServer(catalogue, configuration: MockConfiguration(isStrict: true))
    func names(_ name: String, _ text: String) async throws -> [String?] {
      let value = try #require(text.addingPercentEncoding(withAllowedCharacters: .alphanumerics))
      let response = try await mock.call("GET", "/find?\(name)=\(value)", [:])
      #expect([204, 400].contains(response.status))
      return response.body.errors?.array?.map { $0.parameter?.string } ?? []
    }
    #expect(try await names("filter", #"{"x":3,"s":"5"}"#) == [])
    #expect(try await names("filter", #"{"x":"3","s":5}"#) == ["filter.x", "filter.s"])
    #expect(try await names("filters", #"{"x":3}"#) == [])
    #expect(try await names("filters", #"{"x":"3"}"#) == ["filters[0].x"])
    #expect(try await names("filter", "3") == ["filter"])
    #expect(try await names("filter", "{") == ["filter"])
  }

  @Test("Multipart bodies and objects in queries are read")
  func forms() async throws {
    let mock = try Petstore.mock()
    let fields = [
      "Authorization": #"OAuth oauth_consumer_key="a", oauth_signature="b""#,
      "Content-Type": "multipart/form-data; boundary=\"x y\"",
    ]
    let body =
      "--x y\r\nContent-Disposition: form-data; name=\"caption\"\r\n\r\nAt home\r\n--x y\r\n"
      + "Content-Disposition: form-data; name=\"photo\"; filename=\"a.png\"\r\nContent-Type: image/png\r\n\r\nPNG\r\n--x y--\r\n"
    #expect(try await mock.call("POST", "/pets/7/photo", fields, body: body).status == 200)
    let request = try #require(try mock.requests(to: "uploadPhoto").first)
    #expect(request.arguments["caption"] == "At home" && request.arguments["photo"] == "PNG")
    #expect(try await mock.call("POST", "/pets/7/photo", fields, body: "--x y\r\n").status == 400)
    _ = try await mock.call("/ping?filter%5Bkind%5D=cat&filter[ages][]=1&filter[ages][]=2")
    #expect(mock.requests.last?.arguments["filter"] == ["kind": "cat", "ages": [1, 2]])
    #expect(try await mock.call("/ping?filter[kind]=cow").body.errors?[0]?.parameter == "filter.kind")
  }

  @Test(
    "Numbers of pages that no page has end nothing", arguments: ["-9223372036854775808", "9223372036854775807", "x"])
  func pageNumbers(number: String) async throws {
    var configuration = MockConfiguration()
    configuration.pageSize = .max
    let mock = try Petstore.mock(configuration)
    for path in ["/numbered?page=", "/link?page=", "/url?page=", "/offset?offset="] {
      #expect([200, 400].contains(try await mock.call(path + number).status), "\(path)")
    }
    // A page that cannot be read counts as the first.
    #expect(try await mock.call("/link?page=x").body == mock.call("/link").body)
  }

  @Test("HEAD gets a response as GET, without the body") func noBody() async throws {
    let mock = try Petstore.mock()
    let (whole, head) = (try await mock.call("/pets"), try await mock.call("HEAD", "/pets"))
    #expect(head.bytes.isEmpty && head.status == 200 && mock.requests.last?.operation == "listPets")
    #expect(head.headers[.contentLength] == String(whole.bytes.count))
    #expect(try await mock.call("HEAD", "/pets?limit=500").status == 400)
    // A separate HEAD operation comes first, and a stream is nothing without its body.
    #expect(try await mock.call("HEAD", "/head").status == 200)
    #expect(try await mock.call("HEAD", "/lines").status == 405)
    #expect(try await mock.call("BREW", "/pets").status == 405)
  }

  @Test("A parameter of one value that is given twice is refused, and lists and objects are not")
  func twice() async throws {
    let mock = try Petstore.mock()
    for (query, name) in [
      ("/pets?limit=5&limit=5", "limit"), ("/pets?kind=cat&kind=dog", "kind"),
      ("/tagged/a/a;again=cat;again=dog/;w=1;h=2/.1.2/name,Ann?near=w,1&near=h,2", "near"),
    ] {
      let response = try await mock.call(query)
      #expect(
        response.status == 400 && response.body.errors?[0]?.parameter?.string == name, "\(query) \(response.body)")
      #expect(response.body.errors?[0]?.detail == "is given more than once", "\(response.body)")
    }
    #expect(try await mock.call("/pets/find?ids=1&ids=2").status == 200)
    #expect(try await mock.call("/ping?filter[ages][]=1&filter[ages][]=2").status == 200)
    #expect(try await mock.call("/ping?other=1&other=2").status == 200)
    let form = ["Authorization": "Bearer x", "Content-Type": "application/x-www-form-urlencoded"]
    let body = try await mock.call("PUT", "/pets/7", form, body: "name=Rex&name=Max")
    #expect(body.status == 400 && body.body.errors?[0]?.in == "body", "\(body.body)")
  }

  @Test("Characters of a path that need no percent-encoding are the same with it")
  func encodedPaths() async throws {
    let mock = try Petstore.mock()
    #expect(try await mock.call("/p%65ts/7").body.id == "7")
    #expect(try await mock.call("/%70%65%74%73/%37").body.id == "7")
    #expect(mock.requests.last?.path.hasSuffix("/%70%65%74%73/%37") == true)
    #expect(try await mock.call("/pets%2F7").status == 404)
    #expect(PathUnit.text(PathUnit.units(of: "/a%2fb%7E%zz%4")) == "/a%2Fb~%zz%4")
  }

  private static func mock(_ catalogue: String) throws -> MockServer {
    let result = CatalogueLoader().load(files: [CatalogueSource(path: "odd.yaml", bytes: Array(catalogue.utf8))])
    return MockServer(try #require(result.catalogue, "\(result.diagnostics)"))
  }

  private func operation(_ mock: MockServer, _ url: String) async throws -> String? {
    mock.forgetRequests()
    _ = try await Petstore.call(mock, url, "GET", [:])
    return mock.requests.last?.operation
  }

  @Test("A path below the host's own keeps its meaning, even if all of it fits another operation")
  func basePaths() async throws {
    let mock = try Self.mock(
      """
      api: {name: Buckets, hosts: {api: "https://n.example/api", other: "https://o.example"}, auth: [none]}
      endpoints:
        getBucket: {call: "GET /{bucket}", params: {bucket: string}, returns: json}
        getObject: {call: "GET /{bucket}/{key}", params: {bucket: string, key: string}, returns: json}
        getOther: {call: "GET /api/others", host: other, returns: json}

      """)
    #expect(try await operation(mock, "https://n.example/api/b") == "getBucket")
    #expect(mock.requests.last?.pathParameters == ["bucket": "b"])
    #expect(try await operation(mock, "https://n.example/api/b/k") == "getObject")
    #expect(mock.requests.last?.pathParameters == ["bucket": "b", "key": "k"])
    // On loopback all hosts lead here, with and without their paths.
    #expect(try await operation(mock, "http://127.0.0.1:80/api/b") == "getBucket")
    #expect(try await operation(mock, "http://127.0.0.1:80/b/k") == "getObject")
    #expect(try await operation(mock, "http://127.0.0.1:80/api/others") == "getOther")
  }

  @Test("A path is compared as it is decoded, but for a slash that is encoded")
  func decodedPaths() async throws {
    let mock = try Self.mock(
      """
      api: {name: Sizes, hosts: {api: "https://n.example"}, auth: [none]}
      endpoints:
        getSize: {call: "GET /größe/{id}", params: {id: string}, returns: json}
        getAny: {call: "GET /{any}/{id}", params: {any: string, id: string}, returns: json}
        getWords: {call: "GET /a:b(c)", returns: json}
        getThree: {call: "GET /x/{name}3", params: {name: string}, returns: json}

      """)
    #expect(try await operation(mock, "https://n.example/gr%C3%B6%C3%9Fe/1") == "getSize")
    #expect(try await operation(mock, "https://n.example/gr%c3%b6%c3%9fe/a%2Fb%2C") == "getSize")
    #expect(mock.requests.last?.pathParameters == ["id": "a/b,"])
    #expect(try await operation(mock, "https://n.example/gr%C3%B6%FFe/1") == "getAny")
    #expect(try await operation(mock, "https://n.example/gr%C3%B6%C3%9Fe%2F1") == nil)
    #expect(try await operation(mock, "https://n.example/a%3Ab%28c%29") == "getWords")
    // The digits of an encoded byte do not belong to the template.
    #expect(try await operation(mock, "https://n.example/x/y%C3") == "getAny")
  }

  @Test("A compressed body is refused, and the refusal says what a mock accepts")
  func codings() async throws {
    let mock = try Petstore.mock()
    var fields = Self.json
    fields["Content-Encoding"] = "gzip"
    let response = try await mock.call("POST", "/pets", fields, body: "\u{1F}")
    #expect(response.status == 415 && response.headers[.acceptEncoding] == "identity")
    #expect(response.body.detail?.string?.contains("\"gzip\"") == true, "\(response.body)")
    fields["Content-Encoding"] = "identity"
    let body = #"{"name": "Rex", "kind": "dog"}"#
    #expect(try await mock.call("POST", "/pets", fields, body: body).status == 200)
  }

  @Test("The reason why JSON cannot be read is complete, at any depth") func depth() async throws {
    let mock = try Petstore.mock()
    let deep = #"{"name": "# + String(repeating: "[", count: 5_000)
    let response = try await mock.call("POST", "/pets", Self.json, body: deep)
    let detail = response.body.errors?[0]?.detail?.string ?? ""
    #expect(response.status == 400 && detail.contains("nested deeper than "), "\(detail)")
    #expect(detail.contains("levels") && detail.contains("(byte "), "\(detail)")
  }

  @Test("Hostile requests are refused, and never more", arguments: 0..<400 as Range<UInt64>)
  func hostile(seed: UInt64) async throws {
    let mock = try Petstore.mock(MockConfiguration(isStrict: seed % 2 == 0, requiresCredentials: false))
    var generator = Seed(seed).generator
    let pieces = [
      "/pets", "/pets/", "%", "%2", "%zz", "%00", "%2F", "..", "//", "{id}", "/photo", "a[b]", "[", "]", "[]", "[0]",
      "&", "=", "+",
      "filter", "filter[ages][99999999999]", "filter[[[", "\u{0}", "\u{FFFF}", "é", "😀", "-1", "99999999999999999999",
      "1e999",
      "null", "{", "}", "\"", "\\", "\r\n", "--x", "--x--", "--", "Content-Disposition: form-data; name=", ";",
      "boundary", "\r\n\r\n",
      "NaN", "true", "cursor", "token", "page", "max_id", "ids", ",",
    ]
    func text(_ count: Int) -> String {
      (0..<Int.random(in: 0...count, using: &generator)).map { _ in generator.pick(pieces) ?? "" }.joined()
    }
    let types = [
      "application/json", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x",
      "multipart/form-data; boundary=", "multipart/form-data; boundary=\"x", "", "text/plain;;;=",
    ]
    for _ in 0..<20 {
      let method = generator.pick(["GET", "POST", "PUT", "DELETE", "PATCH", "BREW"]) ?? "GET"
      let base =
        generator.pick([
          "/pets", "/pets/7", "/pets/7/photo", "/ping", "/cursor", "/last", "/max", "/url", "/v1/pets", "",
        ]) ?? ""
      var body = Data(text(30).utf8)
      if generator.chance(0.2) { body = Data((0..<64).map { _ in UInt8.random(in: 0...255, using: &generator) }) }
      if generator.chance(0.05) { body = Data(String(repeating: "[", count: 20_000).utf8) }
      let request = IncomingRequest(
        method: method, origin: generator.pick(["https://petstore.example", "", "x://[::1]:80"]) ?? "",
        path: base + (generator.chance(0.5) ? text(6) : ""), query: generator.chance(0.3) ? nil : text(20),
        headers: [.contentType: generator.pick(types) ?? ""], body: body)
      let response = try await mock.respond(to: request)
      #expect([200, 204, 400, 404, 405, 415].contains(response.status))
      let problem =
        response.status >= 400 ? try await response.body.collect() : Data()
      if !problem.isEmpty { #expect(try JSONValue(jsonData: problem).status == .integer(response.status)) }
    }
    for request in mock.requests { #expect(!"\(request)".unicodeScalars.contains { $0.value < 0x20 }) }
  }
}
