import CallsignCatalogue
import Testing

@testable import CallsignOpenAPI

@Suite("Import of responses") struct ResponseImportTests {
  private func notes(_ imported: Imported) -> [String] {
    imported.result.warnings.filter { $0.severity == .note }.map(\.description)
  }

  @Test(
    "Without a schema the response's header decides, and a note has the line that gives it a type",
    arguments: [
      "{application/json: {schema: {}}}", "{application/json: {}}", "{application/json: {schema: true}}",
      "{application/json: {schema: {title: Response Get Pets, description: d}}}", "{'*/*': {}}",
      "{application/json: {schema: {$ref: '#/components/schemas/Any'}}}",
      "{application/json: {schema: {}}, text/csv: {}}",
    ])
  func untyped(content: String) throws {
    let imported = try Imported(
      document(
        responses: "{\"200\": {description: \"\", content: \(content)}}", schemas: "Any: {description: anything}"))
    let endpoint = try #require(imported.catalogue.groups.flatMap(\.endpoints).first)
    #expect(endpoint.returnsAnyContent, "\(endpoint)")
    #expect(try imported.endpoint("getPets").contains("returns: json"))
    #expect(
      notes(imported).contains {
        $0.contains("`getPets: {returns: bytes, accept: text/csv}` under `endpoints` of the overlay")
      })
    imported.expectRoundTrip()
  }

  @Test(
    "JSON that a document describes is JSON, however little the description says",
    arguments: [
      "{type: object}", "{type: string}", "{type: [object, array]}", "{enum: [1, a]}", "{type: array, items: {}}",
    ])
  func typed(schema: String) throws {
    let imported = try Imported(document(responding: schema))
    #expect(imported.catalogue.groups.flatMap(\.endpoints).first?.returnsAnyContent == false)
  }

  @Test("A HEAD has no response, whatever the document describes, but errors") func heads() throws {
    func operation(_ method: String) -> String {
      """
      /pets:
        \(method):
          operationId: lookAtPets
          responses:
            "200":
              description: ""
              headers: {X-Total: {schema: {type: integer}}}
              content: {application/hal+json: {schema: {type: object, properties: {a: {type: string}}}, example: {a: b}}}
            "404": {description: "", content: {application/json: {schema: {$ref: "#/components/schemas/Problem"}}}}
      """
    }
    let problem = "schemas: {Problem: {type: object, properties: {why: {type: string}}}}"
    let imported = try Imported(document(paths: operation("head"), components: problem))
    let endpoint = try #require(imported.catalogue.groups.flatMap(\.endpoints).first)
    #expect(endpoint.returns == nil && endpoint.accept == nil && endpoint.stream == nil)
    #expect(endpoint.responseHeaders.isEmpty && endpoint.errors.map(\.status) == ["404"])
    #expect(imported.catalogue.examples == nil)
    let response = "#/paths/~1pets/head/responses/200"
    #expect(
      notes(imported) == [
        "\(response)/content: note: a HEAD gets a response without a body (RFC 9110 §9.3.2); the documented body of `lookAtPets` is "
          + "left out",
        "\(response)/headers: note: \(ResponseReader.headersElsewhere)",
      ])
    #expect(imported.warnings == [])
    imported.expectRoundTrip()
    // The same of a GET is a response.
    let other = try Imported(document(paths: operation("get"), components: problem))
    #expect(try other.endpoint("lookAtPets").contains("accept: application/hal+json"))
  }

  @Test(
    "The status of the response is stated if it is unusual",
    arguments: [
      ("{\"200\": {description: \"\", content: {application/json: {schema: {type: string}}}}}", nil),
      ("{\"201\": {description: \"\", content: {application/json: {schema: {type: string}}}}}", 201),
      (
        "{\"200\": {description: \"\"}, \"201\": {description: \"\", content: {application/json: {schema: {type: string}}}}}",
        201
      ),
      ("{\"204\": {description: \"\"}}", nil), ("{\"200\": {description: \"\"}}", 200),
      ("{\"202\": {description: \"\"}, \"204\": {description: \"\"}}", 202),
      ("{\"204\": {description: \"\", content: {application/json: {schema: {type: string}}}}}", nil),
      ("{2XX: {description: \"\", content: {application/json: {schema: {type: string}}}}}", nil),
      ("{default: {description: \"\"}}", nil),
    ] as [(String, Int?)])
  func statuses(responses: String, status: Int?) throws {
    let imported = try Imported(document(responses: responses))
    #expect(imported.catalogue.groups.flatMap(\.endpoints).first?.status == status)
    imported.expectRoundTrip()
  }

  @Test(
    "A list that describes a stream is one of its records",
    arguments: [
      ("application/jsonl", "{$ref: '#/components/schemas/Event'}", "returns: Event\nstream: lines"),
      ("application/x-ndjson", "{type: string}", "returns: string\nstream: lines"),
      (
        "text/event-stream", "{$ref: '#/components/schemas/Event'}",
        "returns: Event\nstream: {framing: events, record: event}"
      ),
      ("text/event-stream", "{type: string}", "returns: json\nstream: events"),
    ])
  func listsOfRecords(type: String, record: String, lines: String) throws {
    for list in ["{type: array, items: \(record)}", "{$ref: '#/components/schemas/All'}"] {
      let imported = try Imported(
        document(
          responses: "{\"200\": {description: \"\", content: {\(type): {schema: \(list)}}}}",
          schemas: """
            All: {type: array, items: \(record)}
            Event: {type: object, properties: {event: {type: string}, data: {type: string}}}
            """))
      #expect(try imported.endpoint("getPets") == "call: GET /pets\n\(lines)")
      let told = "the response is a stream, and the elements of the list that describes it are its records"
      #expect(notes(imported).contains { $0.hasSuffix(told) })
      imported.expectRoundTrip()
    }
  }

  @Test("A list that describes each record of a stream is one") func listsAsRecords() throws {
    let imported = try Imported(
      document(
        responses: "{'200': {description: '', content: {application/jsonl: {itemSchema: {type: array, items: {}}}}}}"))
    #expect(try imported.endpoint("getPets").contains("returns: [json]\nstream: lines"))
    imported.expectRoundTrip()
  }

  @Test("An example of a stream that is described as a list is one of each record") func examplesOfStreams() throws {
    let schema = "schema: {type: array, items: {type: object, properties: {id: {type: integer}}}}"
    let imported = try Imported(
      document(
        responses:
          "{'200': {description: '', content: {application/stream+json: {\(schema), example: [{id: 1}, {id: 2}]}}}}"))
    let examples = try #require(imported.catalogue.examples)
    let text = String(decoding: examples.json, as: UTF8.self)
    #expect(text.contains(#""getPets": [{"id":1}, {"id":2}]"#), "\(text)")
    imported.expectRoundTrip()
  }

  @Test(
    "A response in JSON that is base64 is that text, and a file is bytes",
    arguments: [
      ("application/json", "{type: string, format: byte}", "string"),
      ("application/json", "{type: string, contentEncoding: base64}", "string"),
      ("application/json", "{$ref: '#/components/schemas/Data'}", "string"),
      ("application/json", "{anyOf: [{type: string, format: byte}, {type: 'null'}]}", "string | null"),
      ("application/json", "{type: string, format: binary}", "bytes"),
      ("'*/*'", "{type: string, format: byte}", "bytes"), ("image/png", "{type: string, format: byte}", "bytes"),
    ])
  func base64(type: String, schema: String, response: String) throws {
    let imported = try Imported(
      document(
        responses: "{\"200\": {description: \"\", content: {\(type): {schema: \(schema)}}}}",
        schemas: "Data: {type: string, format: byte}"))
    #expect(try imported.endpoint("getPets").hasSuffix("returns: \(response)"))
    let told = imported.warnings.contains("the response is JSON, a text in base64, which the caller has to read")
    #expect(told == response.hasPrefix("string"))
    imported.expectRoundTrip()
  }

  @Test(
    "Schemas of responses that are text or bytes are reported as useless",
    arguments: [
      ("text/plain", "{type: integer}", "text"), ("text/csv", "{type: array, items: {type: string}}", "text"),
      ("text/plain", "{$ref: '#/components/schemas/Time'}", "text"),
      ("multipart/mixed", "{type: object, properties: {a: {type: string}}}", "bytes"),
      ("application/x-www-form-urlencoded", "{allOf: [{properties: {a: {type: string}}}]}", "bytes"),
      ("application/pdf", "{oneOf: [{type: string, enum: [a, b]}, {type: string}]}", "bytes"),
      ("text/plain", "{type: string}", ""), ("application/pdf", "{type: string, format: binary}", ""),
      ("image/png", "{type: object}", ""), ("image/png", "{}", ""),
    ])
  func schemasOfBytes(type: String, schema: String, form: String) throws {
    let imported = try Imported(
      document(
        responses: "{\"200\": {description: \"\", content: {\(type): {schema: \(schema)}}}}",
        schemas: "Time: {type: string, format: date-time}"))
    let place = "#/paths/~1pets/get/responses/200/content"
    let told = "\(place): note: a response of type \(type) is \(form), whatever its schema says"
    #expect(notes(imported).filter { $0.hasPrefix(place) } == (form.isEmpty ? [] : [told]))
    imported.expectRoundTrip()
  }

  @Test("Schemas of texts that lead in a circle come to an end") func circles() throws {
    let imported = try Imported(
      document(
        responses: "{'200': {description: '', content: {text/plain: {schema: {$ref: '#/components/schemas/A'}}}}}",
        schemas: "A: {anyOf: [{$ref: '#/components/schemas/A'}, {$ref: '#/components/schemas/A'}]}"))
    #expect(try imported.endpoint("getPets") == "call: GET /pets\naccept: text/plain\nreturns: string")
  }

  /// An import of one operation for each of the given sets of header fields; all of them respond with a `Pet`.
  private func pets(_ headers: [String]) throws -> Imported {
    let pet = "content: {application/json: {schema: {$ref: '#/components/schemas/Pet'}}}"
    let paths = headers.enumerated().map { index, headers in
      let response = "{description: '', headers: {\(headers)}, \(pet)}"
      return "/p\(index): {get: {operationId: get\(index), responses: {'200': \(response)}}}"
    }
    return try Imported(
      document(
        paths: paths.joined(separator: "\n"),
        components: "schemas: {Pet: {type: object, properties: {status: {type: string}, id: {type: string}}}}"))
  }

  @Test("A header field that would be called as the response's own member is has a number behind its name")
  func headersAndMembers() throws {
    let integer = "{schema: {type: integer}}"
    let imported = try pets(
      ["X-Status: \(integer), X-Total: \(integer)", "Status: \(integer), X-Status: \(integer)"])
    #expect(
      try imported.endpoint("get0").hasSuffix(
        "response_headers:\n  X-Status: {type: int, name: status2}\n  X-Total: int")
    )
    #expect(
      try imported.endpoint("get1").hasSuffix(
        "response_headers:\n  Status: {type: int, name: status3}\n  X-Status: {type: int, name: status2}"))
    // With warnings: the import's own output has none.
    imported.expectRoundTrip()
  }

  @Test("Header fields with equal Swift names are distinguished if they are in the same response")
  func headersOfOneResponse() throws {
    let imported = try pets([
      "X-Rate: {schema: {type: integer}}", "x-rate: {schema: {type: integer}}", "X-Rate: {schema: {type: string}}",
      "Rate: {schema: {type: string}}, X-Rate: {schema: {type: string}}",
    ])
    let names = imported.catalogue.groups.flatMap(\.endpoints).map { $0.responseHeaders.map(\.propertyName) }
    #expect(names == [["rate"], ["rate"], ["rate2"], ["rate3", "rate2"]])
    imported.expectRoundTrip()
  }

  @Test("A response with header fields cannot be null", arguments: [true, false])
  func nullWithHeaders(hasHeaders: Bool) throws {
    let schema = "{anyOf: [{$ref: '#/components/schemas/Pet'}, {type: 'null'}]}"
    let headers = hasHeaders ? "headers: {X-Count: {schema: {type: integer}}}, " : ""
    let response = "{description: '', \(headers)content: {application/json: {schema: \(schema)}}}"
    let imported = try Imported(
      document(
        version: "3.1.0", paths: "/pets: {get: {operationId: getPets, responses: {'200': \(response)}}}",
        components: "schemas: {Pet: {type: object, properties: {id: {type: string}}}}"))
    let endpoint = try #require(imported.catalogue.groups.flatMap(\.endpoints).first)
    #expect(endpoint.responseHeaders.map(\.name) == (hasHeaders ? ["X-Count"] : []))
    #expect(endpoint.returns?.isNullable == !hasHeaders)
    #expect(imported.warnings == (hasHeaders ? ["the whole response may be null, which is an error here"] : []))
    imported.expectRoundTrip()
  }
}
