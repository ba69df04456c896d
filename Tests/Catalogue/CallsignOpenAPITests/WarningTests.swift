import CallsignCatalogue
import CallsignGenerator
import Testing

@testable import CallsignOpenAPI

@Suite("Warnings state repeated problems once, with the place in the given document") struct WarningTests {
  @Test("Repeated problems are one line with a number") func repetitions() {
    func warning(_ message: String, _ place: String) -> ImportWarning { ImportWarning(.warning, message, at: place) }
    let many = (0..<999).map { warning("`m\($0)` is lost", "#/a/\($0)") }
    let same = [warning("the same", "#/x"), warning("the same", "#/y")]
    let few = [warning("`a` is odd", "#/1"), warning("`b` is odd", "#/2")]
    #expect(
      ImportWarning.told(many + same + few).map(\.description) == [
        "#/a/0: warning: `m0` is lost, here and in 998 other places",
        "#/x: warning: the same, here and in 1 other place",
        "#/1: warning: `a` is odd", "#/2: warning: `b` is odd",
      ])
  }

  @Test("Places of Swagger 2.0 are those of the given document") func swaggerPlaces() throws {
    let text = """
      swagger: "2.0"
      info: {title: Pets, version: "1"}
      host: pets.example
      paths:
        /pets:
          post:
            operationId: addPet
            parameters:
              - {name: pet, in: body, schema: {type: object, properties: {a: {type: string, not: {type: integer}}}}}
              - {name: odd, in: query, type: string, not: {enum: [a]}}
            responses:
              "200": {description: "", schema: {type: object, properties: {b: {type: string, not: {type: integer}}}}}
              "404": {description: "", schema: {$ref: "#/definitions/Missing"}}
          put:
            operationId: putPet
            consumes: [application/x-www-form-urlencoded]
            parameters:
              - {name: page, in: query, type: integer}
              - {name: field, in: formData, type: string, not: {enum: [a]}}
            responses: {"204": {description: ""}, "400": {$ref: "#/responses/Bad"}}
      responses:
        Bad: {description: "", schema: {type: object, properties: {c: {$ref: "#/definitions/Pet"}}}}
      definitions:
        Pet: {type: object, properties: {name: {type: string, not: {enum: [a]}}}}
      """
    let result = try OpenAPIImporter().importDocument(Array(text.utf8))
    let places = result.warnings.filter { $0.message.hasPrefix("`not`") }.map(\.pointer)
    #expect(
      Set(places) == [
        "#/paths/~1pets/post/parameters/0/schema/properties/a", "#/paths/~1pets/post/parameters/1",
        "#/paths/~1pets/post/responses/200/schema/properties/b", "#/paths/~1pets/put/parameters/1",
        "#/definitions/Pet/properties/name",
      ])
    let missing = try #require(result.warnings.first { $0.message.contains("Missing") })
    #expect(missing.message.contains("`#/definitions/Missing` refers to nothing"))
    #expect(missing.pointer == "#/paths/~1pets/post/responses/404/schema")
  }

  @Test("With some operations selected, only warnings about what they use are shown") func chosenOperations() throws {
    let text = document(
      paths: """
        /a:
          get:
            operationId: getA
            parameters: [{$ref: "#/components/parameters/A"}]
            responses: {"200": {$ref: "#/components/responses/A"}}
        /b:
          get:
            operationId: getB
            parameters: [{$ref: "#/components/parameters/B"}]
            responses: {"200": {$ref: "#/components/responses/B"}}
        """,
      components: """
        parameters:
          A: {name: a, in: query, schema: {type: string, not: {enum: [a]}}}
          B: {name: b, in: query, schema: {type: string, not: {enum: [a]}}}
        responses:
          A: {description: "", content: {application/json: {schema: {type: array, items: {$ref: "#/components/schemas/A"}}}}}
          B: {description: "", content: {application/json: {schema: {type: array, items: {$ref: "#/components/schemas/B"}}}}}
        schemas:
          A: {type: string, not: {enum: [a]}}
          B: {type: string, not: {enum: [a]}}
        """)
    let result = try OpenAPIImporter().importDocument(Array(text.utf8))
    let chosen = CatalogueSelection(["getA"]).applied(to: result.catalogue)
    let places = result.warnings(of: chosen).filter { $0.message.hasPrefix("`not`") }.map(\.pointer)
    #expect(Set(places) == ["#/components/parameters/A/schema", "#/components/schemas/A"])
  }
}
