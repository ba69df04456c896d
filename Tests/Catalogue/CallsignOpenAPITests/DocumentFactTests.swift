import CallsignCatalogue
import CallsignJSON
import Foundation
import Testing

@testable import CallsignOpenAPI

/// Defaults, examples, links and cookies of documents.
@Suite struct DocumentFactTests {
  @Test("Defaults are kept if they fit, and a note names the others") func defaults() throws {
    let imported = try Imported(
      document(
        parameters: """
          {name: limit, in: query, schema: {type: integer, default: "20"}}
          {name: tags, in: query, schema: {type: array, items: {type: string}, default: [a, "true"]}}
          {name: ratio, in: query, schema: {type: number, default: 0.5}}
          {name: days, in: query, schema: {type: integer, default: many}}
          {name: sure, in: query, required: true, schema: {type: boolean, default: false}}
          {name: sort, in: query, schema: {$ref: "#/components/schemas/Sort"}}
          """, schemas: "Sort: {type: string, enum: [up, down], default: up}"))
    try #expect(
      imported.endpoint("getPets") == """
        call: GET /pets
        params:
          limit: {type: "int?", default: 20}
          tags: {type: "[string]?", default: [a, true], list: repeat}
          ratio: {type: "number?", default: 0.5}
          days: int?
          sure: bool
          sort: {type: "Sort?", default: up}
        """)
    #expect(imported.warnings == [])
    let notes = imported.result.warnings.map(\.message).filter { $0.contains("default") }
    #expect(
      notes == [
        "the default `many` of `days` is not a value of its type; it is left out",
        "`sure` must be sent, so its default `false` has no effect; it is left out",
      ])
    imported.expectRoundTrip()
  }

  @Test("Examples of responses, models and members are kept next to the catalogue") func examples() throws {
    let imported = try Imported(
      document(
        paths: """
          /pets/{id}:
            get:
              operationId: getPet
              parameters: [{name: id, in: path, required: true, schema: {type: string}}]
              responses:
                "200":
                  description: ""
                  content:
                    application/json:
                      schema: {$ref: "#/components/schemas/Pet"}
                      examples: {rex: {$ref: "#/components/examples/Rex"}, bella: {value: {id: "8", name: Bella}}}
          """,
        components: """
          examples: {Rex: {value: {id: "7", name: "Rex \\u00e4\\\"", owner: {age: 007}}}}
          schemas:
            Pet:
              type: object
              properties:
                id: {type: string}
                name: {type: string, example: Fido}
                owner: {type: object, example: {age: 4}, properties: {age: {type: integer, example: 41}}}
            Unused: {type: string}
          """))
    let file = try #require(imported.files.first { $0.path == "examples.json" })
    let value = try JSONValue(jsonString: file.text)
    #expect(
      value["responses"] == [
        "getPet": [
          ["id": "7", "name": "Rex \u{e4}\"", "owner": ["age": "007"]], ["id": "8", "name": "Bella"],
        ]
      ])
    #expect(value["fields"]?["Pet"] == ["name": ["Fido"], "owner": [["age": 4]]])
    #expect(value["fields"]?["PetOwner"] == ["age": [41]])
    #expect(file.text.hasPrefix(CatalogueExamples.mark))
    imported.expectRoundTrip()
  }

  @Test("The one value that a member of a response can have is an example of it") func constants() throws {
    let imported = try Imported(
      document(
        responding: """
          {type: object, properties: {object: {const: list}, version: {type: integer, enum: [2]}, \
          user: {type: object, properties: {type: {const: user}}}, none: {type: object, additionalProperties: false}, \
          team: {type: object, properties: {type: {const: team}}}, \
          kind: {$ref: '#/components/schemas/Kind'}, own: {const: a, example: b}, of: {enum: [x, y]}}}
          """, schemas: "Kind: {type: string, enum: [pets]}"))
    let file = try #require(imported.files.first { $0.path == "examples.json" })
    for line in [
      #""object": ["list"]"#, #""type": ["user"]"#, #""type": ["team"]"#, #""none": [{}]"#, #""version": [2]"#,
      #""kind": ["pets"]"#, #""own": ["b"]"#,
    ] {
      #expect(file.text.contains(line), "\(file.text)")
    }
    #expect(!file.text.contains(#""of""#))
  }

  @Test("Mocks know the members that every response has, possibly as null") func presentMembers() throws {
    let pet = """
      {type: object, required: [id, died, owner], properties: {id: {type: string}, died: {type: string, nullable: true}, \
      owner: {nullable: true, allOf: [{type: object, properties: {name: {type: string}}}]}, \
      nick: {type: string, nullable: true}}}
      """
    let imported = try Imported(document(responding: "{$ref: '#/components/schemas/Pet'}", schemas: "Pet: \(pet)"))
    let file = try #require(imported.files.first { $0.path == "examples.json" })
    #expect(try JSONValue(jsonString: file.text)["present"] == ["Pet": ["died", "owner"]])
    try #expect(imported.model("Pet").contains("died: string?\n"))
    imported.expectRoundTrip()
    // Values that are sent also have a type that says it.
    let sent = try Imported(document(sending: "{$ref: '#/components/schemas/Pet'}", schemas: "Pet: \(pet)"))
    #expect(sent.catalogue.examples == nil)
  }

  @Test("A document without examples makes no file of them") func noExamples() throws {
    let imported = try Imported(document(responding: "{type: object, properties: {a: {type: string}}}"))
    #expect(imported.catalogue.examples == nil && !imported.files.contains { $0.path == "examples.json" })
  }

  @Test("The operation's documentation lists a response's links, and one that leads nowhere is a warning")
  func links() throws {
    let imported = try Imported(
      document(
        paths: """
          /pets:
            post:
              operationId: addPet
              responses:
                "201":
                  description: ""
                  links:
                    get: {operationId: getPet, parameters: {id: "$response.body#/id"}}
                    ref: {operationRef: "#/paths/~1pets~1{id}/get"}
                    shared: {$ref: "#/components/links/Shared"}
                    lost: {operationRef: "#/paths/~1nowhere/get"}
          /pets/{id}:
            get:
              operationId: getPet
              parameters: [{name: id, in: path, required: true, schema: {type: string}}]
              responses: {"204": {description: ""}}
          """, components: "links: {Shared: {operationId: getPet, requestBody: $request.body}}"))
    let details =
      "The response leads to `getPet` (`id` from `$response.body#/id`), `getPet`, `getPet` (the body from `$request.body`)."
    try #expect(imported.endpoint("addPet").contains(details))
    #expect(imported.warnings == ["the link `lost` leads to no operation of the document; it is left out"])
    #expect(AdoptedText.texts(of: imported.catalogue)["addPet"] == nil)
    imported.expectRoundTrip()
  }

  @Test("A link by reference leads to an operation without a name") func linksToUnnamed() throws {
    let imported = try Imported(
      document(
        version: "3.2.0",
        paths: """
          /pets:
            post:
              operationId: addPet
              responses:
                "201":
                  description: ""
                  links:
                    get: {operationRef: "#/paths/~1pets~1%7Bid%7D/get"}
                    copy: {operationRef: "#/paths/~1pets~1{id}/additionalOperations/COPY"}
                    name: {operationRef: "#/paths/~1pets~1{id}~1name/get"}
                    lost: {operationRef: "#/paths/~1pets~1{id}/put"}
                    path: {operationRef: "#/paths/~1pets~1{id}"}
          /pets/{id}:
            $ref: "#/components/pathItems/Pet"
          /pets/{id}/name:
            parameters: [{name: id, in: path, required: true, schema: {type: string}}]
            get: {operationId: getName, responses: {"204": {description: ""}}}
          """,
        components: """
          pathItems:
            Pet:
              parameters: [{name: id, in: path, required: true, schema: {type: string}}]
              get: {responses: {"204": {description: ""}}}
              additionalOperations:
                COPY: {responses: {"204": {description: ""}}}
          """))
    try #expect(
      imported.endpoint("addPet").contains("The response leads to `getPet`, `copyPet`, `getName`."))
    #expect(
      imported.warnings
        == ["lost", "path"].map { "the link `\($0)` leads to no operation of the document; it is left out" })
    imported.expectRoundTrip()
  }

  @Test("Cookies are parameters") func cookies() throws {
    let imported = try Imported(
      document(
        parameters: """
          {name: session, in: cookie, schema: {type: string}}
          {name: ids, in: cookie, schema: {type: array, items: {type: integer}}}
          {name: "a b", in: cookie, schema: {type: string}}
          """))
    try #expect(
      imported.endpoint("getPets")
        == "call: GET /pets\nparams:\n  session: {type: \"string?\", in: cookie}\n  ids: {type: \"[int]?\", in: cookie}"
    )
    #expect(imported.warnings == ["`a b` cannot be a cookie's name (RFC 6265 §4.1.1); it is left out"])
    imported.expectRoundTrip()
  }

  @Test("Totals end pages, so no element is lost if a page has fewer than requested") func totals() throws {
    let imported = try Imported(
      document(
        paths: """
          /pets:
            get:
              operationId: getPets
              parameters: [{name: offset, in: query, schema: {type: integer}}, {name: limit, in: query, schema: {type: integer}}]
              responses:
                "200":
                  description: ""
                  content:
                    application/json:
                      schema:
                        type: object
                        properties:
                          data: {type: array, items: {type: object, properties: {id: {type: string}}}}
                          meta: {type: object, properties: {total: {type: integer}}}
          """))
    try #expect(
      imported.endpoint("getPets").hasSuffix("pages: {offset: offset, items: data, size: limit, total: meta.total}"))
    imported.expectRoundTrip()
  }
}
