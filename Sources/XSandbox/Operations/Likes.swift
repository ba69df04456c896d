/// Likes.
enum Likes {
  static let operations: [Operation] = [
    Operation(
      name: "likePost", method: "POST", path: "/2/users/{id}/likes",
      access: .user("like.write", "tweet.read", "users.read", writes: true),
      body: .object([.required("tweet_id", .identifier)]), respond: like),
    Operation(
      name: "unlikePost", method: "DELETE", path: "/2/users/{id}/likes/{tweet_id}",
      access: .user("like.write", "tweet.read", "users.read", writes: true), respond: unlike),
    Operation(
      name: "getUsersLikedPosts", method: "GET", path: "/2/users/{id}/liked_tweets",
      access: .user("like.read", "tweet.read", "users.read"), query: .page(5...100, default: 100) + .postSelection,
      respond: likedPosts),
    Operation(
      name: "getPostsLikingUsers", method: "GET", path: "/2/tweets/{id}/liking_users",
      access: .user("like.read", "tweet.read", "users.read"), query: .page(1...100, default: 100) + .userSelection,
      respond: likingUsers),
  ]

  @Sendable private static func like(_ exchange: Exchange, _ world: inout World) throws(Problem) -> Answer {
    let user = try exchange.actingUser()
    world.like(try exchange.requiredPost("tweet_id", in: world).id, by: user)
    return Answer(json: ["data": ["liked": true]])
  }

  @Sendable private static func unlike(_ exchange: Exchange, _ world: inout World) throws(Problem) -> Answer {
    let user = try exchange.actingUser()
    world.unlike(try exchange.lookUpPost("tweet_id", in: world).required().id, by: user)
    return Answer(json: ["data": ["liked": false]])
  }

  @Sendable private static func likedPosts(_ exchange: Exchange, _ world: inout World) throws(Problem) -> Answer {
    let world = world
    return try exchange.lookUpUser("id", in: world).answer { (user) throws(Problem) -> Answer in
      let page = try exchange.page(of: world.likedPosts[user.id], defaultSize: 100)
      return exchange.posts(page, in: world, withBorders: false)
    }
  }

  @Sendable private static func likingUsers(_ exchange: Exchange, _ world: inout World) throws(Problem) -> Answer {
    let world = world
    return try exchange.lookUpPost("id", in: world).answer { (post) throws(Problem) -> Answer in
      try exchange.users(world.likingUsers[post.id], in: world)
    }
  }
}
