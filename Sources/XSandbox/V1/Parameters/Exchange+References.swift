extension Exchange {
  /// The user whom `user_id` or `screen_name` names, or `nil` when there is neither.
  func namedUser(
    id: String = "user_id", screenName: String = "screen_name", in world: World
  ) throws(Problem) -> UserRecord? {
    if let id = try identifierParameter(id) {
      guard let user = world.users[id] else { throw .noSuchUser }
      return user
    }
    guard let name = parameter(screenName) else { return nil }
    guard let user = world.user(named: name) else { throw .noSuchUser }
    return user
  }

  func requiredUser(in world: World) throws(Problem) -> UserRecord {
    guard let user = try namedUser(in: world) else { throw .missingParameter("user_id or screen_name") }
    return user
  }

  /// The named user, or else the one for whom the caller acts.
  func namedOrAuthenticatedUser(in world: World) throws(Problem) -> UserRecord {
    if let user = try namedUser(in: world) { return user }
    guard let id = caller.user, let user = world.users[id] else {
      throw .missingParameter("user_id or screen_name")
    }
    return user
  }

  /// The users of `user_id` and `screen_name` with their commas, each once; those that don't exist are left out.
  func namedUsers(in world: World) throws(Problem) -> [UserRecord] {
    let ids = try listParameter("user_id")
    let names = try listParameter("screen_name")
    guard ids != nil || names != nil else { throw .missingParameter("user_id or screen_name") }
    let users =
      (ids ?? []).compactMap { Identifier($0).flatMap { world.users[$0] } }
      + (names ?? []).compactMap { world.user(named: $0) }
    guard (ids ?? []).count + (names ?? []).count <= 100 else { throw .tooManyTerms }
    var seen: Set<Identifier> = []
    return users.filter { seen.insert($0.id).inserted }
  }

  /// The post that a parameter names.
  func namedPost(_ name: String = "id", in world: World) throws(Problem) -> PostRecord {
    guard let id = try identifierParameter(name) else { throw .missingParameter(name) }
    guard let post = world.posts[id] else { throw .noSuchStatus }
    return post
  }

  /// The post that the path names.
  func pathPost(in world: World) throws(Problem) -> PostRecord {
    guard let post = world.posts[try pathIdentifier()] else { throw .noSuchStatus }
    return post
  }

  /// The list of `list_id`, or of `slug` with `owner_id` or `owner_screen_name`.
  func namedList(in world: World) throws(Problem) -> ListRecord {
    if let id = try identifierParameter("list_id") {
      guard let list = world.list(id, visibleTo: caller.user) else { throw .noSuchPage }
      return list
    }
    guard let slug = parameter("slug") else {
      throw .v1(400, 112, "You must specify either a list ID or a slug and owner.")
    }
    guard let owner = try namedUser(id: "owner_id", screenName: "owner_screen_name", in: world) else {
      throw .v1(400, 112, "You must specify either a list ID or a slug and owner.")
    }
    let owned = (world.ownedLists[owner.id]?.entries ?? []).compactMap {
      world.list($0.member, visibleTo: caller.user)
    }
    guard let list = owned.first(where: { $0.slug == slug.lowercased() }) else { throw .noSuchPage }
    return list
  }

  /// The named list, which must be the caller's own.
  func namedOwnList(in world: World) throws(Problem) -> ListRecord {
    let list = try namedList(in: world)
    guard list.owner == caller.user else {
      throw .v1(403, 104, "You aren't allowed to add members to this list.")
    }
    return list
  }
}
