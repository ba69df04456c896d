extension Operation {
  /// A v1.1 operation, with the catalogue's method and path.
  /// - Parameters:
  ///   - path: The path without `/1.1/` and `.json`.
  ///   - body: The schema of the JSON body; `nil` for operations with a form or without a body.
  static func v1(
    _ method: String, _ path: String, _ access: Access, body: BodySchema? = nil, readsLimits: Bool = false,
    opensStream: Bool = false,
    respond: @escaping Handler
  ) -> Operation {
    Operation(
      name: "\(method) \(path)", method: method, path: "/1.1/\(path).json", access: access, body: body,
      readsLimits: readsLimits, opensStream: opensStream, respond: respond)
  }
}

extension Access {
  /// Reads by a user or by only the app. v1.1 does not accept OAuth 2.0 user tokens.
  static let v1Read = Access(kinds: [.oauth1, .appOnly], scopes: [], isWrite: false)
  static let v1ReadAsUser = Access(kinds: [.oauth1], scopes: [], isWrite: false)
  static let v1Write = Access(kinds: [.oauth1], scopes: [], isWrite: true)
}

/// The operation that shows the state of the rate limits.
enum ApplicationV1 {
  static let operations: [Operation] = [
    .v1("GET", "application/rate_limit_status", .v1Read, readsLimits: true, respond: status)
  ]

  /// As on X, only reads are listed: `statuses` → `/statuses/show/:id`.
  private static func status(_ context: RequestContext, _ database: inout Database) throws(Problem) -> Response {
    let wanted = try context.listParameter("resources").map(Set.init)
    var resources: [String: [String: JSON]] = [:]
    for (key, reading) in context.limits where key.hasPrefix("GET /1.1/") {
      let path = String(key.trimmingPrefix("GET /1.1/")).replacing(".json", with: "").replacing("{", with: ":")
        .replacing("}", with: "")
      let family = path.split(separator: "/").first.map(String.init) ?? path
      guard wanted?.contains(family) ?? true else { continue }
      resources[family, default: [:]]["/\(path)"] = [
        "limit": .integer(reading.limit), "remaining": .integer(reading.remaining), "reset": .integer(reading.reset),
      ]
    }
    // X also returns the user's access token. The sandbox does not, because responses are easily logged.
    return Response(json: [
      "rate_limit_context": ["application": .string(context.principal.consumerKey)],
      "resources": .object(resources.mapValues(JSON.object)),
    ])
  }
}
