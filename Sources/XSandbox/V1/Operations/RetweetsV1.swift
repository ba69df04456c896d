/// Retweets, which are tweets of their own that refer to an original.
enum RetweetsV1 {
  static let operations: [Operation] = [
    .v1("POST", "statuses/retweet/{id}", .v1Write, respond: retweet),
    .v1("POST", "statuses/unretweet/{id}", .v1Write, respond: unretweet),
    .v1("GET", "statuses/retweets/{id}", .v1Read, respond: retweets),
    .v1("GET", "statuses/retweeters/ids", .v1Read, respond: retweeters),
    .v1("GET", "statuses/retweets_of_me", .v1ReadAsUser, respond: ownRetweeted),
  ]

  @Sendable private static func retweet(_ exchange: Exchange, _ world: inout World) throws(Problem) -> Answer {
    let user = try exchange.authenticatedUser()
    let original = try original(exchange, in: world)
    guard world.repost(of: original.id, by: user) == nil else {
      throw .v1(403, 327, "You have already retweeted this Tweet.")
    }
    let author = world.users[original.author]?.username ?? ""
    let retweet = world.addPost(
      by: user, text: "RT @\(author): \(original.text)", at: exchange.now, source: exchange.source,
      reposts: original.id)
    return try exchange.status(retweet, in: world)
  }

  /// Answers with the original. What was not retweeted is left as it is, without an error.
  @Sendable private static func unretweet(_ exchange: Exchange, _ world: inout World) throws(Problem) -> Answer {
    let user = try exchange.authenticatedUser()
    let original = try original(exchange, in: world)
    if let retweet = world.repost(of: original.id, by: user) { world.removePost(retweet.id) }
    return try exchange.status(original, in: world)
  }

  /// Whoever names a retweet means its original.
  private static func original(_ exchange: Exchange, in world: World) throws(Problem) -> PostRecord {
    let post = try exchange.pathPost(in: world)
    return post.reposts.flatMap { world.posts[$0] } ?? post
  }

  @Sendable private static func retweets(_ exchange: Exchange, _ world: inout World) throws(Problem) -> Answer {
    let original = try exchange.pathPost(in: world)
    let users = (world.repostingUsers[original.id]?.entries ?? []).reversed()
      .prefix(try exchange.count(default: 100, atMost: 100))
    let rendering = try RenderingV1(world, exchange)
    let world = world
    return Answer(
      json: .array(
        users.compactMap { world.repost(of: original.id, by: $0.member) }.map { rendering.status($0) }))
  }

  @Sendable private static func retweeters(_ exchange: Exchange, _ world: inout World) throws(Problem) -> Answer {
    let original = try exchange.namedPost(in: world)
    return try CursoredPage(of: world.repostingUsers[original.id], exchange, defaultCount: 100, maximum: 100)
      .ids(exchange)
  }

  @Sendable private static func ownRetweeted(_ exchange: Exchange, _ world: inout World) throws(Problem) -> Answer {
    let world = world
    return try StatusTimeline(
      of: world.postsOfUser[try exchange.authenticatedUser()], exchange, in: world, maximum: 100
    ) { (world.repostingUsers[$0.id]?.count ?? 0) > 0 }.answer(exchange, in: world)
  }
}
