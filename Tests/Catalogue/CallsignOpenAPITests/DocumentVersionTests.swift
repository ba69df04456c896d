import CallsignCatalogue
import Testing

@testable import CallsignOpenAPI

@Suite("OpenAPI 3.2") struct DocumentVersionTests {
  @Test("QUERY and other methods are operations, and methods that a catalogue cannot have are warnings") func methods()
    throws
  {
    let imported = try Imported(
      document(
        version: "3.2.0",
        paths: """
          /pets:
            query:
              operationId: searchPets
              requestBody: {content: {application/json: {schema: {type: object, properties: {text: {type: string}}}}}}
              responses: {"204": {description: ""}}
            additionalOperations:
              COPY: {operationId: copyPets, responses: {"204": {description: ""}}}
              FROB: {operationId: frobPets, responses: {"204": {description: ""}}}
          """))
    try #expect(imported.endpoint("searchPets") == "call: QUERY /pets\nparams:\n  text: string?")
    try #expect(imported.endpoint("copyPets") == "call: COPY /pets")
    #expect(imported.warnings == ["the method FROB cannot be expressed in a catalogue; the operation is left out"])
    imported.expectRoundTrip()
  }

  @Test("Records of sequences have the type of `itemSchema`, and media types may be references") func sequences() throws
  {
    let imported = try Imported(
      document(
        version: "3.2.0",
        paths: """
          /a:
            get:
              operationId: getA
              responses:
                "200": {description: "", content: {application/jsonl: {itemSchema: {$ref: "#/components/schemas/Pet"}}}}
          /b:
            get:
              operationId: getB
              responses: {"200": {description: "", content: {application/json: {$ref: "#/components/mediaTypes/Pets"}}}}
          /c:
            get:
              operationId: getC
              responses:
                "200": {description: "", content: {application/json-seq: {itemSchema: {$ref: "#/components/schemas/Pet"}}}}
          """,
        components: """
          mediaTypes: {Pets: {schema: {type: array, items: {$ref: "#/components/schemas/Pet"}}}}
          schemas: {Pet: {type: object, properties: {name: {type: string}}}}
          """))
    try #expect(imported.endpoint("getA") == "call: GET /a\nreturns: Pet\nstream: lines")
    try #expect(imported.endpoint("getB") == "call: GET /b\nreturns: [Pet]")
    try #expect(imported.endpoint("getC") == "call: GET /c\naccept: application/json-seq\nreturns: bytes")
    #expect(
      imported.warnings == [
        "the records of application/json-seq (`itemSchema`) cannot be separated; the response is bytes"
      ])
    imported.expectRoundTrip()
  }

  @Test("JSON in the data of an event has the type that the document has for it") func dataOfEvents() throws {
    let data =
      "{type: string, contentMediaType: application/json, contentSchema: {$ref: '#/components/schemas/Message'}}"
    let imported = try Imported(
      document(
        version: "3.2.0",
        paths: """
          /chat:
            get:
              operationId: chat
              responses:
                "200": {description: "", content: {text/event-stream: {itemSchema: {$ref: '#/components/schemas/Event'}}}}
          """,
        components: """
          schemas:
            Event: {type: object, required: [data], properties: {event: {type: string}, data: \(data)}}
            Message: {type: object, properties: {text: {type: string}, data: \(data)}}
          """))
    #expect(try imported.model("Event") == "Event:\n  event: string?\n  data: Message")
    #expect(try imported.model("Message") == "Message:\n  text: string?\n  data: string?")
    imported.expectRoundTrip()
  }

  @Test("A parameter that is the whole query is one for each of its members") func queryString() throws {
    let object = "{type: object, required: [a], properties: {a: {type: string}, b: {type: integer}}}"
    let imported = try Imported(
      document(
        parameters: """
          {name: q, in: querystring, required: true, content: {application/x-www-form-urlencoded: {schema: \(object)}}}
          {name: json, in: querystring, content: {application/json: {schema: \(object)}}}
          """, version: "3.2.0"))
    try #expect(imported.endpoint("getPets") == "call: GET /pets\nparams:\n  a: string\n  b: int?")
    #expect(
      imported.warnings == [
        "the object `q` becomes a parameter for each of its members",
        "`json` is the whole query in its own form, which a catalogue cannot express; it is left out",
      ])
    imported.expectRoundTrip()
  }

  @Test("`$self` is the document, and files next to it are next to the file") func ownURI() throws {
    let text = """
      $self: https://api.example/docs/openapi.yaml
      \(document(responding: "{$ref: 'https://api.example/docs/openapi.yaml#/components/schemas/Pet'}", schemas: """
        Pet: {type: object, properties: {owner: {$ref: 'https://api.example/docs/people.yaml#/Owner'}}}
        """))
      """
    let options = ImportOptions(readFile: { path in
      path == "people.yaml" ? Array("Owner: {type: object, properties: {name: {type: string}}}".utf8) : nil
    })
    let imported = try Imported(text, options: options)
    try #expect(imported.model("Pet") == "Pet:\n  owner: Owner?")
    try #expect(imported.model("Owner") == "Owner:\n  name: string?")
    imported.expectRoundTrip()
  }

  @Test("Facts of a login, a tag and a discriminator that a catalogue cannot express are notes or warnings")
  func notes()
    throws
  {
    let imported = try Imported(
      document(
        version: "3.2.0", paths: "/a: {get: {operationId: getA, security: [{o: [read]}], responses: {\"204\": {}}}}",
        components: """
          securitySchemes:
            o:
              type: oauth2
              oauth2MetadataUrl: https://a.example/meta
              flows:
                deviceAuthorization: {deviceAuthorizationUrl: "https://a.example/device", tokenUrl: "https://a.example/token", scopes: {read: ""}}
          """, more: "tags: [{name: a, parent: b, kind: nav}]"))
    try #expect(imported.endpoint("getA") == "call: GET /a\nauth: [oauth2(read)]")
    let notes = imported.result.warnings.map(\.message)
    for note in [
      "the tag `a` belongs to `b`; each has a separate file", "the catalogue has no word for `kind`",
      "the provider describes itself at https://a.example/meta: give that to the login",
      "give these to the login (deviceAuthorization): deviceAuthorizationUrl https://a.example/device, "
        + "tokenUrl https://a.example/token",
    ] {
      #expect(notes.contains(note), "\(notes)")
    }
  }

  @Test("Two references to a file's schema are one model, with its name") func modelsOfFiles() throws {
    let files = [
      "models/pets.yaml": """
      Pet: {type: object, properties: {name: {type: string}, next: {$ref: '#/Pet'}, owner: {$ref: '../people.yaml#/Owner'}}}
      """,
      "people.yaml": "Owner: {type: object, properties: {pet: {$ref: './models/pets.yaml#/Pet'}}}",
    ]
    let options = ImportOptions(readFile: { path in files[path].map { Array($0.utf8) } })
    let imported = try Imported(
      document(
        responding:
          "{type: object, properties: {a: {$ref: 'models/pets.yaml#/Pet'}, b: {$ref: './models/pets.yaml#/Pet'}, "
          + "o: {$ref: 'people.yaml#/Owner'}}}"), options: options)
    try #expect(imported.model("GetPetsResponse") == "GetPetsResponse:\n  a: Pet?\n  b: Pet?\n  o: Owner?")
    try #expect(imported.model("Pet") == "Pet:\n  name: string?\n  next: indirect Pet?\n  owner: Owner?")
    #expect(imported.catalogue.groups.flatMap(\.models).count == 3)
    imported.expectRoundTrip()
  }
}
