/// Who is in a list, and who subscribes to it.
enum ListMembersV1 {
  static let operations: [Operation] = [
    .v1("GET", "lists/members", .v1Read, respond: members),
    .v1("GET", "lists/members/show", .v1Read, respond: showMember),
    .v1("POST", "lists/members/create", .v1Write, respond: add),
    .v1("POST", "lists/members/create_all", .v1Write, respond: addAll),
    .v1("POST", "lists/members/destroy", .v1Write, respond: remove),
    .v1("POST", "lists/members/destroy_all", .v1Write, respond: removeAll),
    .v1("GET", "lists/subscribers", .v1Read, respond: subscribers),
    .v1("GET", "lists/subscribers/show", .v1Read, respond: showSubscriber),
    .v1("POST", "lists/subscribers/create", .v1Write, respond: subscribe),
    .v1("POST", "lists/subscribers/destroy", .v1Write, respond: unsubscribe),
  ]

  @Sendable private static func members(_ exchange: Exchange, _ world: inout World) throws(Problem) -> Answer {
    try CursoredPage(
      of: world.members[try exchange.namedList(in: world).id], exchange, defaultCount: 20, maximum: 5000
    ).users(exchange, in: world)
  }

  @Sendable private static func subscribers(_ exchange: Exchange, _ world: inout World) throws(Problem) -> Answer {
    try CursoredPage(
      of: world.listFollowers[try exchange.namedList(in: world).id], exchange, defaultCount: 20, maximum: 5000
    ).users(exchange, in: world)
  }

  @Sendable private static func showMember(_ exchange: Exchange, _ world: inout World) throws(Problem) -> Answer {
    let members = world.members[try exchange.namedList(in: world).id]
    let user = try exchange.requiredUser(in: world)
    guard members?.contains(user.id) == true else {
      throw .v1(404, 109, "The specified user is not a member of this list.")
    }
    return Answer(json: try RenderingV1(world, exchange).user(user))
  }

  @Sendable private static func showSubscriber(_ exchange: Exchange, _ world: inout World) throws(Problem) -> Answer {
    let subscribers = world.listFollowers[try exchange.namedList(in: world).id]
    let user = try exchange.requiredUser(in: world)
    guard subscribers?.contains(user.id) == true else {
      throw .v1(404, 109, "The specified user is not a subscriber of this list.")
    }
    return Answer(json: try RenderingV1(world, exchange).user(user))
  }

  @Sendable private static func add(_ exchange: Exchange, _ world: inout World) throws(Problem) -> Answer {
    let list = try exchange.namedOwnList(in: world)
    world.addMember(try exchange.requiredUser(in: world).id, to: list.id)
    return Answer(json: try RenderingV1(world, exchange).list(list))
  }

  @Sendable private static func addAll(_ exchange: Exchange, _ world: inout World) throws(Problem) -> Answer {
    let list = try exchange.namedOwnList(in: world)
    for user in try exchange.namedUsers(in: world) { world.addMember(user.id, to: list.id) }
    return Answer(json: try RenderingV1(world, exchange).list(list))
  }

  @Sendable private static func remove(_ exchange: Exchange, _ world: inout World) throws(Problem) -> Answer {
    let list = try exchange.namedOwnList(in: world)
    let user = try exchange.requiredUser(in: world)
    guard world.members[list.id]?.contains(user.id) == true else {
      throw .v1(400, 110, "The user you are trying to remove from the list is not a member.")
    }
    world.removeMember(user.id, from: list.id)
    return Answer(json: try RenderingV1(world, exchange).list(list))
  }

  @Sendable private static func removeAll(_ exchange: Exchange, _ world: inout World) throws(Problem) -> Answer {
    let list = try exchange.namedOwnList(in: world)
    for user in try exchange.namedUsers(in: world) { world.removeMember(user.id, from: list.id) }
    return Answer(json: try RenderingV1(world, exchange).list(list))
  }

  @Sendable private static func subscribe(_ exchange: Exchange, _ world: inout World) throws(Problem) -> Answer {
    let list = try exchange.namedList(in: world)
    world.follow(list: list.id, by: try exchange.authenticatedUser())
    return Answer(json: try RenderingV1(world, exchange).list(list))
  }

  @Sendable private static func unsubscribe(_ exchange: Exchange, _ world: inout World) throws(Problem) -> Answer {
    let list = try exchange.namedList(in: world)
    world.unfollow(list: list.id, by: try exchange.authenticatedUser())
    return Answer(json: try RenderingV1(world, exchange).list(list))
  }
}
