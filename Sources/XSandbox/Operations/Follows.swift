/// Who follows whom.
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

  @Sendable private static func follow(_ exchange: Exchange, _ world: inout World) throws(Problem) -> Answer {
    let user = try exchange.actingUser()
    let target = try exchange.requiredUser("target_user_id", in: world)
    guard target.id != user else {
      throw .invalidRequest([
        InvalidParameter(
          name: "$.target_user_id", values: [String(user)], message: "[$.target_user_id: must not be yourself]")
      ])
    }
    world.follow(target.id, by: user)
    return Answer(json: ["data": ["following": true, "pending_follow": false]])
  }

  @Sendable private static func unfollow(_ exchange: Exchange, _ world: inout World) throws(Problem) -> Answer {
    let user = try exchange.actingUser("source_user_id")
    world.unfollow(try exchange.lookUpUser("target_user_id", in: world).required().id, by: user)
    return Answer(json: ["data": ["following": false]])
  }

  @Sendable private static func following(_ exchange: Exchange, _ world: inout World) throws(Problem) -> Answer {
    let world = world
    return try exchange.lookUpUser("id", in: world).answer { (user) throws(Problem) -> Answer in
      try exchange.users(world.following[user.id], in: world)
    }
  }

  @Sendable private static func followers(_ exchange: Exchange, _ world: inout World) throws(Problem) -> Answer {
    let world = world
    return try exchange.lookUpUser("id", in: world).answer { (user) throws(Problem) -> Answer in
      try exchange.users(world.followers[user.id], in: world)
    }
  }
}
