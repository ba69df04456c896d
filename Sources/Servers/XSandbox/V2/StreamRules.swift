import Foundation

/// The operations for the rules of the filtered stream.
enum StreamRules {
  /// The maximum number of rules of an app.
  static let limit = 1000
  static let path = "/2/tweets/search/stream/rules"

  static let operations: [Operation] = [
    Operation(
      name: "getRules", method: "GET", path: path, access: .app,
      query: [
        QueryParameter(name: "ids", kind: .identifiers(atMost: 1000)),
        QueryParameter(name: "max_results", kind: .integer(1...1000, default: 1000)),
        QueryParameter(name: "pagination_token", kind: .pageToken),
      ], respond: list),
    Operation(
      name: "updateRules", method: "POST", path: path, access: .app,
      query: [
        QueryParameter(name: "dry_run", kind: .flag),
        QueryParameter(name: "delete_all", kind: .flag),
      ], body: schema, respond: update),
    Operation(
      name: "getRuleCounts", method: "GET", path: path + "/counts", access: .app,
      query: [QueryParameter(name: "rules_count.fields", kind: .text(length: 1...1000))], respond: counts),
  ]

  private static let schema = BodySchema.object([
    .optional(
      "add",
      .array(
        of: .object([.required("value", .anyString), .optional("tag", .anyString)]), count: 0...limit)),
    .optional(
      "delete",
      .object([
        .optional("ids", .array(of: .identifier, count: 0...limit)),
        .optional("values", .array(of: .anyString, count: 0...limit)),
      ])),
  ])

  private static func list(_ context: RequestContext, _ database: inout Database) throws(Problem) -> Response {
    let ids = Set(context.strings("ids"))
    let rules = database.rules(of: context.principal.consumerKey).filter { ids.isEmpty || ids.contains(String($0.id)) }
    let size = context.integer("max_results") ?? 1000
    // The token is the ID of the rule before the page.
    var first = 0
    if let token = context.string("pagination_token") {
      guard let index = rules.firstIndex(where: { String($0.id) == token }) else {
        throw .invalidRequest([
          InvalidParameter(
            name: "pagination_token", values: [token],
            message: "The `pagination_token` query parameter value [\(token)] is not valid")
        ])
      }
      first = index + 1
    }
    let page = rules.dropFirst(first).prefix(size)
    var meta: [String: JSON] = [
      "sent": .string(Timestamp.text(context.now)), "result_count": .integer(page.count),
    ]
    if first + page.count < rules.count, let last = page.last { meta["next_token"] = .string(String(last.id)) }
    var document: [String: JSON] = ["meta": .object(meta)]
    if !page.isEmpty { document["data"] = .array(page.map(\.document)) }
    return Response(json: .object(document))
  }

  private static func counts(_ context: RequestContext, _ database: inout Database) throws(Problem) -> Response {
    let count = JSON.string(String(database.rules(of: context.principal.consumerKey).count))
    return Response(json: [
      "data": [
        "cap_per_client_app": .string(String(limit)), "cap_per_project": .string(String(limit)),
        "project_rules_count": count,
        "client_app_rules_count": ["client_app_id": "1", "rule_count": count],
      ]
    ])
  }

  private static func update(_ context: RequestContext, _ database: inout Database) throws(Problem) -> Response {
    var after = database
    let additions = elements(context.body["add"])
    let deletion = context.body["delete"]
    let deletesAll = context.string("delete_all") == "true"
    guard additions.isEmpty != (deletion == nil && !deletesAll) else {
      throw .invalidRequest([
        InvalidParameter(name: "$", message: "Exactly one of `add` and `delete` is allowed in one request.")
      ])
    }
    let outcome =
      additions.isEmpty
      ? delete(deletion, all: deletesAll, context, &after) : try add(additions, context, &after)
    if context.string("dry_run") != "true" { database = after }
    return outcome
  }

  private static func elements(_ value: JSON?) -> [JSON] {
    if case .array(let elements)? = value { elements } else { [] }
  }

  // MARK: Adding

  private static func add(
    _ additions: [JSON], _ context: RequestContext, _ database: inout Database
  ) throws(Problem) -> Response {
    let app = context.principal.consumerKey
    var (created, errors): ([JSON], [JSON]) = ([], [])
    var invalid = 0
    for addition in additions {
      let value = (addition["value"]?.string ?? "").trimmingCharacters(in: .whitespaces)
      if let fault = fault(of: value) {
        invalid += 1
        errors.append([
          "value": .string(value), "details": [.string(fault)], "title": "UnprocessableEntity",
          "type": .string(Problem.typePrefix + "invalid-rules"),
        ])
      } else if let same = database.rules(of: app).first(where: {
        $0.value == value && $0.tag == addition["tag"]?.string
      }) {
        errors.append([
          "value": .string(value), "id": .string(String(same.id)), "title": "DuplicateRule",
          "type": .string(Problem.typePrefix + "duplicate-rules"),
        ])
      } else {
        guard database.rules(of: app).count < limit else { throw .tooManyRules }
        created.append(database.addRule(value, tag: addition["tag"]?.string, app: app).document)
      }
    }
    let meta: JSON = [
      "sent": .string(Timestamp.text(context.now)),
      "summary": [
        "created": .integer(created.count), "not_created": .integer(errors.count),
        "valid": .integer(additions.count - invalid), "invalid": .integer(invalid),
      ],
    ]
    var document: [String: JSON] = ["meta": meta]
    if !created.isEmpty { document["data"] = .array(created) }
    if !errors.isEmpty { document["errors"] = .array(errors) }
    return Response(status: created.isEmpty ? (invalid > 0 ? 400 : 200) : 201, json: .object(document))
  }

  /// Returns the mistake in a rule, or `nil` if it is valid.
  private static func fault(of value: String) -> String? {
    guard (1...2048).contains(value.unicodeScalars.count) else { return "A rule has 1 to 2048 characters." }
    do throws(SearchQuery.Fault) {
      guard try SearchQuery(value).standsAlone else { throw .lacksStandaloneOperator }
      return nil
    } catch { return error.message }
  }

  // MARK: Deleting

  private static func delete(
    _ deletion: JSON?, all: Bool, _ context: RequestContext, _ database: inout Database
  ) -> Response {
    let rules = database.rules(of: context.principal.consumerKey)
    var errors: [JSON] = []
    var removed = all ? rules.map(\.id) : []
    for (member, text) in ["ids", "values"].flatMap({ member in
      elements(deletion?[member]).compactMap { element in element.string.map { (member, $0) } }
    }) {
      let matching = rules.filter { member == "ids" ? String($0.id) == text : $0.value == text }
      removed += matching.map(\.id)
      if matching.isEmpty {
        errors.append([
          "errors": [["message": .string("Rule does not exist"), "parameters": .object([member: [.string(text)]])]],
          "title": "Invalid Request", "detail": "One or more parameters to your request was invalid.",
          "type": .string(Problem.typePrefix + "invalid-request"),
        ])
      }
    }
    for id in removed { database.streamRules[id] = nil }
    var document: [String: JSON] = [
      "meta": [
        "sent": .string(Timestamp.text(context.now)),
        "summary": ["deleted": .integer(Set(removed).count), "not_deleted": .integer(errors.count)],
      ]
    ]
    if !errors.isEmpty { document["errors"] = .array(errors) }
    return Response(json: .object(document))
  }
}

extension Access {
  /// App-only credentials.
  static let app = Access(kinds: [.appOnly], scopes: [], isWrite: false)
}

extension Problem {
  static let tooManyRules = Problem(
    status: 422, title: "RulesCapExceeded",
    detail: "Your app has as many rules as it may have; delete some first.",
    type: typePrefix + "rule-cap")
}

extension StreamRuleRecord {
  fileprivate var document: JSON {
    var members: [String: JSON] = ["id": .string(String(id)), "value": .string(value)]
    if let tag { members["tag"] = .string(tag) }
    return .object(members)
  }
}
