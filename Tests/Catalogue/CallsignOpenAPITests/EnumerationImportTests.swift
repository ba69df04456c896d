import CallsignCatalogue
import Testing

@testable import CallsignOpenAPI

@Suite("Enums of documents") struct EnumerationImportTests {
  @Test("Numbers are an enum of numbers, with the names that the document has for them") func numbers() throws {
    let imported = try Imported(
      document(
        responding: "{$ref: '#/components/schemas/Job'}",
        schemas: """
          Job:
            type: object
            required: [level, state]
            properties:
              level: {type: integer, enum: [1, 2, -1], x-enum-varnames: [Low, very high, none]}
              state: {$ref: "#/components/schemas/State"}
              rate: {type: integer, nullable: true, enum: [300, 600, null]}
              region: {type: integer, enum: ["0 (None)", "101 (EastAsia)"]}
              rank: {type: integer, enum: [1.0, 9007199254740993.0]}
          State: {type: integer, oneOf: [{const: 0, title: Waiting, description: Not begun.}, {const: 1, title: Done}]}
          """), options: ImportOptions(copiesSummaries: true))
    try #expect(
      imported.model("JobLevel").hasSuffix(
        """
          $of: int
          $enum:
            "1": {name: low}
            "2": {name: veryHigh}
            "-1": {name: noneValue}
        """))
    try #expect(
      imported.model("State").hasSuffix(
        """
          $of: int
          $enum:
            "0": {name: waiting, summary: Not begun.}
            "1": {name: done}
        """))
    try #expect(imported.model("JobRate").hasSuffix("  $of: int\n  $enum: [\"300\", \"600\"]"))
    try #expect(imported.model("JobRank").hasSuffix("  $of: int\n  $enum: [\"1\", \"9007199254740993\"]"))
    try #expect(imported.model("JobRegion").contains("\"101\": {name: eastAsia}"))
    try #expect(imported.model("Job").contains("rate: JobRate?"))
    #expect(imported.warnings == [])
    imported.expectRoundTrip()
  }

  @Test(
    "If an enum's type differs from that of its values, the values count",
    arguments: [
      ("{type: enum, enum: [a, b]}", "Kind?", "`enum` is not a type of JSON Schema; the values determine it"),
      ("{type: int, enum: [1, 2]}", "Kind?", "`int` is not a type of JSON Schema; it is taken as `integer`"),
      ("{type: any, enum: [a, b]}", "Kind?", "`any` is not a type of JSON Schema; the values determine it"),
      (
        "{type: object, enum: [a, b]}", "Kind?",
        "the values of the enum are texts and no object; they are taken as texts"
      ),
      (
        "{type: integer, enum: [a, b]}", "Kind?",
        "the values of the enum are texts and no integer; they are taken as texts"
      ),
      (
        "{type: array, items: {type: string}, enum: [a, b]}", "\"[Kind]?\"",
        "an array is none of the values of its enum; its elements are taken to be"
      ),
      ("{type: array, items: {type: string}, enum: [[a], [b, c]]}", "\"[string]?\"", nil),
    ])
  func otherTypes(schema: String, type: String, warning: String?) throws {
    let imported = try Imported(
      document(responding: "{type: object, required: [id], properties: {kind: \(schema), id: {type: string}}}"))
    // An enum that occurs only here is named after the response and the member.
    let kind = type.replacing("Kind", with: "GetPetsResponseKind")
    #expect(try imported.model("GetPetsResponse") == "GetPetsResponse:\n  kind: \(kind)\n  id: string")
    #expect(imported.warnings == (warning.map { [$0] } ?? []))
    imported.expectRoundTrip()
  }

  @Test("Next to a plain text, an enum has the known values, and others may be sent") func extensible() throws {
    let imported = try Imported(
      document(
        sending: """
          {type: object, required: [a, b, c, d], properties: {a: {anyOf: [{type: string}, {enum: [x, z]}]}, \
          b: {oneOf: [{type: string}, {const: x}]}, c: {anyOf: [{type: string}, {$ref: '#/components/schemas/Engine'}]}, \
          d: {type: string, enum: [p, q]}}}
          """, schemas: "Engine: {type: string, enum: [small, large]}", version: "3.1.0"))
    try #expect(imported.model("AddPetA") == "AddPetA:\n  $closed: false\n  $enum: [x, z]")
    // One of several values is not a constant.
    try #expect(imported.model("AddPetB") == "AddPetB:\n  $closed: false\n  $enum: [x]")
    try #expect(imported.model("Engine") == "Engine:\n  $closed: false\n  $enum: [small, large]")
    try #expect(imported.model("AddPetD") == "AddPetD: enum [p, q]")
    imported.expectRoundTrip()
  }

  @Test("A plain text next to an enum only in responses does not open it for requests; one next to a reference does")
  func extensibleByRequests() throws {
    let schemas = "Mode: {type: string, enum: [a, b]}\nModeAlias: {$ref: '#/components/schemas/Mode'}"
    for (sent, responded, model) in [
      (
        "{$ref: '#/components/schemas/Mode'}", "{anyOf: [{type: string}, {$ref: '#/components/schemas/Mode'}]}",
        "Mode: enum [a, b]"
      ),
      (
        "{anyOf: [{type: string}, {$ref: '#/components/schemas/ModeAlias'}]}", "{type: string}",
        "Mode:\n  $closed: false\n  $enum: [a, b]"
      ),
    ] {
      let imported = try Imported(
        document(
          requestBody: """
            {required: true, content: {application/json: {schema: {type: object, properties: {m: \(sent), n: \
            {type: array, items: {$ref: '#/components/schemas/Mode'}}}}}}}
            """,
          responses: """
            {"200": {description: "", content: {application/json: {schema: {type: object, properties: {m: \(responded)}}}}}}
            """, schemas: schemas))
      try #expect(imported.model("Mode") == model)
      imported.expectRoundTrip()
    }
  }

  @Test("An enum is closed if the document says so, and otherwise open") func closed() throws {
    let imported = try Imported(
      document(
        sending: """
          {type: object, properties: {a: {type: string, enum: [x, y], x-ms-enum: {name: A, modelAsString: false}}, \
          b: {type: string, enum: [x, y], x-ms-enum: {name: A, modelAsString: true}}, \
          c: {type: integer, enum: [1, 2], x-ms-enum: {modelAsString: false, values: [{value: 1, name: One}, {value: 2, name: Two}]}}, \
          d: {type: string, x-extensible-enum: [p, q]}}}
          """))
    try #expect(imported.model("AddPetA") == "AddPetA:\n  $closed: true\n  $enum: [x, \"y\"]")
    try #expect(imported.model("AddPetB") == "AddPetB: enum [x, y]")
    try #expect(
      imported.model("AddPetC")
        == "AddPetC:\n  $of: int\n  $closed: true\n  $enum:\n    \"1\": {name: one}\n    \"2\": {name: two}")
    try #expect(imported.model("AddPetD") == "AddPetD:\n  $closed: false\n  $enum: [p, q]")
    #expect(imported.warnings == [])
    imported.expectRoundTrip()
  }

  @Test("Numbers without names are one enum only under one member's name, and a long run of them is a range")
  func namelessNumbers() throws {
    let row = (0...40).map(String.init).joined(separator: ", ")
    let imported = try Imported(
      document(
        parameters: """
          {name: level, in: query, schema: {type: integer, enum: [1, 2]}}
          {name: size, in: query, schema: {type: integer, enum: [1, 2]}}
          {name: hour, in: query, schema: {type: integer, enum: [\(row)]}}
          {name: only, in: query, required: true, schema: {type: integer, enum: [7]}}
          {name: flags, in: query, schema: {type: array, items: {type: integer, enum: [1, 4]}}}
          """))
    try #expect(
      imported.endpoint("getPets") == """
        call: GET /pets
        params:
          level: PetsLevel?
          size: PetsSize?
          hour: int(0..40)?
          only: {type: int, value: 7}
          flags: {type: "[PetsFlag]?", list: repeat}
        """)
    #expect(imported.warnings == [])
    imported.expectRoundTrip()
  }

  @Test("A member with a single possible number is that number") func constants() throws {
    let imported = try Imported(
      document(
        sending: "{type: object, properties: {all: {type: array, items: {$ref: '#/components/schemas/Pet'}}}}",
        schemas: "Pet: {type: object, required: [v], properties: {v: {type: integer, enum: [2]}, note: {type: string}}}"
      ))
    try #expect(imported.model("Pet") == "Pet:\n  v: {type: int, value: \"2\"}\n  note: string?")
    imported.expectRoundTrip()
  }

  @Test("An enum next to any text is that enum, which is open", arguments: ["anyOf", "oneOf"])
  func enumOrText(keyword: String) throws {
    let known = "{$ref: '#/components/schemas/Known'}"
    let imported = try Imported(
      document(
        responding: """
          {type: object, properties: {a: {\(keyword): [{type: string}, \(known)]}, b: {\(keyword): [\(known), {type: string}]}, \
          c: {\(keyword): [\(known), {type: string, enum: [huge]}, {type: string}]}}}
          """, schemas: "Known: {type: string, enum: [small, large]}"))
    #expect(try imported.model("GetPetsResponse").contains("a: Known?\n  b: Known?\n  c: GetPetsResponseC?"))
    #expect(
      try imported.model("GetPetsResponseC")
        == "GetPetsResponseC:\n  $closed: false\n  $enum: [small, large, huge]")
    #expect(imported.warnings == [])
    imported.expectRoundTrip()
  }

  @Test("A value or a member with a line end in its name is left out, with a warning") func lineEnds() throws {
    let imported = try Imported(
      document(
        responding: """
          {type: object, properties: {"a\\nb": {type: string}, kind: {type: string, enum: ["x\\ny", "z z", w]}}}
          """))
    #expect(try imported.model("GetPetsResponse") == "GetPetsResponse:\n  kind: GetPetsResponseKind?")
    #expect(try imported.model("GetPetsResponseKind") == "GetPetsResponseKind: enum [z z, w]")
    #expect(
      imported.warnings == [
        "a member whose name has a line end cannot be expressed in a catalogue and is left out",
        "a value of the enum has a line end, and is left out",
      ])
    imported.expectRoundTrip()
  }
}
