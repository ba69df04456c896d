import CallsignCatalogue
import Testing

@testable import CallsignOpenAPI

@Suite struct OperationImportTests {
  @Test("Parameters keep their order, place and constraints")
  func parametersKeepTheirOrderPlaceAndConstraints() throws {
    let imported = try Imported(
      document(
        paths: """
          /users/{id}/pets:
            get:
              operationId: getPets
              parameters:
                - {name: limit, in: query, schema: {type: integer, minimum: 1, maximum: 100, default: 20}}
                - {name: id, in: path, required: true, schema: {type: string, pattern: "^[0-9]{1,19}$"}}
                - {name: X-Trace, in: header, schema: {type: string, maxLength: 8}}
                - {name: since, in: query, required: true, schema: {type: string, format: date-time}}
              responses: {"204": {description: ""}}
          """))
    try #expect(
      imported.endpoint("getPets") == """
        call: GET /users/{id}/pets
        params:
          limit: {type: "int(1..100)?", default: 20}
          id: string(/^[0-9]{1,19}$/)
          X-Trace: {type: "string(..8)?", in: header}
          since: date
        """)
    imported.expectRoundTrip()
  }

  @Test("Parameters of the path are overridden by the operations")
  func parametersOfThePathAreOverriddenByTheOperations() throws {
    let imported = try Imported(
      document(
        paths: """
          /pets/{id}:
            parameters:
              - {name: id, in: path, required: true, schema: {type: integer}}
              - {name: verbose, in: query, schema: {type: boolean}}
            get:
              operationId: getPet
              parameters: [{$ref: "#/components/parameters/Verbose"}]
              responses: {"204": {description: ""}}
          """,
        components: "parameters: {Verbose: {name: verbose, in: query, required: true, schema: {type: string}}}"))
    try #expect(
      imported.endpoint("getPet") == """
        call: GET /pets/{id}
        params:
          id: int
          verbose: string
        """)
  }

  @Test("Lists are written in the document's style") func listsAreWrittenInTheDocumentsStyle() throws {
    let imported = try Imported(
      document(
        paths: """
          /pets:
            get:
              operationId: getPets
              parameters:
                - {name: exploded, in: query, schema: {type: array, items: {type: string}}}
                - {name: joined, in: query, explode: false, schema: {type: array, items: {type: string}}}
                - {name: spaced, in: query, style: spaceDelimited, explode: false, schema: {type: array, items: {type: integer}}}
                - {name: piped, in: query, style: pipeDelimited, explode: false, schema: {type: array, items: {type: integer}}}
              responses: {"204": {description: ""}}
          """))
    try #expect(
      imported.endpoint("getPets") == """
        call: GET /pets
        params:
          exploded: {type: "[string]?", list: repeat}
          joined: "[string]?"
          spaced: {type: "[int]?", list: space}
          piped: {type: "[int]?", list: pipe}
        """)
    #expect(imported.warnings.isEmpty)
    imported.expectRoundTrip()
  }

  @Test("A deep object in the query stays one, and a form's becomes a parameter for each member")
  func anObjectInTheQuery() throws {
    let imported = try Imported(
      document(
        paths: """
          /pets:
            get:
              operationId: getPets
              parameters:
                - name: filter
                  in: query
                  style: deepObject
                  schema: {type: object, properties: {name: {type: string}, age: {type: integer}}}
                - {name: sort, in: query, schema: {type: object, properties: {by: {type: string}}}}
                - {name: labels, in: query, schema: {type: object, additionalProperties: {type: integer}}}
                - {name: session, in: cookie, schema: {type: string}}
              responses: {"204": {description: ""}}
          """))
    try #expect(
      imported.endpoint("getPets") == """
        call: GET /pets
        params:
          filter: {type: "PetsFilter?", list: indexed, object: brackets}
          by: string?
          labels: {type: "{int}?", list: repeat, object: members}
          session: {type: "string?", in: cookie}
        """)
    #expect(imported.warnings == ["the object `sort` becomes a parameter for each of its members"])
    imported.expectRoundTrip()
  }

  @Test("A list in an object of the query repeats its name, by reference too") func listsInObjects() throws {
    let filter = "{type: object, properties: {tags: {$ref: '#/components/schemas/Tags'}}, additionalProperties: true}"
    let imported = try Imported(
      document(
        paths: """
          /pets:
            get:
              operationId: getPets
              parameters: [{name: filter, in: query, schema: \(filter)}]
              responses: {"204": {description: ""}}
          """,
        components: "schemas: {Tags: {type: array, items: {type: string}}}"))
    try #expect(
      imported.endpoint("getPets") == """
        call: GET /pets
        params:
          tags: {type: "[string]?", list: repeat}
          filter: {type: "{json}?", list: repeat, object: members}
        """)
    #expect(imported.warnings == ["the object `filter` becomes a parameter for each of its members"])
    imported.expectRoundTrip()
  }

  @Test("Objects inside an object of the query are written with brackets, and nothing is left out") func nestedObjects()
    throws
  {
    let imported = try Imported(
      document(
        paths: """
          /pets:
            get:
              operationId: getPets
              parameters: [{name: filter, in: query, required: true, schema: {$ref: '#/components/schemas/Filter'}}]
              responses: {"204": {description: ""}}
          """,
        components: """
          schemas:
            Filter:
              type: object
              required: [owner, any]
              properties:
                owner: {$ref: '#/components/schemas/Owner'}
                owners: {type: array, items: {$ref: '#/components/schemas/Owner'}}
                any: {}
                filter: {type: string}
              additionalProperties: {type: string}
            Owner: {type: object, properties: {name: {type: string}}}
          """))
    try #expect(
      imported.endpoint("getPets") == """
        call: GET /pets
        params:
          owner: {type: Owner, list: indexed, object: brackets}
          owners: {type: "[Owner]?", list: indexed, object: brackets}
          any: {type: json, list: indexed, object: brackets}
          filter: string?
        """)
    let nested = ["owner", "owners", "any"].map {
      "`\($0)` may hold objects, and OpenAPI has no form for these inside a parameter; they are written as `\($0)[…]`"
    }
    #expect(
      imported.warnings == ["the object `filter` becomes a parameter for each of its members"] + nested + [
        "`filter` may have members of any name, which are left out"
      ])
    imported.expectRoundTrip()
  }

  @Test("An object in cookies is a cookie for each of its members") func objectInCookies() throws {
    let properties =
      "{a: {type: string}, n: {type: integer}, list: {type: array, items: {type: string}}, o: {type: object}, a b: {type: string}}"
    let imported = try Imported(
      document(
        paths: """
          /pets:
            get:
              operationId: getPets
              parameters:
                - name: session
                  in: cookie
                  required: true
                  schema: {type: object, required: [a], properties: \(properties), additionalProperties: true}
              responses: {"204": {description: ""}}
          """))
    try #expect(
      imported.endpoint("getPets") == """
        call: GET /pets
        params:
          a: {type: string, in: cookie}
          "n": {type: "int?", in: cookie}
          list: {type: "[string]?", in: cookie}
          o: {type: "string?", in: cookie}
        """)
    #expect(
      imported.warnings == [
        "the object `session` becomes a parameter for each of its members",
        "`o` is an object, which a cookie cannot be; it is taken as text",
        "`a b` cannot be a cookie's name (RFC 6265 §4.1.1); it is left out",
        "`session` may have members of any name, which are left out",
      ])
    imported.expectRoundTrip()
  }

  @Test("Security becomes auth") func securityBecomesAuth() throws {
    let imported = try Imported(
      document(
        paths: """
          /all: {get: {operationId: getAll, responses: {"204": {description: ""}}}}
          /own:
            get:
              operationId: getOwn
              security: [{OAuth: [write, read]}, {Signed: []}, {Key: []}]
              responses: {"204": {description: ""}}
          /open: {get: {operationId: getOpen, security: [], responses: {"204": {description: ""}}}}
          /both: {get: {operationId: getBoth, security: [{App: [], Key: []}, {}], responses: {"204": {description: ""}}}}
          """,
        components: """
          securitySchemes:
            App: {type: http, scheme: bearer}
            Signed: {type: http, scheme: OAuth}
            OAuth: {type: oauth2, flows: {authorizationCode: {scopes: {read: Read, write: Write}}}}
            Key: {type: apiKey, in: header, name: X-Key}
          """, more: "security: [{App: []}]"))
    let endpoints = imported.catalogue.groups.flatMap(\.endpoints)
    #expect(endpoints.first { $0.name == "getAll" }?.auth == [AuthRequirement(scheme: "bearer")])
    #expect(
      endpoints.first { $0.name == "getOwn" }?.auth == [
        AuthRequirement(scheme: "oauth2", scopes: ["read", "write"]), AuthRequirement(scheme: "oauth1"),
        AuthRequirement(scheme: "key"),
      ])
    #expect(endpoints.first { $0.name == "getOpen" }?.auth == [AuthRequirement(scheme: "none")])
    #expect(
      endpoints.first { $0.name == "getBoth" }?.auth == [
        AuthRequirement(scheme: "bearer", others: [AuthRequirement(scheme: "key")]), AuthRequirement(scheme: "none"),
      ])
    #expect(imported.warnings == [])
    imported.expectRoundTrip()
  }

  @Test("Servers become hosts") func serversBecomeHosts() throws {
    let imported = try Imported(
      """
      openapi: 3.1.0
      info: {title: Pets, version: "1"}
      servers:
        - {url: "https://{region}.pets.example/v1/", variables: {region: {default: eu, enum: [eu, us]}}}
      paths:
        /pets: {get: {operationId: getPets, responses: {"204": {description: ""}}}}
        /files:
          servers: [{url: https://files.pets.example}]
          put: {operationId: putFile, responses: {"204": {description: ""}}}
      """)
    #expect(
      imported.catalogue.api.hosts == [
        CatalogueHost(
          name: "api", url: "https://{region}.pets.example/v1",
          variables: [HostVariable(name: "region", defaultValue: "eu", values: ["eu", "us"])]),
        CatalogueHost(name: "files", url: "https://files.pets.example"),
      ])
    try #expect(imported.endpoint("putFile") == "call: PUT /files\nhost: files")
    #expect(imported.warnings == [])
    imported.expectRoundTrip()
  }

  @Test("One of several responses is chosen, and the others are named")
  func oneOfSeveralResponsesIsChosenAndTheOthersNamed() throws {
    let imported = try Imported(
      document(
        paths: """
          /pets:
            post:
              operationId: addPet
              responses:
                "202": {description: "", content: {application/json: {schema: {type: string}}}}
                "201": {description: "", content: {application/json: {schema: {type: integer}}}}
                default: {description: "", content: {application/json: {schema: {type: boolean}}}}
          /photo:
            get:
              operationId: getPhoto
              responses: {"200": {description: "", content: {image/png: {schema: {type: string, format: binary}}}}}
          /events:
            get:
              operationId: getEvents
              responses: {"200": {description: "", content: {application/x-ndjson: {schema: {type: string}}}}}
          """))
    try #expect(imported.endpoint("addPet") == "call: POST /pets\nreturns: int\nstatus: 201")
    try #expect(imported.endpoint("getPhoto") == "call: GET /photo\naccept: image/png\nreturns: bytes")
    try #expect(imported.endpoint("getEvents") == "call: GET /events\nreturns: string\nstream: lines")
    #expect(imported.warnings == ["`addPet` responds with 202 in another form than 201; the catalogue has 201"])
    imported.expectRoundTrip()
  }

  @Test(
    "A stream that can resend what was missed is recognised, with the ID that identifies records",
    arguments: [
      ("data: {type: object, properties: {id: {type: string}}}", ", id: data.id"),
      ("data: {type: object, properties: {event_uuid: {type: string}}}", ", id: data.event_uuid"),
      ("id: {type: integer}", ", id: id"), ("data: {type: object, properties: {id: {type: boolean}}}", ""),
    ])
  func backfill(members: String, id: String) throws {
    let imported = try Imported(
      document(
        paths: """
          /events:
            get:
              operationId: getEvents
              x-twitter-streaming: true
              parameters:
                - {name: backfill_minutes, in: query, schema: {type: integer, minimum: 0, maximum: 5}}
              responses:
                "200":
                  description: ""
                  content: {application/json: {schema: {type: object, properties: {\(members)}}}}
          """))
    let text = try imported.endpoint("getEvents")
    #expect(text.hasSuffix("stream: {framing: lines, backfill: backfill_minutes\(id)}"), "\(text)")
    imported.expectRoundTrip()
  }

  @Test("Pages are recognised") func pagesAreRecognised() throws {
    let imported = try Imported(
      document(
        paths: """
          /pets:
            get:
              operationId: getPets
              parameters:
                - {name: pagination_token, in: query, schema: {type: string}}
                - {name: max_results, in: query, schema: {type: integer}}
              responses:
                "200":
                  description: ""
                  content:
                    application/json:
                      schema:
                        type: object
                        properties:
                          data: {type: array, items: {type: string}}
                          meta:
                            type: object
                            properties: {next_token: {type: string}, previous_token: {type: string}}
          /visits:
            get:
              operationId: getVisits
              parameters:
                - {name: since_id, in: query, schema: {type: string}}
                - {name: pagination_token, in: query, schema: {type: string}}
              responses:
                "200":
                  description: ""
                  content:
                    application/json:
                      schema:
                        type: object
                        properties:
                          data: {type: array, items: {type: object, properties: {id: {type: string}}}}
                          next_token: {type: string}
          /owners:
            get:
              operationId: getOwners
              parameters:
                - {name: page, in: query, schema: {type: integer}}
                - {name: per_page, in: query, schema: {type: integer}}
              responses:
                "200": {description: "", content: {application/json: {schema: {type: array, items: {type: string}}}}}
          """))
    let endpoints = imported.catalogue.groups.flatMap(\.endpoints)
    #expect(
      endpoints.first { $0.name == "getPets" }?.pages
        == Pagination(
          style: .token, parameter: "pagination_token", next: "meta.next_token", previous: "meta.previous_token",
          items: "data", size: "max_results"))
    // Elements have an id, so what is new can be polled.
    #expect(
      endpoints.first { $0.name == "getVisits" }?.pages
        == Pagination(
          style: .token, parameter: "pagination_token", next: "next_token", items: "data", id: "id", since: "since_id"))
    #expect(
      endpoints.first { $0.name == "getOwners" }?.pages
        == Pagination(style: .page, parameter: "page", items: ".", size: "per_page"))
    imported.expectRoundTrip()
  }

  @Test("Operations without id get one from method and path") func operationsWithoutIdGetOneFromMethodAndPath() throws {
    let imported = try Imported(
      document(
        paths: """
          /users/{id}/pets: {get: {deprecated: true, responses: {"204": {description: ""}}}}
          /a: {get: {operationId: same, responses: {"204": {description: ""}}}}
          /b: {get: {operationId: same, responses: {"204": {description: ""}}}}
          """))
    #expect(imported.catalogue.groups.flatMap(\.endpoints).map(\.name) == ["getUserPets", "same", "getB"])
    try #expect(
      imported.endpoint("getUserPets") == """
        call: GET /users/{id}/pets
        deprecated: true
        params:
          id: string
        """)
    #expect(
      imported.warnings == [
        "the path's `{id}` is not described; it is taken as a string",
        "two operations are called `same`; this one becomes `getB`",
      ])
    imported.expectRoundTrip()
  }

  @Test("Each tag is a file, and shared models have their own")
  func eachTagIsAFileAndSharedModelsHaveTheirOwn() throws {
    let imported = try Imported(
      document(
        paths: """
          /a: {get: {operationId: getA, tags: [Big Cats], responses: {"200": {description: "", content: {application/json: {schema: {$ref: "#/components/schemas/Own"}}}}}}}
          /b: {get: {operationId: getB, tags: [Dogs, Cats], responses: {"200": {description: "", content: {application/json: {schema: {$ref: "#/components/schemas/Shared"}}}}}}}
          """,
        components: """
          schemas:
            Own: {type: object, properties: {shared: {$ref: "#/components/schemas/Shared"}}}
            Shared: {type: object, properties: {kind: {type: string, enum: [a, b]}}}
            Unused: {type: object, properties: {x: {type: string}}}
          """))
    #expect(imported.files.map(\.path) == ["api.yaml", "big-cats.yaml", "dogs.yaml", "enums.yaml", "models.yaml"])
    try #expect(imported.text("enums.yaml").contains("SharedKind: enum [a, b]"))
    try #expect(imported.text("models.yaml").contains("Shared:\n    kind: SharedKind?"))
    try #expect(imported.text("big-cats.yaml").contains("Own:\n    shared: Shared?"))
    #expect(
      imported.result.warnings.contains { $0.message == "no operation uses `Unused`; it is left out" })
    imported.expectRoundTrip()
  }

  @Test("A type of an error is in the file of the only group that has it, and errors of every call are shared")
  func filesOfErrors() throws {
    let error = { (name: String) in
      "{description: '', content: {application/json: {schema: {$ref: '#/components/schemas/\(name)'}}}}"
    }
    let imported = try Imported(
      document(
        paths: """
          /a: {get: {operationId: getA, tags: [Cats], responses: {"204": {description: ""}, "404": \(error("Lost")), "500": \(error("Fault"))}}}
          /b: {get: {operationId: getB, tags: [Dogs], responses: {"204": {description: ""}, "500": \(error("Fault"))}}}
          /c: {get: {operationId: getC, tags: [Dogs], responses: {"204": {description: ""}, "500": \(error("Fault"))}}}
          """,
        components: """
          schemas:
            Lost: {type: object, properties: {kind: {type: string, enum: [a, b]}}}
            Fault: {type: object, properties: {text: {type: string}}}
          """))
    try #expect(imported.text("cats.yaml").contains("Lost:\n    kind: LostKind?"))
    try #expect(imported.text("cats.yaml").contains("LostKind: enum [a, b]"))
    try #expect(imported.text("models.yaml").contains("Fault:\n    text: string?"))
    imported.expectRoundTrip()
  }

  @Test(
    "A response without content next to one with content is a warning",
    arguments: [
      ("204", "200", true), ("204", "2XX", true), ("202", "200", true), ("205", "201", true), ("200", "201", true),
      ("404", "200", false), ("default", "200", false),
    ])
  func responsesWithoutContent(_ empty: String, _ other: String, isTold: Bool) throws {
    let content = "content: {application/json: {schema: {type: object, properties: {id: {type: string}}}}}"
    let imported = try Imported(
      document(responses: "{\"\(empty)\": {description: None}, \"\(other)\": {description: One, \(content)}}"))
    let told = imported.result.warnings.filter { $0.message.contains("may have no content") }
    #expect(told.map(\.pointer) == (isTold ? ["#/paths/~1pets/get/responses/\(empty)"] : []))
    #expect(told.allSatisfy { $0.severity == .warning })
  }

  @Test("A read that is accepted with a place of its state gets no polling method, which is reported")
  func acceptedReads() throws {
    let content = "content: {application/json: {schema: {type: object, properties: {id: {type: string}}}}}"
    let accepted = "{description: Later, headers: {Location: {schema: {type: string}}}}"
    let imported = try Imported(document(responses: "{\"202\": \(accepted), \"200\": {description: One, \(content)}}"))
    let told = imported.result.warnings.filter { $0.message.contains("may have no content") }
    #expect(told.map(\.pointer) == ["#/paths/~1pets/get/responses/202"])
    #expect(imported.result.catalogue.groups.flatMap(\.endpoints).allSatisfy { $0.poll == nil })
  }

  @Test("A response without content is not worth a note if the others can be empty too")
  func emptyTextsAreNoWarning() throws {
    for content in ["text/plain: {schema: {type: string}}", "image/png: {}", "application/x-ndjson: {}"] {
      let imported = try Imported(
        document(
          responses: "{\"204\": {description: None}, \"200\": {description: One, content: {\(content)}}}"))
      #expect(imported.warnings.isEmpty)
    }
  }

  @Test(
    "A parameter that can only be null is a warning",
    arguments: [
      "{type: 'null'}", "{type: ['null']}", "{enum: [null]}", "{const: null}", "{$ref: '#/components/schemas/N'}",
    ])
  func parametersThatAreNull(_ schema: String) throws {
    let imported = try Imported(
      document(
        parameters: "{name: filter, in: query, schema: \(schema)}", version: "3.1.0", schemas: "N: {type: \"null\"}"))
    #expect(
      imported.warnings == ["`filter` can only be null, which a query parameter cannot be; it is taken as text"])
    try #expect(imported.endpoint("getPets").contains("filter: string?"))
  }

  @Test("A member that can only be null is reported, but not an alternative that is null")
  func membersThatAreNull() throws {
    let imported = try Imported(
      document(
        responding:
          "{type: object, properties: {a: {type: 'null'}, b: {const: null}, c: {oneOf: [{type: string}, {type: ['null']}]}}}"
      ))
    let told = imported.result.warnings.filter { $0.message.contains("can only be null") }
    #expect(told.map(\.message) == ["a value that can only be null is taken as any JSON, here and in 1 other place"])
    try #expect(imported.model("GetPetsResponse") == "GetPetsResponse:\n  a: json?\n  b: json?\n  c: string?")
  }
}
