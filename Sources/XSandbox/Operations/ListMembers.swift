/// Who is in a list, and who follows it.
enum ListMembers {
  private static let read = Access.userOrApp("list.read", "tweet.read", "users.read")
  private static let write = Access.user("list.write", "tweet.read", "users.read", writes: true)
  private static let page = [QueryParameter].page(1...100, default: 100)

  static let operations: [Operation] = [
    Operation(
      name: "addListsMember", method: "POST", path: "/2/lists/{id}/members", access: write,
      body: .object([.required("user_id", .identifier)]), respond: add),
    Operation(
      name: "removeListsMemberByUserId", method: "DELETE", path: "/2/lists/{id}/members/{user_id}", access: write,
      respond: remove),
    Operation(
      name: "getListsMembers", method: "GET", path: "/2/lists/{id}/members", access: read,
      query: page + .userSelection, respond: members),
    Operation(
      name: "getUsersListMemberships", method: "GET", path: "/2/users/{id}/list_memberships", access: read,
      query: page + .listSelection, respond: memberships),
    Operation(
      name: "followList", method: "POST", path: "/2/users/{id}/followed_lists", access: write,
      body: .object([.required("list_id", .identifier)]), respond: follow),
    Operation(
      name: "unfollowList", method: "DELETE", path: "/2/users/{id}/followed_lists/{list_id}", access: write,
      respond: unfollow),
    Operation(
      name: "getListsFollowers", method: "GET", path: "/2/lists/{id}/followers", access: read,
      query: page + .userSelection, respond: followers),
    Operation(
      name: "getUsersFollowedLists", method: "GET", path: "/2/users/{id}/followed_lists", access: read,
      query: page + .listSelection, respond: followed),
  ]

  @Sendable private static func add(_ exchange: Exchange, _ world: inout World) throws(Problem) -> Answer {
    let list = try exchange.ownList("id", in: world)
    world.addMember(try exchange.requiredUser("user_id", in: world).id, to: list.id)
    return Answer(json: ["data": ["is_member": true]])
  }

  @Sendable private static func remove(_ exchange: Exchange, _ world: inout World) throws(Problem) -> Answer {
    let list = try exchange.ownList("id", in: world)
    world.removeMember(try exchange.lookUpUser("user_id", in: world).required().id, from: list.id)
    return Answer(json: ["data": ["is_member": false]])
  }

  @Sendable private static func members(_ exchange: Exchange, _ world: inout World) throws(Problem) -> Answer {
    let world = world
    return try exchange.lookUpList("id", in: world).answer { (list) throws(Problem) -> Answer in
      try exchange.users(world.members[list.id], in: world)
    }
  }

  @Sendable private static func memberships(_ exchange: Exchange, _ world: inout World) throws(Problem) -> Answer {
    let world = world
    return try exchange.lookUpUser("id", in: world).answer { (user) throws(Problem) -> Answer in
      try exchange.lists(world.memberships[user.id], in: world)
    }
  }

  @Sendable private static func follow(_ exchange: Exchange, _ world: inout World) throws(Problem) -> Answer {
    let user = try exchange.actingUser()
    let text = exchange.text("list_id") ?? ""
    guard let id = Identifier(text), world.list(id, visibleTo: user) != nil else {
      throw .missing(MissingResource(kind: .list, parameter: "list_id", value: text))
    }
    world.follow(list: id, by: user)
    return Answer(json: ["data": ["following": true]])
  }

  @Sendable private static func unfollow(_ exchange: Exchange, _ world: inout World) throws(Problem) -> Answer {
    let user = try exchange.actingUser()
    world.unfollow(list: try exchange.lookUpList("list_id", in: world).required().id, by: user)
    return Answer(json: ["data": ["following": false]])
  }

  @Sendable private static func followers(_ exchange: Exchange, _ world: inout World) throws(Problem) -> Answer {
    let world = world
    return try exchange.lookUpList("id", in: world).answer { (list) throws(Problem) -> Answer in
      try exchange.users(world.listFollowers[list.id], in: world)
    }
  }

  @Sendable private static func followed(_ exchange: Exchange, _ world: inout World) throws(Problem) -> Answer {
    let world = world
    return try exchange.lookUpUser("id", in: world).answer { (user) throws(Problem) -> Answer in
      try exchange.lists(world.followedLists[user.id], in: world)
    }
  }
}
