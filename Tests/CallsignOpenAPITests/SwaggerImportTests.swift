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
      """)
  }

  @Test("An answer that operations share is of the types that an operation says") func sharedAnswers() throws {
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
    #expect(try imported.endpoint("getE") == "call: GET /e")
    #expect(imported.warnings == [])
    imported.expectRoundTrip()
  }

  @Test("A shared answer that leads in a circle or nowhere is told, of whatever type", arguments: ["Circle", "Lost"])
  func brokenAnswers(name: String) throws {
    let imported = try swagger(
      "/a: {get: {operationId: getA, produces: [text/csv], responses: {'200': {$ref: '#/responses/\(name)'}}}}")
    #expect(try imported.endpoint("getA") == "call: GET /a")
    #expect(imported.warnings.contains { $0.hasSuffix("the answer is left out") })
  }

  @Test("Lists in a form are separated as the document says") func listsInForms() throws {
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
      imported.warnings == ["a list separated by tabs cannot be said in a catalogue; it is separated by commas"])
    imported.expectRoundTrip()
  }
}
