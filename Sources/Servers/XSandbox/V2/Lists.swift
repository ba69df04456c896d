/// The operations for lists.
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

  private static func create(_ context: RequestContext, _ database: inout Database) throws(Problem) -> Response {
    let list = database.addList(
      owner: try context.authenticatedUser(), name: context.text("name") ?? "",
      about: context.text("description") ?? "", isPrivate: context.body["private"]?.boolean ?? false,
      at: context.now)
    return Response(status: 201, json: ["data": ["id": .string(String(list.id)), "name": .string(list.name)]])
  }

  private static func byIdentifier(_ context: RequestContext, _ database: inout Database) throws(Problem) -> Response {
    try context.lookUpList("id", in: database).response { list in
      var renderer = Renderer(database, context)
      let data = renderer.list(list)
      return renderer.response(data: data)
    }
  }

  /// Members that are missing in the body are unchanged.
  private static func update(_ context: RequestContext, _ database: inout Database) throws(Problem) -> Response {
    let list = try context.ownList("id", in: database)
    if let name = context.text("name") { database.lists[list.id]?.name = name }
    if let about = context.text("description") { database.lists[list.id]?.about = about }
    if let isPrivate = context.body["private"]?.boolean { database.lists[list.id]?.isPrivate = isPrivate }
    return Response(json: ["data": ["updated": true]])
  }

  private static func delete(_ context: RequestContext, _ database: inout Database) throws(Problem) -> Response {
    database.removeList(try context.ownList("id", in: database).id)
    return Response(json: ["data": ["deleted": true]])
  }

  private static func owned(_ context: RequestContext, _ database: inout Database) throws(Problem) -> Response {
    try context.lookUpUser("id", in: database).response { (user) throws(Problem) -> Response in
      try context.lists(database.ownedLists[user.id], in: database)
    }
  }

  private static func posts(_ context: RequestContext, _ database: inout Database) throws(Problem) -> Response {
    try context.lookUpList("id", in: database).response { (list) throws(Problem) -> Response in
      let members = database.members[list.id]
      let page = try context.page(of: database.timeline, defaultSize: 100) { id in
        database.posts[id].map { members?.contains($0.author) == true } ?? false
      }
      return context.posts(page, in: database, withBorders: false)
    }
  }
}

extension RequestContext {
  /// Returns the list in the path, which must belong to the principal.
  func ownList(_ placeholder: String, in database: Database) throws(Problem) -> ListRecord {
    let user = try authenticatedUser()
    let list = try lookUpList(placeholder, in: database).required()
    guard list.owner == user else { throw .forbidden("You are not allowed to change this List.") }
    return list
  }
}

/// The operations for the members and followers of lists.
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

  private static func add(_ context: RequestContext, _ database: inout Database) throws(Problem) -> Response {
    let list = try context.ownList("id", in: database)
    database.addMember(try context.requiredUser("user_id", in: database).id, to: list.id)
    return Response(json: ["data": ["is_member": true]])
  }

  private static func remove(_ context: RequestContext, _ database: inout Database) throws(Problem) -> Response {
    let list = try context.ownList("id", in: database)
    database.removeMember(try context.lookUpUser("user_id", in: database).required().id, from: list.id)
    return Response(json: ["data": ["is_member": false]])
  }

  private static func members(_ context: RequestContext, _ database: inout Database) throws(Problem) -> Response {
    try context.lookUpList("id", in: database).response { (list) throws(Problem) -> Response in
      try context.users(database.members[list.id], in: database)
    }
  }

  private static func memberships(_ context: RequestContext, _ database: inout Database) throws(Problem) -> Response {
    try context.lookUpUser("id", in: database).response { (user) throws(Problem) -> Response in
      try context.lists(database.memberships[user.id], in: database)
    }
  }

  private static func follow(_ context: RequestContext, _ database: inout Database) throws(Problem) -> Response {
    let user = try context.actingUser()
    let text = context.text("list_id") ?? ""
    guard let id = Identifier(text), database.list(id, visibleTo: user) != nil else {
      throw .missing(MissingResource(kind: .list, parameter: "list_id", value: text))
    }
    database.follow(list: id, by: user)
    return Response(json: ["data": ["following": true]])
  }

  private static func unfollow(_ context: RequestContext, _ database: inout Database) throws(Problem) -> Response {
    let user = try context.actingUser()
    database.unfollow(list: try context.lookUpList("list_id", in: database).required().id, by: user)
    return Response(json: ["data": ["following": false]])
  }

  private static func followers(_ context: RequestContext, _ database: inout Database) throws(Problem) -> Response {
    try context.lookUpList("id", in: database).response { (list) throws(Problem) -> Response in
      try context.users(database.listFollowers[list.id], in: database)
    }
  }

  private static func followed(_ context: RequestContext, _ database: inout Database) throws(Problem) -> Response {
    try context.lookUpUser("id", in: database).response { (user) throws(Problem) -> Response in
      try context.lists(database.followedLists[user.id], in: database)
    }
  }
}
