/// Users, and the one for whom the caller acts.
enum UsersV1 {
  static let operations: [Operation] = [
    .v1("GET", "account/verify_credentials", .v1ReadAsUser, respond: verifyCredentials),
    .v1("GET", "users/show", .v1Read, respond: show),
    .v1("GET", "users/lookup", .v1Read, respond: lookup),
    .v1("POST", "users/lookup", .v1Read, respond: lookup),
    .v1("GET", "users/search", .v1ReadAsUser, respond: search),
  ]

  @Sendable private static func verifyCredentials(
    _ exchange: Exchange, _ world: inout World
  ) throws(Problem) -> Answer {
    try exchange.refuse("include_email")
    guard let user = world.users[try exchange.authenticatedUser()] else { throw .unauthorized }
    return Answer(json: try RenderingV1(world, exchange).user(user))
  }

  @Sendable private static func show(_ exchange: Exchange, _ world: inout World) throws(Problem) -> Answer {
    Answer(json: try RenderingV1(world, exchange).user(try exchange.requiredUser(in: world)))
  }

  @Sendable private static func lookup(_ exchange: Exchange, _ world: inout World) throws(Problem) -> Answer {
    let users = try exchange.namedUsers(in: world)
    guard !users.isEmpty else { throw .v1(404, 17, "No user matches for specified terms.") }
    let rendering = try RenderingV1(world, exchange)
    return Answer(json: .array(users.map { rendering.user($0) }))
  }

  /// In names and screen names, oldest accounts first; 20 a page, and no more than the first thousand.
  @Sendable private static func search(_ exchange: Exchange, _ world: inout World) throws(Problem) -> Answer {
    let text = try exchange.required("q").lowercased()
    let count = try exchange.count(default: 20, atMost: 20)
    let page = try exchange.count("page", default: 1, atMost: 1_000)
    let rendering = try RenderingV1(world, exchange)
    let found = world.users.values
      .filter { $0.username.lowercased().contains(text) || $0.name.lowercased().contains(text) }
      .sorted { $0.id < $1.id }
      .prefix(1_000).dropFirst((page - 1) * count).prefix(count)
    return Answer(json: .array(found.map { rendering.user($0) }))
  }
}
