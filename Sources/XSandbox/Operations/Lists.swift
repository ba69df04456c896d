/// Lists themselves.
enum Lists {
  private static let read = Access.userOrApp("list.read", "tweet.read", "users.read")
  private static let write = Access.user("list.write", "tweet.read", "users.read", writes: true)

  static let operations: [Operation] = [
    Operation(
      name: "createLists", method: "POST", path: "/2/lists",
      access: .user("list.read", "list.write", "tweet.read", "users.read", writes: true),
      body: .object([
        .required("name", .string(length: 1...25)), .optional("description", .string(length: 0...100)),
        .optional("private", .boolean),
      ]), respond: create),
    Operation(
      name: "getListsById", method: "GET", path: "/2/lists/{id}", access: read, query: .listSelection,
      respond: byIdentifier),
    Operation(
      name: "updateLists", method: "PUT", path: "/2/lists/{id}", access: write,
      body: .object([
        .optional("name", .string(length: 1...25)), .optional("description", .string(length: 0...100)),
        .optional("private", .boolean),
      ]), respond: update),
    Operation(name: "deleteLists", method: "DELETE", path: "/2/lists/{id}", access: write, respond: delete),
    Operation(
      name: "getUsersOwnedLists", method: "GET", path: "/2/users/{id}/owned_lists", access: read,
      query: .page(1...100, default: 100) + .listSelection, respond: owned),
    Operation(
      name: "getListsPosts", method: "GET", path: "/2/lists/{id}/tweets", access: read,
      query: .page(1...100, default: 100) + .postSelection, respond: posts),
  ]

  @Sendable private static func create(_ exchange: Exchange, _ world: inout World) throws(Problem) -> Answer {
    let list = world.addList(
      owner: try exchange.authenticatedUser(), name: exchange.text("name") ?? "",
      about: exchange.text("description") ?? "", isPrivate: exchange.body["private"]?.boolean ?? false,
      at: exchange.now)
    return Answer(status: 201, json: ["data": ["id": .string(String(list.id)), "name": .string(list.name)]])
  }

  @Sendable private static func byIdentifier(_ exchange: Exchange, _ world: inout World) throws(Problem) -> Answer {
    let world = world
    return try exchange.lookUpList("id", in: world).answer { list in
      var rendering = Rendering(world, exchange)
      let data = rendering.list(list)
      return rendering.answer(data: data)
    }
  }

  /// What is left out of the body stays as it is.
  @Sendable private static func update(_ exchange: Exchange, _ world: inout World) throws(Problem) -> Answer {
    let list = try exchange.ownList("id", in: world)
    if let name = exchange.text("name") { world.lists[list.id]?.name = name }
    if let about = exchange.text("description") { world.lists[list.id]?.about = about }
    if let isPrivate = exchange.body["private"]?.boolean { world.lists[list.id]?.isPrivate = isPrivate }
    return Answer(json: ["data": ["updated": true]])
  }

  @Sendable private static func delete(_ exchange: Exchange, _ world: inout World) throws(Problem) -> Answer {
    world.removeList(try exchange.ownList("id", in: world).id)
    return Answer(json: ["data": ["deleted": true]])
  }

  @Sendable private static func owned(_ exchange: Exchange, _ world: inout World) throws(Problem) -> Answer {
    let world = world
    return try exchange.lookUpUser("id", in: world).answer { (user) throws(Problem) -> Answer in
      try exchange.lists(world.ownedLists[user.id], in: world)
    }
  }

  @Sendable private static func posts(_ exchange: Exchange, _ world: inout World) throws(Problem) -> Answer {
    let world = world
    return try exchange.lookUpList("id", in: world).answer { (list) throws(Problem) -> Answer in
      let members = world.members[list.id]
      let page = try exchange.page(of: world.timeline, defaultSize: 100) { id in
        world.posts[id].map { members?.contains($0.author) == true } ?? false
      }
      return exchange.posts(page, in: world, withBorders: false)
    }
  }
}

extension Exchange {
  /// The list that a path names, which must be the caller's own.
  func ownList(_ placeholder: String, in world: World) throws(Problem) -> ListRecord {
    let user = try authenticatedUser()
    let list = try lookUpList(placeholder, in: world).required()
    guard list.owner == user else { throw .forbidden("You are not allowed to change this List.") }
    return list
  }
}
