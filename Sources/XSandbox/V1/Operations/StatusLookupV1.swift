/// Reading tweets by their ids.
enum StatusLookupV1 {
  static let operations: [Operation] = [
    .v1("GET", "statuses/show/{id}", .v1Read, respond: show),
    .v1("GET", "statuses/lookup", .v1Read, respond: lookup),
    .v1("POST", "statuses/lookup", .v1Read, respond: lookup),
  ]

  @Sendable private static func show(_ exchange: Exchange, _ world: inout World) throws(Problem) -> Answer {
    try exchange.status(try exchange.pathPost(in: world), in: world)
  }

  @Sendable private static func lookup(_ exchange: Exchange, _ world: inout World) throws(Problem) -> Answer {
    guard let texts = try exchange.listParameter("id") else { throw .missingParameter("id") }
    guard texts.allSatisfy(Pattern.isIdentifier) else { throw .invalidParameter("id") }
    let rendering = try RenderingV1(world, exchange)
    var seen: Set<String> = []
    let found = texts.filter { seen.insert($0).inserted }.map { text in
      (text, Identifier(text).flatMap { world.posts[$0] }.map { rendering.status($0) })
    }
    if try exchange.flag("map") ?? false {
      let byIdentifier = Dictionary(found.map { ($0.0, JSON.nullable($0.1)) }) { first, _ in first }
      return Answer(json: ["id": .object(byIdentifier)])
    }
    return Answer(json: .array(found.compactMap(\.1)))
  }
}
