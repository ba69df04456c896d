/// Likes.
enum FavoritesV1 {
  static let operations: [Operation] = [
    .v1("GET", "favorites/list", .v1Read, respond: list),
    .v1("POST", "favorites/create", .v1Write, respond: create),
    .v1("POST", "favorites/destroy", .v1Write, respond: destroy),
  ]

  /// Newest tweets first, whenever they were liked: that is what makes `max_id` work.
  @Sendable private static func list(_ exchange: Exchange, _ world: inout World) throws(Problem) -> Answer {
    let user = try exchange.namedOrAuthenticatedUser(in: world)
    let liked = world.likedPosts[user.id]
    return try StatusTimeline(of: world.timeline, exchange, in: world) { liked?.contains($0.id) == true }
      .answer(exchange, in: world)
  }

  @Sendable private static func create(_ exchange: Exchange, _ world: inout World) throws(Problem) -> Answer {
    let user = try exchange.authenticatedUser()
    let post = try exchange.namedPost(in: world)
    guard world.likingUsers[post.id]?.contains(user) != true else {
      throw .v1(403, 139, "You have already favorited this status.")
    }
    world.like(post.id, by: user)
    return try exchange.status(post, in: world)
  }

  @Sendable private static func destroy(_ exchange: Exchange, _ world: inout World) throws(Problem) -> Answer {
    let user = try exchange.authenticatedUser()
    let post = try exchange.namedPost(in: world)
    guard world.likingUsers[post.id]?.contains(user) == true else { throw .noSuchStatus }
    world.unlike(post.id, by: user)
    return try exchange.status(post, in: world)
  }
}
