import CallsignCatalogue
import Testing

@testable import CallsignOpenAPI

/// The bodies of errors, and header fields of responses.
@Suite struct ErrorImportTests {
  private func operation(_ name: String, _ responses: String) -> String {
    "/\(name): {get: {operationId: \(name), responses: {\(responses)}}}"
  }

  private func json(_ status: String, _ schema: String, type: String = "application/json", headers: String = "")
    -> String
  {
    "'\(status)': {description: '', headers: {\(headers)}, content: {\(type): {schema: \(schema)}}}"
  }

  private let problem = "{type: object, properties: {errors: {type: array, items: {type: string}}}}"

  @Test("An error's body that is described in its place is a model, one for all that have it") func inlineErrors()
    throws
  {
    let other =
      "{type: object, properties: {code: {type: integer}, source: {type: object, properties: {a: {type: string}}}}}"
    let imported = try Imported(
      document(
        paths: [
          operation("getPet", json("422", problem) + ", " + json("404", other)),
          operation("getOwner", json("422", problem)), operation("getCage", json("4XX", problem)),
          operation("a", "'204': {description: ''}"), operation("b", "'204': {description: ''}"),
        ].joined(separator: "\n")))
    #expect(try imported.endpoint("getPet").contains("errors: {\"422\": ErrorBody, \"404\": GetPetErrorBody}"))
    #expect(try imported.endpoint("getOwner").contains("errors: {\"422\": ErrorBody}"))
    #expect(try imported.endpoint("getCage").contains("errors: {\"4xx\": ErrorBody}"))
    #expect(try imported.model("ErrorBody") == "ErrorBody:\n  errors: \"[string]?\"")
    #expect(try imported.model("GetPetErrorBody").contains("  source: GetPetErrorBodySource?"))
    imported.expectRoundTrip()
  }

  @Test("If an error's body equals the operation's response, they have the same model") func errorsLikeResponses()
    throws
  {
    let imported = try Imported(
      document(paths: operation("getPet", json("200", problem) + ", " + json("default", problem))))
    #expect(try imported.endpoint("getPet").contains("returns: GetPetResponse\nerrors: {default: GetPetResponse}"))
    imported.expectRoundTrip()
  }

  @Test("An error that the document has once for several operations gives its name to the body")
  func sharedErrors() throws {
    let imported = try Imported(
      document(
        paths: [
          operation("getPet", "'404': {$ref: '#/components/responses/not_found'}"),
          operation("getOwner", "'404': {$ref: '#/components/responses/RateError'}"),
          operation("a", "'204': {description: ''}"),
        ].joined(separator: "\n"),
        components: """
          responses:
            not_found: {description: "", content: {application/json: {schema: \(problem)}}}
            RateError: {description: "", content: {application/json: {schema: {type: object, properties: {a: {type: string}}}}}}
          """))
    #expect(try imported.endpoint("getPet").contains("{\"404\": NotFoundErrorBody}"))
    #expect(try imported.endpoint("getOwner").contains("{\"404\": RateErrorBody}"))
    imported.expectRoundTrip()
  }

  @Test("An error's body that is like a member of another error is named once") func errorsWithinErrors() throws {
    let message = "{type: object, properties: {message: {type: string}}}"
    let imported = try Imported(
      document(
        paths: operation(
          "getPet",
          json("401", message) + ", "
            + json("404", "{type: object, properties: {errors: {type: array, items: \(message)}}}"))))
    let used = Set(try imported.endpoint("getPet").split { !$0.isLetter && !$0.isNumber }.map(String.init))
    let bodies = imported.catalogue.groups.flatMap(\.models).map(\.name).filter { $0.hasSuffix("ErrorBody") }
    #expect(bodies.count == 2 && bodies.allSatisfy(used.contains), "\(bodies)")
    imported.expectRoundTrip()
  }

  @Test("Lists and maps of errors keep their type") func listsOfErrors() throws {
    let imported = try Imported(
      document(
        paths: operation(
          "getPet",
          [
            json("400", "{type: array, items: {$ref: '#/components/schemas/Problem'}}"),
            json("404", "{type: array, items: {type: object, properties: {a: {type: string}}}}"),
            json("409", "{type: object, additionalProperties: {type: string}}"), json("410", "{type: object}"),
            json("411", "{}"),
          ].joined(separator: ", ")),
        components: "schemas: {Problem: {type: object, properties: {b: {type: string}}}}"))
    #expect(
      try imported.endpoint("getPet")
        == "call: GET /getPet\nerrors: {\"400\": [Problem], \"404\": [PetError], \"409\": {string}}")
    imported.expectRoundTrip()
  }

  private func notes(_ imported: Imported) -> [String] {
    imported.result.warnings.filter { $0.severity == .note }.map(\.description)
  }

  @Test("Error bodies without a type in a catalogue are reported, each kind once") func untypedErrors() throws {
    let imported = try Imported(
      document(
        paths: [
          operation("getPet", json("400", "{type: string}", type: "text/plain") + ", " + json("404", "{type: string}")),
          operation("getOwner", json("400", "{type: string}", type: "text/plain")),
        ].joined(separator: "\n")))
    #expect(
      notes(imported) == [
        "#/paths/~1getPet/get/responses/400/content: note: an error's body that is not JSON has no type in a catalogue; it is "
          + "in `error.rawResponse`, here and in 1 other place",
        "#/paths/~1getPet/get/responses/404: note: an error's body that is a single value has no type in a catalogue; it is "
          + "in `error.rawResponse`",
      ])
    imported.expectRoundTrip()
  }

  @Test("Header fields that do not become members of a response are reported") func headersElsewhere() throws {
    let header = "X-Id: {schema: {type: string}}, ETag: {schema: {type: string}}"
    let imported = try Imported(
      document(
        paths: [
          operation("getPet", json("200", "{type: string}", headers: header)),
          operation("getOwner", "'204': {description: '', headers: {\(header)}}"),
          operation(
            "getCage", json("200", problem, headers: header) + ", '202': {description: '', headers: {\(header)}}"),
          operation("getRoom", "'204': {description: '', headers: {ETag: {schema: {type: string}}}}"),
        ].joined(separator: "\n")))
    #expect(try imported.endpoint("getCage").contains("response_headers:\n  X-Id: string"))
    #expect(
      notes(imported) == [
        "#/paths/~1getOwner/get/responses/204/headers: note: \(ResponseReader.headersElsewhere), here and in 2 other places"
      ])
    imported.expectRoundTrip()
  }

  @Test("Header fields of other types become texts, which is reported, also for errors") func headersAsText() throws {
    let imported = try Imported(
      document(
        paths: operation(
          "getPet",
          json(
            "200", problem,
            headers: """
              X-Id: {schema: {type: string, format: uuid}}, X-List: {schema: {type: array, items: {type: integer}}}, \
              X-Object: {content: {application/json: {schema: {type: object}}}}, X-Count: {schema: {type: integer}}, \
              bad name: {schema: {type: string}}
              """) + ", '400': {description: '', headers: {X-Why: {schema: {type: string}}}}")))
    #expect(
      try imported.endpoint("getPet").contains("X-Id: string\n  X-List: string\n  X-Object: string\n  X-Count: int"))
    #expect(imported.warnings == ["`bad name` cannot be a header's name (RFC 9110 §5.1); it is left out"])
    #expect(
      notes(imported) == [
        "#/paths/~1getPet/get/responses/200/headers/X-Id: note: a header field is a text, a number, a flag or a date; this one "
          + "is read as text, here and in 2 other places",
        "#/paths/~1getPet/get/responses/400/headers: note: the header fields of errors are only in `error.rawResponse`",
      ])
    imported.expectRoundTrip()
  }
}
