import CallsignCatalogue
import Testing

@testable import CallsignOpenAPI

/// Facts about calls and responses in documents, except for paths and types.
@Suite struct CallImportTests {
  @Test("API keys have their places, and schemes that come together do") func security() throws {
    let imported = try Imported(
      document(
        paths: """
          /a:
            get:
              operationId: getA
              security: [{appId: [], appKey: []}, {}]
              responses: {"204": {description: ""}}
          """,
        components: """
          securitySchemes:
            appId: {type: apiKey, in: header, name: X-App-Id}
            appKey: {type: apiKey, in: query, name: key}
            basic: {type: apiKey, in: cookie, name: till}
          """))
    #expect(try imported.endpoint("getA") == "call: GET /a\nauth: [[app_id, app_key], none]")
    #expect(
      try imported.text("api.yaml").contains(
        """
            app_id:
              $summary: A key in the header `X-App-Id`.
              $in: header
              $name: X-App-Id
        """))
    #expect(imported.catalogue.api.schemes.map(\.name) == ["app_id", "app_key", "basic_key", "none"])
    #expect(imported.warnings == [])
    imported.expectRoundTrip()
  }

  @Test("The common parts and failures of all operations are stated once") func everyCall() throws {
    let version = "{name: X-Version, in: header, required: true, schema: {type: string, enum: [\"7\"]}}"
    let responses = """
      {"200": {description: "", content: {application/json: {schema: {$ref: "#/components/schemas/A"}}}}, \
      "404": {description: "", content: {application/json: {schema: {$ref: "#/components/schemas/Lost"}}}}, \
      default: {description: "", content: {application/problem+json: {schema: {$ref: "#/components/schemas/Problem"}}}}}
      """
    let key = "{name: Idempotency-Key, in: header, schema: {type: string}}"
    let imported = try Imported(
      document(
        paths: """
          /a:
            get: {operationId: getA, parameters: [\(version)], responses: \(responses)}
            post: {operationId: addA, parameters: [\(key), \(version)], responses: \(responses)}
            patch:
              operationId: changeA
              parameters: [\(version), \(key)]
              responses:
                "204": {description: ""}
                default: {description: "", content: {application/json: {schema: {$ref: "#/components/schemas/Lost"}}}}
          """,
        components: """
          schemas:
            A: {type: object, properties: {id: {type: string}}}
            Lost: {type: object, properties: {message: {type: string}}}
            Problem: {type: object, properties: {title: {type: string}}}
          """))
    #expect(
      try imported.text("api.yaml").contains(
        """
          headers:
            X-Version: "7"
          errors: {"404": Lost, default: Problem}
          idempotency: Idempotency-Key
        """))
    #expect(try imported.endpoint("getA") == "call: GET /a\nreturns: A")
    #expect(try imported.endpoint("changeA") == "call: PATCH /a\nerrors: {default: Lost}")
    imported.expectRoundTrip()
  }

  @Test("Objects go into queries, forms and parts") func objects() throws {
    let filter = "{type: object, properties: {name: {type: string}}}"
    let items = "{type: array, items: {type: object, properties: {sku: {type: string}, count: {type: integer}}}}"
    let imported = try Imported(
      document(
        paths: """
          /a:
            get:
              operationId: getA
              parameters:
                - {name: filter, in: query, style: deepObject, schema: \(filter)}
                - {name: where, in: query, content: {application/json: {schema: \(filter)}}}
              responses: {"204": {description: ""}}
            post:
              operationId: addA
              requestBody:
                content: {application/x-www-form-urlencoded: {schema: {type: object, properties: {items: \(items)}}}}
              responses: {"204": {description: ""}}
            put:
              operationId: putA
              requestBody: {content: {multipart/form-data: {schema: {type: object, properties: {meta: \(filter)}}}}}
              responses: {"204": {description: ""}}
          """))
    #expect(
      try imported.endpoint("getA") == """
        call: GET /a
        params:
          filter: {type: "AFilter?", list: indexed, object: brackets}
          where: {type: "AWhere?", object: json}
        """)
    #expect(try imported.endpoint("addA").contains("items: {type: \"[AddAItem]?\", list: repeat, object: json}"))
    #expect(try imported.endpoint("putA").contains("meta: {type: \"PutAMeta?\", object: json}"))
    imported.expectRoundTrip()
  }

  @Test("Media types of bodies and responses stay") func mediaTypes() throws {
    let imported = try Imported(
      document(
        paths: """
          /a:
            patch:
              operationId: changeA
              requestBody:
                content: {application/merge-patch+json: {schema: {type: object, properties: {x: {type: string}}}}}
              responses: {"200": {description: "", content: {text/csv: {schema: {type: string}}}}}
            put:
              operationId: putA
              requestBody: {required: true, content: {image/png: {schema: {type: string, format: binary}}}}
              responses: {"200": {description: "", content: {application/pdf: {}}}}
          """))
    #expect(
      try imported.endpoint("changeA") == """
        call: PATCH /a
        body: application/merge-patch+json
        params:
          x: string?
        accept: text/csv
        returns: string
        """)
    #expect(
      try imported.endpoint("putA") == """
        call: PUT /a
        body: image/png
        params:
          body: {type: bytes, in: body}
        accept: application/pdf
        returns: bytes
        """)
    imported.expectRoundTrip()
  }

  @Test("Events are a stream, with its end if the document states it") func events() throws {
    let imported = try Imported(
      document(
        paths: """
          /a:
            get:
              operationId: getA
              description: "The last event is `data: [DONE]`."
              responses: {"200": {description: "", content: {text/event-stream: {schema: {$ref: "#/components/schemas/A"}}}}}
          /b:
            get:
              operationId: getB
              responses: {"200": {description: "", content: {text/event-stream: {itemSchema: {$ref: "#/components/schemas/B"}}}}}
          """,
        components: """
          schemas:
            A: {type: object, properties: {id: {type: string}}}
            B: {type: object, properties: {event: {type: string}, data: {$ref: "#/components/schemas/A"}}}
          """))
    #expect(try imported.endpoint("getA") == "call: GET /a\nreturns: A\nstream: {framing: events, end: \"[DONE]\"}")
    #expect(try imported.endpoint("getB") == "call: GET /b\nreturns: B\nstream: {framing: events, record: event}")
    imported.expectRoundTrip()
  }

  @Test("A response that is JSON or events is an operation of each") func twoKinds() throws {
    let body = "{type: object, properties: {prompt: {type: string}, stream: {type: boolean}}, required: [prompt]}"
    let imported = try Imported(
      document(
        paths: """
          /complete:
            post:
              operationId: complete
              requestBody: {required: true, content: {application/json: {schema: \(body)}}}
              responses:
                "200":
                  description: Ends with [DONE].
                  content:
                    application/json: {schema: {$ref: "#/components/schemas/Text"}}
                    text/event-stream: {schema: {$ref: "#/components/schemas/Chunk"}}
          """,
        components: """
          schemas:
            Text: {type: object, properties: {text: {type: string}}}
            Chunk: {type: object, properties: {part: {type: string}}}
          """))
    #expect(try imported.endpoint("complete") == "call: POST /complete\nparams:\n  prompt: string\nreturns: Text")
    #expect(
      try imported.endpoint("completeStream") == """
        call: POST /complete
        params:
          prompt: string
          stream: {type: bool, value: true}
        returns: Chunk
        stream: {framing: events, end: "[DONE]"}
        """)
    #expect(imported.warnings == [])
    imported.expectRoundTrip()
  }

  @Test("Pages are found by the names of responses and parameters") func pages() throws {
    func operation(_ path: String, _ parameters: String, _ response: String, headers: String = "") -> String {
      """
      /\(path):
        get:
          operationId: \(path)
          parameters: [\(parameters)]
          responses: {"200": {description: ""\(headers), content: {application/json: {schema: \(response)}}}}
      """
    }
    func parameter(_ name: String, _ type: String) -> String { "{name: \(name), in: query, schema: \(type)}" }
    let list = "{type: array, items: {$ref: \"#/components/schemas/A\"}}"
    func page(_ members: String) -> String { "{type: object, properties: {data: \(list), \(members)}}" }
    let text = "{type: string}"
    let integer = "{type: integer}"
    let imported = try Imported(
      document(
        paths: [
          operation(
            "linked", parameter("page", integer), list,
            headers: ", headers: {Link: {schema: \(text)}, X-Total: {schema: \(integer)}}"),
          operation(
            "named", "",
            page("links: {type: object, properties: {next: {type: string, format: uri}, previous: \(text)}}")),
          operation(
            "counted", parameter("offset", integer) + ", " + parameter("limit", integer), page("total: \(integer)")),
          operation("after", parameter("starting_after", text), page("has_more: {type: boolean}")),
          operation("numbered", parameter("page", "{type: integer, default: 0}"), page("hasMore: {type: boolean}")),
          operation(
            "dotted", parameter("page", integer), "{type: object, properties: {a.b: {type: array, items: \(text)}}}"),
        ].joined(separator: "\n"),
        components: "schemas:\n  A: {type: object, properties: {id: {type: string}}}"))
    #expect(
      try imported.endpoint("linked").hasSuffix("response_headers:\n  X-Total: int\npages: {link: next, items: \".\"}"))
    #expect(
      try imported.endpoint("named").hasSuffix("pages: {url: links.next, previous: links.previous, items: data}"))
    #expect(
      try imported.endpoint("counted").hasSuffix("pages: {offset: offset, items: data, size: limit, total: total}"))
    #expect(
      try imported.endpoint("after").hasSuffix("pages: {last_id: starting_after, items: data, id: id, more: has_more}"))
    #expect(try imported.endpoint("numbered").hasSuffix("pages: {page: page, items: data, more: hasMore, first: 0}"))
    #expect(try !imported.endpoint("dotted").contains("pages:"))
    imported.expectRoundTrip()
  }

  @Test("Keys in different places stay apart, however alike their names are") func alikeKeys() throws {
    let imported = try Imported(
      document(
        paths: """
          /a:
            get:
              operationId: getA
              security: [{ApiKey: [], api_key: []}, {}]
              responses: {"204": {description: ""}}
          """,
        components: """
          securitySchemes:
            ApiKey: {type: apiKey, in: header, name: X-Api-Key}
            api_key: {type: apiKey, in: query, name: key}
          """))
    #expect(try imported.endpoint("getA") == "call: GET /a\nauth: [[api_key, api_key_2], none]")
    #expect(imported.catalogue.api.schemes.map(\.name) == ["api_key", "api_key_2", "none"])
    imported.expectRoundTrip()
  }

  @Test("An operation that continues after its response states where its state is")
  func operationsThatGoOn() throws {
    let imported = try Imported(
      document(
        paths: """
          /a:
            post:
              operationId: startA
              responses: {"202": {description: "", headers: {Operation-Location: {schema: {type: string}}}}}
            put:
              operationId: startB
              responses:
                "200": {description: "", content: {application/json: {schema: {$ref: '#/components/schemas/Pet'}}}}
                "202": {description: "", headers: {Location: {schema: {type: string}}}}
            get:
              operationId: getC
              responses: {"202": {description: "", headers: {Location: {schema: {type: string}}}}}
            patch:
              operationId: startAOperation
              responses: {"201": {description: "", headers: {Location: {schema: {type: string}}}}}
            delete:
              operationId: startD
              x-ms-long-running-operation: true
              x-ms-long-running-operation-options: {final-state-via: location}
              responses: {"204": {description: ""}}
          """,
        components: "schemas: {Pet: {type: object, properties: {name: {type: string}}}}"))
    let polls = Dictionary(
      imported.catalogue.groups.flatMap(\.endpoints).map { ($0.name, $0.poll) }, uniquingKeysWith: { first, _ in first }
    )
    #expect(polls["startA"] == .some(nil), "its method would be called as `startAOperation` is")
    #expect(polls["startB"]??.place == .header("Location"))
    #expect(polls["startB"]??.state == TypeReference(.named("Pet")))
    #expect(polls["getC"] == .some(nil))
    #expect(polls["startAOperation"] == .some(nil))
    #expect(polls["startD"]??.state == TypeReference(.scalar(.json)))
    imported.expectRoundTrip()
  }

  @Test("The state at a `Location` is that of the resource below the call's path, if its enum shows the end")
  func statesOfResources() throws {
    func poll(_ status: String, path: String = "/exports/{id}") throws -> OperationPoll {
      let imported = try Imported(
        document(
          paths: """
            /exports:
              post:
                operationId: startExport
                responses: {"202": {description: "", headers: {Location: {schema: {type: string}}}}}
            \(path):
              get:
                operationId: getExport
                parameters: [{name: id, in: path, required: true, schema: {type: string}}]
                responses:
                  "200": {description: "", content: {application/json: {schema: {$ref: '#/components/schemas/Export'}}}}
            """,
          components: "schemas: {Export: {type: object, properties: {status: \(status)}}}"))
      imported.expectRoundTrip()
      return try #require(imported.catalogue.groups.flatMap(\.endpoints).first { $0.name == "startExport" }?.poll)
    }
    let found = try poll("{type: string, enum: [queued, running, succeeded, failed]}")
    #expect(found.place == .header("Location") && found.state == TypeReference(.named("Export")))
    #expect(found.done == [FailureSign(path: "status", values: ["succeeded"])])
    #expect(found.failed == [FailureSign(path: "status", values: ["failed"])])
    #expect(try poll("{type: string}").done.isEmpty)
    #expect(try poll("{type: string, enum: [running, succeeded]}", path: "/jobs/{id}").done.isEmpty)
  }

  @Test("A state with a status is requested until the status shows the end")
  func statesWithStatus() throws {
    let imported = try Imported(
      document(
        paths: """
          /a:
            post:
              operationId: startA
              responses: {"202": {description: "", headers: {Azure-AsyncOperation: {schema: {type: string}}}}}
          """))
    let poll = try #require(imported.catalogue.groups.flatMap(\.endpoints).first?.poll)
    #expect(poll.place == .header("Azure-AsyncOperation"))
    #expect(poll.done.map(\.path) == ["status"] && poll.failed.map(\.path) == ["status"])
    imported.expectRoundTrip()
  }

  @Test("A link of a 202 leads to the operation that returns the state, if it shows the end")
  func linkedStates() throws {
    func start(_ id: String, _ link: String) -> String {
      """
      /\(id)/{shop}:
        post:
          operationId: \(id)
          parameters: [{name: shop, in: path, required: true, schema: {type: string}}]
          responses:
            "202":
              description: ""
              content: {application/json: {schema: {$ref: '#/components/schemas/Started'}}}
              links: {state: \(link)}

      """
    }
    let parameters = "{name: shop, in: path, required: true, schema: {type: string}}"
    let imported = try Imported(
      document(
        paths: start(
          "start", "{operationId: getJob, parameters: {shop: $request.path.shop, path.id: '$response.body#/job/id'}}")
          + start("noID", "{operationId: getJob}")
          + start("mayBeMissing", "{operationId: getJob, parameters: {id: '$response.body#/note'}}")
          + start("endless", "{operationId: getThing, parameters: {id: '$response.body#/job/id'}}")
            + """
            /jobs/{shop}/{id}:
              get:
                operationId: getJob
                parameters: [\(parameters), {name: id, in: path, required: true, schema: {type: string}}]
                responses:
                  "200": {description: "", content: {application/json: {schema: {$ref: '#/components/schemas/Job'}}}}
            /things/{id}:
              get:
                operationId: getThing
                parameters: [{name: id, in: path, required: true, schema: {type: string}}]
                responses:
                  "200": {description: "", content: {application/json: {schema: {$ref: '#/components/schemas/Started'}}}}
            """,
        components: """
          schemas:
            Started:
              type: object
              required: [job]
              properties:
                job: {type: object, required: [id], properties: {id: {type: string}}}
                note: {type: string}
            Job:
              type: object
              properties: {state: {type: string, enum: [running, Done, failed, expired]}}
          """))
    let polls = imported.catalogue.groups.flatMap(\.endpoints).compactMap { endpoint in
      endpoint.poll.map { (endpoint.name, $0) }
    }
    #expect(polls.map(\.0) == ["start"])
    let poll = try #require(polls.first?.1)
    #expect(poll.place == .endpoint("getJob"))
    #expect(poll.arguments == [Constant(name: "id", value: "job.id")])
    #expect(poll.done == [FailureSign(path: "state", values: ["Done"])])
    #expect(poll.failed == [FailureSign(path: "state", values: ["failed", "expired"])])
    imported.expectRoundTrip()
  }

  @Test(
    "Most responses say that a call has failed by a flag, or by a text of a few words",
    arguments: [
      ("ok", "{type: boolean}", "ok: false"), ("Is-Success", "{type: boolean, enum: [true]}", "Is-Success: false"),
      ("has_error", "{type: boolean}", "has_error: true"), ("stat", "{type: string}", "stat: fail"),
      ("status", "{type: string, enum: [success, fail, error]}", "status: [fail, error]"),
    ])
  func failures(name: String, schema: String, expected: String) throws {
    let imported = try imported(withMember: name, schema, of: 2)
    #expect(try imported.text("api.yaml").contains("\n  failure:\n    \(expected)\n"))
    #expect(
      imported.result.warnings.contains {
        $0.message.contains("say `failure: {\(name): ~}` under `api` of the overlay")
      })
    imported.expectRoundTrip()
  }

  @Test(
    "A member that is not a sign of failure, or that few responses have, is an ordinary member",
    arguments: [
      ("ok", "{type: string}", 2), ("ok", "{type: boolean}", 1), ("healthy", "{type: boolean}", 2),
      ("status", "{type: string}", 2), ("status", "{type: string, enum: [pending, failed, succeeded]}", 2),
      ("status", "{type: string, enum: [error, fail]}", 2), ("error", "{type: string}", 2),
    ])
  func noFailures(name: String, schema: String, count: Int) throws {
    let imported = try imported(withMember: name, schema, of: count)
    #expect(try !imported.text("api.yaml").contains("failure:"))
  }

  /// A document with three operations; some of them respond with a member.
  private func imported(withMember name: String, _ schema: String, of count: Int) throws -> Imported {
    try Imported(
      document(
        paths: (0..<3).map { index in
          let members = "number\(index): {type: integer}" + (index < count ? ", \(name): \(schema)" : "")
          return """
            /a\(index):
              get:
                operationId: getA\(index)
                responses:
                  "200":
                    description: ""
                    content: {application/json: {schema: {type: object, properties: {\(members)}}}}
            """
        }.joined(separator: "\n")))
  }

  @Test(
    "The signature of deliveries follows Standard Webhooks, WebSub, or an example of the field",
    arguments: [
      (
        "[{name: Webhook-Id, in: header}, {name: Webhook-Timestamp, in: header}, {name: Webhook-Signature, in: header}]",
        """
            signature: "Webhook-Signature: v1,{base64}"
            message: "{id}.{timestamp}.{body}"
            timestamp: Webhook-Timestamp
            id: Webhook-Id
            key: base64

        """
      ),
      (
        "[{name: X-Hub-Signature, in: header}, {name: X-Hub-Signature-256, in: header}]",
        "    signature: \"X-Hub-Signature-256: sha256={hex}\"\n"
      ),
      (
        "[{name: X-Hub-Signature, in: header}]",
        "    signature: \"X-Hub-Signature: sha1={hex}\"\n    hash: sha1\n"
      ),
      (
        "[{name: X-Shop-Signature, in: header, schema: {type: string, example: sha512=0aF9}}]",
        "    signature: \"X-Shop-Signature: sha512={hex}\"\n    hash: sha512\n"
      ),
      ("[{name: X-Shop-Signature, in: header}, {name: Webhook-Signature, in: header}]", ""),
      ("[{name: X-Shop-Signature, in: header, example: 0aF9}, {name: X-Hub-Signature-256, in: query}]", ""),
    ])
  func webhookSignatures(parameters: String, expected: String) throws {
    let webhook = """
      adopted:
        post:
          parameters: \(parameters)
          requestBody: {content: {application/json: {schema: {type: object, properties: {id: {type: string}}}}}}
          responses: {"204": {description: ""}}
      """
    for section in ["webhooks", "x-webhooks"] {
      let imported = try Imported(
        "openapi: 3.1.0\ninfo: {title: Shop, version: '1'}\n\(section):\n"
          + webhook.split(separator: "\n").map { "  \($0)\n" }.joined())
      let text = try imported.text("api.yaml")
      #expect(text.contains("\n  webhooks:\n\(expected)") != expected.isEmpty)
      #expect(text.contains("webhooks:") != expected.isEmpty)
      #expect(imported.catalogue.groups.flatMap(\.models).map(\.name) == ["AdoptedPayload"])
      imported.expectRoundTrip()
    }
  }

  @Test("The token of the next page can be in a header field of the response") func pagesByHeader() throws {
    let imported = try Imported(
      document(
        paths: """
          /a:
            get:
              operationId: listA
              parameters: [{name: cursor, in: query, schema: {type: string}}]
              responses:
                "200":
                  description: ""
                  headers: {X-Next-Cursor: {schema: {type: string}}}
                  content: {application/json: {schema: {type: array, items: {type: string}}}}
          """))
    #expect(
      try imported.endpoint("listA").contains("pages: {token: cursor, next_header: X-Next-Cursor, items: \".\"}"))
    imported.expectRoundTrip()
  }

  @Test("Conditions of a call are parameters if the document has them, and the response's tag is not a member")
  func conditions() throws {
    let tag = "headers: {ETag: {schema: {type: string}}}"
    let imported = try Imported(
      document(
        paths: """
          /a/{id}:
            parameters: [{name: id, in: path, required: true, schema: {type: string}}]
            get:
              operationId: getA
              parameters: [{name: if-none-match, in: header, schema: {type: string}}]
              responses:
                "200": {description: "", \(tag), content: {application/json: {schema: {$ref: '#/components/schemas/A'}}}}
                "304": {description: "not modified"}
            put:
              operationId: putA
              parameters: [{name: If-Match, in: header, required: true, schema: {type: string}}]
              responses: {"204": {description: ""}, "412": {description: ""}}
          """,
        components: "schemas: {A: {type: object, properties: {name: {type: string}}}}"))
    #expect(
      try imported.endpoint("getA") == """
        call: GET /a/{id}
        params:
          id: string
          if-none-match: {type: "string?", in: header}
        returns: A
        """)
    #expect(
      try imported.endpoint("putA") == """
        call: PUT /a/{id}
        params:
          id: string
          If-Match: {type: string, in: header}
        """)
    imported.expectRoundTrip()
  }

  @Test("A number next to the items is a page number, not a URL") func numberedPages() throws {
    let imported = try Imported(
      document(
        paths: """
          /pets:
            get:
              operationId: getPets
              parameters: [{name: page, in: query, schema: {type: integer}}]
              responses: {"200": {description: "", content: {application/json: {schema: {type: object, properties: {
                data: {type: array, items: {type: object, properties: {id: {type: integer}}}},
                pagination: {type: object, properties: {next: {type: integer}, prev: {type: integer}}}}}}}}}
          """))
    #expect(try imported.endpoint("getPets").contains("pages: {page: page, items: data}"))
  }

  @Test("Words of failure in different responses are one sign, in the same order each time") func wordsOfFailure()
    throws
  {
    func response(_ words: String) -> String {
      "{type: object, properties: {status: {type: string, enum: [\(words)]}, id: {type: integer}}}"
    }
    let words = ["success, failed", "ok, error", "success, failed", "ok, error"]
    let paths = words.enumerated().map { index, words in
      "/\(index): {get: {operationId: get\(index), responses: {'200': {description: '', content: {application/json: {schema: "
        + "\(response(words))}}}}}}"
    }
    let imported = try Imported(document(paths: paths.joined(separator: "\n")))
    #expect(imported.catalogue.api.everyCall.failures == [FailureSign(path: "status", values: ["error", "failed"])])
    imported.expectRoundTrip()
  }

  @Test("Callbacks under `components`, and of a path that is a reference, give models as others do")
  func sharedCallbacks() throws {
    let imported = try Imported(
      document(
        version: "3.1.0",
        paths: """
          /hook:
            post:
              operationId: hook
              callbacks: {onEvent: {$ref: '#/components/callbacks/Event'}}
              responses: {"204": {description: ""}}
          /other: {$ref: '#/components/pathItems/Other'}
          """,
        components: """
          callbacks:
            Event: {'{$request.body#/url}': {post: {requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/Sold'}}}}}}}
          pathItems:
            Other:
              put:
                operationId: other
                callbacks: {onMove: {'{$request.body#/url}': {post: {requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/Moved'}}}}}}}}
                responses: {"204": {description: ""}}
          schemas:
            Sold: {type: object, properties: {id: {type: string}}}
            Moved: {type: object, properties: {to: {type: string}}}
          """))
    #expect(imported.catalogue.groups.flatMap(\.models).map(\.name).sorted() == ["Moved", "Sold"])
  }

  @Test("A required body member with a single possible value is not a choice") func constantsOfBodies()
    throws
  {
    let imported = try Imported(
      document(
        sending: """
          {type: object, required: [kind, size, inner], properties: {kind: {type: string, const: chat}, \
          size: {type: integer, enum: [2]}, other: {type: string, enum: [x]}, \
          inner: {type: object, required: [tag], properties: {tag: {type: string, enum: [a]}, text: {type: string}}}}}
          """, version: "3.1.0"))
    let lines = try imported.endpoint("addPet")
    #expect(lines.contains("kind: {type: string, value: chat}"), "\(lines)")
    #expect(lines.contains("size: {type: int, value: 2}"), "\(lines)")
    #expect(lines.contains("other: AddPetOther?"))
    #expect(try imported.model("AddPetInner").contains("tag: {type: string, value: a}"))
    imported.expectRoundTrip()
  }

  @Test(
    "A JSON body has its media type, with distinguishing parameters; a body of bytes is not JSON",
    arguments: [
      ("application/json", "{type: string, format: binary}", "", "bytes"),
      ("application/json", "{type: string, format: byte}", "", "string"),
      ("application/json;v=2", "{type: array, items: {type: string}}", "body: application/json;v=2", "[string]"),
      ("application/json; charset=utf-8", "{type: array, items: {type: string}}", "", "[string]"),
    ])
  func mediaTypesOfJSON(type: String, schema: String, body: String, parameter: String) throws {
    let imported = try Imported(
      document(
        requestBody: "{required: true, content: {'\(type)': {schema: \(schema)}}}",
        responses: "{'200': {description: '', content: {'\(type)': {schema: {type: array, items: {type: string}}}}}}"))
    let lines = try imported.endpoint("addPet")
    #expect(body.isEmpty ? !lines.contains("body: a") : lines.contains(body), "\(lines)")
    #expect(lines.contains("\(parameter)"), "\(lines)")
    #expect(lines.contains("accept: application/json;v=2") == type.contains("v=2"), "\(lines)")
    imported.expectRoundTrip()
  }
}
