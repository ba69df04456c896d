import CallsignCatalogue
import Testing

@testable import CallsignOpenAPI

@Suite("Import of references") struct ReferenceImportTests {
  private static let schemas = """
    Name: {type: string, maxLength: 10}
    Tags: {type: array, items: {type: string}}
    Kind: {type: string, enum: [cat, dog, cow]}
    Owner: {type: object, properties: {name: {type: string}}}
    """

  @Test(
    "Keywords next to a reference apply together with its target, as do parts of `allOf` without a type",
    arguments: [
      ("{$ref: '#/components/schemas/Name', maxLength: 3}", "string(..3)?"),
      ("{$ref: '#/components/schemas/Name', minLength: 3}", "string(3..10)?"),
      ("{$ref: '#/components/schemas/Name', pattern: '^a'}", "string(..10, /^a/)?"),
      ("{$ref: '#/components/schemas/Name', description: The short one}", "Name?"),
      ("{$ref: '#/components/schemas/Name', default: bob}", "{type: \"Name?\", default: bob}"),
      ("{$ref: '#/components/schemas/Name', enum: [x, y]}", "AddPetValue?"),
      ("{$ref: '#/components/schemas/Tags', maxItems: 2}", "\"[string](..2)?\""),
      ("{$ref: '#/components/schemas/Kind', enum: [dog, hen]}", "AddPetValue?"),
      ("{$ref: '#/components/schemas/Kind', minLength: 3}", "Kind?"),
      ("{$ref: '#/components/schemas/Owner', type: object}", "Owner?"),
      ("{allOf: [{$ref: '#/components/schemas/Name'}], maxLength: 4}", "string(..4)?"),
      ("{allOf: [{$ref: '#/components/schemas/Name'}, {minLength: 4}]}", "string(4..10)?"),
      ("{allOf: [{$ref: '#/components/schemas/Kind'}, {enum: [cat, dog, cow]}]}", "Kind?"),
    ])
  func siblings(schema: String, type: String) throws {
    let imported = try Imported(
      document(sending: "{type: object, properties: {value: \(schema)}}", schemas: Self.schemas, version: "3.1.0"))
    try #expect(imported.endpoint("addPet") == "call: POST /pets\nparams:\n  value: \(type)")
    #expect(imported.warnings == [])
    imported.expectRoundTrip()
  }

  @Test("Members next to a reference join those of its target object")
  func membersBesideReference() throws {
    let owner =
      "{$ref: '#/components/schemas/Owner', properties: {age: {type: integer}}, required: [age, name]}"
    let imported = try Imported(
      document(responding: "{type: object, properties: {id: {type: string}, owner: \(owner)}}", schemas: Self.schemas))
    #expect(try imported.model("GetPetsResponseOwner") == "GetPetsResponseOwner:\n  name: string\n  age: int")
    #expect(imported.warnings == [])
    imported.expectRoundTrip()
  }

  @Test("Two enums of one `allOf` are the values that both have")
  func enumsOfBoth() throws {
    let kind = "{allOf: [{$ref: '#/components/schemas/Kind'}, {type: string, enum: [dog, hen, cat]}]}"
    let imported = try Imported(
      document(responding: "{type: object, properties: {kind: \(kind)}}", schemas: Self.schemas))
    #expect(try imported.model("GetPetsResponseKind") == "GetPetsResponseKind: enum [dog, cat]")
    let none = try Imported(
      document(
        responding: "{type: object, properties: {kind: {$ref: '#/components/schemas/Kind', enum: [hen]}}}",
        schemas: Self.schemas))
    #expect(none.warnings == ["no value is in both enums of `allOf`; it is taken as any JSON"])
  }

  @Test("A reference by an anchor leads to the schema that has it")
  func anchors() throws {
    let imported = try Imported(
      document(
        responding: """
          {type: object, properties: {a: {$ref: '#address'}, n: {$dynamicRef: '#node'}, gone: {$ref: '#gone'}, all: {$ref: '#'}}}
          """,
        schemas: """
          Address: {$anchor: address, type: object, properties: {street: {type: string}}}
          Node:
            $dynamicAnchor: node
            type: object
            properties: {children: {type: array, items: {$dynamicRef: '#node'}}}
          """))
    let model = "GetPetsResponse:\n  a: Address?\n  \"n\": Node?\n  gone: json?\n  all: json?"
    #expect(try imported.model("GetPetsResponse") == model)
    #expect(try imported.model("Node") == "Node:\n  children: \"[Node]?\"")
    #expect(
      imported.warnings == [
        "`#gone` refers to nothing: no schema has this `$anchor`; it is taken as any JSON",
        "`#` is the whole document, which describes no value; it is taken as any JSON",
      ])
    imported.expectRoundTrip()
  }

  @Test("An anchor of another file is searched for there")
  func anchorsOfFiles() throws {
    let file = """
      schemas:
        Address: {$anchor: address, type: object, properties: {owner: {$ref: '#owner'}}}
        Owner: {$anchor: owner, type: object, properties: {name: {type: string}}}
      """
    let text = document(responding: "{$ref: 'types.yaml#address'}")
    let imported = try Imported(
      text, options: ImportOptions(readFile: { $0 == "types.yaml" ? Array(file.utf8) : nil }))
    #expect(try imported.model("Address") == "Address:\n  owner: Owner?")
    #expect(imported.warnings == [])
    imported.expectRoundTrip()
  }

  @Test(
    "A base class is one of its own variants if the document says so",
    arguments: [
      (
        "kind: {type: string}", "mapping: {base: '#/components/schemas/Base', sub: '#/components/schemas/Sub'}",
        ["base", "sub"]
      ),
      ("kind: {type: string, enum: [Base, Sub]}", "x-none: 1", ["Base", "Sub"]),
      ("kind: {type: string}", "mapping: {sub: '#/components/schemas/Sub'}", ["sub"]),
    ])
  func baseClass(member: String, mapping: String, tags: [String]) throws {
    let imported = try Imported(
      document(
        responding: "{$ref: '#/components/schemas/Base'}",
        schemas: """
          Base:
            type: object
            discriminator: {propertyName: kind, \(mapping)}
            properties: {\(member), a: {type: string}}
          Sub: {allOf: [{$ref: '#/components/schemas/Base'}, {type: object, properties: {b: {type: string}}}]}
          """))
    let base = try #require(imported.catalogue.groups.flatMap(\.models).first { $0.name == "Base" })
    guard case .union(let union) = base.shape else {
      Issue.record("no union: \(base.shape)")
      return
    }
    #expect(union.variants.flatMap(\.tags) == tags)
    imported.expectRoundTrip()
  }

  @Test("References may have characters percent-encoded that the names have plain") func encodedReferences() throws {
    func imported(_ list: String, _ owner: String) throws -> Imported {
      try Imported(
        document(
          responding: "{$ref: '#/components/schemas/\(list)'}",
          schemas: """
            Page«Pet»: {type: object, properties: {owner: {$ref: '#/components/schemas/\(owner)'}}}
            Pet Owner: {type: object, properties: {name: {type: string}}}
            100%: {type: object, properties: {whole: {type: boolean}}}
            """))
    }
    for (list, owner) in [("Page«Pet»", "Pet Owner"), ("Page%C2%ABPet%C2%BB", "Pet%20Owner")] {
      let imported = try imported(list, owner)
      #expect(try imported.endpoint("getPets").contains("returns: PagePet"))
      #expect(try imported.model("PagePet") == "PagePet:\n  owner: PetOwner?")
      #expect(imported.warnings == [])
    }
    let whole = try imported("100%25", "Pet Owner").endpoint("getPets")
    #expect(!whole.contains("json"), "\(whole)")
  }

  @Test("A path next to its reference has its own operations, parameters and servers") func besidePathReference()
    throws
  {
    let imported = try Imported(
      document(
        version: "3.1.0",
        paths: """
          /pets:
            $ref: '#/components/pathItems/Pets'
            parameters: [{name: X-Trace, in: header, required: true, schema: {type: string}}]
            servers: [{url: 'https://other.example'}]
            post: {operationId: addPet, responses: {"204": {description: ""}}}
            delete: {operationId: removePets, responses: {"204": {description: ""}}}
          """,
        components: """
          pathItems:
            Pets:
              parameters:
                - {name: X-Trace, in: header, schema: {type: integer}}
                - {name: page, in: query, schema: {type: integer}}
              get: {operationId: getPets, responses: {"204": {description: ""}}}
              delete: {operationId: removeAll, responses: {"204": {description: ""}}}
          """))
    for name in ["getPets", "addPet", "removePets"] {
      let lines = try imported.endpoint(name)
      #expect(lines.contains("X-Trace: {type: string") && lines.contains("page: "), "\(lines)")
    }
    #expect(try imported.text("api.yaml").contains("https://other.example"))
    #expect(
      imported.warnings.contains(
        "the target of the path's `$ref` also has `delete`; the path's own is taken"))
    imported.expectRoundTrip()
  }

  @Test("A file may refer back to the document by its name") func backReferences() throws {
    func operation(_ name: String, _ reference: String) -> String {
      "get: {operationId: \(name), responses: {'200': {description: '', content: {application/json: {schema: "
        + "{$ref: '\(reference)#/components/schemas/Owner'}}}}}}"
    }
    let file = operation("getOwner", "../api.yaml")
    let imported = try Imported(
      document(
        paths: """
          /owner: {$ref: paths/pets.yaml}
          /me: {\(operation("getMe", "api.yaml"))}
          """,
        components: "schemas: {Owner: {type: object, properties: {name: {type: string}}}}"),
      options: ImportOptions(fileName: "api.yaml", readFile: { $0 == "paths/pets.yaml" ? Array(file.utf8) : nil }))
    for name in ["getOwner", "getMe"] { #expect(try imported.endpoint(name).contains("returns: Owner")) }
    #expect(imported.catalogue.groups.flatMap(\.models).map(\.name) == ["Owner"])
    #expect(imported.warnings == [])
  }
}
