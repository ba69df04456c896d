/// The operations that look up users.
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

  private static func me(_ context: RequestContext, _ database: inout Database) throws(Problem) -> Response {
    guard let user = database.users[try context.authenticatedUser()] else { throw .unauthorized }
    return response(user, context, database)
  }

  private static func byIdentifier(_ context: RequestContext, _ database: inout Database) throws(Problem) -> Response {
    try context.lookUpUser("id", in: database).response { response($0, context, database) }
  }

  private static func byUsername(_ context: RequestContext, _ database: inout Database) throws(Problem) -> Response {
    let username = context.path["username"] ?? ""
    guard Pattern.isUsername(username) else {
      throw .invalidRequest([
        InvalidParameter(
          name: "username", values: [username],
          message: "The `username` query parameter value [\(username)] does not match ^[A-Za-z0-9_]{1,15}$")
      ])
    }
    guard let user = database.user(named: username) else {
      return Response(json: ["errors": [MissingResource(kind: .user, parameter: "username", value: username).document]])
    }
    return response(user, context, database)
  }

  private static func byIdentifiers(_ context: RequestContext, _ database: inout Database) throws(Problem) -> Response {
    return response(to: context.strings("ids"), parameter: "ids", context, database) { text in
      Identifier(text).flatMap { database.users[$0] }
    }
  }

  private static func byUsernames(_ context: RequestContext, _ database: inout Database) throws(Problem) -> Response {
    return response(to: context.strings("usernames"), parameter: "usernames", context, database) {
      database.user(named: $0)
    }
  }

  private static func response(_ user: UserRecord, _ context: RequestContext, _ database: Database) -> Response {
    var renderer = Renderer(database, context)
    let data = renderer.user(user)
    return renderer.response(data: data)
  }

  private static func response(
    to names: [String], parameter: String, _ context: RequestContext, _ database: Database,
    find: (String) -> UserRecord?
  ) -> Response {
    var renderer = Renderer(database, context)
    var data: [JSON] = []
    for name in names {
      if let user = find(name) {
        data.append(renderer.user(user))
      } else {
        renderer.report(missing: MissingResource(kind: .user, parameter: parameter, value: name))
      }
    }
    return renderer.response(data: data.isEmpty ? nil : .array(data))
  }
}

/// The operations for follows.
enum Follows {
  private static let page = [
    QueryParameter(name: "max_results", kind: .integer(1...1000, default: 100)),
    QueryParameter(name: "pagination_token", kind: .text(length: 16...Int.max)),
  ]

  static let operations: [Operation] = [
    Operation(
      name: "followUser", method: "POST", path: "/2/users/{id}/following",
      access: .user("follows.write", "tweet.read", "users.read", writes: true),
      body: .object([.required("target_user_id", .identifier)]), respond: follow),
    Operation(
      name: "unfollowUser", method: "DELETE", path: "/2/users/{source_user_id}/following/{target_user_id}",
      access: .user("follows.write", "tweet.read", "users.read", writes: true), respond: unfollow),
    Operation(
      name: "getUsersFollowing", method: "GET", path: "/2/users/{id}/following",
      access: .userOrApp("follows.read", "tweet.read", "users.read"), query: page + .userSelection,
      respond: following),
    Operation(
      name: "getUsersFollowers", method: "GET", path: "/2/users/{id}/followers",
      access: .userOrApp("follows.read", "tweet.read", "users.read"), query: page + .userSelection,
      respond: followers),
  ]

  private static func follow(_ context: RequestContext, _ database: inout Database) throws(Problem) -> Response {
    let user = try context.actingUser()
    let target = try context.requiredUser("target_user_id", in: database)
    guard target.id != user else {
      throw .invalidRequest([
        InvalidParameter(
          name: "$.target_user_id", values: [String(user)], message: "[$.target_user_id: must not be yourself]")
      ])
    }
    guard !database.isBlocked(user, by: target.id) else {
      throw .forbidden("You have been blocked from following this account at the request of the user.")
    }
    database.follow(target.id, by: user)
    return Response(json: ["data": ["following": true, "pending_follow": false]])
  }

  private static func unfollow(_ context: RequestContext, _ database: inout Database) throws(Problem) -> Response {
    let user = try context.actingUser("source_user_id")
    database.unfollow(try context.lookUpUser("target_user_id", in: database).required().id, by: user)
    return Response(json: ["data": ["following": false]])
  }

  private static func following(_ context: RequestContext, _ database: inout Database) throws(Problem) -> Response {
    try context.lookUpUser("id", in: database).response { (user) throws(Problem) -> Response in
      try context.users(database.following[user.id], in: database)
    }
  }

  private static func followers(_ context: RequestContext, _ database: inout Database) throws(Problem) -> Response {
    try context.lookUpUser("id", in: database).response { (user) throws(Problem) -> Response in
      try context.users(database.followers[user.id], in: database)
    }
  }
}
