import CallsignCatalogue
import Testing

@testable import CallsignOpenAPI

/// If a part of a document is left out or read as something else, a message says so.
@Suite struct UnsaidImportTests {
  private func lines(_ imported: Imported) -> [String] {
    imported.result.warnings.filter { !$0.message.contains("has no summary") }.map(\.description)
  }

  @Test(
    "Facts of a parameter that a catalogue cannot express are reported",
    arguments: [
      ("in: header, allowReserved: true", "allowReserved"), ("in: query, allowEmptyValue: true", "allowEmptyValue"),
      ("in: cookie, style: cookie", "style: cookie"),
    ])
  func parameterKeywords(words: String, keyword: String) throws {
    let imported = try Imported(document(parameters: "{name: a, \(words), schema: {type: string}}", version: "3.2.0"))
    #expect(
      lines(imported) == ["#/paths/~1pets/get/parameters/0: note: the catalogue has no word for `\(keyword)`"])
    imported.expectRoundTrip()
  }

  @Test(
    "Bounds of a text that is read as something else are reported",
    arguments: ["uuid", "date", "date-time", "uri", "duration"])
  func boundsOfFormats(format: String) throws {
    let imported = try Imported(
      document(
        parameters: "{name: a, in: query, schema: {type: string, format: \(format), maxLength: 40, pattern: '^0'}}"))
    let place = "#/paths/~1pets/get/parameters/0/schema: note: the catalogue has no word for"
    #expect(
      lines(imported) == [
        "\(place) `maxLength (beside format: \(format))`", "\(place) `pattern (beside format: \(format))`",
      ])
  }

  @Test("A decimal number with a pattern stays a text, so that no digit is lost") func patternsOfDecimals() throws {
    let imported = try Imported(
      document(
        parameters: "{name: a, in: query, schema: {type: string, format: decimal, pattern: '^[0-9]+[.][0-9]{2}$'}}"))
    #expect(try imported.endpoint("getPets").contains("a: string(/^[0-9]+[.][0-9]{2}$/)?"))
    #expect(lines(imported).first?.hasSuffix("the catalogue has no word for `format: decimal`") == true)
    imported.expectRoundTrip()
  }

  @Test("Reserved characters of a query stay if the document says so") func reservedCharacters() throws {
    let imported = try Imported(
      document(
        parameters: """
          {name: a, in: query, allowReserved: true, schema: {type: string}}
          {name: b, in: query, allowReserved: false, schema: {type: string}}
          {name: e, in: query, allowReserved: true, schema: {type: integer}}
          {name: c, in: query, allowReserved: true, schema: {type: object, properties: {d: {type: string}}}}
          """))
    #expect(
      try imported.endpoint("getPets") == """
        call: GET /pets
        params:
          a: {type: "string?", reserved: true}
          b: string?
          e: int?
          d: {type: "string?", reserved: true}
        """)
    #expect(
      lines(imported) == [
        "#/paths/~1pets/get/parameters/3: warning: the object `c` becomes a parameter for each of its members"
      ])
    imported.expectRoundTrip()
  }

  @Test("Reserved characters of a path stay if the document says so") func reservedCharactersOfPaths() throws {
    let imported = try Imported(
      document(
        paths: """
          /{scope}/pets/{id}:
            get:
              operationId: getPet
              parameters:
                - {name: scope, in: path, required: true, allowReserved: true, schema: {type: string}}
                - {name: id, in: path, required: true, schema: {type: string}}
              responses: {"204": {description: ""}}
          """))
    #expect(
      try imported.endpoint("getPet") == """
        call: GET /{+scope}/pets/{id}
        params:
          scope: string
          id: string
        """)
    #expect(lines(imported).isEmpty)
    imported.expectRoundTrip()
  }

  @Test("Header fields that are not parameters are reported, once for all operations") func headersOfOthers() throws {
    let names = ["Accept", "content-type", "Authorization"]
    let parameters = names.map { "{name: \($0), in: header, schema: {type: string}}" }.joined(separator: ", ")
    func paths(_ name: String) -> String {
      "/\(name): {get: {operationId: \(name), parameters: [\(parameters)], responses: {'204': {description: ''}}}}"
    }
    let imported = try Imported(document(paths: paths("a") + "\n" + paths("b")))
    let other = ", here and in 1 other place"
    #expect(
      lines(imported) == [
        "#/paths/~1a/get/parameters/0: note: a parameter `Accept` is ignored, as OpenAPI says: the client sends the response's "
          + "media type" + other,
        "#/paths/~1a/get/parameters/1: note: a parameter `Content-Type` is ignored, as OpenAPI says: the client sends the body's "
          + "media type" + other,
        "#/paths/~1a/get/parameters/2: warning: a parameter `Authorization` is ignored, as OpenAPI says: credentials come from "
          + "`security`, --auth or the overlay" + other,
      ])
  }

  @Test("A path's expression for the query is parameters, described or not") func queryExpressions() throws {
    let imported = try Imported(
      document(
        paths: """
          /pets{?kind,age}{&name*}:
            get:
              operationId: getPets
              parameters:
                - {name: kind, in: query, schema: {type: integer}}
                - {name: age, in: path, required: true, schema: {type: integer}}
              responses: {"204": {description: ""}}
          """))
    #expect(try imported.endpoint("getPets") == "call: GET /pets\nparams:\n  kind: int?\n  age: int\n  name: string?")
    #expect(
      lines(imported) == [
        "#/paths/~1pets{?kind,age}{&name*}/get: warning: the path's `{?name}` is not described; it is taken as a string"
      ])
    imported.expectRoundTrip()
  }

  @Test("Keys of a path that are not methods are reported, and methods in capitals are read") func keysOfPaths() throws
  {
    let text = document(
      paths: """
        /pets:
          GET: {operationId: getPets, responses: {"204": {description: ""}}}
          fetch: {operationId: fetchPets, responses: {"204": {description: ""}}}
          note: {text: a}
          summary: Pets.
          x-note: {text: a}
        """)
    let imported = try Imported(text)
    #expect(imported.catalogue.groups.flatMap(\.endpoints).map(\.name) == ["getPets"])
    #expect(
      lines(imported) == [
        "#/paths/~1pets/GET: warning: methods are written in lower case; `GET` is read as `get`",
        "#/paths/~1pets/fetch: warning: `fetch` is not a method of OpenAPI and is left out; say it under `additionalOperations`",
        "#/paths/~1pets/note: warning: `note` is not a key of a path and is left out",
      ])
    #expect(throws: ImportError.invalid("`GET` is not a key of a path; write `get`", at: "#/paths/~1pets/GET")) {
      try Imported(text, options: ImportOptions(isStrict: true))
    }
  }

  @Test("A parameter without a place belongs to the path if the path has it, and places can have capitals")
  func parametersWithoutPlace() throws {
    let text = document(
      paths: """
        /pets/{id}:
          get:
            operationId: getPet
            parameters: [{name: id, schema: {type: integer}}, {name: kind, in: Query, schema: {type: integer}}]
            responses: {"204": {description: ""}}
        """)
    let imported = try Imported(text)
    #expect(try imported.endpoint("getPet") == "call: GET /pets/{id}\nparams:\n  id: int\n  kind: int?")
    #expect(
      imported.warnings == [
        "a parameter needs `in`; `id` is read as one of the path", "`in: Query` is read as `in: query`",
      ])
    #expect(throws: ImportError.self) { try Imported(text, options: ImportOptions(isStrict: true)) }
  }

  @Test("A link to a missing operation is reported") func lostLinks() throws {
    let imported = try Imported(
      document(
        responses:
          "{\"204\": {description: \"\", links: {lost: {operationId: nope}, own: {operationId: getPets, server: {url: https://a.example}}}}}"
      ))
    #expect(
      lines(imported) == [
        "#/paths/~1pets/get/responses/204/links/lost: warning: the link `lost` leads to `nope`, which is not an operation of the "
          + "document; it is left out",
        "#/paths/~1pets/get/responses/204/links/own: note: the link `own` leads to another server, which a catalogue cannot "
          + "say",
      ])
    #expect(try imported.endpoint("getPets").contains("The response leads to `getPets`."))
  }

  @Test("An XML response is bytes, which is reported") func xmlResponses() throws {
    let imported = try Imported(
      document(responses: "{\"200\": {description: \"\", content: {application/atom+xml: {schema: {type: object}}}}}"))
    #expect(
      lines(imported) == [
        "#/paths/~1pets/get/responses/200/content: note: a response of type application/atom+xml is bytes, as a catalogue has "
          + "no words for its content"
      ])
  }

  @Test("Defaults that are objects, and number formats without meaning here, are reported") func defaultsAndFormats()
    throws
  {
    let imported = try Imported(
      document(
        sending: "{type: object, properties: {a: {type: object, properties: {x: {type: string}}, default: {x: y}}, "
          + "b: {type: number, format: unix-time}, c: {type: number, format: double}}}"))
    let place = "#/paths/~1pets/post/requestBody/content/application~1json/schema/properties"
    #expect(
      lines(imported) == [
        "\(place)/a: note: a default that is an object cannot be expressed in a catalogue",
        "\(place)/b: note: the catalogue has no word for `format: unix-time`",
      ])
  }

  // MARK: Swagger

  private func swagger(_ operation: String, schemes: String = "[https, http]") throws -> Imported {
    try Imported(
      """
      swagger: "2.0"
      info: {title: Pet Store, version: "7"}
      host: pets.example
      basePath: /v1
      schemes: \(schemes)
      paths:
        /pets:
          post: {operationId: addPet, responses: {"204": {description: ""}}, \(operation)}
      """)
  }

  @Test(
    "Schemes of one operation in Swagger are its server's, and others are reported",
    arguments: [
      ("[http]", "[https, http]", ["https://pets.example/v1", "http://pets.example/v1"], [String]()),
      ("[https]", "[https, http]", ["https://pets.example/v1"], []),
      ("[https]", "[http]", ["http://pets.example/v1", "https://pets.example/v1"], []),
      (
        "[wss, https]", "[https]", ["https://pets.example/v1"],
        ["a client cannot call by wss; that scheme is left out"]
      ),
    ])
  func schemesOfOperations(own: String, all: String, urls: [String], warnings: [String]) throws {
    let imported = try swagger("schemes: \(own)", schemes: all)
    #expect(imported.catalogue.api.hosts.map(\.url) == urls)
    #expect(imported.warnings == warnings)
    imported.expectRoundTrip()
  }

  @Test(
    "Fields next to a body in Swagger are reported, and a body that is not a form",
    arguments: [
      (
        "parameters: [{name: a, in: body, schema: {type: object, properties: {x: {type: string}}}}, "
          + "{name: b, in: formData, type: string}, {name: c, in: body, schema: {type: string}}]",
        [
          "there is a body, `a`, so `b`, `in: formData`, is left out",
          "there is a body, `a`, so `c`, `in: body`, is left out",
        ]
      ),
      (
        "consumes: [application/x-www-form-urlencoded], parameters: [{name: a, in: body, schema: {type: object}}]",
        [
          "a form has no parameter `in: body`; the body is sent as JSON, not as application/x-www-form-urlencoded: if it is a "
            + "form, describe its fields by `in: formData`"
        ]
      ),
    ])
  func besideBodies(operation: String, warnings: [String]) throws {
    let imported = try swagger(operation)
    #expect(imported.warnings == warnings)
    imported.expectRoundTrip()
  }

  // MARK: Files

  @Test("Places in other files are reported with the file's path") func placesInFiles() throws {
    let files = [
      "parts/pet.yaml": "schemas: {Pet: {type: object, properties: {a: {type: strange}}}}",
      "paths/pets.yaml": """
      get:
        operationId: getPets
        parameters: [{name: b, in: nowhere}]
        responses: {"200": {description: "", content: {application/json: {schema: {$ref: "../parts/pet.yaml#/schemas/Pet"}}}}}
      """,
    ]
    var options = ImportOptions()
    options.readFile = { files[$0].map { Array($0.utf8) } }
    let text = document(paths: "/pets: {$ref: paths/pets.yaml}")
    let imported = try Imported(text, options: options)
    #expect(
      lines(imported) == [
        "paths/pets.yaml#/get/parameters/0: warning: `in: nowhere` is not a place for a parameter; the parameter is left out",
        "parts/pet.yaml#/schemas/Pet/properties/a: warning: `strange` is not a type of JSON Schema; it is taken as any JSON",
      ])
    let others = imported.result.warnings(of: Catalogue(api: imported.catalogue.api, groups: []))
    #expect(!others.contains { $0.pointer.hasPrefix("paths") })
    options.isStrict = true
    #expect(
      throws: ImportError.invalid(
        "`in: nowhere` is not a place for a parameter", at: "paths/pets.yaml#/get/parameters/0")
    ) {
      try Imported(text.replacing("strange", with: "string"), options: options)
    }
  }

  @Test("Mistakes in the text of another file are reported with that file") func textsOfFiles() throws {
    let files = ["twice.yaml": "Pet: {type: string}\nPet: {type: integer}", "broken.yaml": "Pet: {type: string\nA: ]"]
    var options = ImportOptions()
    options.readFile = { files[$0].map { Array($0.utf8) } }
    func document(_ file: String) -> String { CallsignOpenAPITests.document(responding: "{$ref: '\(file)#/Pet'}") }
    #expect(
      try lines(Imported(document("twice.yaml"), options: options)) == [
        "twice.yaml#: warning: the key `Pet` appears twice (1:1); the first one counts"
      ])
    let broken = try lines(Imported(document("broken.yaml"), options: options))
    #expect(broken.first?.contains("what refers to `broken.yaml` is taken as any JSON") == true)
    options.isStrict = true
    let error = #expect(throws: ImportError.self) { try Imported(document("broken.yaml"), options: options) }
    #expect(error?.description.hasPrefix("broken.yaml#: ") == true)
    #expect(throws: ImportError.invalid("the key `Pet` appears twice (1:1)", at: "twice.yaml#")) {
      try Imported(document("twice.yaml"), options: options)
    }
  }
}
