/// What is left of the limits.
enum ApplicationV1 {
  static let operations: [Operation] = [
    .v1("GET", "application/rate_limit_status", .v1Read, readsLimits: true, respond: status)
  ]

  /// Only reads are listed, as at X: `statuses` → `/statuses/show/:id`.
  @Sendable private static func status(_ exchange: Exchange, _ world: inout World) throws(Problem) -> Answer {
    let wanted = try exchange.listParameter("resources").map(Set.init)
    var resources: [String: [String: JSON]] = [:]
    for (key, reading) in exchange.limits where key.hasPrefix("GET /1.1/") {
      let path = String(key.trimmingPrefix("GET /1.1/")).replacing(".json", with: "").replacing("{", with: ":")
        .replacing("}", with: "")
      let family = path.split(separator: "/").first.map(String.init) ?? path
      guard wanted?.contains(family) ?? true else { continue }
      resources[family, default: [:]]["/\(path)"] = [
        "limit": .integer(reading.limit), "remaining": .integer(reading.remaining), "reset": .integer(reading.reset),
      ]
    }
    // X also names the access token of a user; an answer that is easily logged does better without.
    return Answer(json: [
      "rate_limit_context": ["application": .string(exchange.caller.consumerKey)],
      "resources": .object(resources.mapValues(JSON.object)),
    ])
  }
}
