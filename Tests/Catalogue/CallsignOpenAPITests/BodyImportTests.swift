import CallsignCatalogue
import Testing

@testable import CallsignOpenAPI

@Suite struct BodyImportTests {
  @Test(
    "A schema within itself is not a file, and its import ends",
    arguments: [
      "{type: array, items: {oneOf: [{$ref: '#/components/schemas/Loop'}, {$ref: '#/components/schemas/Loop'}]}}",
      "{type: array, items: {$ref: '#/components/schemas/Loop'}}",
      "{oneOf: [{type: string}, {type: array, items: {$ref: '#/components/schemas/Loop'}}]}",
      "{oneOf: [{type: string, format: binary}, {$ref: '#/components/schemas/Loop'}]}",
      "{anyOf: [{$ref: '#/components/schemas/Loop'}, {type: integer}]}",
    ], ["multipart/form-data", "application/x-www-form-urlencoded", "application/json"])
  func loop(schema: String, type: String) throws {
    let imported = try Imported(
      document(
        paths: """
          /pets:
            post:
              operationId: addPet
              requestBody:
                content:
                  \(type): {schema: {type: object, properties: {a: {$ref: '#/components/schemas/Loop'}}}}
              responses: {"204": {description: ""}}
          """, components: "schemas: {Loop: \(schema)}"))
    imported.expectRoundTrip()
  }

  @Test("Parameters next to a whole body of a JSON type state their place") func queryBesideJSONType() throws {
    let imported = try Imported(
      document(
        paths: """
          /pets/{id}:
            delete:
              operationId: deletePet
              parameters:
                - {name: id, in: path, required: true, schema: {type: string}}
                - {name: key, in: query, schema: {type: string}}
              requestBody: {content: {application/merge-patch+json: {schema: {type: array, items: {type: string}}}}}
              responses: {"204": {description: ""}}
          """))
    try #expect(
      imported.endpoint("deletePet") == """
        call: DELETE /pets/{id}
        body: application/merge-patch+json
        params:
          id: string
          key: {type: "string?", in: query}
          body: {type: "[string]?", in: body}
        """)
    imported.expectRoundTrip()
  }

  @Test("Files and elements of lists are not null if the request is not JSON") func nullOutsideJSON() throws {
    let day = "{type: array, items: {type: string, format: date, nullable: true}}"
    let file = "{type: string, format: binary, nullable: true}"
    let imported = try Imported(
      document(
        paths: """
          /pets:
            post:
              operationId: addPet
              parameters: [{name: days, in: query, schema: \(day)}]
              requestBody:
                content:
                  multipart/form-data:
                    schema:
                      {type: object, properties: {picture: \(file), pictures: {type: array, items: \(file)}, dates: \(day)}}
              responses: {"204": {description: ""}}
            put:
              operationId: setPet
              requestBody: {content: {application/json: {schema: {type: object, properties: {dates: \(day)}}}}}
              responses: {"204": {description: ""}}
          """))
    let added = try imported.endpoint("addPet")
    #expect(!added.contains("null") && added.contains("picture: file?"))
    #expect(try imported.endpoint("setPet").contains("[date(day) | null]"))
    imported.expectRoundTrip()
  }

  @Test("Members of a JSON body become parameters") func membersOfAJSONBodyBecomeParameters() throws {
    let imported = try Imported(
      document(
        sending: "{$ref: '#/components/schemas/NewPet'}",
        schemas: """
          NewPet:
            type: object
            required: [name]
            properties:
              tag: {type: string, nullable: true}
              name: {type: string, minLength: 1}
              owner: {type: object, properties: {id: {type: string}}}
              id: {type: string, readOnly: true}
          """))
    try #expect(
      imported.endpoint("addPet") == """
        call: POST /pets
        params:
          tag: string | null?
          name: string(1..)
          owner: AddPetOwner?
        """)
    try #expect(imported.model("AddPetOwner") == "AddPetOwner:\n  id: string?")
    #expect(imported.warnings == [])
    imported.expectRoundTrip()
  }

  @Test(
    "Bodies that are not objects are one parameter",
    arguments: [
      ("{type: array, items: {type: string}}", "body: {type: [string], in: body}"),
      ("{type: integer}", "body: {type: int, in: body}"),
      ("{type: object, additionalProperties: {type: integer}}", "body: {type: {int}, in: body}"),
    ])
  func bodiesThatAreNoObjectAreOneParameter(schema: String, line: String) throws {
    let imported = try Imported(document(sending: schema))
    try #expect(imported.endpoint("addPet") == "call: POST /pets\nparams:\n  \(line)")
    imported.expectRoundTrip()
  }

  @Test("A member with the name of a parameter keeps the body whole")
  func aMemberWithTheNameOfAParameterKeepsTheBodyWhole() throws {
    let imported = try Imported(
      document(
        paths: """
          /pets/{id}:
            put:
              operationId: putPet
              parameters: [{name: id, in: path, required: true, schema: {type: string}}]
              requestBody: {required: true, content: {application/json: {schema: {$ref: "#/components/schemas/Pet"}}}}
              responses: {"204": {description: ""}}
          """,
        components: "schemas: {Pet: {type: object, properties: {id: {type: string}, name: {type: string}}}}"))
    try #expect(
      imported.endpoint("putPet") == """
        call: PUT /pets/{id}
        params:
          id: string
          body: {type: Pet, in: body}
        """)
    #expect(
      imported.warnings == [
        "`id` is a parameter and a member of the body, so the whole body is one parameter of `putPet`"
      ])
    imported.expectRoundTrip()
  }

  @Test("A file is sent in parts, and the alternative is named")
  func aFileIsSentInPartsAndTheAlternativeIsNamed() throws {
    let imported = try Imported(
      document(
        paths: """
          /photos:
            post:
              operationId: addPhoto
              requestBody:
                content:
                  application/json: {schema: {$ref: "#/components/schemas/Photo"}}
                  multipart/form-data: {schema: {$ref: "#/components/schemas/Photo"}}
              responses: {"204": {description: ""}}
          """,
        components: """
          schemas:
            Photo:
              type: object
              required: [media]
              properties:
                media: {anyOf: [{type: string, format: binary}, {type: string, format: byte}]}
                title: {type: string}
          """))
    try #expect(
      imported.endpoint("addPhoto") == """
        call: POST /photos
        body: multipart
        params:
          media: file
          title: string?
        """)
    #expect(
      imported.warnings == [
        "`addPhoto` takes its body as multipart/form-data or as application/json; the catalogue has multipart/form-data"
      ])
    imported.expectRoundTrip()
  }

  @Test("Forms and raw bytes") func formsAndRawBytes() throws {
    let imported = try Imported(
      document(
        paths: """
          /login:
            post:
              operationId: login
              requestBody:
                content:
                  application/x-www-form-urlencoded:
                    schema: {type: object, required: [user], properties: {user: {type: string}, scopes: {type: array, items: {type: string}}}}
                    encoding: {scopes: {explode: false}}
              responses: {"204": {description: ""}}
          /photo:
            put:
              operationId: putPhoto
              parameters: [{name: size, in: query, schema: {type: integer}}]
              requestBody: {required: true, content: {image/png: {schema: {type: string, format: binary}}}}
              responses: {"204": {description: ""}}
          """))
    try #expect(
      imported.endpoint("login") == """
        call: POST /login
        body: form
        params:
          user: string
          scopes: "[string]?"
        """)
    try #expect(
      imported.endpoint("putPhoto") == """
        call: PUT /photo
        body: image/png
        params:
          size: {type: "int?", in: query}
          body: {type: bytes, in: body}
        """)
    imported.expectRoundTrip()
  }

  @Test("A form of unknown fields keeps its media type, and omitted parts of bodies are reported")
  func unsaidForms() throws {
    func operation(_ path: String, _ type: String, _ schema: String) -> String {
      """
      /\(path):
        post:
          operationId: \(path)
          requestBody: {required: true, content: {\(type): {schema: {type: object, \(schema)}}}}
          responses: {"204": {description: ""}}

      """
    }
    let named = "properties: {a: {type: string}}"
    let imported = try Imported(
      document(
        paths: operation("free", "application/x-www-form-urlencoded", "additionalProperties: {type: string}")
          + operation("open", "multipart/form-data", named + ", additionalProperties: true")
          + operation("mixed", "multipart/mixed", named)))
    try #expect(
      imported.endpoint("free")
        == "call: POST /free\nbody: application/x-www-form-urlencoded\nparams:\n  body: {type: bytes, in: body}")
    #expect(
      imported.warnings == [
        "a form body that is not an object is sent as bytes",
        "the body may have fields of any name, which are left out",
        "a body of type multipart/mixed is sent as multipart/form-data",
      ])
    imported.expectRoundTrip()
  }

  @Test("Objects in a form are JSON unless they are said to be deep, and lists repeat their name, by reference too")
  func objectsInForms() throws {
    let imported = try Imported(
      document(
        paths: """
          /a:
            post:
              operationId: addA
              requestBody:
                content:
                  application/x-www-form-urlencoded:
                    schema:
                      type: object
                      properties:
                        tags: {$ref: "#/components/schemas/Tags"}
                        flat: {$ref: "#/components/schemas/B"}
                        deep: {$ref: "#/components/schemas/B"}
                        list: {type: array, items: {$ref: "#/components/schemas/B"}}
                        deep_tags: {$ref: "#/components/schemas/Tags"}
                    encoding: {deep: {style: deepObject, explode: true}, deep_tags: {style: deepObject, explode: true}}
              responses: {"204": {description: ""}}
          """,
        components: """
          schemas:
            Tags: {type: array, items: {type: string}}
            B: {type: object, properties: {x: {type: string}}}
          """))
    try #expect(
      imported.endpoint("addA") == """
        call: POST /a
        body: form
        params:
          tags: {type: "[string]?", list: repeat}
          flat: {type: "B?", object: json}
          deep: {type: "B?", list: indexed, object: brackets}
          list: {type: "[B]?", list: repeat, object: json}
          deep_tags: {type: "[string]?", list: indexed}
        """)
    imported.expectRoundTrip()
  }

  @Test("At least one of several members") func atLeastOneOfSeveralMembers() throws {
    let imported = try Imported(
      document(
        sending: """
          {type: object, properties: {text: {type: string}, file: {type: string}}, \
          anyOf: [{required: [text]}, {required: [file]}]}
          """))
    try #expect(
      imported.endpoint("addPet") == """
        call: POST /pets
        params:
          text: string?
          file: string?
        any_of: [text, file]
        """)
    #expect(imported.warnings == [])
    imported.expectRoundTrip()
  }

  @Test(
    "A required body is required, even if none of its members is",
    arguments: [
      ("application/json", "{type: object, properties: {a: {type: string}}}", true),
      ("application/merge-patch+json", "{type: object, properties: {a: {type: string}}}", true),
      ("application/x-www-form-urlencoded", "{type: object, properties: {a: {type: string}}}", true),
      ("multipart/form-data", "{type: object, properties: {a: {type: string}}}", true),
      // A member says so, or the type of the whole body.
      ("application/json", "{type: object, required: [a], properties: {a: {type: string}}}", false),
      ("application/json", "{type: array, items: {type: string}}", false),
      ("image/png", "{}", false),
    ])
  func requiredBodies(type: String, schema: String, isSaid: Bool) throws {
    let content = "content: {\(type): {schema: \(schema)}}"
    let imported = try Imported(document(requestBody: "{required: true, \(content)}"))
    #expect(imported.files.contains { $0.text.contains("    body_required: true\n") } == isSaid)
    imported.expectRoundTrip()
    let optional = try Imported(document(requestBody: "{\(content)}"))
    #expect(!optional.files.contains { $0.text.contains("body_required") })
    optional.expectRoundTrip()
  }

  @Test("A body of any object, by a made-up name, is the empty object")
  func aBodyOfAnyObjectByAMadeUpNameIsTheEmptyObject() throws {
    let imported = try Imported(
      document(sending: "{$ref: '#/components/schemas/AddPetRequest'}", schemas: "AddPetRequest: {type: object}"))
    try #expect(imported.endpoint("addPet") == "call: POST /pets\nbody: json")
    imported.expectRoundTrip()
  }

  @Test(
    "A GET has no body, of whatever type", arguments: ["application/json", "application/merge-patch+json", "text/csv"])
  func aGETHasNoBody(type: String) throws {
    let imported = try Imported(
      document(
        paths: """
          /pets:
            get:
              operationId: getPets
              requestBody: {content: {\(type): {schema: {type: object, properties: {a: {type: string}}}}}}
              responses: {"204": {description: ""}}
          """))
    try #expect(imported.endpoint("getPets") == "call: GET /pets")
    #expect(imported.warnings.last == "a GET has no body (RFC 9110 §9.3.1); what `getPets` has is left out")
    imported.expectRoundTrip()
  }

  @Test("A file that may be null is a part that may be left out")
  func nullableFiles() throws {
    let imported = try Imported(
      document(
        paths: """
          /a:
            post:
              operationId: addA
              requestBody:
                content:
                  multipart/form-data:
                    schema:
                      type: object
                      properties:
                        file: {type: string, format: binary, nullable: true}
                        files: {type: array, nullable: true, items: {type: string, format: binary}}
              responses: {"204": {description: ""}}
          """))
    #expect(try imported.endpoint("addA").contains("  file: file?\n"))
    #expect(try imported.endpoint("addA").contains("  files: \"[file]?\""))
    imported.expectRoundTrip()
  }

  @Test(
    "A body of JSON is JSON where no schema says more", arguments: ["application/json", "application/merge-patch+json"])
  func bodyWithoutSchema(type: String) throws {
    let imported = try Imported(
      document(
        requestBody: "{required: true, content: {\(type): {}}}",
        responses: "{\"200\": {description: \"\", content: {\(type): {}}}}"))
    #expect(try imported.endpoint("addPet").contains("body: {type: json, in: body}"))
    #expect(try imported.endpoint("addPet").contains("returns: json"))
    imported.expectRoundTrip()
  }

  /// A document whose one operation sends the given members in parts or a form.
  private func sending(
    _ properties: String, encoding: String, as type: String = "multipart/form-data"
  ) throws -> Imported {
    try Imported(
      document(
        version: "3.1.0",
        paths: """
          /a:
            post:
              operationId: addA
              requestBody:
                required: true
                content:
                  \(type):
                    schema: {type: object, properties: {\(properties)}}
                    encoding: {\(encoding)}
              responses: {"204": {description: ""}}
          """))
  }

  @Test(
    "A part with only a binary media type is a file",
    arguments: [
      ("a: {}", "a: {contentType: 'image/png, image/jpeg'}", "file?"),
      ("a: {contentMediaType: application/octet-stream}", "", "file?"),
      ("a: {type: array, items: {}}", "a: {contentType: image/png}", "\"[file]?\""),
      ("a: {type: string, format: byte}", "", "file?"),
      ("a: {}", "a: {contentType: text/plain}", "string?"),
      ("a: {}", "a: {contentType: application/json}", "{type: \"json?\", object: json}"),
    ])
  func untypedParts(property: String, encoding: String, type: String) throws {
    let imported = try sending(property, encoding: encoding)
    #expect(try imported.endpoint("addA").contains("  a: \(type)"))
    let note = "`a` is base64 in the document; it is sent as a file, byte for byte"
    #expect(imported.result.warnings.contains { $0.message == note } == property.contains("byte"))
    imported.expectRoundTrip()
  }

  @Test("An object in a part of another type than JSON is a file, which the caller writes") func foreignParts() throws {
    let imported = try sending(
      "a: {type: object, properties: {x: {type: string}}}, b: {type: object, properties: {x: {type: string}}}",
      encoding: "a: {contentType: application/xml}, b: {contentType: 'application/xml, application/json'}")
    #expect(try imported.endpoint("addA").contains("  a: file?\n  b: {type: \"AddAB?\", object: json}"))
    #expect(
      imported.warnings == [
        "`a` is an object that is sent as application/xml, which cannot be expressed in a catalogue; it is a file that the caller "
          + "writes, a `FilePart` of that type"
      ])
    imported.expectRoundTrip()
  }

  @Test("Media types and header fields of parts that a catalogue cannot express are reported") func unsaidOfParts()
    throws
  {
    let imported = try sending(
      "a: {type: string, format: binary}, b: {type: string}, c: {type: string, format: binary}, d: {type: string}, "
        + "o: {type: object, properties: {x: {type: string}}}",
      encoding: """
        o: {contentType: application/vnd.o+json}, \
        a: {contentType: image/png, headers: {X-A: {schema: {type: string}}}}, b: {contentType: text/csv}, \
        c: {contentType: application/octet-stream}, d: {contentType: text/plain, allowReserved: true}, \
        e: {contentType: text/plain}
        """)
    let content = "#/paths/~1a/post/requestBody/content/multipart~1form-data/encoding"
    #expect(
      imported.result.warnings.filter { $0.severity == .note }.map(\.description) == [
        "\(content)/a: note: `a` is of type image/png: give its `FilePart` that media type",
        "\(content)/b: note: `b` is sent as plain text, not as text/csv",
        "\(content)/o: note: `o` is sent as application/json, not as application/vnd.o+json",
        "\(content)/e: note: the body has no `e` to encode",
        "\(content)/a: note: the header fields of a part (`headers` of `encoding`) cannot be expressed in a catalogue",
        "\(content)/d: note: the catalogue has no word for `allowReserved`",
      ])
    imported.expectRoundTrip()
  }

  @Test(
    "An object in a form is written in the document's style",
    arguments: [
      ("{style: form, explode: true}", "list: repeat, object: members"),
      ("{explode: true}", "list: repeat, object: members"),
      ("{style: form}", "list: repeat, object: members"), ("{style: form, explode: false}", "object: flat"),
      ("{style: spaceDelimited, explode: false}", "list: space, object: flat"),
      ("{style: pipeDelimited, explode: false}", "list: pipe, object: flat"),
      ("{style: deepObject, explode: true}", "list: indexed, object: brackets"),
      ("{contentType: application/json}", "object: json"),
    ])
  func objectsOfForms(encoding: String, words: String) throws {
    let imported = try sending(
      "a: {type: object, properties: {x: {type: string}}}", encoding: "a: \(encoding)",
      as: "application/x-www-form-urlencoded")
    #expect(try imported.endpoint("addA").contains("  a: {type: \"AddAA?\", \(words)}"))
    imported.expectRoundTrip()
  }

  @Test(
    "An object in parts is JSON, or has a part per member if the document says so",
    arguments: [
      ("{style: deepObject, explode: true}", "list: indexed, object: brackets", false),
      ("{style: deepObject, contentType: application/json}", "object: json", false),
      ("{style: form, explode: true}", "object: json", true),
      ("{contentType: application/json}", "object: json", false),
    ])
  func objectsOfParts(encoding: String, words: String, isTold: Bool) throws {
    let imported = try sending("a: {type: object, properties: {x: {type: string}}}", encoding: "a: \(encoding)")
    #expect(try imported.endpoint("addA").contains("  a: {type: \"AddAA?\", \(words)}"))
    let warning = "`a` is an object in parts, sent as one part of JSON whatever its `style: form` says"
    #expect(imported.warnings == (isTold ? [warning] : []))
    imported.expectRoundTrip()
  }

  @Test(
    "A body of records or text that is sent as bytes is reported", arguments: ["application/x-ndjson", "text/csv; a=b"])
  func bytesOfText(type: String) throws {
    let imported = try Imported(
      document(requestBody: "{required: true, content: {'\(type)': {schema: {type: string}}}}"))
    #expect(imported.warnings == ["a body of type \(type) is sent as bytes"])
    imported.expectRoundTrip()
  }

  /// A document whose one operation sends a body in parts.
  private func parts(_ schema: String, schemas: String = "") throws -> Imported {
    try Imported(
      document(
        requestBody: "{required: true, content: {multipart/form-data: {schema: \(schema)}}}", schemas: schemas,
        version: "3.1.0"))
  }

  @Test("Alternatives of a body in parts become one set of fields, with only the common ones required")
  func alternativesInParts() throws {
    let file = "file: {type: string, format: binary}"
    let imported = try parts(
      """
      {oneOf: [{type: object, required: [file, kind], properties: {\(file), kind: {const: a}}}, \
      {$ref: '#/components/schemas/Link'}]}
      """,
      schemas: """
        Link:
          anyOf:
            - {type: object, required: [url, kind], properties: {url: {type: string}, kind: {type: string, const: b}}}
            - {type: object, required: [kind], properties: {\(file), kind: {type: string, enum: [b, c]}}}
        """)
    try #expect(
      imported.endpoint("addPet") == """
        call: POST /pets
        body: multipart
        params:
          file: file?
          kind: AddPetKind
          url: string?
        """)
    try #expect(imported.model("AddPetKind") == "AddPetKind: enum [a, b, c]")
    let told = "the body is one of several objects; what not all of them need are fields that may be left out"
    #expect(imported.result.warnings.contains { $0.message == told && $0.severity == .note })
    #expect(imported.warnings == [])
    imported.expectRoundTrip()
  }

  @Test(
    "A body in parts without known members is sent as bytes, with the media type as an argument",
    arguments: [
      "{type: string, format: binary}", "{oneOf: [{type: string}, {type: object, properties: {a: {type: string}}}]}",
    ])
  func bytesInParts(schema: String) throws {
    let imported = try parts(schema)
    try #expect(imported.endpoint("addPet") == "call: POST /pets\nparams:\n  body: {type: bytes, in: body}")
    #expect(
      imported.warnings == ["a multipart body that is not an object is sent as bytes, of type application/octet-stream"]
    )
    imported.expectRoundTrip()
  }

  @Test(
    "A body of any type is sent unchanged if it is a text, and otherwise as JSON",
    arguments: [
      ("{type: string, description: The raw file data}", true), ("{$ref: '#/components/schemas/Text'}", true),
      ("{type: string, format: binary}", true), ("{type: string, enum: [a, b]}", false),
      ("{type: array, items: {type: string}}", false),
    ])
  func bodyOfAnyType(schema: String, isRaw: Bool) throws {
    let imported = try Imported(
      document(
        requestBody: "{required: true, content: {'*/*': {schema: \(schema)}}}", schemas: "Text: {type: string}"))
    let body = try #require(imported.catalogue.groups.flatMap(\.endpoints).first?.parameters.last)
    #expect((body.type.kind == .scalar(.bytes)) == isRaw, "\(body)")
    imported.expectRoundTrip()
  }

  @Test(
    "Of several JSON types, a body gets the plainest one",
    arguments: ["application/json-patch+json", "application/vnd.pets+json", "text/json", "'*/*'"],
    ["application/json", "'application/json; charset=utf-8'"])
  func usualJSON(other: String, usual: String) throws {
    let schema = "{schema: {type: object, required: [x], properties: {x: {type: string}}}}"
    let imported = try Imported(document(requestBody: "{content: {\(other): \(schema), \(usual): \(schema)}}"))
    try #expect(!imported.endpoint("addPet").contains("body:"))
    #expect(imported.warnings.count == 1 && imported.warnings[0].contains("the catalogue has application/json"))
    imported.expectRoundTrip()
  }

  @Test("A body in JSON that may be base64 is that text") func base64OrNull() throws {
    let imported = try Imported(
      document(sending: "{anyOf: [{type: string, format: byte}, {type: 'null'}]}", version: "3.1.0"))
    #expect(try imported.endpoint("addPet").contains("body: {type: string, in: body}"))
    #expect(imported.warnings == ["the body is JSON, a text in base64, which the caller has to write"])
    imported.expectRoundTrip()
  }

  @Test("A schema of a body that is bytes is reported as useless")
  func schemaOfBytes() throws {
    let body = "{content: {application/octet-stream: {schema: {type: object, properties: {a: {type: string}}}}}}"
    let imported = try Imported(
      document(requestBody: body))
    let messages = imported.result.warnings.map(\.message)
    #expect(messages.contains("a body of type application/octet-stream is sent as bytes, whatever its schema says"))
    imported.expectRoundTrip()
  }
}
