/// The operations that look up users and the principal's own account.
enum UsersV1 {
  static let operations: [Operation] = [
    .v1("GET", "account/verify_credentials", .v1ReadAsUser, respond: verifyCredentials),
    .v1("GET", "users/show", .v1Read, respond: show),
    .v1("GET", "users/lookup", .v1Read, respond: lookup),
    .v1("POST", "users/lookup", .v1Read, respond: lookup),
    .v1("GET", "users/search", .v1ReadAsUser, respond: search),
  ]

  private static func verifyCredentials(_ context: RequestContext, _ database: inout Database) throws(Problem)
    -> Response
  {
    guard let user = database.users[try context.authenticatedUser()],
      case .object(var members) = try RendererV1(database, context).user(user)
    else { throw .unauthorized }
    if try context.flag("include_email") ?? false { members["email"] = .string(user.email) }
    return Response(json: .object(members))
  }

  private static func show(_ context: RequestContext, _ database: inout Database) throws(Problem) -> Response {
    Response(json: try RendererV1(database, context).user(try context.requiredUser(in: database)))
  }

  private static func lookup(_ context: RequestContext, _ database: inout Database) throws(Problem) -> Response {
    let users = try context.namedUsers(in: database)
    guard !users.isEmpty else { throw .v1(404, 17, "No user matches for specified terms.") }
    let renderer = try RendererV1(database, context)
    return Response(json: .array(users.map { renderer.user($0) }))
  }

  /// Searches names and screen names, oldest accounts first: 20 per page, and at most the first thousand.
  private static func search(_ context: RequestContext, _ database: inout Database) throws(Problem) -> Response {
    let text = try context.required("q").lowercased()
    let count = try context.count(default: 20, atMost: 20)
    let page = try context.count("page", default: 1, atMost: 1_000)
    let renderer = try RendererV1(database, context)
    let found = database.users.values
      .filter { $0.username.lowercased().contains(text) || $0.name.lowercased().contains(text) }
      .sorted { $0.id < $1.id }
      .prefix(1_000).dropFirst((page - 1) * count).prefix(count)
    return Response(json: .array(found.map { renderer.user($0) }))
  }
}

/// The operations for follows.
enum FriendshipsV1 {
  static let operations: [Operation] = [
    .v1("POST", "friendships/create", .v1Write, respond: create),
    .v1("POST", "friendships/destroy", .v1Write, respond: destroy),
    .v1("GET", "friendships/show", .v1Read, respond: show),
    .v1("GET", "friendships/lookup", .v1ReadAsUser, respond: lookup),
    .v1("GET", "friends/ids", .v1Read, respond: friendIdentifiers),
    .v1("GET", "followers/ids", .v1Read, respond: followerIdentifiers),
    .v1("GET", "friends/list", .v1Read, respond: friends),
    .v1("GET", "followers/list", .v1Read, respond: followers),
  ]

  private static func create(_ context: RequestContext, _ database: inout Database) throws(Problem) -> Response {
    let user = try context.authenticatedUser()
    let target = try context.requiredUser(in: database)
    guard target.id != user else { throw .v1(403, 158, "You can't follow yourself.") }
    guard !database.isBlocked(user, by: target.id) else {
      throw .v1(403, 162, "You have been blocked from following this account at the request of the user.")
    }
    database.follow(target.id, by: user)
    return Response(json: try RendererV1(database, context).user(target))
  }

  private static func destroy(_ context: RequestContext, _ database: inout Database) throws(Problem) -> Response {
    let user = try context.authenticatedUser()
    let target = try context.requiredUser(in: database)
    database.unfollow(target.id, by: user)
    return Response(json: try RendererV1(database, context).user(target))
  }

  /// The source is the authenticated user unless the request names one.
  private static func show(_ context: RequestContext, _ database: inout Database) throws(Problem) -> Response {
    let named = try context.namedUser(id: "source_id", screenName: "source_screen_name", in: database)
    guard let source = named ?? context.principal.user.flatMap({ database.users[$0] }) else {
      throw .v1(403, 163, "Could not determine source user.")
    }
    guard let target = try context.namedUser(id: "target_id", screenName: "target_screen_name", in: database) else {
      throw .missingParameter("target_id or target_screen_name")
    }
    let follows = JSON.boolean(database.following[source.id]?.contains(target.id) == true)
    let isFollowed = JSON.boolean(database.following[target.id]?.contains(source.id) == true)
    // Members that only the source can see.
    let isOwn = source.id == context.principal.user
    let own: JSON = isOwn ? false : .null
    func relation(_ relation: Relation?, _ other: Identifier) -> JSON {
      isOwn ? .boolean(relation?.contains(other) == true) : .null
    }
    return Response(json: [
      "relationship": [
        "source": [
          "id": .number(source.id), "id_str": .text(source.id), "screen_name": .string(source.username),
          "following": follows, "followed_by": isFollowed, "live_following": false, "can_dm": true,
          "following_received": own, "following_requested": own, "notifications_enabled": own,
          "blocking": relation(database.blocked[source.id], target.id),
          "blocked_by": relation(database.blocked[target.id], source.id),
          "muting": relation(database.muted[source.id], target.id), "want_retweets": own, "all_replies": own,
          "marked_spam": own,
        ],
        "target": [
          "id": .number(target.id), "id_str": .text(target.id), "screen_name": .string(target.username),
          "following": isFollowed, "followed_by": follows, "following_received": own, "following_requested": own,
        ],
      ]
    ])
  }

  private static func lookup(_ context: RequestContext, _ database: inout Database) throws(Problem) -> Response {
    let viewer = try context.authenticatedUser()
    let friends = database.following[viewer]
    let followers = database.followers[viewer]
    return Response(
      json: .array(
        try context.namedUsers(in: database).map { user in
          var connections: [JSON] = []
          if friends?.contains(user.id) == true { connections.append("following") }
          if followers?.contains(user.id) == true { connections.append("followed_by") }
          if database.blocked[viewer]?.contains(user.id) == true { connections.append("blocking") }
          if database.muted[viewer]?.contains(user.id) == true { connections.append("muting") }
          return [
            "id": .number(user.id), "id_str": .text(user.id), "name": .string(user.name),
            "screen_name": .string(user.username), "connections": .array(connections.isEmpty ? ["none"] : connections),
          ]
        }))
  }

  private static func friendIdentifiers(_ context: RequestContext, _ database: inout Database) throws(Problem)
    -> Response
  {
    try identifiers(database.following[try context.namedOrAuthenticatedUser(in: database).id], context)
  }

  private static func followerIdentifiers(_ context: RequestContext, _ database: inout Database) throws(Problem)
    -> Response
  {
    try identifiers(database.followers[try context.namedOrAuthenticatedUser(in: database).id], context)
  }

  private static func friends(_ context: RequestContext, _ database: inout Database) throws(Problem) -> Response {
    try users(database.following[try context.namedOrAuthenticatedUser(in: database).id], context, database)
  }

  private static func followers(_ context: RequestContext, _ database: inout Database) throws(Problem) -> Response {
    try users(database.followers[try context.namedOrAuthenticatedUser(in: database).id], context, database)
  }

  private static func identifiers(_ relation: Relation?, _ context: RequestContext) throws(Problem) -> Response {
    try CursoredPage(of: relation, context, defaultCount: 5000, maximum: 5000).ids(context)
  }

  private static func users(_ relation: Relation?, _ context: RequestContext, _ database: Database) throws(Problem)
    -> Response
  {
    try CursoredPage(of: relation, context, defaultCount: 20, maximum: 200).users(context, in: database)
  }
}
