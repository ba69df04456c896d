import CallsignCatalogue
import Testing

@testable import CallsignOpenAPI

/// References where OpenAPI has none, and references to other machines.
@Suite struct ReferencePlaceTests {
  private static let thing = "Thing: {type: object, required: [name], properties: {name: {type: string}}}"
  private static let operation = """
    operationId: getThing
    parameters: [{name: id, in: path, required: true, schema: {type: integer}}]
    responses:
      '200':
        description: ok
        content: {application/json: {schema: {$ref: 'operations.yaml#/Thing'}}}
    """

  private static func indented(_ text: String) -> String {
    text.split(separator: "\n").map { "  " + $0 + "\n" }.joined()
  }

  private func options(_ files: [String: String], isStrict: Bool = false) -> ImportOptions {
    ImportOptions(isStrict: isStrict, fileName: "api.yaml") { path in files[path].map { Array($0.utf8) } }
  }

  @Test("An operation may be a reference, to a file or within the document") func operations() throws {
    let files = ["operations.yaml": "getThing:\n" + Self.indented(Self.operation) + Self.thing]
    let imported = try Imported(
      document(
        paths: """
          /things/{id}:
            get: {$ref: 'operations.yaml#/getThing'}
            delete: {$ref: '#/components/x-operations/deleteThing', summary: Deletes a thing.}
          """,
        components: """
          x-operations:
            deleteThing:
              operationId: deleteThing
              parameters:
                - {name: id, in: path, required: true, schema: {type: integer}}
                - {name: hard, in: query, required: true, schema: {type: boolean}}
              responses: {'204': {description: gone}}
          """), options: options(files))
    try #expect(imported.endpoint("getThing") == "call: GET /things/{id}\nparams:\n  id: int\nreturns: Thing")
    try #expect(imported.endpoint("deleteThing") == "call: DELETE /things/{id}\nparams:\n  id: int\n  hard: bool")
    #expect(imported.warnings == [])
    imported.expectRoundTrip()
  }

  @Test("A missing operation is left out with a warning, and is an error of a strict import")
  func missingOperations() throws {
    let text = document(
      paths: """
        /a: {get: {$ref: 'missing.yaml'}}
        /b: {get: {operationId: b, responses: {'204': {description: ''}}}}
        """)
    let imported = try Imported(text, options: options([:]))
    #expect(imported.catalogue.groups.flatMap(\.endpoints).map(\.name) == ["b"])
    #expect(
      imported.warnings == ["`missing.yaml` is in another document, which was not read; the operation is left out"])
    #expect(throws: ImportError.self) { try Imported(text, options: options([:], isStrict: true)) }
  }

  @Test("Sections, lists and mappings may be references") func collections() throws {
    let files = [
      "paths.yaml": "/things/{id}: {parameters: {$ref: 'parts.yaml#/parameters'}, get: {$ref: 'parts.yaml#/get'}}",
      "parts.yaml": """
      parameters: [{name: id, in: path, required: true, schema: {type: integer}}]
      get:
        operationId: getThing
        parameters: {$ref: '#/further'}
        responses: {$ref: '#/responses'}
      further: [{name: deep, in: query, schema: {type: boolean}}]
      responses:
        '200':
          description: ok
          headers: {$ref: '#/headers'}
          content: {$ref: '#/content'}
      headers: {X-Count: {schema: {type: integer}}}
      content:
        application/json:
          schema: {$ref: 'schemas.yaml#/Thing'}
          examples: {$ref: '#/examples'}
      examples: {one: {value: {name: Rex}}}
      names: [name]
      members: {name: {type: string}, size: {type: integer}}
      """,
      "schemas.yaml": """
      Thing: {type: object, required: {$ref: 'parts.yaml#/names'}, properties: {$ref: 'parts.yaml#/members'}}
      """,
    ]
    let imported = try Imported(
      """
      openapi: 3.1.0
      info: {$ref: 'info.yaml'}
      servers: [{$ref: 'info.yaml#/x-server'}]
      tags: [{$ref: 'info.yaml#/x-tag'}]
      paths: {$ref: paths.yaml}
      components: {schemas: {$ref: schemas.yaml}}
      """,
      options: options(
        files.merging([
          "info.yaml": "{title: Pets, version: 3, x-server: {url: https://b.example}, x-tag: {name: Pets}}"
        ]) { $1 }))
    #expect(imported.result.origin == ImportOrigin(title: "Pets", version: "3"))
    #expect(imported.catalogue.api.hosts.map(\.url) == ["https://b.example"])
    let endpoint = try imported.endpoint("getThing")
    #expect(endpoint.contains("params:\n  id: int\n  deep: bool?"))
    #expect(endpoint.contains("returns: Thing"))
    #expect(endpoint.contains("X-Count: int"))
    try #expect(imported.model("Thing") == "Thing:\n  name: string\n  size: int?")
    try #expect(#require(imported.files.first { $0.path == "examples.json" }).text.contains(#"{"name":"Rex"}"#))
    #expect(imported.warnings == [])
    imported.expectRoundTrip()
  }

  @Test("A Swagger 2.0 document can also be split") func swagger() throws {
    let files = [
      "paths/x.yaml": """
      get:
        operationId: getX
        parameters: [{$ref: '../parts.yaml#/id'}]
        responses: {'200': {$ref: '../parts.yaml#/found'}}
      """,
      "parts.yaml": """
      id: {name: id, in: path, required: true, type: integer}
      found: {description: ok, schema: {$ref: 'schemas.yaml#/X'}}
      """,
      "schemas.yaml": "X: {type: object, properties: {a: {type: string}}}",
    ]
    let imported = try Imported(
      """
      swagger: "2.0"
      info: {title: Pets, version: "3"}
      host: pets.example
      schemes: [https]
      paths:
        /x/{id}: {$ref: paths/x.yaml}
        /y/{id}: {post: {$ref: '#/x-post'}}
      x-post:
        operationId: addY
        parameters:
          - {$ref: 'parts.yaml#/id'}
          - {name: body, in: body, required: true, schema: {$ref: '#/definitions/X'}}
        responses: {'204': {description: ok}}
      definitions: {$ref: schemas.yaml}
      """, options: options(files))
    try #expect(imported.endpoint("getX") == "call: GET /x/{id}\nparams:\n  id: int\nreturns: X")
    try #expect(imported.endpoint("addY") == "call: POST /y/{id}\nparams:\n  id: int\n  a: string?")
    #expect(imported.warnings == [])
  }

  @Test("A broken reference in place of a mapping is a warning that names it") func missingCollections()
    throws
  {
    let imported = try Imported(
      document(responding: "{type: object, properties: {$ref: 'missing.yaml#/members'}}"), options: options([:]))
    #expect(imported.warnings == ["`missing.yaml#/members` is in another document, which was not read; it is left out"])
  }

  @Test("References to other machines are read by `readURL`, with what they refer to") func urls() throws {
    let pages = [
      "https://a.example/api/operations.yaml": "getThing: {$ref: 'parts/get.yaml'}",
      "https://a.example/api/parts/get.yaml": Self.operation.replacing(
        "operations.yaml#/Thing", with: "../../models.yaml#/Thing"),
      "https://a.example/models.yaml": Self.thing,
    ]
    let text = document(paths: "/things/{id}: {get: {$ref: 'https://a.example/api/operations.yaml#/getThing'}}")
    var options = ImportOptions()
    options.readURL = { url in pages[url].map { Array($0.utf8) } }
    let imported = try Imported(text, options: options)
    try #expect(imported.endpoint("getThing") == "call: GET /things/{id}\nparams:\n  id: int\nreturns: Thing")
    #expect(imported.warnings == [])

    let unread = try Imported(
      text.replacing("paths:", with: "paths:\n  /a: {get: {operationId: a, responses: {'204': {description: ''}}}}"))
    #expect(
      unread.warnings == [
        "`https://a.example/api/operations.yaml#/getThing` is in another document, which was not read; --fetch-references "
          + "has it fetched; the operation is left out"
      ])
  }
}
