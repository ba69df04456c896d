import CallsignCatalogue
import Testing

@testable import CallsignOpenAPI

@Suite("Import of schemas") struct SchemaImportTests {
  /// Members of a request's body, under 3.1, as the catalogue has them.
  @Test(
    "Members get their types",
    arguments: [
      ("{type: string, format: date-time}", "date?"),
      ("{type: string, format: date}", "date(day)?"),
      ("{type: string, format: byte}", "bytes?"),
      ("{type: string, contentEncoding: base64, contentMediaType: image/png}", "bytes?"),
      ("{type: string, contentMediaType: image/png}", "bytes?"),
      ("{type: string, contentMediaType: application/octet-stream}", "string?"),
      ("{type: string, contentMediaType: text/html}", "string?"),
      ("{type: string, contentMediaType: application/json, contentSchema: {type: object}}", "string?"),
      ("{type: string, contentEncoding: quoted-printable, maxLength: 9}", "string?"),
      ("{type: string, format: google-datetime}", "date?"),
      ("{type: string, format: uuid}", "uuid?"),
      ("{type: string, format: uri, maxLength: 9}", "url?"),
      ("{type: string, format: decimal}", "decimal(text)?"),
      ("{type: number, format: decimal, minimum: 0}", "decimal(0..)?"),
      ("{type: string, format: duration}", "duration?"),
      ("{type: string, format: google-duration}", "duration(protobuf)?"),
      ("{type: integer, format: unix-time}", "date(seconds)?"),
      ("{type: [integer, 'null'], format: unix-time-ms}", "date(milliseconds) | null?"),
      ("{type: integer, format: int32}", "int(-2147483648..2147483647)?"),
      ("{type: integer, format: int32, minimum: 1}", "int(1..2147483647)?"),
      ("{type: integer, format: int32, exclusiveMaximum: 10}", "int(-2147483648..9)?"),
      ("{type: integer, format: int64}", "int?"),
      ("{type: [string, 'null']}", "string | null?"),
      ("{anyOf: [{type: integer}, {type: 'null'}]}", "int | null?"),
      ("{oneOf: [{type: string, const: a}, {const: b}, {type: 'null'}]}", "AddPetValue | null?"),
      ("{type: integer, exclusiveMinimum: 0, maximum: 1e3}", "int(1..1000)?"),
      ("{type: number, minimum: 0.5}", "number(0.5..)?"),
      ("{type: integer, enum: [3, 1, 2]}", "AddPetValue?"),
      ("{type: boolean, enum: [true]}", "bool?"),
      ("{type: object}", "\"{json}?\""),
      ("{type: object, additionalProperties: {type: integer}}", "\"{int}?\""),
      ("{type: object, additionalProperties: true}", "\"{json}?\""),
      ("{}", "json?"),
      ("true", "json?"),
      ("{type: array, items: {type: string}, minItems: 2, maxItems: 4}", "\"[string](2..4)?\""),
      ("{type: array, items: {type: array, items: {type: integer}}}", "\"[[int]]?\""),
      ("{allOf: [{type: string}, {maxLength: 5, type: string}]}", "string(..5)?"),
      ("{type: string, pattern: '^https?:\\/\\/x/'}", "string(/^https?:\\/\\/x\\//)?"),
    ])
  func typesOfMembers(schema: String, type: String) throws {
    let imported = try Imported(
      document(sending: "{type: object, properties: {value: \(schema)}}", version: "3.1.0"))
    try #expect(imported.endpoint("addPet") == "call: POST /pets\nparams:\n  value: \(type)")
    #expect(imported.warnings == [])
    imported.expectRoundTrip()
  }

  @Test("A request member with a single possible text is not an argument")
  func constants() throws {
    let schema = "{type: object, properties: {card: {$ref: '#/components/schemas/Card'}}}"
    let card =
      "Card: {type: object, required: [object, id], properties: {object: {type: string, enum: [card]}, id: {type: string}}}"
    let imported = try Imported(document(sending: schema, schemas: card))
    #expect(try imported.model("Card") == "Card:\n  object: {type: string, value: card}\n  id: string")
    imported.expectRoundTrip()
    // In a response it is a text like any other.
    let responded = try Imported(document(responding: "{$ref: '#/components/schemas/Card'}", schemas: card))
    #expect(try responded.model("Card") == "Card:\n  object: string\n  id: string")
  }

  @Test("Members that the API sets, or never returns, are marked")
  func oneWayMembers() throws {
    let imported = try Imported(
      document(
        responding: "{type: object, required: [id, pin, name], properties: {id: {type: string, readOnly: true}, "
          + "pin: {type: string, writeOnly: true}, name: {type: string}, made: {type: string, readOnly: true}, "
          + "code: {type: string, writeOnly: true}}}"))
    let model = try #require(imported.catalogue.groups.flatMap(\.models).first)
    guard case .object(let fields, _) = model.shape else {
      Issue.record("\(model.name) is no object")
      return
    }
    #expect(fields.map(\.isReadOnly) == [true, false, false, true, false])
    #expect(fields.map(\.isWriteOnly) == [false, true, false, false, true])
    imported.expectRoundTrip()
  }

  @Test("For a nameless object in several places, a mark or a constant needs the agreement of all of them")
  func marksOfNamelessObjects() throws {
    func owner(_ id: String, _ kind: String) -> String {
      "{type: object, properties: {owner: {type: object, properties: {id: {type: string\(id)}, kind: {type: string\(kind)}}}}}"
    }
    for (id, isReadOnly) in [("", false), (", readOnly: true", true)] {
      let imported = try Imported(
        document(
          requestBody: "{required: true, content: {application/json: {schema: \(owner(id, ""))}}}",
          responses: """
            {"200": {description: "", content: {application/json: {schema: \(owner(", readOnly: true", ", enum: [a]"))}}}}
            """))
      let fields = imported.catalogue.groups.flatMap(\.models).compactMap { model in
        if case .object(let fields, _) = model.shape { fields.first { $0.name == "id" } } else { nil }
      }
      #expect(fields.count == 1 && fields.first?.isReadOnly == isReadOnly)
      #expect(imported.catalogue.examples == nil)
    }
  }

  @Test(
    "Facts that a catalogue cannot express are warnings that name their place",
    arguments: [
      (
        "{type: number, enum: [1.5, 5]}", "number?",
        "an enum of numbers that are not whole (1.5, 5) is taken as any number"
      ),
      (
        "{type: string, not: {const: x}}", "string?",
        "`not` cannot be expressed in a catalogue and is left out"
      ),
      (
        "{enum: [a, 1]}", "json?", "an enum of values that are not all strings or all numbers is taken as any JSON"
      ),
      (
        "{allOf: [{type: string}, {type: integer}]}", "json?",
        "the parts of `allOf` are of different kinds; it is taken as any JSON"
      ),
    ])
  func whatCannotBeSaidIsAWarningThatNamesItsPlace(schema: String, type: String, warning: String) throws {
    let imported = try Imported(document(sending: "{type: object, properties: {value: \(schema)}}"))
    try #expect(imported.endpoint("addPet") == "call: POST /pets\nparams:\n  value: \(type)")
    #expect(imported.warnings == [warning])
    let pointer = imported.result.warnings.first { $0.message == warning }?.pointer
    #expect(
      pointer == "#/paths/~1pets/post/requestBody/content/application~1json/schema/properties/value")
    imported.expectRoundTrip()
  }

  @Test("Null is absent in responses and a value in requests") func nullIsAbsentInResponsesAndAValueInRequests() throws
  {
    let imported = try Imported(
      document(
        paths: """
          /pets:
            post:
              operationId: addPet
              requestBody: {required: true, content: {application/json: {schema: {type: object, properties: {pet: {$ref: "#/components/schemas/Sent"}}}}}}
              responses: {"200": {description: "", content: {application/json: {schema: {$ref: "#/components/schemas/Responded"}}}}}
          """,
        components: """
          schemas:
            Sent: {type: object, required: [a], properties: {a: {type: string, nullable: true}, b: {type: string, nullable: true}}}
            Responded: {type: object, required: [a], properties: {a: {type: string, nullable: true}, b: {type: string, nullable: true}}}
          """))
    try #expect(imported.model("Sent") == "Sent:\n  a: string | null\n  b: string | null?")
    try #expect(imported.model("Responded") == "Responded:\n  a: string?\n  b: string?")
    imported.expectRoundTrip()
  }

  @Test("A part of `allOf` that only says `nullable` is about the whole") func nullablePart() throws {
    let imported = try Imported(
      document(
        sending: "{$ref: '#/components/schemas/Pet'}",
        schemas: """
          Pet:
            type: object
            required: [kind, name, tag]
            properties:
              kind: {allOf: [{$ref: '#/components/schemas/Kind'}, {nullable: true}]}
              name: {allOf: [{description: "The name.", nullable: true}, {$ref: '#/components/schemas/Name'}]}
              tag: {allOf: [{$ref: '#/components/schemas/Kind'}, {description: "The tag."}]}
          Kind: {type: string, enum: [cat, dog]}
          Name: {oneOf: [{type: string}, {type: object, properties: {first: {type: string}}}]}
          """))
    let endpoint = try imported.endpoint("addPet")
    #expect(endpoint.contains("kind: Kind | null\n"), "\(endpoint)")
    #expect(endpoint.contains("name: Name | null"), "\(endpoint)")
    #expect(endpoint.contains("tag: Kind"), "\(endpoint)")
    #expect(!endpoint.contains("tag: Kind |"), "\(endpoint)")
  }

  @Test("`allOf` is merged, also when nested") func allOfIsMergedAlsoWhenNested() throws {
    let imported = try Imported(
      document(
        responding: "{$ref: '#/components/schemas/Cat'}",
        schemas: """
          Base: {type: object, required: [id], properties: {id: {type: string}}}
          Animal:
            allOf:
              - {$ref: "#/components/schemas/Base"}
              - {type: object, properties: {name: {type: string}}}
          Cat:
            allOf: [{$ref: "#/components/schemas/Animal"}]
            required: [name]
            properties: {lives: {type: integer}}
          """))
    try #expect(imported.model("Cat") == "Cat:\n  id: string\n  name: string\n  lives: int?")
    imported.expectRoundTrip()
  }

  @Test("A schema that others extend is a union of them") func aSchemaThatOthersExtendIsAUnionOfThem() throws {
    let imported = try Imported(
      document(
        responding: "{$ref: '#/components/schemas/Pet'}",
        schemas: """
          Pet:
            type: object
            required: [kind]
            properties: {kind: {type: string}, name: {type: string}}
            discriminator: {propertyName: kind, mapping: {feline: "#/components/schemas/Cat"}}
          Cat: {allOf: [{$ref: "#/components/schemas/Pet"}, {type: object, properties: {lives: {type: integer}}}]}
          Dog: {allOf: [{$ref: "#/components/schemas/Pet"}, {type: object, properties: {tricks: {type: integer}}}]}
          """))
    try #expect(imported.model("Pet") == "Pet:\n  $tag: kind\n  $union:\n    feline: Cat\n    Dog: Dog")
    try #expect(imported.model("Cat") == "Cat:\n  kind: string\n  name: string?\n  lives: int?")
    imported.expectRoundTrip()
  }

  @Test("A schema with extensions is a union of them, including extensions of extensions") func extensionsOfExtensions()
    throws
  {
    let imported = try Imported(
      document(
        responding: "{$ref: '#/components/schemas/Pet'}",
        schemas: """
          Pet:
            type: object
            required: [kind]
            properties: {kind: {type: string}}
            discriminator: {propertyName: kind, mapping: {cat: "#/components/schemas/Cat", lion: Lion}}
          Cat: {allOf: [{$ref: "#/components/schemas/Pet"}, {type: object, properties: {lives: {type: integer}}}]}
          Lion: {allOf: [{$ref: "#/components/schemas/Cat"}, {type: object, properties: {pride: {type: string}}}]}
          """))
    try #expect(imported.model("Pet") == "Pet:\n  $tag: kind\n  $union:\n    cat: Cat\n    lion: Lion")
    try #expect(imported.model("Lion") == "Lion:\n  kind: string\n  lives: int?\n  pride: string?")
    imported.expectRoundTrip()
  }

  @Test(
    "A value can be just the base class unless the document says otherwise",
    arguments: [
      ("{propertyName: kind}", "", "", "Pet: PetBase\n    Cat: Cat\n    Dog: Dog"),
      // In a mapping it would be named.
      ("{propertyName: kind, mapping: {cat: Cat, dog: Dog}}", "", "", "cat: Cat\n    dog: Dog"),
      (
        "{propertyName: kind, mapping: {cat: Cat, dog: Dog, pet: Pet}}", "", "",
        "pet: PetBase\n    cat: Cat\n    dog: Dog"
      ),
      ("{propertyName: kind}", "", "x-ms-discriminator-value: C", "C: Cat\n    Dog: Dog"),
      (
        "{propertyName: kind}", "x-ms-discriminator-value: P", "x-ms-discriminator-value: C",
        "P: PetP\n    C: Cat\n    Dog: Dog"
      ),
    ])
  func baseClasses(discriminator: String, ofBase: String, ofCat: String, variants: String) throws {
    func also(_ words: String) -> String { words.isEmpty ? "" : ", " + words }
    let base = "$ref: '#/components/schemas/Pet'"
    let imported = try Imported(
      document(
        responding: "{\(base)}",
        schemas: """
          Pet: {type: object, required: [kind], properties: {kind: {type: string}}, discriminator: \(discriminator)\(also(ofBase))}
          Cat: {allOf: [{\(base)}, {type: object, properties: {lives: {type: integer}}}]\(also(ofCat))}
          Dog: {allOf: [{\(base)}, {type: object, properties: {tricks: {type: integer}}}]}
          """))
    try #expect(imported.model("Pet") == "Pet:\n  $tag: kind\n  $union:\n    \(variants)")
    imported.expectRoundTrip()
  }

  @Test("Unions by tag, by shape and by constant") func unionsByTagByShapeAndByConstant() throws {
    let imported = try Imported(
      document(
        responding:
          "{type: object, properties: {a: {$ref: '#/components/schemas/Tagged'}, b: {$ref: '#/components/schemas/Shaped'}, c: {$ref: '#/components/schemas/Inferred'}}}",
        schemas: """
          Tagged:
            oneOf: [{$ref: "#/components/schemas/Cat"}, {$ref: "#/components/schemas/Dog"}]
            discriminator: {propertyName: kind, mapping: {cat: "#/components/schemas/Cat", dog: Dog, hound: Dog}}
          Shaped: {anyOf: [{$ref: "#/components/schemas/Cat"}, {type: string}, {type: array, items: {type: number}}]}
          Inferred: {oneOf: [{$ref: "#/components/schemas/Up"}, {$ref: "#/components/schemas/Down"}]}
          Cat: {type: object, required: [kind], properties: {kind: {type: string, enum: [cat]}, lives: {type: integer}}}
          Dog: {type: object, required: [kind], properties: {kind: {type: string}, tricks: {type: integer}}}
          Up: {type: object, required: [way], properties: {way: {type: string, const: up}}}
          Down: {type: object, required: [way], properties: {way: {type: string, const: down}, to: {type: string}}}
          """))
    try #expect(
      imported.model("Tagged") == "Tagged:\n  $tag: kind\n  $union:\n    cat: Cat\n    dog: Dog\n    hound: Dog")
    try #expect(imported.model("Shaped") == "Shaped: union [Cat, string, [number]]")
    try #expect(imported.model("Inferred") == "Inferred:\n  $tag: way\n  $union:\n    up: Up\n    down: Down")
    // The union has already set the tag's value.
    try #expect(imported.model("Cat") == "Cat:\n  kind: string\n  lives: int?")
    imported.expectRoundTrip()
  }

  /// A document whose response is a union of two models, distinguished by their members other than `id`.
  private func documentOfUnion(_ first: String, _ second: String, others: String = "") -> String {
    document(
      responding: "{type: object, properties: {pet: {$ref: '#/components/schemas/Pet'}}}",
      schemas: """
        Pet: {oneOf: [{$ref: "#/components/schemas/Cat"}, {$ref: "#/components/schemas/Dog"}]}
        Cat: {type: object, required: [id], properties: {id: {type: string}, \(first)}}
        Dog: {type: object, required: [id], properties: {id: {type: string}, \(second)}}
        """ + (others.isEmpty ? "" : "\n" + others))
  }

  @Test("Optional constants distinguish alternatives if nothing else does", arguments: ["", "$ref"])
  func optionalConstantsAreTags(_ how: String) throws {
    let imported = try Imported(
      how.isEmpty
        ? documentOfUnion("kind: {const: cat}", "kind: {type: string, enum: [dog, hound]}")
        : documentOfUnion(
          "kind: {$ref: '#/components/schemas/CatKind'}", "kind: {$ref: '#/components/schemas/DogKind'}",
          others: "CatKind: {const: cat}\nDogKind: {type: string, enum: [dog, hound]}"))
    try #expect(
      imported.model("Pet") == "Pet:\n  $tag: kind\n  $union:\n    cat: Cat\n    dog: Dog\n    hound: Dog")
    #expect(imported.warnings.isEmpty)
    imported.expectRoundTrip()
  }

  @Test("Optional constants are not a tag if a required member distinguishes alternatives")
  func neededMembersComeBeforeOptionalConstants() throws {
    let imported = try Imported(
      document(
        responding: "{oneOf: [{$ref: '#/components/schemas/Cat'}, {$ref: '#/components/schemas/Dog'}]}",
        schemas: """
          Cat: {type: object, required: [lives], properties: {lives: {type: integer}, kind: {const: cat}}}
          Dog: {type: object, required: [id], properties: {id: {type: string}, kind: {const: dog}}}
          """))
    try #expect(imported.model("GetPetsResponse") == "GetPetsResponse: union [Cat, Dog]")
    try #expect(imported.model("Dog") == "Dog:\n  id: string\n  kind: string?")
  }

  @Test("A union with a tag is an alternative by its tags") func taggedUnionsAreAlternatives() throws {
    let imported = try Imported(
      document(
        responding: "{oneOf: [{$ref: '#/components/schemas/Pet'}, {$ref: '#/components/schemas/Bird'}]}",
        schemas: """
          Pet: {oneOf: [{$ref: "#/components/schemas/Cat"}, {$ref: "#/components/schemas/Dog"}]}
          Cat: {type: object, required: [kind], properties: {id: {type: string}, kind: {const: cat}}}
          Dog: {type: object, required: [kind], properties: {id: {type: string}, kind: {const: dog}}}
          Bird: {type: object, required: [kind], properties: {id: {type: string}, kind: {const: bird}}}
          """))
    try #expect(
      imported.model("GetPetsResponse")
        == "GetPetsResponse:\n  $tag: kind\n  $union:\n    cat: Pet\n    dog: Pet\n    bird: Bird")
  }

  @Test("Members that distinguish alternatives without a tag stay in them") func constantsOfShapesStay() throws {
    // Within an object, a number, and next to an alternative that may have any text.
    func within(_ kind: String) -> String { "meta: {type: object, properties: {kind: {const: \(kind)}}}" }
    var imported = try Imported(documentOfUnion(within("cat"), within("dog")))
    try #expect(imported.model("CatMeta") == "CatMeta:\n  kind: CatMetaKind?")
    try #expect(imported.model("DogMetaKind") == "DogMetaKind: enum [dog]")
    #expect(imported.warnings.isEmpty)
    imported.expectRoundTrip()

    let rest = "type: object, required: [id, kind], properties: {id: {type: string}"
    func numbered(_ first: String, _ second: String) -> String {
      document(
        responding: "{oneOf: [{$ref: '#/components/schemas/Cat'}, {$ref: '#/components/schemas/Dog'}]}",
        schemas: "Cat: {\(rest), kind: \(first)}}\nDog: {\(rest), kind: \(second)}}")
    }
    imported = try Imported(numbered("{const: 1}", "{const: 2}"))
    try #expect(imported.model("Dog") == "Dog:\n  id: string\n  kind: {type: int, value: \"2\"}")
    imported.expectRoundTrip()
    imported = try Imported(numbered("{type: string}", "{const: dog}"))
    try #expect(imported.model("GetPetsResponse") == "GetPetsResponse: union [Cat, Dog]")
    try #expect(imported.model("Dog") == "Dog:\n  id: string\n  kind: {type: string, value: dog}")
    try #expect(imported.model("Cat") == "Cat:\n  id: string\n  kind: string")
    #expect(imported.warnings.isEmpty)
    imported.expectRoundTrip()
  }

  @Test("An alternative that cannot be distinguished from another is a warning")
  func indistinctAlternativesAreWarnings() throws {
    let imported = try Imported(documentOfUnion("lives: {type: integer}, name: {type: string}", "name: {type: string}"))
    #expect(
      imported.warnings == [
        "a value of `Dog` looks like one of `Cat`, and is read as that; if the value of a text distinguishes them, write `$tag` and `$union` in the overlay"
      ])
  }

  @Test("A discriminator that is not a member is a warning") func aDiscriminatorThatIsNoMemberIsAWarning() throws {
    let imported = try Imported(
      document(
        responding: "{$ref: '#/components/schemas/Payload'}",
        schemas: """
          Payload:
            oneOf: [{$ref: "#/components/schemas/A"}, {$ref: "#/components/schemas/B"}]
            discriminator: {propertyName: ../type}
          A: {type: object, properties: {a: {type: string}}}
          B: {type: object, properties: {b: {type: string}}}
          """))
    try #expect(imported.model("Payload") == "Payload: union [A, B]")
    #expect(
      imported.warnings == [
        "the discriminator `../type` is not a member of the alternatives; their shapes distinguish them"
      ])
  }

  @Test("Nameless alternatives with nothing in common are one object")
  func namelessAlternativesWithNothingInCommonAreOneObject() throws {
    let imported = try Imported(
      document(
        responding: """
          {oneOf: [{type: object, required: [data], properties: {data: {type: string}}}, \
          {type: object, required: [errors], properties: {errors: {type: array, items: {type: string}}}}]}
          """))
    try #expect(imported.model("GetPetsResponse") == "GetPetsResponse:\n  data: string?\n  errors: \"[string]?\"")
    imported.expectRoundTrip()
  }

  @Test("`oneOf` and `anyOf` of one schema both hold") func bothKeywords() throws {
    func object(_ name: String) -> String {
      "{type: object, required: [\(name)], properties: {\(name): {type: string}}}"
    }
    // One alternative each: both exist.
    var imported = try Imported(document(responding: "{oneOf: [\(object("x"))], anyOf: [\(object("z"))]}"))
    try #expect(imported.model("GetPetsResponse") == "GetPetsResponse:\n  x: string\n  z: string")
    #expect(imported.warnings == [])
    imported.expectRoundTrip()
    // Alternatives and an object.
    imported = try Imported(
      document(
        sending: "{oneOf: [\(object("x")), \(object("y"))], anyOf: [{type: object, properties: {z: {type: string}}}]}"))
    try #expect(imported.model("AddPetBodyX") == "AddPetBodyX:\n  z: string?\n  x: string")
    try #expect(imported.model("AddPetBodyY") == "AddPetBodyY:\n  z: string?\n  \"y\": string")
    #expect(imported.warnings == [])
    imported.expectRoundTrip()
    // Alternatives of both.
    let both = "oneOf: [\(object("p")), \(object("q"))], anyOf: [\(object("r")), \(object("s"))]"
    imported = try Imported(document(sending: "{type: object, properties: {x: {type: string}}, \(both)}"))
    try #expect(imported.model("AddPetBody") == "AddPetBody:\n  x: string?\n  $extra: json")
    #expect(
      imported.warnings == [
        "alternatives of `oneOf` and of `anyOf` at once cannot be expressed; they are taken as any JSON",
        "the body may have members of any name, so the whole body is one parameter of `addPet`",
      ])
    imported.expectRoundTrip()
    imported = try Imported(document(responding: "{\(both)}"))
    #expect(try imported.endpoint("getPets") == "call: GET /pets\nreturns: json")
    #expect(
      imported.warnings == [
        "alternatives of `oneOf` and of `anyOf` at once cannot be expressed; they are taken as any JSON"
      ]
    )
  }

  @Test("Demands of `oneOf` and of `anyOf` are both rules") func demandsOfBothKeywords() throws {
    let members = ["a", "b", "c", "d"].map { "\($0): {type: string}" }.joined(separator: ", ")
    func demanding(_ more: String) throws -> Imported {
      try Imported(document(sending: "{type: object, properties: {\(members)}, \(more)}"))
    }
    let one = "oneOf: [{required: [a]}, {required: [b]}]"
    var imported = try demanding(one + ", anyOf: [{required: [c]}, {required: [d]}]")
    let lines = try imported.endpoint("addPet")
    #expect(lines.contains("one_of: [a, b]") && lines.contains("any_of: [c, d]"), "\(lines)")
    #expect(imported.warnings == [])
    imported.expectRoundTrip()
    imported = try demanding(one + ", anyOf: [{required: [c, d]}, {required: [d]}]")
    #expect(try imported.endpoint("addPet").contains("one_of: [a, b]"))
    #expect(imported.warnings == ["`anyOf` requires groups of members together, which a catalogue cannot express"])
    // Next to alternatives that describe members, a model cannot express the rule, and a message says so.
    imported = try demanding(
      one + ", anyOf: [{required: [e], properties: {e: {type: string}}}, "
        + "{required: [f], properties: {f: {type: string}}}]")
    try #expect(imported.model("AddPetBodyE").hasSuffix("d: string?\n  e: string"))
    #expect(imported.warnings.contains { $0.hasPrefix("a model cannot say that it needs one of `a`, `b`") })
    imported.expectRoundTrip()
  }

  @Test(
    "An alternative that merely demands a member does not take those of the others away", arguments: ["anyOf", "oneOf"])
  func demandsAmongAlternatives(keyword: String) throws {
    func sending(_ alternatives: String) throws -> Imported {
      try Imported(
        document(sending: "{type: object, properties: {a: {type: string}}, \(keyword): [\(alternatives)]}"))
    }
    let other = "{required: [b], properties: {b: {type: string}}}"
    for demand in ["{required: [a]}", "{type: object, required: [a]}"] {
      let imported = try sending("\(demand), \(other)")
      try #expect(imported.model("AddPetBody") == "AddPetBody: union [AddPetBodyA, AddPetBodyB]")
      try #expect(imported.model("AddPetBodyA") == "AddPetBodyA:\n  a: string")
      try #expect(imported.model("AddPetBodyB") == "AddPetBodyB:\n  a: string?\n  b: string")
      #expect(imported.warnings == [])
      imported.expectRoundTrip()
    }
    // If one may be anything, none of the members is required.
    var imported = try sending("{required: [a]}, {}, \(other)")
    try #expect(imported.endpoint("addPet") == "call: POST /pets\nparams:\n  a: string?\n  b: string?")
    #expect(
      imported.warnings == ["one of the alternatives is any JSON, so the members of the others may be left out"])
    imported.expectRoundTrip()
    // An alternative without other members changes nothing.
    imported = try sending("{required: [a]}, {properties: {a: {type: string}}}")
    try #expect(imported.endpoint("addPet") == "call: POST /pets\nparams:\n  a: string?")
    #expect(
      imported.warnings == [
        "one of the alternatives is any JSON, so the others do not restrict the members next to them"
      ])
  }

  @Test(
    "If the first elements of a list are described separately, the elements have the type that all share, or none",
    arguments: [
      ("prefixItems: [{type: number}, {type: number}], items: {type: string}", "[json]"),
      ("prefixItems: [{type: number}, {type: string}], items: false", "[json]"),
      ("prefixItems: [{type: number}, {type: number}], items: {type: number}", "[number]"),
      ("prefixItems: [{type: number, minimum: 0}], items: {type: number}", "[number]"),
      ("prefixItems: [{type: number}, {type: number}], items: false", "[number]"),
      ("prefixItems: [{type: number}]", "[json]"), ("prefixItems: [], items: {type: number}", "[number]"),
    ])
  func firstElements(words: String, type: String) throws {
    let imported = try Imported(
      document(
        sending: "{type: object, properties: {value: {type: array, \(words)}}}", version: "3.1.0"))
    try #expect(imported.endpoint("addPet") == "call: POST /pets\nparams:\n  value: \"\(type)?\"")
    let mixed =
      "a list cannot have elements of several types by their place (`prefixItems`) in a catalogue; they are any JSON"
    #expect(imported.warnings == (type == "[json]" ? [mixed] : []))
    imported.expectRoundTrip()
  }

  @Test("Recursion is indirect, except through lists") func recursionIsIndirectExceptThroughLists() throws {
    let imported = try Imported(
      document(
        responding: "{$ref: '#/components/schemas/Node'}",
        schemas: """
          Node:
            type: object
            properties:
              parent: {$ref: "#/components/schemas/Node"}
              children: {type: array, items: {$ref: "#/components/schemas/Node"}}
              link: {$ref: "#/components/schemas/Link"}
          Link: {type: object, required: [from], properties: {from: {$ref: "#/components/schemas/Node"}}}
          Endless: {type: object, required: [next], properties: {next: {$ref: "#/components/schemas/Endless"}}}
          Tree: {type: array, items: {$ref: "#/components/schemas/Tree"}}
          """))
    try #expect(imported.model("Link") == "Link:\n  from: Node")
    try #expect(
      imported.model("Node")
        == "Node:\n  parent: indirect Node?\n  children: \"[Node]?\"\n  link: indirect Link?")
    imported.expectRoundTrip()
  }

  @Test("Values without end are loosened") func valuesWithoutEndAreLoosened() throws {
    let imported = try Imported(
      document(
        responding:
          "{type: object, properties: {a: {$ref: '#/components/schemas/Endless'}, b: {$ref: '#/components/schemas/Tree'}}}",
        schemas: """
          Endless: {type: object, required: [next], properties: {next: {$ref: "#/components/schemas/Endless"}}}
          Tree: {type: array, items: {$ref: "#/components/schemas/Tree"}}
          """))
    try #expect(imported.model("Endless") == "Endless:\n  next: indirect Endless?")
    #expect(
      imported.warnings == [
        "`Tree` consists only of itself; it is taken as any JSON",
        "`Endless.next` must contain itself without end; here it may be left out",
      ])
    imported.expectRoundTrip()
  }

  @Test("Members that are not listed are kept if the document says so")
  func membersThatAreNotListedAreKeptWhereTheDocumentSaysSo() throws {
    let imported = try Imported(
      document(
        responding:
          "{type: object, properties: {a: {$ref: '#/components/schemas/Open'}, b: {$ref: '#/components/schemas/Closed'}}}",
        schemas: """
          Open: {type: object, properties: {x: {type: string}, extra: {type: string}}, additionalProperties: {type: integer}}
          Closed: {type: object, properties: {x: {type: string}}, additionalProperties: false}
          """))
    try #expect(
      imported.model("Open") == "Open:\n  x: string?\n  extra: {type: \"string?\", name: extra2}\n  $extra: int")
    try #expect(imported.model("Closed") == "Closed:\n  x: string?")
    imported.expectRoundTrip()
  }

  @Test("Local definitions of OpenAPI 3.1 are understood") func localDefinitionsOf31() throws {
    let imported = try Imported(
      document(
        version: "3.1.0",
        paths: """
          /pets:
            get:
              operationId: getPets
              responses: {"200": {description: "", content: {application/json: {schema: {$ref: "#/components/schemas/Pet"}}}}}
          """,
        components: """
          schemas:
            Pet:
              type: object
              properties: {owner: {$ref: "#/components/schemas/Pet/$defs/Owner"}, twin: {$ref: "#/components/schemas/Pet/properties/name"}, name: {type: string}}
              $defs: {Owner: {type: object, properties: {pet: {$ref: "#/components/schemas/Pet"}}}}
          """))
    try #expect(imported.model("Pet") == "Pet:\n  owner: indirect Owner?\n  twin: string?\n  name: string?")
    try #expect(imported.model("Owner") == "Owner:\n  pet: Pet?")
    imported.expectRoundTrip()
  }
}
