/// Lists themselves.
enum ListsV1 {
  static let operations: [Operation] = [
    .v1("POST", "lists/create", .v1Write, respond: create),
    .v1("POST", "lists/update", .v1Write, respond: update),
    .v1("POST", "lists/destroy", .v1Write, respond: destroy),
    .v1("GET", "lists/show", .v1Read, respond: show),
    .v1("GET", "lists/list", .v1Read, respond: list),
    .v1("GET", "lists/ownerships", .v1Read, respond: ownerships),
    .v1("GET", "lists/memberships", .v1Read, respond: memberships),
    .v1("GET", "lists/subscriptions", .v1Read, respond: subscriptions),
    .v1("GET", "lists/statuses", .v1Read, respond: statuses),
  ]

  @Sendable private static func create(_ exchange: Exchange, _ world: inout World) throws(Problem) -> Answer {
    let list = world.addList(
      owner: try exchange.authenticatedUser(), name: try name(try exchange.required("name")),
      about: try about(exchange) ?? "", isPrivate: try isPrivate(exchange) ?? false, at: exchange.now)
    return Answer(json: try RenderingV1(world, exchange).list(list))
  }

  /// What is left out stays as it is.
  @Sendable private static func update(_ exchange: Exchange, _ world: inout World) throws(Problem) -> Answer {
    var list = try exchange.namedOwnList(in: world)
    if let text = exchange.parameter("name") { list.name = try name(text) }
    if let text = try about(exchange) { list.about = text }
    if let value = try isPrivate(exchange) { list.isPrivate = value }
    world.lists[list.id] = list
    return Answer(json: try RenderingV1(world, exchange).list(list))
  }

  @Sendable private static func destroy(_ exchange: Exchange, _ world: inout World) throws(Problem) -> Answer {
    let list = try exchange.namedOwnList(in: world)
    let answer = Answer(json: try RenderingV1(world, exchange).list(list))
    world.removeList(list.id)
    return answer
  }

  @Sendable private static func show(_ exchange: Exchange, _ world: inout World) throws(Problem) -> Answer {
    Answer(json: try RenderingV1(world, exchange).list(try exchange.namedList(in: world)))
  }

  /// Subscribed lists first, then own ones; with `reverse` the other way round.
  @Sendable private static func list(_ exchange: Exchange, _ world: inout World) throws(Problem) -> Answer {
    let user = try exchange.namedOrAuthenticatedUser(in: world)
    let groups = [world.followedLists[user.id], world.ownedLists[user.id]].map { relation in
      (relation?.entries ?? []).reversed().compactMap { world.list($0.member, visibleTo: exchange.caller.user) }
    }
    let lists = try exchange.flag("reverse") ?? false ? groups[1] + groups[0] : groups[0] + groups[1]
    let rendering = try RenderingV1(world, exchange)
    return Answer(json: .array(lists.prefix(100).map(rendering.list)))
  }

  @Sendable private static func ownerships(_ exchange: Exchange, _ world: inout World) throws(Problem) -> Answer {
    let user = try exchange.namedOrAuthenticatedUser(in: world)
    return try page(world.ownedLists[user.id], exchange, world)
  }

  @Sendable private static func memberships(_ exchange: Exchange, _ world: inout World) throws(Problem) -> Answer {
    let user = try exchange.namedOrAuthenticatedUser(in: world)
    let ownsOnly = try exchange.flag("filter_to_owned_lists") ?? false
    return try page(world.memberships[user.id], exchange, world) { !ownsOnly || $0.owner == exchange.caller.user }
  }

  @Sendable private static func subscriptions(_ exchange: Exchange, _ world: inout World) throws(Problem) -> Answer {
    let user = try exchange.namedOrAuthenticatedUser(in: world)
    return try page(world.followedLists[user.id], exchange, world)
  }

  @Sendable private static func statuses(_ exchange: Exchange, _ world: inout World) throws(Problem) -> Answer {
    let members = world.members[try exchange.namedList(in: world).id]
    return try StatusTimeline(of: world.timeline, exchange, in: world) { members?.contains($0.author) == true }
      .answer(exchange, in: world, includesRetweets: false)
  }

  private static func page(
    _ relation: Relation?, _ exchange: Exchange, _ world: World, isIncluded: (ListRecord) -> Bool = { _ in true }
  ) throws(Problem) -> Answer {
    let rendering = try RenderingV1(world, exchange)
    let page = try CursoredPage(of: relation, exchange, defaultCount: 20, maximum: 1000) { id in
      world.list(id, visibleTo: exchange.caller.user).map(isIncluded) ?? false
    }
    return page.answer("lists", page.members.compactMap { world.lists[$0].map(rendering.list) })
  }

  private static func name(_ text: String) throws(Problem) -> String {
    guard (1...25).contains(text.unicodeScalars.count) else { throw .invalidParameter("name") }
    return text
  }

  private static func about(_ exchange: Exchange) throws(Problem) -> String? {
    guard let text = exchange.parameters["description"] else { return nil }
    guard text.unicodeScalars.count <= 100 else { throw .invalidParameter("description") }
    return text
  }

  private static func isPrivate(_ exchange: Exchange) throws(Problem) -> Bool? {
    switch exchange.parameter("mode") {
    case nil: nil
    case "private": true
    case "public": false
    default: throw .invalidParameter("mode")
    }
  }
}
