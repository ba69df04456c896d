/// Timelines, paged by `max_id` and `since_id`.
enum TimelinesV1 {
  static let operations: [Operation] = [
    .v1("GET", "statuses/user_timeline", .v1Read, respond: user),
    .v1("GET", "statuses/home_timeline", .v1ReadAsUser, respond: home),
    .v1("GET", "statuses/mentions_timeline", .v1ReadAsUser, respond: mentions),
  ]

  @Sendable private static func user(_ exchange: Exchange, _ world: inout World) throws(Problem) -> Answer {
    let user = try exchange.namedOrAuthenticatedUser(in: world)
    return try StatusTimeline(of: world.postsOfUser[user.id], exchange, in: world).answer(exchange, in: world)
  }

  @Sendable private static func home(_ exchange: Exchange, _ world: inout World) throws(Problem) -> Answer {
    let user = try exchange.authenticatedUser()
    let followed = world.following[user]
    return try StatusTimeline(of: world.timeline, exchange, in: world) { post in
      post.author == user || followed?.contains(post.author) == true
    }.answer(exchange, in: world)
  }

  @Sendable private static func mentions(_ exchange: Exchange, _ world: inout World) throws(Problem) -> Answer {
    let user = try exchange.authenticatedUser()
    let world = world
    return try StatusTimeline(of: world.timeline, exchange, in: world) { post in
      post.author != user && post.reposts == nil
        && PostEntities(post.text).mentions.contains { world.user(named: $0.text)?.id == user }
    }.answer(exchange, in: world)
  }
}
