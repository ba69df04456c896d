import CallsignCatalogue
import Testing

@testable import CallsignOpenAPI

@Suite("Import of Swagger 2.0") struct SwaggerImportTests {
  private func swagger(_ paths: String) throws -> Imported {
    let lines = paths.split(separator: "\n").map { "  \($0)" }.joined(separator: "\n")
    return try Imported(
      """
      swagger: "2.0"
      info: {title: Pet Store, version: "7"}
      host: pets.example
      schemes: [https]
      produces: [application/json]
      paths:
      \(lines)
      responses:
        Text: {description: "", schema: {type: string}, examples: {text/csv: "a,b"}}
        Other: {$ref: '#/responses/Text'}
        Circle: {$ref: '#/responses/Circle'}
        None: {description: ""}
        NotFound: {description: "", schema: {type: object, properties: {a: {type: string}}}}
        BadRequest: {description: "", schema: {type: object, properties: {b: {type: string}}}}
        Pet: {description: "", schema: {type: object, properties: {c: {type: string}}}}
      """)
  }

  @Test("A response that operations share has the types that each operation states") func sharedResponses() throws {
    let imported = try swagger(
      """
      /a: {get: {operationId: getA, produces: [text/csv], responses: {"200": {$ref: '#/responses/Text'}}}}
      /b: {get: {operationId: getB, produces: [application/json], responses: {"200": {$ref: '#/responses/Text'}}}}
      /c: {get: {operationId: getC, produces: [text/csv], responses: {"200": {$ref: '#/responses/Other'}}}}
      /d: {get: {operationId: getD, responses: {"200": {$ref: '#/responses/Other'}}}}
      /e: {get: {operationId: getE, produces: [text/csv], responses: {"200": {$ref: '#/responses/None'}}}}
      """)
    #expect(try imported.endpoint("getA") == "call: GET /a\naccept: text/csv\nreturns: string")
    #expect(try imported.endpoint("getB") == "call: GET /b\nreturns: string")
    #expect(try imported.endpoint("getC") == "call: GET /c\naccept: text/csv\nreturns: string")
    #expect(try imported.endpoint("getD") == "call: GET /d\nreturns: string")
    #expect(try imported.endpoint("getE") == "call: GET /e\nstatus: 200")
    #expect(imported.warnings == [])
    imported.expectRoundTrip()
  }

  @Test("Errors that operations share keep their type and its name, whatever an operation produces")
  func sharedErrors() throws {
    // A part that most operations have is written once for all of them.
    let others = (1...4).map { "/o\($0): {get: {operationId: other\($0), responses: {'204': {description: ''}}}}" }
    let pet = "'200': {$ref: '#/responses/Pet'}"
    let errors = "'400': {$ref: '#/responses/BadRequest'}, '404': {$ref: '#/responses/NotFound'}"
    let imported = try swagger(
      """
      /a: {get: {operationId: getA, produces: [image/png], responses: {'200': {$ref: '#/responses/Text'}, \(errors)}}}
      /b: {get: {operationId: getB, produces: [application/json, application/xml], responses: {\(pet), \(errors)}}}
      /c: {get: {operationId: getC, responses: {\(pet), \(errors)}}}
      \(others.joined(separator: "\n"))
      """)
    let types = #"errors: {"400": BadRequestErrorBody, "404": NotFoundErrorBody}"#
    for name in ["getA", "getB", "getC"] { #expect(try imported.endpoint(name).contains(types)) }
    #expect(try imported.endpoint("getA").contains("accept: image/png\nreturns: bytes"))
    imported.expectRoundTrip()
  }

  @Test("Further types next to JSON change neither a shared response nor its model's name") func furtherTypes()
    throws
  {
    func response(_ types: String) throws -> String {
      let imported = try swagger(
        "/a: {get: {operationId: getA, produces: \(types), responses: {'200': {$ref: '#/responses/Pet'}}}}")
      #expect(imported.warnings == [])
      imported.expectRoundTrip()
      return try imported.endpoint("getA")
    }
    #expect(try response("[application/json, application/xml]") == response("[application/json]"))
    #expect(try response("[application/xml, application/json;charset=utf-8]") == response("[application/json]"))
  }

  @Test(
    "A shared response that leads in a circle or nowhere is reported, whatever its type", arguments: ["Circle", "Lost"])
  func brokenResponses(name: String) throws {
    let imported = try swagger(
      "/a: {get: {operationId: getA, produces: [text/csv], responses: {'200': {$ref: '#/responses/\(name)'}}}}")
    #expect(try imported.endpoint("getA") == "call: GET /a")
    #expect(imported.warnings.contains { $0.hasSuffix("the response is left out") })
  }

  @Test("Lists in a form are separated as the document states") func listsInForms() throws {
    func field(_ name: String, _ format: String) -> String {
      "{name: \(name), in: formData, type: array, items: {type: string}, collectionFormat: \(format)}"
    }
    let fields = [("p", "pipes"), ("s", "ssv"), ("t", "tsv"), ("m", "multi"), ("c", "csv")].map { field($0, $1) }
    let imported = try swagger(
      """
      /a:
        post:
          operationId: addA
          consumes: [application/x-www-form-urlencoded]
          parameters: [\(fields.joined(separator: ", "))]
          responses: {"204": {description: ""}}
      """)
    #expect(
      try imported.endpoint("addA") == """
        call: POST /a
        body: form
        params:
          p: {type: "[string]?", list: pipe}
          s: {type: "[string]?", list: space}
          t: "[string]?"
          m: {type: "[string]?", list: repeat}
          c: "[string]?"
        """)
    #expect(
      imported.warnings == [
        "`t` is a list separated by tabs, which cannot be expressed in a catalogue; it is separated by commas"
      ])
    imported.expectRoundTrip()
  }

  @Test("A list separated by tabs is reported with its parameter and its operation") func tabs() throws {
    let list = "type: array, items: {type: string}, collectionFormat: tsv"
    let imported = try swagger(
      """
      /a:
        parameters: [{name: s, in: query, \(list)}]
        get:
          operationId: getA
          parameters: [{name: t, in: query, \(list)}]
          responses: {"204": {description: ""}}
      """)
    func told(_ name: String) -> String {
      "`\(name)` is a list separated by tabs, which cannot be expressed in a catalogue; it is separated by commas"
    }
    let found = imported.result.warnings.filter { $0.message.contains("tabs") }.map(\.description)
    #expect(found == ["#/paths/~1a: warning: \(told("s"))", "#/paths/~1a/get: warning: \(told("t"))"])
  }
}
