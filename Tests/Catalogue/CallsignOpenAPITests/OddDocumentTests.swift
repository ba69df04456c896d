import CallsignCatalogue
import Foundation
import Testing

@testable import CallsignOpenAPI

@Suite("Documents as they are found") struct OddDocumentTests {
  // MARK: Paths

  @Test(
    "A path's fragment is dropped, its query is sent, and its placeholders lose their modifiers",
    arguments: [
      ("/#Action=Create", "/", []), ("/{Bucket}#acl", "/{Bucket}", []),
      ("/find?type=pets&page={page}", "/find", ["type=pets", "page={page}"]), ("pets", "/pets", []), ("", "/", []),
      ("/{proxy+}", "/{+proxy}", []), ("/v1/{name=projects/*}:run", "/v1/{+name}:run", []),
      ("/{id:[0-9]+}", "/{id}", []), ("/{path:.*}", "/{+path}", []), ("/{id?}", "/{id}", []), ("/{id*}", "/{id}", []),
      ("/{+name}", "/{+name}", []), ("/a{;b}", "/a;b={b}", []), ("/a{.ext}", "/a.{ext}", []),
      ("/{id:[a-z]{2,3}}/x", "/{id}/x", []), ("/{a:x{2}}{b}", "/{a}{b}", []), ("/{ id }", "/{id}", []),
      ("/{pet id}/{a\t\u{301}b}/{c\"d\\e}", "/{pet_id}/{a_\u{301}b}/{c_d_e}", []),
      ("/find?q=a%20b&{open", "/find", ["q=a b", "{open="]), ("/{a/{b}", "/{a/{b}", []),
      ("/pets{?limit,page}", "/pets", []), ("/a b/{id}", "/a%20b/{id}", []),
      ("/it\tems\u{7F}", "/it%09ems%7F", []), ("/a \u{301}\r\n", "/a%20\u{301}%0D%0A", []), ("/{open", "/{open", []),
    ])
  func path(key: String, path: String, query: [String]) {
    let target = PathTarget(key)
    #expect(target.path == path)
    #expect(target.query.map { "\($0.name)=\($0.value)" } == query)
  }

  @Test("A placeholder's name with a space is one without, as is its parameter's")
  func placeholderWithSpace() throws {
    let imported = try Imported(
      document(
        paths: """
          /pets/{pet id}/{toy id}: {get: {operationId: read, parameters: [{name: pet id, in: path, required: true,
            schema: {type: integer}}], responses: {'204': {description: ''}}}}
          """))
    #expect(
      try imported.endpoint("read") == "call: GET /pets/{pet_id}/{toy_id}\nparams:\n  pet_id: int\n  toy_id: string")
    imported.expectRoundTrip()
  }

  @Test("Operations at one path that differ in their fragments are all kept")
  func fragments() throws {
    let operation = "{operationId: %, responses: {'204': {description: ''}}}"
    let imported = try Imported(
      document(
        paths: """
          /#Action=Create: {post: \(operation.replacing("%", with: "create"))}
          /#Action=Delete: {post: \(operation.replacing("%", with: "delete"))}
          /find?type=pets&page={page}: {get: \(operation.replacing("%", with: "find"))}
          /{name*}: {get: {operationId: read, parameters: [{name: name*, in: path, required: true,
            schema: {type: integer}}], responses: {'204': {description: ''}}}}
          https://elsewhere.example/x: {get: \(operation.replacing("%", with: "other"))}
          """))
    #expect(try imported.endpoint("create").contains("call: POST /"))
    #expect(try imported.endpoint("delete").contains("call: POST /"))
    #expect(
      try imported.endpoint("find") == "call: GET /find\nparams:\n  type: {type: string, value: pets}\n  page: string")
    #expect(try imported.endpoint("read") == "call: GET /{name}\nparams:\n  name: int")
    #expect(imported.warnings == ["the path is a whole URL, and is left out; give its server under `servers`"])
    imported.expectRoundTrip()
  }

  @Test("Header fields are members only of a response with its own type, whatever its name")
  func responseHeaders() throws {
    func path(_ name: String) -> String {
      """
      /\(name): {get: {operationId: get\(name), responses: {'200': {description: '', headers: {X-Total: {schema:
        {type: integer}}}, content: {application/json: {schema: {$ref: '#/components/schemas/\(name)'}}}}}}}
      """
    }
    let imported = try Imported(
      document(
        paths: ["Text", "Texts", "Thing", "Things", "Map"].map(path).joined(separator: "\n"),
        components: """
          schemas:
            Text: {type: string, nullable: true}
            Texts: {type: array, items: {type: string}}
            Thing: {type: object, properties: {a: {type: string}}}
            Things: {type: array, items: {$ref: '#/components/schemas/Thing'}}
            Map: {type: object, additionalProperties: {$ref: '#/components/schemas/Thing'}}
          """))
    for name in ["Text", "Texts"] { #expect(try !imported.endpoint("get\(name)").contains("response_headers")) }
    for name in ["Thing", "Things", "Map"] { #expect(try imported.endpoint("get\(name)").contains("X-Total: int")) }
    imported.expectRoundTrip()
  }

  @Test("A method for pages, and a file, give way if their names are taken or too long")
  func namesOfSiblings() throws {
    func path(_ name: String, _ tag: String) -> String {
      """
      /\(name): {get: {operationId: \(name), tags: [\(tag)], parameters: [{name: cursor, in: query,
        schema: {type: string}}], responses: {'200': {description: '', content: {application/json: {schema:
        {type: object, properties: {data: {type: array, items: {type: string}}, next_cursor: {type: string}}}}}}}}}
      """
    }
    let tag = String(repeating: "Ä", count: 300)
    let imported = try Imported(document(paths: path("list", "a") + "\n" + path("listPages", tag)))
    #expect(try !imported.endpoint("list").contains("pages:"))
    #expect(try imported.endpoint("listPages").contains("pages:"))
    #expect(imported.catalogue.groups.allSatisfy { $0.file.utf8.count < 150 })
    imported.expectRoundTrip()
  }

  // MARK: Texts

  @Test("A UTF-16 text is read, and invalid UTF-8 is replaced with a warning")
  func encodings() throws {
    let text = document(responding: "{type: object, properties: {é: {type: string}}}")
    for encoding in [String.Encoding.utf16LittleEndian, .utf16BigEndian, .utf16] {
      let bytes = try #require(text.data(using: encoding))
      let result = try OpenAPIImporter().importDocument(Array(bytes))
      #expect(result.catalogue == (try Imported(text).catalogue))
    }
    let latin = try #require(
      document(responding: "{type: string, description: é}").data(using: .isoLatin1))
    let result = try OpenAPIImporter().importDocument(Array(latin))
    #expect(result.warnings.contains { $0.message.contains("not all UTF-8") })
    #expect(throws: ImportError.self) {
      try OpenAPIImporter(options: ImportOptions(isStrict: true)).importDocument(Array(latin))
    }
  }

  @Test("Of a duplicate key one counts, and a warning names it with its place")
  func duplicateKeys() throws {
    let response = "responses: {'204': {description: ''}}"
    let yaml = try Imported(document(paths: "/a: {get: {operationId: one, operationId: two, \(response)}}"))
    _ = try yaml.endpoint("one")
    #expect(yaml.warnings.contains { $0.contains("the key `operationId` appears twice (5:") })
    let json = """
      {"openapi": "3.0.0", "servers": [{"url": "https://pets.example"}], "info": {"title": "Pets", "version": "1"},
       "paths": {"/a": {"get": {"operationId": "one", "operationId": "two",
       "responses": {"204": {"description": ""}}}}}}
      """
    _ = try Imported(json).endpoint("two")
    #expect(try Imported(json).warnings.contains { $0.contains("the key `operationId` appears twice (2:") })
  }

  // MARK: Schemas and parameters

  @Test("A merge key adds the members that a mapping does not have itself")
  func mergeKeys() throws {
    let text = """
      openapi: 3.0.3
      info: {title: Pet Store, version: "7"}
      servers: [{url: https://pets.example}]
      x-page: &page {limit: {type: integer}, after: {type: string}}
      x-tag: &tag {after: {type: integer}, tag: {type: string}}
      x-shared: &shared
        parameters: [{name: trace, in: header, schema: {type: string}}]
        security: [{key: []}]
      paths:
        /pets:
          get:
            <<: *shared
            operationId: getPets
            responses: {"200": {description: "", content: {application/json: {schema: {$ref: "#/components/schemas/Pet"}}}}}
      components:
        securitySchemes: {key: {type: apiKey, in: header, name: X-Key}}
        schemas:
          Pet: {type: object, properties: {limit: {type: string}, <<: [*page, *tag], name: {type: string}}}
          Odd: {type: object, properties: {<<: 5, a: {type: string}}}
      """
    let imported = try Imported(text)
    try #expect(
      imported.endpoint("getPets")
        == "call: GET /pets\nauth: [key]\nparams:\n  trace: {type: \"string?\", in: header}\nreturns: Pet")
    let pet = "Pet:\n  limit: string?\n  after: string?\n  tag: string?\n  name: string?"
    #expect(try imported.model("Pet") == pet)
    #expect(imported.warnings == ["`<<` merges mappings, and this is not a mapping (19:38); it is left out"])
    imported.expectRoundTrip()
    #expect(throws: ImportError.self) { try Imported(text, options: ImportOptions(isStrict: true)) }
  }

  @Test("Half of a surrogate pair is replaced, and the text is still JSON")
  func loneSurrogates() throws {
    let text = #"""
      {"openapi": "3.0.0", "info": {"title": "Pets \uD83D\uDE00", "version": "1"}, "servers": [{"url": "https://a.example"}],
      "paths": {"/p": {"get": {"operationId": "get", "summary": "x \\ \uD83D y \uDC00\uD83D", "responses": {"204": {}}}}}}
      """#
    let imported = try Imported(text)
    #expect(
      imported.warnings == [
        "some characters of the text are not valid (line 2: half of a surrogate pair is missing); they are read as U+FFFD"
      ])
    #expect(imported.result.origin.title == "Pets \u{1F600}")
  }

  @Test("Members and parameters without a name are left out")
  func emptyNames() throws {
    let imported = try Imported(
      document(
        paths: """
          /pets:
            post:
              operationId: addPet
              parameters: [{name: '', in: query, schema: {type: string}}]
              requestBody:
                content:
                  application/json: {schema: {type: object, properties: {'': {type: string}, a: {type: string}}}}
              responses: {"204": {description: ""}}
          """))
    #expect(try imported.endpoint("addPet") == "call: POST /pets\nparams:\n  a: string?")
    #expect(imported.warnings.contains { $0.contains("a member without a name") })
    #expect(imported.warnings.contains { $0.contains("a parameter needs `name` and `in`") })
    imported.expectRoundTrip()
  }

  @Test("Bounds that no value meets, and an expression that ends in an escape, are left out")
  func impossibleBounds() throws {
    let imported = try Imported(
      document(
        responding: #"""
          {type: object, properties: {a: {type: string, minLength: 5, maxLength: 2}, b: {type: integer, minimum: 5,
          maximum: 2}, c: {type: array, minItems: 2, maxItems: 1, items: {type: string}}, d: {type: string,
          pattern: 'a\'}, e: {type: string, pattern: '\\'}, f: {allOf: [{type: integer, minimum: 3}, {type: integer,
          maximum: 1}]}}}
          """#.replacing("\n", with: " ")))
    let model = try imported.model("GetPetsResponse")
    for line in ["a: string?", "b: int?", "c: \"[string]?\"", "d: string?", "f: int?"] {
      #expect(model.contains("  " + line), "\(model)")
    }
    #expect(model.contains(#"e: string(/\\/)?"#), "\(model)")
    imported.expectRoundTrip()
  }

  @Test("A discriminator may name a file, and a reference to nothing is left out with a warning")
  func mappings() throws {
    let imported = try Imported(
      document(
        responding: """
          {oneOf: [{$ref: '#/components/schemas/Cat'}, {$ref: '#/components/schemas/Dog'}], discriminator:
          {propertyName: kind, mapping: {c: cat.json, d: Dog, x: Nope, y: '#/components/schemas/Nope'}}}
          """.replacing("\n", with: " "),
        schemas: """
          Cat: {type: object, required: [kind], properties: {kind: {type: string}, lives: {type: integer}}}
          Dog: {type: object, required: [kind], properties: {kind: {type: string}, tricks: {type: integer}}}
          """))
    let union = try imported.model("GetPetsResponse")
    #expect(union.contains("c: Cat") && union.contains("d: Dog"), "\(union)")
    #expect(imported.warnings.filter { $0.contains("which does not exist") }.count == 2, "\(imported.warnings)")
    imported.expectRoundTrip()
  }

  @Test("Scopes that are written in one text are several")
  func scopes() throws {
    let imported = try Imported(
      document(
        paths: """
          /pets:
            get:
              operationId: getPets
              security: [{login: ['read write', 'a,b', '', 'odd(x)']}]
              responses: {"204": {description: ""}}
          """,
        components: """
          securitySchemes:
            login:
              type: oauth2
              flows: {implicit: {authorizationUrl: https://a.example, scopes: {'read write': '', a: '', b: ''}}}
          """))
    #expect(try imported.endpoint("getPets").contains("auth: [oauth2(a, b, read, write)]"))
    #expect(imported.warnings.contains { $0.contains("the scope `odd(x)` cannot be expressed") })
    imported.expectRoundTrip()
  }

  @Test("A document whose paths are empty has its schemas as models, and one with neither is refused")
  func emptyPaths() throws {
    let head = "openapi: 3.0.3\ninfo: {title: Pets, version: '1'}\npaths: {}\n"
    let imported = try Imported(
      head + "components: {schemas: {Pet: {type: object, properties: {a: {type: string}}}}}\n")
    #expect(try imported.model("Pet").contains("a: string?"))
    #expect(imported.warnings.contains { $0.contains("only its schemas become models") })
    #expect(throws: ImportError.self) { try Imported(head) }
  }

  @Test("A parameter that is a body gives way to the `requestBody`")
  func twoBodies() throws {
    let imported = try Imported(
      document(
        paths: """
          /pets:
            post:
              operationId: addPet
              parameters: [{name: pet, in: body, schema: {type: object}}]
              requestBody: {required: true, content: {application/json: {schema: {type: array, items: {type: string}}}}}
              responses: {"204": {description: ""}}
          """))
    #expect(imported.warnings.contains { $0.contains("a parameter `in: body` is left out") })
    #expect(try !imported.endpoint("addPet").contains("pet:"))
    imported.expectRoundTrip()
  }

  @Test("A parameter of the path gives its name to one of the same name that is sent by it")
  func samePlaces() throws {
    let imported = try Imported(
      document(
        paths: """
          /pets/{id}:
            parameters: [{name: id, in: path, required: true, schema: {type: integer}}]
            get:
              operationId: getPet
              parameters:
                - {name: id, in: query, required: true, schema: {type: string}}
                - {name: id, in: cookie, schema: {type: string}}
              responses: {"204": {description: ""}}
            put:
              operationId: putPet
              requestBody:
                content:
                  application/x-www-form-urlencoded: {schema: {type: object, properties: {id: {type: string}}}}
              responses: {"204": {description: ""}}
            post:
              operationId: postPet
              parameters: [{name: kind, in: query, schema: {type: string}}]
              requestBody:
                content:
                  application/x-www-form-urlencoded:
                    schema: {type: object, properties: {kind: {type: integer}, name: {type: string}}}
              responses: {"204": {description: ""}}
          """))
    #expect(
      try imported.endpoint("getPet") == """
        call: GET /pets/{path_id}
        params:
          path_id: int
          id: string
          cookie_id: {type: "string?", in: cookie, as: id}
        """)
    #expect(try imported.endpoint("putPet").contains("call: PUT /pets/{path_id}"))
    #expect(try imported.endpoint("putPet").contains("id: string?"))
    let kinds = try imported.endpoint("postPet").split(separator: "\n").filter { $0.contains("kind") }
    #expect(kinds == ["  kind: {type: \"string?\", in: query}", "  field_kind: {type: \"int?\", as: kind}"])
    #expect(imported.warnings == [])
    imported.expectRoundTrip()
  }

  @Test("A header with the name of another parameter is sent too, with the name in another case")
  func headerNames() throws {
    let imported = try Imported(
      document(
        paths: """
          /pets/{page}:
            get:
              operationId: getPets
              parameters:
                - {name: page, in: path, required: true, schema: {type: string}}
                - {name: page, in: query, schema: {type: integer}}
                - {name: page, in: header, schema: {type: string}}
                - {name: X-Kind, in: header, schema: {type: string}}
                - {name: X-Kind, in: query, schema: {type: string}}
                - {name: x-size, in: header, schema: {type: string}}
                - {name: x-size, in: cookie, schema: {type: string}}
              responses: {"204": {description: ""}}
          """))
    let parameters = try #require(imported.catalogue.groups.flatMap(\.endpoints).first).parameters
    #expect(
      parameters.map { "\($0.place.rawValue) \($0.name)" }.sorted() == [
        "cookie x-size", "header Page", "header X-Size", "header x-kind", "path path_page", "query X-Kind",
        "query page",
      ])
    #expect(Set(parameters.map { $0.swiftName ?? SwiftName.member($0.name) }).count == parameters.count)
    #expect(imported.warnings == [])
    imported.expectRoundTrip()
  }

  @Test("`label` and `matrix` are text of the path before plain values and lists with commas")
  func pathStyles() throws {
    let imported = try Imported(
      document(
        paths: """
          /pets{format}/in{color}{size}/{kinds}/by{;owner}/{all}:
            get:
              operationId: getPets
              parameters:
                - {name: format, in: path, required: true, style: label, schema: {type: string}}
                - {name: color, in: path, required: true, style: matrix, schema: {type: string}}
                - {name: size, in: path, required: true, style: matrix, explode: true, schema: {type: integer}}
                - {name: kinds, in: path, required: true, style: label, schema: {type: array, items: {type: string}}}
                - {name: owner, in: path, required: true, style: matrix, schema: {type: string}}
                - {name: all, in: path, required: true, style: matrix, explode: true, schema: {type: array, items: {type: string}}}
              responses: {"204": {description: ""}}
          """))
    let endpoint = try #require(imported.catalogue.groups.flatMap(\.endpoints).first)
    #expect(endpoint.path == "/pets.{format}/in;color={color};size={size}/.{kinds}/by;owner={owner}/;all={all}")
    #expect(endpoint.parameters.map(\.listStyle) == [.comma, .comma, .comma, .comma, .comma, .repeat])
    #expect(imported.warnings == [])
    imported.expectRoundTrip()
  }

  @Test("Lists and objects in a path, header, query or cookie are one text, according to the style")
  func oneText() throws {
    let point = "{type: object, properties: {x: {type: integer}, name: {type: string, enum: [a, b]}}}"
    func parameter(_ name: String, _ place: String, _ style: String, _ explode: Bool, _ schema: String? = nil) -> String
    {
      let facts = "required: true, style: \(style), explode: \(explode), schema: \(schema ?? point)"
      return "            - {name: \(name), in: \(place), \(facts)}"
    }
    let imported = try Imported(
      document(
        paths: """
          /{plain}/{pairs}/{label}/{labels}/{matrix}/{again}/{dots}/{dots}:
            get:
              operationId: getPets
              parameters:
          \([
            parameter("plain", "path", "simple", false), parameter("pairs", "path", "simple", true),
            parameter("label", "path", "label", false), parameter("labels", "path", "label", true),
            parameter("matrix", "path", "matrix", false), parameter("again", "path", "matrix", true),
            parameter("dots", "path", "label", true, "{type: array, items: {type: string}}"),
            parameter("X-A", "header", "simple", false),
            parameter("X-B", "header", "simple", true, "{type: object, additionalProperties: {type: string}}"),
            parameter("form", "query", "form", false), parameter("spaced", "query", "spaceDelimited", false),
            parameter("piped", "query", "pipeDelimited", false), parameter("cookie", "cookie", "form", false),
          ].joined(separator: "\n"))
              responses: {"204": {description: ""}}
          """))
    let endpoint = try #require(imported.catalogue.groups.flatMap(\.endpoints).first)
    #expect(endpoint.path == "/{plain}/{pairs}/.{label}/.{labels}/;matrix={matrix}/;{again}/.{dots}/.{dots}")
    #expect(
      endpoint.parameters.map { "\($0.name) \($0.objectStyle?.rawValue ?? "-") \($0.listStyle.rawValue)" } == [
        "plain flat comma", "pairs pairs comma", "label flat comma", "labels pairs dot", "matrix flat comma",
        "again pairs repeat", "dots - dot", "X-A flat comma", "X-B pairs comma", "form flat comma",
        "spaced flat space", "piped flat pipe", "cookie flat comma",
      ])
    #expect(imported.warnings == [])
    imported.expectRoundTrip()
  }

  @Test("A brace or sign with an accent counts as one, because the catalogue's reader works on bytes")
  func accentsInPaths() throws {
    let paths = ["/{\u{301}a}/b", "/{a}\u{301}", "/{a b}", "/{a ?\u{301}}", "/pets"].map {
      "  \"\($0)\": {get: {responses: {\"204\": {description: \"\"}}}}"
    }
    let imported = try Imported(document(paths: paths.joined(separator: "\n")))
    #expect(imported.catalogue.groups.flatMap(\.endpoints).map(\.path) == ["/{a_b}", "/{a__\u{301}}", "/pets"])
    imported.expectRoundTrip()
  }

  @Test("A comma, bracket or quote with an accent also counts as one in an enum's value")
  func accentsInEnums() throws {
    let values = [
      "a,\u{301}b", "c]\u{301}", "[\u{301}d", "\"\u{301}e", "f\"\u{301}", "'\u{301}g", "h\t\u{301}i", "j \u{301}k",
      " \u{301}l", "m  \u{301}n",
    ]
    for value in values {
      let escaped = value.unicodeScalars.map { $0 == "\"" ? "\\\"" : $0 == "\t" ? "\\t" : String($0) }.joined()
      let imported = try Imported(
        document(
          paths: """
            /pets: {get: {operationId: find, responses: {'204': {description: ''}}, parameters: [
              {name: kind, in: query, schema: {type: string, enum: ["\(escaped)", other]}}]}}
            """))
      let kind = try #require(imported.catalogue.groups.flatMap(\.models).first)
      var cases: [EnumCase] = []
      if case .enumeration(let read) = kind.shape { cases = read }
      #expect(cases.map { Array($0.value.utf8) } == [Array(value.utf8), Array("other".utf8)])
      imported.expectRoundTrip()
    }
  }

  @Test("An object with objects in it has no text in a path")
  func nestedObject() throws {
    let nested = "{type: object, properties: {a: {type: object, properties: {b: {type: string}}}}}"
    let imported = try Imported(
      document(
        paths: """
          /pets/{filter}:
            get:
              operationId: getPets
              parameters: [{name: filter, in: path, required: true, schema: \(nested)}]
              responses: {"204": {description: ""}}
          """))
    #expect(try imported.endpoint("getPets") == "call: GET /pets/{filter}\nparams:\n  filter: string")
    #expect(imported.warnings == ["`filter` is an object, which a path parameter cannot be; it is taken as text"])
  }
}
