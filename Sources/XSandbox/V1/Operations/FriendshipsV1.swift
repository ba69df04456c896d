/// Who follows whom.
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

  @Sendable private static func create(_ exchange: Exchange, _ world: inout World) throws(Problem) -> Answer {
    let user = try exchange.authenticatedUser()
    let target = try exchange.requiredUser(in: world)
    guard target.id != user else { throw .v1(403, 158, "You can't follow yourself.") }
    world.follow(target.id, by: user)
    return Answer(json: try RenderingV1(world, exchange).user(target))
  }

  @Sendable private static func destroy(_ exchange: Exchange, _ world: inout World) throws(Problem) -> Answer {
    let user = try exchange.authenticatedUser()
    let target = try exchange.requiredUser(in: world)
    world.unfollow(target.id, by: user)
    return Answer(json: try RenderingV1(world, exchange).user(target))
  }

  /// The source is the authenticated user unless one is named.
  @Sendable private static func show(_ exchange: Exchange, _ world: inout World) throws(Problem) -> Answer {
    let named = try exchange.namedUser(id: "source_id", screenName: "source_screen_name", in: world)
    guard let source = named ?? exchange.caller.user.flatMap({ world.users[$0] }) else {
      throw .v1(403, 163, "Could not determine source user.")
    }
    guard let target = try exchange.namedUser(id: "target_id", screenName: "target_screen_name", in: world) else {
      throw .missingParameter("target_id or target_screen_name")
    }
    let follows = JSON.boolean(world.following[source.id]?.contains(target.id) == true)
    let isFollowed = JSON.boolean(world.following[target.id]?.contains(source.id) == true)
    // What only the source itself may know.
    let own: JSON = source.id == exchange.caller.user ? false : .null
    return Answer(json: [
      "relationship": [
        "source": [
          "id": .number(source.id), "id_str": .text(source.id), "screen_name": .string(source.username),
          "following": follows, "followed_by": isFollowed, "live_following": false, "can_dm": true,
          "following_received": own, "following_requested": own, "notifications_enabled": own, "blocking": own,
          "blocked_by": own, "muting": own, "want_retweets": own, "all_replies": own, "marked_spam": own,
        ],
        "target": [
          "id": .number(target.id), "id_str": .text(target.id), "screen_name": .string(target.username),
          "following": isFollowed, "followed_by": follows, "following_received": own, "following_requested": own,
        ],
      ]
    ])
  }

  @Sendable private static func lookup(_ exchange: Exchange, _ world: inout World) throws(Problem) -> Answer {
    let viewer = try exchange.authenticatedUser()
    let friends = world.following[viewer]
    let followers = world.followers[viewer]
    return Answer(
      json: .array(
        try exchange.namedUsers(in: world).map { user in
          var connections: [JSON] = []
          if friends?.contains(user.id) == true { connections.append("following") }
          if followers?.contains(user.id) == true { connections.append("followed_by") }
          return [
            "id": .number(user.id), "id_str": .text(user.id), "name": .string(user.name),
            "screen_name": .string(user.username), "connections": .array(connections.isEmpty ? ["none"] : connections),
          ]
        }))
  }

  @Sendable private static func friendIdentifiers(
    _ exchange: Exchange, _ world: inout World
  ) throws(Problem) -> Answer {
    try identifiers(world.following[try exchange.namedOrAuthenticatedUser(in: world).id], exchange)
  }

  @Sendable private static func followerIdentifiers(
    _ exchange: Exchange, _ world: inout World
  ) throws(Problem) -> Answer {
    try identifiers(world.followers[try exchange.namedOrAuthenticatedUser(in: world).id], exchange)
  }

  @Sendable private static func friends(_ exchange: Exchange, _ world: inout World) throws(Problem) -> Answer {
    try users(world.following[try exchange.namedOrAuthenticatedUser(in: world).id], exchange, world)
  }

  @Sendable private static func followers(_ exchange: Exchange, _ world: inout World) throws(Problem) -> Answer {
    try users(world.followers[try exchange.namedOrAuthenticatedUser(in: world).id], exchange, world)
  }

  private static func identifiers(_ relation: Relation?, _ exchange: Exchange) throws(Problem) -> Answer {
    try CursoredPage(of: relation, exchange, defaultCount: 5000, maximum: 5000).ids(exchange)
  }

  private static func users(_ relation: Relation?, _ exchange: Exchange, _ world: World) throws(Problem) -> Answer {
    try CursoredPage(of: relation, exchange, defaultCount: 20, maximum: 200).users(exchange, in: world)
  }
}
