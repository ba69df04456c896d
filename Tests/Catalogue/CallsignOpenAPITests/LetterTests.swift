import CallsignCatalogue
import Testing

@testable import CallsignOpenAPI

/// Small facts of documents that become what the document says.
@Suite struct LetterTests {
  // MARK: readOnly and writeOnly

  private func key(id: String, password: String, schemas: String) throws -> Imported {
    let json = "{application/json: {schema: {$ref: '#/components/schemas/Key'}}}"
    return try Imported(
      document(
        requestBody: "{required: true, content: \(json)}", responses: "{'201': {description: '', content: \(json)}}",
        schemas: schemas + "\nKey: {type: object, required: [id, name, password], properties: "
          + "{id: \(id), name: {type: string}, password: \(password)}}"))
  }

  @Test(
    "The target of a member's reference can be read-only or write-only",
    arguments: [
      "$ref: '#/components/schemas/X'", "allOf: [{$ref: '#/components/schemas/X'}]",
      "oneOf: [{$ref: '#/components/schemas/X'}, {type: 'null'}]", "$ref: '#/components/schemas/XX'",
      "allOf: [{description: a}, {$ref: '#/components/schemas/XX'}]",
    ])
  func readOnlyReferences(reference: String) throws {
    func other(_ name: String) -> String { "{" + reference.replacing("schemas/X", with: "schemas/" + name) + "}" }
    let imported = try key(
      id: other("A"), password: other("B"),
      schemas: """
        A: {type: integer, readOnly: true}
        AX: {$ref: '#/components/schemas/A'}
        B: {type: string, writeOnly: true, maxLength: 9}
        BX: {$ref: '#/components/schemas/B'}
        """)
    let endpoint = try imported.endpoint("addPet")
    #expect(!endpoint.contains("id:"))
    #expect(endpoint.contains("name: string"))
    #expect(endpoint.contains("password:"))
    let model = try imported.model("Key")
    #expect(model.contains("write_only: true"))
    imported.expectRoundTrip()
  }

  @Test("A part of `allOf` that merely demands a member leaves it read-only") func demandedReadOnly() throws {
    let imported = try Imported(
      document(
        sending: "{allOf: [{$ref: '#/components/schemas/Base'}, {required: [id, name]}]}",
        schemas: "Base: {type: object, properties: {id: {type: integer, readOnly: true}, name: {type: string}}}"))
    try #expect(imported.endpoint("addPet") == "call: POST /pets\nparams:\n  name: string")
  }

  @Test("A member is read-only in all alternatives or in none") func readOnlyAlternatives() throws {
    let imported = try Imported(
      document(
        sending: "{type: object, properties: {a: {oneOf: [{$ref: '#/components/schemas/A'}, {type: string}]}}}",
        schemas: "A: {type: integer, readOnly: true}"))
    try #expect(imported.endpoint("addPet").contains("a:"))
  }

  @Test("An object that two parts of `allOf` describe has the members of both") func objectsOfBothParts() throws {
    let imported = try Imported(
      document(
        responding:
          "{allOf: [{$ref: '#/components/schemas/Base'}, {properties: {limits: {type: object, required: [rate], "
          + "properties: {rate: {type: integer}}}}}]}",
        schemas: "Base: {type: object, properties: {limits: {type: object, properties: {cpu: {type: integer}}}}}"))
    try #expect(imported.model("GetPetsResponseLimits") == "GetPetsResponseLimits:\n  cpu: int?\n  rate: int")
    #expect(imported.warnings == [])
  }

  // MARK: Files

  private func upload(_ image: String, schemas: String = "") throws -> Imported {
    try Imported(
      document(
        requestBody: "{required: true, content: {multipart/form-data: {schema: {type: object, required: [image], "
          + "properties: {image: \(image)}}}}}", schemas: schemas, version: "3.1.0"))
  }

  @Test(
    "One file or a list of files is a list of files",
    arguments: [
      "{oneOf: [{type: array, items: {type: string, format: binary}}, {type: string, format: binary}]}",
      "{anyOf: [{type: string, format: binary}, {type: array, minItems: 2, items: {type: string, format: binary}}]}",
      "{oneOf: [{$ref: '#/components/schemas/File'}, {type: array, items: {$ref: '#/components/schemas/File'}}]}",
    ])
  func fileOrFiles(image: String) throws {
    let imported = try upload(image, schemas: "File: {type: string, format: binary}")
    try #expect(imported.endpoint("addPet").contains("image: [file]"))
    #expect(imported.warnings == [])
    imported.expectRoundTrip()
  }

  @Test(
    "A file or something else is a file, as which the caller can write the other",
    arguments: [
      "{oneOf: [{type: string, format: binary}, {type: object, properties: {url: {type: string}}}]}",
      "{anyOf: [{type: string, format: uri}, {type: string, format: binary}]}",
    ])
  func fileOrOther(image: String) throws {
    let imported = try upload(image)
    try #expect(imported.endpoint("addPet").contains("image: file"))
    #expect(
      imported.warnings == [
        "a part is a file or something else, which the caller writes: a `FilePart` of its media type, such as "
          + "application/json"
      ])
  }

  // MARK: Encodings

  @Test("base64url and uint64 are types, also in lists, maps and whole bodies and responses")
  func encodings() throws {
    func encoded(_ version: String, _ key: String) throws -> Imported {
      try Imported(
        document(
          requestBody:
            "{required: true, content: {application/json: {schema: {type: object, required: [k], properties: "
            + "{k: \(key), ks: {type: array, items: \(key)}, n: {type: integer, format: uint64, minimum: 0}, "
            + "ns: {type: object, additionalProperties: {type: integer, format: uint64, maximum: 9}}}}}}}",
          responses: "{'200': {description: '', content: {application/json: {schema: \(key)}}}}", version: version))
    }
    for imported in [
      try encoded("3.1.0", "{type: string, contentEncoding: base64url}"),
      try encoded("3.0.3", "{type: string, format: base64url}"),
    ] {
      try #expect(
        imported.endpoint("addPet") == """
          call: POST /pets
          params:
            k: bytes(base64url)
            ks: "[bytes(base64url)]?"
            "n": uint64?
            ns: "{uint64(..9)}?"
          returns: bytes(base64url)
          """)
      #expect(imported.result.warnings.filter { !$0.isAboutSummary }.isEmpty)
      imported.expectRoundTrip()
    }
  }

  @Test("`format: binary` is text inside JSON, and bytes as a whole response or a part") func binary() throws {
    let raw = "{type: string, format: binary}"
    let imported = try Imported(
      document(
        requestBody: "{required: true, content: {application/json: {schema: {type: object, required: [k], properties: "
          + "{k: \(raw), ks: {type: array, items: \(raw)}, n: {anyOf: [\(raw), {type: 'null'}]}, "
          + "r: {$ref: '#/components/schemas/Raw'}, o: {$ref: '#/components/schemas/O'}, b: {type: string, format: byte}}}}}}",
        responses: "{'200': {description: '', content: {application/octet-stream: {schema: \(raw)}}}}",
        schemas:
          "Raw: \(raw)\nO: {type: object, properties: {k: \(raw), m: {type: object, additionalProperties: \(raw)}}}",
        version: "3.1.0"))
    try #expect(
      imported.endpoint("addPet") == """
        call: POST /pets
        params:
          k: string
          ks: "[string]?"
          "n": string | null?
          r: string?
          o: O?
          b: bytes?
        returns: bytes
        """)
    try #expect(imported.model("O") == "O:\n  k: string?\n  m: \"{string}?\"")
    let note = "`format: binary` in JSON is taken as text; if the API means base64, write `bytes` in the overlay"
    #expect(imported.result.warnings.contains { $0.description.contains(note) })
    imported.expectRoundTrip()
    try #expect(upload(raw).endpoint("addPet").contains("image: file"))
  }

  @Test("Constants in lists, maps and whole responses follow the document") func constants() throws {
    for (schema, type) in [("{const: on}", "string"), ("{const: 5}", "int"), ("{const: true}", "bool")] {
      let imported = try Imported(document(responding: "{type: array, items: \(schema)}"))
      try #expect(imported.endpoint("getPets") == "call: GET /pets\nreturns: [\(type)]")
      let map = try Imported(document(responding: "{type: object, additionalProperties: \(schema)}"))
      try #expect(map.endpoint("getPets") == "call: GET /pets\nreturns: {\(type)}")
      let whole = try Imported(document(responding: schema))
      try #expect(whole.endpoint("getPets") == "call: GET /pets\nreturns: \(type)")
      #expect(imported.warnings + map.warnings + whole.warnings == [])
    }
  }

  // MARK: anyOf

  @Test("A value of `anyOf` may be several alternatives at once") func anyOf() throws {
    let schemas = """
      ByMail: {type: object, required: [mail], properties: {mail: {type: string}, name: {type: string}}}
      ByPhone: {type: object, required: [phone], properties: {phone: {type: string}, name: {type: string, maxLength: 9}}}
      """
    let list = "[{$ref: '#/components/schemas/ByMail'}, {$ref: '#/components/schemas/ByPhone'}]"
    var imported = try Imported(
      document(sending: "{$ref: '#/components/schemas/Contact'}", schemas: schemas + "\nContact: {anyOf: \(list)}"))
    try #expect(imported.model("Contact") == "Contact: union [ByMail, ByPhone, ContactByMailAndByPhone]")
    try #expect(
      imported.model("ContactByMailAndByPhone")
        == "ContactByMailAndByPhone:\n  mail: string\n  name: string?\n  phone: string")
    #expect(imported.warnings == [])
    imported.expectRoundTrip()
    // Of `oneOf` it is one of them.
    imported = try Imported(
      document(sending: "{$ref: '#/components/schemas/Contact'}", schemas: schemas + "\nContact: {oneOf: \(list)}"))
    try #expect(imported.model("Contact") == "Contact: union [ByMail, ByPhone]")
  }

  @Test(
    "Alternatives that exclude each other are not combined",
    arguments: [
      "additionalProperties: false, properties: {b: {type: string}}",
      "properties: {a: {type: integer}, b: {type: string}}",
      "properties: {a: {type: string}}",
    ])
  func exclusiveAlternatives(second: String) throws {
    let imported = try Imported(
      document(
        sending: "{type: object, properties: {pet: {anyOf: [{$ref: '#/components/schemas/A'}, "
          + "{$ref: '#/components/schemas/B'}, {type: string}]}}}",
        schemas: "A: {type: object, required: [a], properties: {a: {type: string}, c: {type: string}}}\n"
          + "B: {type: object, \(second)}"))
    #expect(imported.catalogue.groups.flatMap(\.models).allSatisfy { !$0.name.contains("And") })
    imported.expectRoundTrip()
  }

  // MARK: Texts, null and dates

  @Test("A parameter that is a text or a list of texts is a list of texts") func textOrTexts() throws {
    let imported = try Imported(
      document(
        parameters: """
          {name: a, in: query, schema: {anyOf: [{type: string}, {type: array, items: {type: string}}, {type: 'null'}]}}
          {name: b, in: query, explode: false, schema: {oneOf: [{type: array, items: {type: integer}}, {type: integer}]}}
          {name: c, in: query, schema: {oneOf: [{$ref: '#/components/schemas/C'}, {type: array, items: {$ref: '#/components/schemas/C'}}]}}
          {name: d, in: query, schema: {type: [string, array, 'null'], items: {type: string}}}
          {name: X-E, in: header, schema: {oneOf: [{type: array, items: {type: integer}}, {type: string}]}}
          """, version: "3.1.0", schemas: "C: {type: string, enum: [x, z]}"))
    let endpoint = try imported.endpoint("getPets")
    #expect(endpoint.contains("a: {type: \"[string]?\", list: repeat}"))
    #expect(endpoint.contains("b: \"[int]?\""))
    #expect(endpoint.contains("c: {type: \"[C]?\", list: repeat}"))
    #expect(endpoint.contains("d: {type: \"[string]?\", list: repeat}"))
    #expect(endpoint.contains("X-E: {type: \"[string]?\", in: header}"))
    #expect(imported.warnings == [])
    imported.expectRoundTrip()
  }

  @Test("A field of a form can also be a text or a list of texts") func textOrTextsInForm() throws {
    let imported = try Imported(
      document(
        requestBody: "{content: {application/x-www-form-urlencoded: {schema: {type: object, properties: {tag: {anyOf: "
          + "[{type: string}, {type: array, items: {type: string}}]}}}}}}"))
    try #expect(imported.endpoint("addPet").contains("tag: {type: \"[string]?\", list: repeat}"))
    #expect(imported.warnings == [])
  }

  @Test(
    "A response that can be null is reported",
    arguments: [
      ("{anyOf: [{type: number}, {type: 'null'}]}", "number | null"), ("{type: [number, 'null']}", "number | null"),
      ("{type: number, nullable: true}", "number | null"), ("{$ref: '#/components/schemas/Maybe'}", "number | null"),
      ("{oneOf: [{$ref: '#/components/schemas/Pet'}, {type: 'null'}]}", "Pet | null"),
      ("{type: [array, 'null'], items: {type: string}}", "\"[string] | null\""),
    ])
  func nullResponses(schema: String, type: String) throws {
    let imported = try Imported(
      document(
        responding: schema,
        schemas: "Maybe: {type: number, nullable: true}\nPet: {type: object, properties: {id: {type: string}}}"))
    try #expect(imported.endpoint("getPets") == "call: GET /pets\nreturns: \(type)")
    #expect(imported.warnings == [])
    imported.expectRoundTrip()
  }
}
