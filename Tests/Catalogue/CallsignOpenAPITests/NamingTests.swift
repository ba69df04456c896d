import CallsignCatalogue
import Testing

@testable import CallsignOpenAPI

@Suite struct NamingTests {
  @Test("Equal enums are one, named after the shared parameter")
  func equalEnumsAreOneAndAreNamedAfterTheSharedParameter() throws {
    let imported = try Imported(
      document(
        paths: """
          /a:
            get:
              operationId: getA
              parameters: [{$ref: "#/components/parameters/PetFieldsParameter"}]
              responses: {"204": {description: ""}}
          /b:
            get:
              operationId: getB
              parameters: [{name: columns, in: query, schema: {type: array, items: {type: string, enum: [age, name]}}}]
              responses: {"204": {description: ""}}
          """,
        components: """
          parameters:
            PetFieldsParameter:
              name: pet.fields
              in: query
              explode: false
              schema: {type: array, items: {type: string, enum: [name, age]}}
          """))
    try #expect(imported.endpoint("getA") == "call: GET /a\nparams:\n  pet.fields: \"[PetField]?\"")
    try #expect(imported.endpoint("getB").hasSuffix("columns: {type: \"[PetField]?\", list: repeat}"))
    try #expect(imported.model("PetField") == "PetField: enum [name, age]")
  }

  @Test("Names that would be equal in Swift are distinguished", arguments: ["-1", "1", "_1", "é1", "a_1", "$"])
  func namesAlike(name: String) throws {
    func operation(_ id: String, _ property: String) -> String {
      """
        /\(property):
          get:
            operationId: '\(id)'
            responses:
              "200":
                description: ""
                content:
                  application/json:
                    schema:
                      type: object
                      properties:
                        \(property): {type: object, properties: {a: {type: string}}}
                        response: {type: object, properties: {b: {type: string, enum: [c]}}}
      """
    }
    let imported = try Imported(
      document(
        paths: [operation(name, "x"), operation("Model" + name, "y"), operation("Model1", "z")].joined(separator: "\n"),
        components: "schemas: {'\(name)': {type: object, properties: {a: {type: string}}}}"))
    let types = imported.catalogue.groups.flatMap(\.models).map { SwiftName.type($0.name) }
    #expect(Set(types).count == types.count)
    imported.expectRoundTrip()
  }

  @Test("Responses of the same structure become one, named after their content")
  func responsesOfTheSameStructureAreOneNamedAfterWhatTheyCarry() throws {
    func operation(_ name: String, _ response: String) -> String {
      """
      /\(name):
        get:
          operationId: \(name)
          responses: {"200": {description: "", content: {application/json: {schema: {$ref: "#/components/schemas/\(response)"}}}}}
      """
    }
    let imported = try Imported(
      document(
        paths: [
          operation("getFriends", "GetFriendsResponse"), operation("getEnemies", "GetEnemiesResponse"),
          operation("deletePet", "DeletePetResponse"), operation("deleteOwner", "DeleteOwnerResponse"),
        ].joined(separator: "\n"),
        components: """
          schemas:
            GetFriendsResponse: {type: object, properties: {data: {type: array, items: {$ref: "#/components/schemas/Pet"}}}}
            GetEnemiesResponse: {type: object, properties: {data: {type: array, items: {$ref: "#/components/schemas/Pet"}}}}
            DeletePetResponse: {type: object, properties: {data: {$ref: "#/components/schemas/DeletePetResponseData"}}}
            DeletePetResponseData: {type: object, properties: {deleted: {type: boolean}}}
            DeleteOwnerResponse: {type: object, properties: {data: {$ref: "#/components/schemas/DeleteOwnerResponseData"}}}
            DeleteOwnerResponseData: {type: object, properties: {deleted: {type: boolean}}}
            Pet: {type: object, properties: {name: {type: string}}}
          """))
    #expect(
      imported.catalogue.groups.flatMap(\.models).map(\.name)
        == ["DeletedResponse", "DeletedResponseData", "Pet", "PetsResponse"])
    try #expect(imported.endpoint("getEnemies") == "call: GET /getEnemies\nreturns: PetsResponse")
    imported.expectRoundTrip()
  }

  @Test("Nested objects are named after owner and member, unless several owners share them")
  func nestedObjectsAreNamedAfterOwnerAndMemberUnlessSeveralOwnersShareThem() throws {
    let imported = try Imported(
      document(
        responding:
          "{type: object, properties: {a: {$ref: '#/components/schemas/Post'}, b: {$ref: '#/components/schemas/Profile'}}}",
        schemas: """
          Post:
            type: object
            properties:
              hashtags: {type: array, items: {type: object, properties: {tag: {type: string}}}}
              place: {type: object, properties: {id: {type: string}, type: {type: string, enum: [x, y]}}}
          Profile:
            type: object
            properties:
              hashtags: {type: array, items: {type: object, properties: {tag: {type: string}}}}
          """))
    #expect(
      imported.catalogue.groups.flatMap(\.models).map(\.name)
        == ["GetPetsResponse", "Hashtag", "Post", "PostPlace", "PostPlaceType", "Profile"])
  }

  @Test("Objects that differ only in one member's value are different models, even under the same member name")
  func constantsOfNamelessObjects() throws {
    func object(_ kind: String) -> String {
      "{type: object, required: [type, id], properties: {type: {type: string, enum: [\(kind)]}, id: {type: string}}}"
    }
    let imported = try Imported(
      document(
        sending: """
          {type: object, required: [policy, user, other, all], properties: {policy: \(object("policy")), \
          user: \(object("user")), other: {type: object, required: [user], properties: {user: \(object("robot"))}}, \
          all: {type: array, items: {oneOf: [\(object("dog")), \(object("cat"))]}}}}
          """))
    var constants: [String: String] = [:]
    for model in imported.catalogue.groups.flatMap(\.models) {
      guard case .object(let fields, _) = model.shape else { continue }
      for field in fields { constants[model.name] = constants[model.name] ?? field.constant }
    }
    #expect(Set(constants.values) == ["policy", "user", "robot", "dog", "cat"], "\(constants)")
    try #expect(imported.model(imported.typeName(of: "policy")).contains("value: policy"))
    try #expect(imported.model(imported.typeName(of: "user")).contains("value: user"))
    imported.expectRoundTrip()
  }

  @Test("Of equal objects and enums only that is said that all of their places say")
  func wordsOnNamelessShapes() throws {
    func object(_ words: String) -> String {
      "{type: object, properties: {mode: {type: string, \(words)}, n: {type: integer, description: A number.}}}"
    }
    func named(_ member: String, _ value: String) -> String {
      "{type: object, required: [\(member)], properties: {\(member): \(value)}}"
    }
    let slow = object("default: slow, description: Its speed.")
    let imported = try Imported(
      document(
        sending: """
          {type: object, required: [a, b, c, d], properties: {\
          a: \(object("default: fast, deprecated: true, description: How fast.")), b: \(slow), \
          c: \(named("size", object("default: large, deprecated: true"))), \
          d: {type: object, required: [x], properties: {x: {type: string}, size: \(object("description: The size."))}}}}
          """), options: ImportOptions(copiesSummaries: true))
    func mode(_ model: String) throws -> Field {
      let model = try #require(imported.catalogue.groups.flatMap(\.models).first { $0.name == model })
      guard case .object(let fields, _) = model.shape else { throw CancellationError() }
      #expect(fields.last?.summary == "A number.")
      return fields[0]
    }
    let first = try mode(imported.typeName(of: "a"))
    #expect(first.defaultValue == .single("fast") && first.deprecation != nil && first.summary == "How fast.")
    let second = try mode(imported.typeName(of: "b"))
    #expect(second.defaultValue == .single("slow") && second.deprecation == nil && second.summary == "Its speed.")
    let shared = try mode("Size")
    #expect(shared.defaultValue == nil && shared.deprecation == nil && shared.summary == nil)
    imported.expectRoundTrip()
  }

  @Test("Names that the generated code needs are left to it") func namesThatTheGeneratedCodeNeedsAreLeftToIt() throws {
    let imported = try Imported(
      document(
        responding:
          "{type: object, properties: {a: {$ref: '#/components/schemas/Endpoint'}, b: {$ref: '#/components/schemas/user_id'}}}",
        schemas: """
          Endpoint: {type: object, properties: {url: {type: string}}}
          user_id: {type: string}
          """), options: ImportOptions(apiName: "Pets"))
    try #expect(imported.model("GetPetsResponse") == "GetPetsResponse:\n  a: EndpointModel?\n  b: UserID?")
    imported.expectRoundTrip()
  }

  @Test("An overlay's names rename and join") func overlayNamesRenameAndJoin() throws {
    let text = document(
      responding: """
        {type: object, properties: {win: {type: object, properties: {n: {type: integer}}}, \
        loss: {type: object, properties: {n: {type: integer}}}}}
        """)
    let plain = try Imported(text)
    #expect(
      plain.catalogue.groups.flatMap(\.models).map(\.name)
        == ["GetPetsResponse", "GetPetsResponseLoss", "GetPetsResponseWin"])
    let named = try Imported(
      text,
      overlay: """
        import:
          names: {GetPetsResponse: Score, ScoreWin: Count, ScoreLoss: Count, Gone: Away}
          files: {pets: animals}
        api: {name: Shop, summary: A shop.}
        endpoints:
          getPets: {summary: "Lists: the pets.", details: More., limits: {user: 300/15m, app: [5/1d, 1/s]}, name: pets}
        models: {Count: {$summary: A count.}}
        """)
    #expect(named.catalogue.groups.flatMap(\.models).map(\.name) == ["Count", "Score"])
    #expect(named.catalogue.api.name == "Shop")
    try #expect(named.model("Count") == "Count:\n  $summary: A count.\n  \"n\": int?")
    let endpoint = named.catalogue.groups.flatMap(\.endpoints).first
    #expect(endpoint?.summary == "Lists: the pets.")
    #expect(endpoint?.swiftName == "pets")
    #expect(
      endpoint?.limits == [
        RateLimit(subject: "user", requests: 300, windowSeconds: 900),
        RateLimit(subject: "app", requests: 5, windowSeconds: 86400),
        RateLimit(subject: "app", requests: 1, windowSeconds: 1),
      ])
    #expect(
      named.result.diagnostics.map(\.description) == [
        "pets.overlay.yaml:2:70: warning: the importer gives no model the name `Gone`; remove this",
        "pets.overlay.yaml:3:11: warning: the document has no tag `pets`; remove this",
      ])
    named.expectRoundTrip()
  }

  @Test("A reimport without an overlay keeps what people wrote") func aReimportKeepsWhatPeopleWrote() throws {
    let text = document(
      paths: """
        /a: {get: {operationId: getA, responses: {"204": {description: ""}}}}
        /b: {get: {operationId: getB, responses: {"204": {description: ""}}}}
        """)
    var previous = try Imported(text).catalogue
    let group = try #require(previous.groups.firstIndex { !$0.endpoints.isEmpty })
    let endpoint = try #require(previous.groups[group].endpoints.firstIndex { $0.name == "getB" })
    previous.groups[group].endpoints[endpoint].summary = "Written in the file."
    let adopted = AdoptedText.texts(of: previous)
    #expect(adopted.keys.sorted() == ["getB"])
    let again = try OpenAPIImporter(adopted: adopted).importDocument(Array(text.utf8)).catalogue
    #expect(again.groups.flatMap(\.endpoints).map(\.summary) == ["Calls GET /a.", "Written in the file."])
  }

  @Test("A reimport without an overlay keeps the summaries of models, fields, values, parameters and files")
  func aReimportKeepsSummaries() throws {
    let text = document(
      paths: """
        /a:
          get:
            operationId: getA
            tags: [pets]
            parameters:
              - {name: kind, in: query, schema: {$ref: "#/components/schemas/Kind"}}
              - {name: size, in: query, schema: {type: integer}}
            responses:
              "200":
                description: ""
                content: {application/json: {schema: {$ref: "#/components/schemas/Pet"}}}
        """,
      components: """
        schemas:
          Kind: {type: string, enum: [cat, dog]}
          Pet: {type: object, properties: {name: {type: string}, kind: {$ref: "#/components/schemas/Kind"}}}
        """)
    var previous = try Imported(text).catalogue
    previous.api.summary = "A shop."
    for index in previous.groups.indices {
      previous.groups[index].summary = "Group \(previous.groups[index].name)."
      for position in previous.groups[index].endpoints.indices {
        previous.groups[index].endpoints[position].parameters[0].summary = "Which kind."
      }
      for position in previous.groups[index].models.indices {
        previous.groups[index].models[position].summary = "Model \(previous.groups[index].models[position].name)."
        switch previous.groups[index].models[position].shape {
        case .object(var fields, let extra):
          fields[0].summary = "Its name."
          previous.groups[index].models[position].shape = .object(fields: fields, extra: extra)
        case .enumeration(var cases):
          cases[1].summary = "It barks."
          previous.groups[index].models[position].shape = .enumeration(cases)
        case .union, .alias: break
        }
      }
    }
    let again = try OpenAPIImporter(
      adopted: AdoptedText.texts(of: previous), adoptedSummaries: AdoptedSummaries(of: previous)
    ).importDocument(Array(text.utf8)).catalogue
    #expect(again == previous)
    let fresh = try OpenAPIImporter().importDocument(Array(text.utf8)).catalogue
    #expect(AdoptedSummaries(of: fresh) == AdoptedSummaries())
  }

  @Test(
    "A plural becomes its singular",
    arguments: [
      ("categories", "category"), ("statuses", "statuse"), ("fields", "field"), ("addresses", "address"),
      ("media", "media"), ("news", "news"), ("boxes", "box"), ("status", "status"), ("expansions", "expansion"),
    ])
  func singular(plural: String, singular: String) {
    // Only a dictionary could distinguish `statuses` from `houses`; the name stays readable.
    let expected = singular == "statuse" ? "status" : singular
    #expect(Words(plural).singular.list == [expected])
  }

  @Test("Runs of words that names share are found") func commonRuns() {
    func run(_ names: String...) -> String { Words.commonRun(of: names.map { Words($0) }).pascal }
    #expect(run("addGroupMembersActionSignatures", "deleteMessagesActionSignature") == "ActionSignatures")
    #expect(run("getUsersByIds", "getUsersByNames") == "GetUsersBy")
    #expect(run("one", "other") == "")
    #expect(run() == "")
  }
}
