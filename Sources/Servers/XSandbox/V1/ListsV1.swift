/// The operations for lists.
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

  private static func create(_ context: RequestContext, _ database: inout Database) throws(Problem) -> Response {
    let list = database.addList(
      owner: try context.authenticatedUser(), name: try name(try context.required("name")),
      about: try about(context) ?? "", isPrivate: try isPrivate(context) ?? false, at: context.now)
    return Response(json: try RendererV1(database, context).list(list))
  }

  /// Parameters that are left out change nothing.
  private static func update(_ context: RequestContext, _ database: inout Database) throws(Problem) -> Response {
    var list = try context.namedOwnList(in: database)
    if let text = context.parameter("name") { list.name = try name(text) }
    if let text = try about(context) { list.about = text }
    if let value = try isPrivate(context) { list.isPrivate = value }
    database.lists[list.id] = list
    return Response(json: try RendererV1(database, context).list(list))
  }

  private static func destroy(_ context: RequestContext, _ database: inout Database) throws(Problem) -> Response {
    let list = try context.namedOwnList(in: database)
    let response = Response(json: try RendererV1(database, context).list(list))
    database.removeList(list.id)
    return response
  }

  private static func show(_ context: RequestContext, _ database: inout Database) throws(Problem) -> Response {
    Response(json: try RendererV1(database, context).list(try context.namedList(in: database)))
  }

  /// Subscribed lists come first, then the user's own; with `reverse`, the other way round.
  private static func list(_ context: RequestContext, _ database: inout Database) throws(Problem) -> Response {
    let user = try context.namedOrAuthenticatedUser(in: database)
    let groups = [database.followedLists[user.id], database.ownedLists[user.id]].map { relation in
      (relation?.entries ?? []).reversed().compactMap { database.list($0.member, visibleTo: context.principal.user) }
    }
    let lists = try context.flag("reverse") ?? false ? groups[1] + groups[0] : groups[0] + groups[1]
    let renderer = try RendererV1(database, context)
    return Response(json: .array(lists.prefix(100).map(renderer.list)))
  }

  private static func ownerships(_ context: RequestContext, _ database: inout Database) throws(Problem) -> Response {
    let user = try context.namedOrAuthenticatedUser(in: database)
    return try page(database.ownedLists[user.id], context, database)
  }

  private static func memberships(_ context: RequestContext, _ database: inout Database) throws(Problem) -> Response {
    let user = try context.namedOrAuthenticatedUser(in: database)
    let ownsOnly = try context.flag("filter_to_owned_lists") ?? false
    return try page(database.memberships[user.id], context, database) {
      !ownsOnly || $0.owner == context.principal.user
    }
  }

  private static func subscriptions(_ context: RequestContext, _ database: inout Database) throws(Problem) -> Response {
    let user = try context.namedOrAuthenticatedUser(in: database)
    return try page(database.followedLists[user.id], context, database)
  }

  private static func statuses(_ context: RequestContext, _ database: inout Database) throws(Problem) -> Response {
    let members = database.members[try context.namedList(in: database).id]
    return try StatusTimeline(of: database.timeline, context, in: database) { members?.contains($0.author) == true }
      .response(context, in: database, includesRetweets: false)
  }

  private static func page(
    _ relation: Relation?, _ context: RequestContext, _ database: Database,
    isIncluded: (ListRecord) -> Bool = { _ in true }
  ) throws(Problem) -> Response {
    let renderer = try RendererV1(database, context)
    let page = try CursoredPage(of: relation, context, defaultCount: 20, maximum: 1000) { id in
      database.list(id, visibleTo: context.principal.user).map(isIncluded) ?? false
    }
    return page.response("lists", page.members.compactMap { database.lists[$0].map(renderer.list) })
  }

  private static func name(_ text: String) throws(Problem) -> String {
    guard (1...25).contains(text.unicodeScalars.count) else { throw .invalidParameter("name") }
    return text
  }

  private static func about(_ context: RequestContext) throws(Problem) -> String? {
    guard let text = context.parameters["description"] else { return nil }
    guard text.unicodeScalars.count <= 100 else { throw .invalidParameter("description") }
    return text
  }

  private static func isPrivate(_ context: RequestContext) throws(Problem) -> Bool? {
    switch context.parameter("mode") {
    case nil: nil
    case "private": true
    case "public": false
    default: throw .invalidParameter("mode")
    }
  }
}

/// The operations for the members and subscribers of lists.
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

  private static func members(_ context: RequestContext, _ database: inout Database) throws(Problem) -> Response {
    try CursoredPage(
      of: database.members[try context.namedList(in: database).id], context, defaultCount: 20, maximum: 5000
    ).users(context, in: database)
  }

  private static func subscribers(_ context: RequestContext, _ database: inout Database) throws(Problem) -> Response {
    try CursoredPage(
      of: database.listFollowers[try context.namedList(in: database).id], context, defaultCount: 20, maximum: 5000
    ).users(context, in: database)
  }

  private static func showMember(_ context: RequestContext, _ database: inout Database) throws(Problem) -> Response {
    let members = database.members[try context.namedList(in: database).id]
    let user = try context.requiredUser(in: database)
    guard members?.contains(user.id) == true else {
      throw .v1(404, 109, "The specified user is not a member of this list.")
    }
    return Response(json: try RendererV1(database, context).user(user))
  }

  private static func showSubscriber(_ context: RequestContext, _ database: inout Database) throws(Problem) -> Response
  {
    let subscribers = database.listFollowers[try context.namedList(in: database).id]
    let user = try context.requiredUser(in: database)
    guard subscribers?.contains(user.id) == true else {
      throw .v1(404, 109, "The specified user is not a subscriber of this list.")
    }
    return Response(json: try RendererV1(database, context).user(user))
  }

  private static func add(_ context: RequestContext, _ database: inout Database) throws(Problem) -> Response {
    let list = try context.namedOwnList(in: database)
    database.addMember(try context.requiredUser(in: database).id, to: list.id)
    return Response(json: try RendererV1(database, context).list(list))
  }

  private static func addAll(_ context: RequestContext, _ database: inout Database) throws(Problem) -> Response {
    let list = try context.namedOwnList(in: database)
    for user in try context.namedUsers(in: database) { database.addMember(user.id, to: list.id) }
    return Response(json: try RendererV1(database, context).list(list))
  }

  private static func remove(_ context: RequestContext, _ database: inout Database) throws(Problem) -> Response {
    let list = try context.namedOwnList(in: database)
    let user = try context.requiredUser(in: database)
    guard database.members[list.id]?.contains(user.id) == true else {
      throw .v1(400, 110, "The user you are trying to remove from the list is not a member.")
    }
    database.removeMember(user.id, from: list.id)
    return Response(json: try RendererV1(database, context).list(list))
  }

  private static func removeAll(_ context: RequestContext, _ database: inout Database) throws(Problem) -> Response {
    let list = try context.namedOwnList(in: database)
    for user in try context.namedUsers(in: database) { database.removeMember(user.id, from: list.id) }
    return Response(json: try RendererV1(database, context).list(list))
  }

  private static func subscribe(_ context: RequestContext, _ database: inout Database) throws(Problem) -> Response {
    let list = try context.namedList(in: database)
    database.follow(list: list.id, by: try context.authenticatedUser())
    return Response(json: try RendererV1(database, context).list(list))
  }

  private static func unsubscribe(_ context: RequestContext, _ database: inout Database) throws(Problem) -> Response {
    let list = try context.namedList(in: database)
    database.unfollow(list: list.id, by: try context.authenticatedUser())
    return Response(json: try RendererV1(database, context).list(list))
  }
}
