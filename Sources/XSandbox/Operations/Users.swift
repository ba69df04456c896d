/// Looking users up.
enum Users {
  static let operations: [Operation] = [
    Operation(
      name: "getUsersMe", method: "GET", path: "/2/users/me", access: .user("tweet.read", "users.read"),
      query: .userSelection, respond: me),
    Operation(
      name: "getUsersById", method: "GET", path: "/2/users/{id}", access: .userOrApp("tweet.read", "users.read"),
      query: .userSelection, respond: byIdentifier),
    Operation(
      name: "getUsersByIds", method: "GET", path: "/2/users", access: .userOrApp("tweet.read", "users.read"),
      query: [QueryParameter(name: "ids", kind: .identifiers(atMost: 100), isRequired: true)] + .userSelection,
      respond: byIdentifiers),
    Operation(
      name: "getUsersByUsername", method: "GET", path: "/2/users/by/username/{username}",
      access: .userOrApp("tweet.read", "users.read"), query: .userSelection, respond: byUsername),
    Operation(
      name: "getUsersByUsernames", method: "GET", path: "/2/users/by",
      access: .userOrApp("tweet.read", "users.read"),
      query: [QueryParameter(name: "usernames", kind: .usernames(atMost: 100), isRequired: true)] + .userSelection,
      respond: byUsernames),
  ]

  @Sendable private static func me(_ exchange: Exchange, _ world: inout World) throws(Problem) -> Answer {
    guard let user = world.users[try exchange.authenticatedUser()] else { throw .unauthorized }
    return answer(user, exchange, world)
  }

  @Sendable private static func byIdentifier(_ exchange: Exchange, _ world: inout World) throws(Problem) -> Answer {
    let world = world
    return try exchange.lookUpUser("id", in: world).answer { answer($0, exchange, world) }
  }

  @Sendable private static func byUsername(_ exchange: Exchange, _ world: inout World) throws(Problem) -> Answer {
    let username = exchange.path["username"] ?? ""
    guard Pattern.isUsername(username) else {
      throw .invalidRequest([
        InvalidParameter(
          name: "username", values: [username],
          message: "The `username` query parameter value [\(username)] does not match ^[A-Za-z0-9_]{1,15}$")
      ])
    }
    guard let user = world.user(named: username) else {
      return Answer(json: ["errors": [MissingResource(kind: .user, parameter: "username", value: username).document]])
    }
    return answer(user, exchange, world)
  }

  @Sendable private static func byIdentifiers(_ exchange: Exchange, _ world: inout World) throws(Problem) -> Answer {
    let world = world
    return answer(to: exchange.strings("ids"), parameter: "ids", exchange, world) { text in
      Identifier(text).flatMap { world.users[$0] }
    }
  }

  @Sendable private static func byUsernames(_ exchange: Exchange, _ world: inout World) throws(Problem) -> Answer {
    let world = world
    return answer(to: exchange.strings("usernames"), parameter: "usernames", exchange, world) {
      world.user(named: $0)
    }
  }

  private static func answer(_ user: UserRecord, _ exchange: Exchange, _ world: World) -> Answer {
    var rendering = Rendering(world, exchange)
    let data = rendering.user(user)
    return rendering.answer(data: data)
  }

  private static func answer(
    to names: [String], parameter: String, _ exchange: Exchange, _ world: World, find: (String) -> UserRecord?
  ) -> Answer {
    var rendering = Rendering(world, exchange)
    var data: [JSON] = []
    for name in names {
      if let user = find(name) {
        data.append(rendering.user(user))
      } else {
        rendering.report(missing: MissingResource(kind: .user, parameter: parameter, value: name))
      }
    }
    return rendering.answer(data: data.isEmpty ? nil : .array(data))
  }
}
