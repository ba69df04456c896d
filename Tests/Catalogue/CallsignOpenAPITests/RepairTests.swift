import CallsignCatalogue
import Testing

@testable import CallsignOpenAPI

@Suite("Documents that are repaired") struct RepairTests {
  @Test(
    "A broken schema is any JSON, and a warning says so",
    arguments: [
      (
        "{$ref: '#/components/schemas/Nope'}", "refers to nothing: `components` does not exist; it is taken as any JSON"
      ),
      ("{$ref: 'other.yaml#/Pet'}", "is in another document, which was not read; it is taken as any JSON"),
      ("{type: strnig}", "`strnig` is not a type of JSON Schema; it is taken as any JSON"),
      ("[]", "a schema must be an object; it is taken as any JSON"),
      ("{type: 5}", "`type` must be a string or a list of strings; it is taken as any JSON"),
    ])
  func brokenSchema(schema: String, warning: String) throws {
    let imported = try Imported(document(responding: "{type: object, properties: {a: {type: string}, b: \(schema)}}"))
    #expect(try imported.model("GetPetsResponse").contains("a: string?"))
    #expect(try imported.model("GetPetsResponse").contains("b: json?"))
    #expect(imported.warnings.contains { $0.hasSuffix(warning) }, "\(imported.warnings)")
    imported.expectRoundTrip()
  }

  @Test(
    "A word that is not a type is replaced by its meaning",
    arguments: [
      ("int", "int?"), ("float", "number?"), ("bool", "bool?"), ("'string,'", "string?"), ("uuid", "string?"),
      ("date", "date(day)?"), ("datetime", "date?"), ("file", "string?"), ("Integer", "int?"),
    ])
  func wordForType(word: String, type: String) throws {
    let imported = try Imported(
      document(responding: "{type: object, properties: {a: {type: \(word)}, b: {type: string}}}"))
    #expect(try imported.model("GetPetsResponse").contains("a: \(type)\n"))
    #expect(imported.warnings.contains { $0.contains("is not a type of JSON Schema; it is taken as") })
  }

  @Test(
    "A keyword whose value is of the wrong type is taken as meant, or left out",
    arguments: [
      ("{type: integer, maximum: '100'}", "int(..100)?", "`maximum` must be a number; it is taken as one"),
      ("{type: integer, maximum: many}", "int?", "`maximum` must be a number; it is left out"),
      (
        "{type: string, nullable: 'true'}", "string | null?", "`nullable` must be `true` or `false`; it is taken as one"
      ),
      ("{type: string, pattern: 5}", "string?", "`pattern` must be a text; it is left out"),
      ("{type: string, enum: {a: 1}}", "string?", "`enum` must be a list; it is left out"),
      ("{type: object, properties: [a]}", "\"{json}?\"", "`properties` must be a mapping; it is left out"),
      ("{type: string, maxLength: ~}", "string?", nil),
    ])
  func brokenKeyword(schema: String, type: String, warning: String?) throws {
    let text = document(sending: "{type: object, properties: {value: \(schema)}}")
    let imported = try Imported(text)
    try #expect(imported.endpoint("addPet") == "call: POST /pets\nparams:\n  value: \(type)")
    #expect(imported.warnings == (warning.map { [$0] } ?? []))
    imported.expectRoundTrip()
    if warning != nil {
      #expect(throws: ImportError.self) { try Imported(text, options: ImportOptions(isStrict: true)) }
    }
  }

  @Test(
    "A keyword that describes values of another type is left out, and members of an array are its elements'",
    arguments: [
      ("{type: string, items: {type: integer}}", "string?", "`items` describes no string; it is left out"),
      ("{type: object, items: {type: integer}}", "\"{json}?\"", "`items` describes no object; it is left out"),
      (
        "{type: array, items: {type: string}, properties: {a: {type: string}}}", "\"[string]?\"",
        "`properties` describes no array; it is left out"
      ),
      (
        "{type: array, items: {type: object}, required: [a], properties: {a: {type: string}, b: {type: integer}}}",
        "\"[AddPetValue]?\"", "an array has no members; they are taken as those of its elements"
      ),
    ])
  func misplacedKeyword(schema: String, type: String, warning: String) throws {
    let imported = try Imported(document(sending: "{type: object, properties: {value: \(schema)}}"))
    try #expect(imported.endpoint("addPet") == "call: POST /pets\nparams:\n  value: \(type)")
    #expect(imported.warnings == [warning])
    if type.contains("AddPetValue") {
      try #expect(imported.model("AddPetValue") == "AddPetValue:\n  a: string\n  b: int?")
    }
    imported.expectRoundTrip()
  }

  @Test("A schema that is nothing but itself is any JSON")
  func schemaOfItself() throws {
    let imported = try Imported(
      document(
        responding: "{type: object, properties: {a: {$ref: '#/components/schemas/A'}, b: {type: string}}}",
        schemas: "A: {$ref: '#/components/schemas/B'}\nB: {$ref: '#/components/schemas/A'}"))
    #expect(try imported.model("GetPetsResponse").contains("a: json?"))
    imported.expectRoundTrip()
  }

  @Test("A base class that lists its variants is the union of them, and each has the base's members")
  func baseClassOfItsVariants() throws {
    let imported = try Imported(
      document(
        responding: "{$ref: '#/components/schemas/Animal'}",
        schemas: """
          Animal:
            type: object
            required: [kind, name]
            properties: {kind: {type: string}, name: {type: string}}
            discriminator: {propertyName: kind, mapping: {cat: '#/components/schemas/Cat', dog: '#/components/schemas/Dog'}}
            oneOf: [{$ref: '#/components/schemas/Cat'}, {$ref: '#/components/schemas/Dog'}]
          Cat: {allOf: [{$ref: '#/components/schemas/Animal'}, {type: object, properties: {lives: {type: integer}}}]}
          Dog: {allOf: [{$ref: '#/components/schemas/Animal'}, {type: object, properties: {tricks: {type: integer}}}]}
          """))
    let union = try imported.model("Animal")
    #expect(union.contains("cat: Cat"), "\(union)")
    #expect(union.contains("dog: Dog"), "\(union)")
    let cat = try imported.model("Cat")
    #expect(cat.contains("name: string\n") && cat.contains("lives: int?"), "\(cat)")
    imported.expectRoundTrip()
  }

  @Test("A parameter without a place is left out, and one of Swagger's places is a field")
  func parameterWithoutPlace() throws {
    let imported = try Imported(
      document(
        paths: """
          /pets:
            post:
              operationId: addPet
              parameters:
                - {name: lost, schema: {type: string}}
                - {name: nick, in: formData, type: string, required: true}
                - {$ref: '#/components/parameters/none'}
              responses: {"204": {description: ""}}
          """))
    #expect(try imported.endpoint("addPet") == "call: POST /pets\nbody: form\nparams:\n  nick: string")
    #expect(imported.warnings.contains("a parameter needs `name` and `in`; the parameter is left out"))
    #expect(imported.warnings.contains { $0.contains("`nick` is a field of the form") })
  }

  @Test(
    "Swagger's fields next to a `requestBody` join its form, and are left out of other bodies",
    arguments: [
      ("application/x-www-form-urlencoded", "{type: object, properties: {nick: {type: string}}}", ["nick", "born"]),
      ("multipart/form-data", "{type: object, properties: {photo: {type: string}}}", ["photo", "nick", "born"]),
      ("application/json", "{type: object, properties: {name: {type: string}}}", ["name"]),
      ("application/json", "{type: array, items: {type: string}}", ["body"]), ("image/png", "{}", ["body"]),
    ])
  func fieldsBesideBody(type: String, schema: String, names: [String]) throws {
    let imported = try Imported(
      document(
        paths: """
          /pets:
            delete:
              operationId: addPet
              parameters:
                - {name: nick, in: formData, schema: {type: string}}
                - {name: born, in: formData, schema: {type: string}}
              requestBody: {content: {\(type): {schema: \(schema)}}}
              responses: {"204": {description: ""}}
          """))
    #expect(imported.catalogue.groups.flatMap(\.endpoints).first?.parameters.map(\.name) == names)
    let lost = ["nick", "born"].filter { !names.contains($0) || names == ["nick", "born"] && $0 == "nick" }
    #expect(
      imported.warnings.filter { $0.hasPrefix("there is") }
        == lost.map { "there is a `requestBody`, so `\($0)`, `in: formData`, is left out" })
    imported.expectRoundTrip()
  }

  @Test("A strict import refuses documents that another import repairs")
  func strict() {
    #expect(throws: ImportError.self) {
      try Imported(document(responding: "{type: strnig}"), options: ImportOptions(isStrict: true))
    }
  }

  // MARK: Servers

  private func hosts(_ servers: String, options: ImportOptions = ImportOptions()) throws -> [String] {
    let text = """
      openapi: 3.0.0
      info: {title: Pets, version: "1"}
      servers: \(servers)
      paths: {/a: {get: {operationId: getA, responses: {"204": {description: ""}}}}}
      """
    let imported = try Imported(text, options: options)
    imported.expectRoundTrip()
    return imported.catalogue.api.hosts.map { "\($0.name) \($0.url)" }
  }

  @Test(
    "A document's servers become hosts that a catalogue accepts",
    arguments: [
      ("[]", ["api https://server.invalid"]),
      ("[{url: /v1/}]", ["api https://server.invalid/v1"]),
      ("[{url: 'http://a.example/v1'}]", ["api http://a.example/v1"]),
      ("[{url: 'http://a.example'}, {url: 'https://a.example'}]", ["api https://a.example"]),
      ("[{url: 'https://{where}.a.example/{v}'}]", ["api https://{where}.a.example/{v}"]),
      ("[{url: 'https://{r}.a.example', variables: {r: {enum: [eu, us]}}}]", ["api https://{r}.a.example"]),
      (
        "[{url: '{scheme}://{host}/v1', variables: {scheme: {default: https}, host: {default: a.example}}}]",
        ["api https://{host}/v1"]
      ),
      ("[{url: '{base}/v1'}]", ["api https://server.invalid/base/v1"]),
      ("[{url: 'https://{h}/v1', variables: {h: {default: 'a.example/x'}}}]", ["api https://a.example/x/v1"]),
      ("[{url: '//a.example'}]", ["api https://a.example"]),
      ("[{url: 'https://a.example?x=1'}, {description: none}]", ["api https://server.invalid"]),
      (
        "[{url: 'https://a.example'}, {url: 'https://b-2.example'}]",
        ["api https://a.example", "b2 https://b-2.example"]
      ),
    ])
  func servers(servers: String, expected: [String]) throws {
    #expect(try hosts(servers) == expected)
  }

  @Test("Servers are replaced by name")
  func serversByName() throws {
    let two = "[{url: 'https://a.example'}, {url: 'https://files.example'}]"
    #expect(try hosts(two, options: ImportOptions(servers: ["api": "https://c.example/"])) == ["api https://c.example"])
    #expect(
      try hosts(two, options: ImportOptions(servers: ["files": "https://d.example"]))
        == ["api https://a.example", "files https://d.example"])
  }

  // MARK: Other forms of documents

  @Test("JSON's escapes of surrogate pairs are read")
  func surrogatePairs() throws {
    let text =
      #"{"openapi":"3.0.0","info":{"title":"Pets","version":"1"},"servers":[{"url":"https://a.example"}],"#
      + #""paths":{"/a":{"get":{"operationId":"getA","summary":"\uD83D\uDE00 all","responses":{"204":{}}}}}}"#
    let imported = try Imported(text, options: ImportOptions(copiesSummaries: true))
    #expect(imported.catalogue.groups.flatMap(\.endpoints).first?.summary == "😀 all")
  }

  @Test("Files next to the document are read, and can refer to each other")
  func otherFiles() throws {
    let files = [
      "schemas/pet.yaml":
        "{type: object, properties: {owner: {$ref: 'people.json#/definitions/Owner'}, friend: {$ref: pet.yaml}}}",
      "schemas/people.json": #"{"definitions":{"Owner":{"type":"object","properties":{"pet":{"$ref":"./pet.yaml"}}}}}"#,
    ]
    let options = ImportOptions(readFile: { path in files[path].map { Array($0.utf8) } })
    let imported = try Imported(document(responding: "{$ref: './schemas/pet.yaml'}"), options: options)
    let pet = try imported.model("Pet")
    #expect(pet.contains("owner: indirect Owner?") && pet.contains("friend: indirect Pet?"), "\(pet)")
    #expect(try imported.model("Owner").contains("pet: "))
    imported.expectRoundTrip()
  }

  @Test("Webhooks' payloads become models, also without any operation")
  func webhooks() throws {
    let text = """
      openapi: 3.1.0
      info: {title: Pets, version: "1"}
      webhooks:
        petBorn:
          post:
            requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/Born'}}}}
            responses: {"200": {description: ""}}
        pet.moved:
          post:
            requestBody:
              content:
                application/json:
                  schema: {type: object, required: [to], properties: {to: {type: object, properties: {town: {type: string}}}}}
      components:
        schemas:
          Born: {type: object, required: [id], properties: {id: {type: string}}}
      """
    let imported = try Imported(text)
    #expect(try imported.model("Born") == "Born:\n  id: string")
    #expect(try imported.model("PetMovedPayload") == "PetMovedPayload:\n  to: PetMovedPayloadTo")
    imported.expectRoundTrip()
  }

  @Test("A Swagger 2.0 document gives the same as the OpenAPI 3 document of the same API")
  func swagger() throws {
    let swagger = """
      swagger: "2.0"
      info: {title: Pet Store, version: "7"}
      host: pets.example
      basePath: /v2
      schemes: [https, http]
      consumes: [application/json]
      securityDefinitions:
        login: {type: oauth2, flow: accessCode, authorizationUrl: 'https://a.example', tokenUrl: 'https://b.example', scopes: {read: See}}
      parameters:
        limit: {name: limit, in: query, type: integer, maximum: 50}
        pet: {name: pet, in: body, required: true, schema: {$ref: '#/definitions/Pet'}}
      paths:
        /pets:
          get:
            operationId: getPets
            security: [{login: [read]}]
            parameters:
              - {$ref: '#/parameters/limit'}
              - {name: tags, in: query, type: array, collectionFormat: multi, items: {type: string}}
            responses: {"200": {description: "", schema: {type: array, items: {$ref: '#/definitions/Pet'}}}}
          post:
            operationId: addPet
            parameters: [{$ref: '#/parameters/pet'}]
            responses: {"204": {description: ""}}
        /pets/{id}/photo:
          post:
            operationId: addPhoto
            consumes: [multipart/form-data]
            parameters:
              - {name: id, in: path, required: true, type: string}
              - {name: photo, in: formData, required: true, type: file}
              - {name: title, in: formData, type: string}
            responses: {"204": {description: ""}}
      definitions:
        Pet: {type: object, required: [name], properties: {name: {type: string}, age: {type: integer, x-nullable: true}}}
      """
    let imported = try Imported(swagger)
    #expect(imported.catalogue.api.hosts.map(\.url) == ["https://pets.example/v2"])
    let pets = try imported.endpoint("getPets")
    #expect(pets.contains("params:\n  limit: int(..50)?\n  tags: {type: \"[string]?\", list: repeat}"), "\(pets)")
    #expect(pets.contains("oauth2(read)"))
    #expect(try imported.endpoint("addPet").contains("name: string"))
    let photo = try imported.endpoint("addPhoto")
    #expect(photo.contains("photo: file") && photo.contains("body: multipart"), "\(photo)")
    imported.expectRoundTrip()
  }
}
