import Testing

@testable import CallsignOpenAPI

@Suite("Bad documents") struct BadDocumentTests {
  private func error(_ text: String, isStrict: Bool = true) -> ImportError? {
    #expect(throws: ImportError.self) {
      try OpenAPIImporter(options: ImportOptions(isStrict: isStrict)).importDocument(Array(text.utf8))
    }
  }

  @Test(
    "Inputs that are not a document",
    arguments: [
      ("", "the document is empty"),
      ("- a", "not an OpenAPI document: the top level is not an object"),
      ("{}", "not an OpenAPI document: it has no `openapi` version"),
      ("swagger: '1.2'", "Swagger 1.2 is not supported; 2.0 is, and OpenAPI 3"),
      ("openapi: 4.0.0", "OpenAPI 4.0.0 is not supported; 3.0, 3.1, 3.2 and Swagger 2.0 are"),
      ("openapi: 3.0.0", "the document has no `paths`, no `webhooks` and no schemas, so there is nothing to import"),
      (
        "{openapi: 3.0.0, paths: {}, servers: [{url: https://x.example}]}", "the document's `paths` have no operations"
      ),
      ("{openapi: 3.0.0, openapi: 3.1.0}", "the key `openapi` appears twice"),
      ("{\"openapi\": \"3.0.0\",\n \"openapi\": \"3.1.0\"}", "2:13: the key `openapi` appears twice"),
      (
        "{openapi: 3.0.0, paths: {/a: {get: {responses: {}}}}}",
        "#/servers: the document names no absolute server URL; give one with --server"
      ),
    ])
  func whatIsNoDocument(text: String, message: String) {
    #expect(error(text)?.description.contains(message) == true, "\(String(describing: error(text)))")
  }

  @Test("Damage beyond repair is refused even by a lenient import")
  func brokenBeyondRepair() {
    #expect(error("{openapi: 3.0.0, paths: {}}", isStrict: false) != nil)
    #expect(error("{openapi: 3.0.0", isStrict: false) != nil)
    #expect(error("{openapi: 3.0.0, paths: {/a: {$ref: a.yaml}}}", isStrict: false) != nil)
  }

  @Test("Syntax errors have their place") func syntaxErrorsHaveTheirPlace() {
    #expect(error("{\"openapi\": \"3.0.0\",\n  \"paths\": ]}")?.description.hasPrefix("2:") == true)
  }

  @Test(
    "Broken schemas are refused",
    arguments: [
      (
        "{$ref: '#/components/schemas/Nope'}", "",
        "`#/components/schemas/Nope` refers to nothing: `components` does not exist"
      ),
      (
        "{$ref: 'other.yaml#/Pet'}", "", "`other.yaml#/Pet` is in another document, which was not read"
      ),
      (
        "{$ref: '#/components/schemas/A'}", "A: {$ref: '#/components/schemas/B'}\nB: {$ref: '#/components/schemas/A'}",
        "`#/components/schemas/A` refers to itself"
      ),
      (
        "{$ref: '#/components/schemas/A'}", "A: {allOf: [{$ref: '#/components/schemas/A'}, {type: object}]}",
        "contains itself through `allOf`"
      ),
      ("{type: strnig}", "", "`strnig` is not a type of JSON Schema"),
      ("[]", "", "a schema must be an object"),
      (
        "{type: object, properties: {a: {$ref: '#/paths/~1pets/get/responses/200/content/application~1json/schema'}}}",
        "",
        "contains itself; give it a name under #/components/schemas"
      ),
    ])
  func brokenSchemas(schema: String, schemas: String, message: String) {
    let error = error(document(responding: schema, schemas: schemas))
    #expect(error?.description.contains(message) == true, "\(String(describing: error))")
  }

  @Test("Nesting is bounded") func nestingIsBounded() {
    let json = String(repeating: "{\"a\":", count: 5000) + "1" + String(repeating: "}", count: 5000)
    #expect(error(json) == .tooDeep(at: "#"))
    let schema =
      String(repeating: "{type: array, items: ", count: 120) + "{type: string}" + String(repeating: "}", count: 120)
    guard case .tooDeep? = error(document(responding: schema)) else {
      Issue.record("deep schemas have to be refused")
      return
    }
    let block = (0..<3000).map { String(repeating: " ", count: $0) + "a:" }.joined(separator: "\n")
    #expect(error(block) != nil)
  }

  @Test("Aliases do not multiply") func aliasesDoNotMultiply() {
    var bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n"
    for level in 1...9 {
      let references = Array(repeating: "*a\(level - 1)", count: 10).joined(separator: ", ")
      bomb += "a\(level): &a\(level) [\(references)]\n"
    }
    #expect(error(bomb) == .tooLarge)
  }

  @Test("References to schemas without names do not multiply") func referencesDoNotMultiply() {
    let bomb = (0..<20).map { level in
      let next = "{$ref: '#/x-s/a\(level + 1)'}"
      return "  a\(level): {type: object, properties: {l: \(next), r: \(next)}}\n"
    }
    let text = document(
      paths: """
        /a:
          get:
            operationId: getA
            responses: {"200": {description: "", content: {application/json: {schema: {$ref: "#/x-s/a0"}}}}}
        """, more: "x-s:\n" + bomb.joined() + "  a20: {type: string}")
    guard case .tooDeep? = error(text) else {
      Issue.record("a schema of a million parts has to be refused")
      return
    }
  }

  /// A schema, or one of two names, for each of 40 levels: `@S` and `@T` are those below it, `%` is the number, and `#` the name.
  private func levels(_ schemas: String..., first: String) -> String {
    let names = ["S", "T"].prefix(schemas.count)
    let ground = names.map { "\($0)0: \(first.replacing("#", with: $0))" }
    let others = (1..<40).flatMap { level in
      zip(names, schemas).map { name, schema in
        let text = ["S", "T"].reduce(schema) { text, name in
          text.replacing("@\(name)", with: "{$ref: '#/components/schemas/\(name)\(level - 1)'}")
        }
        return "\(name)\(level): \(text.replacing("%", with: String(level)))"
      }
    }
    return (ground + others).joined(separator: "\n")
  }

  @Test("Alternatives with members next to them do not multiply", .timeLimit(.minutes(5)))
  func alternativesDoNotMultiply() throws {
    let schemas = levels(
      "{oneOf: [@S, {allOf: [@S, {type: object, properties: {b%: {type: string}}}]}]}",
      first: "{type: object, properties: {a: {type: string}}}")
    let imported = try Imported(
      document(responding: "{$ref: '#/components/schemas/S39'}", schemas: schemas))
    #expect(
      imported.warnings.contains(
        "members next to more than 256 alternatives cannot be expressed; all are taken as any JSON"))
    imported.expectRoundTrip()
  }

  @Test("Alternatives that have one another do not multiply", .timeLimit(.minutes(5)), arguments: ["binary", "uuid"])
  func nestedAlternativesDoNotMultiply(format: String) throws {
    let schemas = levels(
      "{oneOf: [@S, @T]}", "{anyOf: [@S, @T]}", first: "{type: string, format: \(format)}")
    let body = "{type: object, properties: {f: {$ref: '#/components/schemas/S39'}}}"
    try Imported(
      document(requestBody: "{content: {multipart/form-data: {schema: \(body)}}}", schemas: schemas)
    ).expectRoundTrip()
  }

  @Test("Alternatives that are the body do not multiply", .timeLimit(.minutes(5)))
  func alternativesOfBodiesDoNotMultiply() throws {
    let schemas = levels(
      "{oneOf: [@S, @T]}", "{anyOf: [@S, @T]}", first: "{type: object, properties: {#: {type: string}}}")
    let body = "{$ref: '#/components/schemas/S39'}"
    let imported = try Imported(
      document(requestBody: "{content: {multipart/form-data: {schema: \(body)}}}", schemas: schemas))
    #expect(imported.catalogue.groups.flatMap(\.endpoints).first?.parameters.map(\.name).sorted() == ["S", "T"])
  }

  @Test("A union of itself with members next to it is any JSON") func unionOfItself() throws {
    let imported = try Imported(
      document(
        responding: "{$ref: '#/components/schemas/T'}",
        schemas: """
          S: {oneOf: [{$ref: '#/components/schemas/R'}, {type: object, properties: {a: {type: string}}}]}
          R: {anyOf: [{$ref: '#/components/schemas/S'}, {type: object, properties: {b: {type: string}}}]}
          T: {allOf: [{$ref: '#/components/schemas/S'}, {type: object, properties: {c: {type: string}}}]}
          """))
    #expect(imported.catalogue.groups.flatMap(\.endpoints).first?.returns?.text == "json")
  }

  @Test("Demands of parts of allOf do not multiply", .timeLimit(.minutes(5))) func demandsDoNotMultiply() throws {
    let schemas = levels(
      "{allOf: [@S, @S]}",
      first: "{type: object, properties: {a: {type: string}, b: {type: string}}, "
        + "oneOf: [{required: [a]}, {required: [b]}]}")
    let imported = try Imported(document(sending: "{$ref: '#/components/schemas/S39'}", schemas: schemas))
    #expect(imported.catalogue.groups.flatMap(\.endpoints).first?.rules.count == 1)
  }

  @Test("Lists in one another do not multiply", .timeLimit(.minutes(5))) func listsDoNotMultiply() throws {
    let schemas = levels(
      "{type: array, items: {type: object, properties: {x: @S, y: @S, z%: {type: string}}}}",
      first: "{type: array, items: {type: string}}")
    let imported = try Imported(document(responding: "{$ref: '#/components/schemas/S39'}", schemas: schemas))
    #expect(imported.warnings.contains { $0.contains("multiplies its types") })
  }

  @Test("Text that is not UTF-8 is refused") func textThatIsNotUTF8IsRefused() {
    let error = #expect(throws: ImportError.self) {
      try OpenAPIImporter(options: ImportOptions(isStrict: true)).importDocument([0x7B, 0xFF, 0xFE, 0x7D])
    }
    #expect(error?.description.contains("not UTF-8") == true)
  }

  @Test("Truncated documents never crash") func truncatedDocumentsNeverCrash() throws {
    let text = document(
      responding: "{$ref: '#/components/schemas/Pet'}",
      schemas: "Pet: {type: object, properties: {id: {type: string}, tags: {type: array, items: {type: string}}}}")
    let bytes = Array(text.utf8)
    var refused = 0
    for length in stride(from: 0, to: bytes.count, by: 3) {
      do {
        _ = try OpenAPIImporter().importDocument(Array(bytes.prefix(length)))
      } catch {
        refused += 1
        #expect(!"\(error)".isEmpty)
      }
    }
    #expect(refused > 10)
  }
}
