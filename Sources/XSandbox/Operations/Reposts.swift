/// Reposts. As at X, a repost is a post of its own that refers to the original.
enum Reposts {
  static let operations: [Operation] = [
    Operation(
      name: "repostPost", method: "POST", path: "/2/users/{id}/retweets",
      access: .user("tweet.read", "tweet.write", "users.read", writes: true),
      body: .object([.required("tweet_id", .identifier)]), respond: repost),
    Operation(
      name: "unrepostPost", method: "DELETE", path: "/2/users/{id}/retweets/{source_tweet_id}",
      access: .user("tweet.read", "tweet.write", "users.read", writes: true), respond: unrepost),
    Operation(
      name: "getPostsRepostedBy", method: "GET", path: "/2/tweets/{id}/retweeted_by",
      access: .userOrApp("tweet.read", "users.read"), query: .page(1...100, default: 100) + .userSelection,
      respond: repostingUsers),
  ]

  @Sendable private static func repost(_ exchange: Exchange, _ world: inout World) throws(Problem) -> Answer {
    let user = try exchange.actingUser()
    let original = try exchange.requiredPost("tweet_id", in: world)
    let existing = world.repost(of: original.id, by: user)
    let author = world.users[original.author]?.username ?? ""
    let repost =
      existing
      ?? world.addPost(
        by: user, text: "RT @\(author): \(original.text)", at: exchange.now, source: exchange.source,
        reposts: original.id)
    return Answer(json: ["data": ["retweeted": true, "rest_id": .string(String(repost.id))]])
  }

  @Sendable private static func unrepost(_ exchange: Exchange, _ world: inout World) throws(Problem) -> Answer {
    let user = try exchange.actingUser()
    let original = try exchange.lookUpPost("source_tweet_id", in: world).required()
    if let repost = world.repost(of: original.id, by: user) { world.removePost(repost.id) }
    return Answer(json: ["data": ["retweeted": false]])
  }

  @Sendable private static func repostingUsers(
    _ exchange: Exchange, _ world: inout World
  ) throws(Problem) -> Answer {
    let world = world
    return try exchange.lookUpPost("id", in: world).answer { (post) throws(Problem) -> Answer in
      try exchange.users(world.repostingUsers[post.id], in: world)
    }
  }
}
