/// The operations for retweets, which are separate tweets that refer to an original.
enum RetweetsV1 {
  static let operations: [Operation] = [
    .v1("POST", "statuses/retweet/{id}", .v1Write, respond: retweet),
    .v1("POST", "statuses/unretweet/{id}", .v1Write, respond: unretweet),
    .v1("GET", "statuses/retweets/{id}", .v1Read, respond: retweets),
    .v1("GET", "statuses/retweeters/ids", .v1Read, respond: retweeters),
    .v1("GET", "statuses/retweets_of_me", .v1ReadAsUser, respond: ownRetweeted),
  ]

  private static func retweet(_ context: RequestContext, _ database: inout Database) throws(Problem) -> Response {
    let user = try context.authenticatedUser()
    let original = try original(context, in: database)
    guard database.repost(of: original.id, by: user) == nil else {
      throw .v1(403, 327, "You have already retweeted this Tweet.")
    }
    let retweet = database.addRepost(of: original, by: user, at: context.now, source: context.source)
    return try context.status(retweet, in: database)
  }

  /// Returns the original. A tweet that was not retweeted is unchanged, without an error.
  private static func unretweet(_ context: RequestContext, _ database: inout Database) throws(Problem) -> Response {
    let user = try context.authenticatedUser()
    let original = try original(context, in: database)
    if let retweet = database.repost(of: original.id, by: user) { database.removePost(retweet.id) }
    return try context.status(original, in: database)
  }

  /// Returns the named tweet, or the original of a retweet.
  private static func original(_ context: RequestContext, in database: Database) throws(Problem) -> PostRecord {
    let post = try context.pathPost(in: database)
    return post.reposts.flatMap { database.posts[$0] } ?? post
  }

  private static func retweets(_ context: RequestContext, _ database: inout Database) throws(Problem) -> Response {
    let original = try context.pathPost(in: database)
    let users = (database.repostingUsers[original.id]?.entries ?? []).reversed()
      .prefix(try context.count(default: 100, atMost: 100))
    let renderer = try RendererV1(database, context)
    return Response(
      json: .array(
        users.compactMap { database.repost(of: original.id, by: $0.member) }.map { renderer.status($0) }))
  }

  private static func retweeters(_ context: RequestContext, _ database: inout Database) throws(Problem) -> Response {
    let original = try context.namedPost(in: database)
    return try CursoredPage(of: database.repostingUsers[original.id], context, defaultCount: 100, maximum: 100)
      .ids(context)
  }

  private static func ownRetweeted(_ context: RequestContext, _ database: inout Database) throws(Problem) -> Response {
    return try StatusTimeline(
      of: database.postsOfUser[try context.authenticatedUser()], context, in: database, maximum: 100
    ) { (database.repostingUsers[$0.id]?.count ?? 0) > 0 }.response(context, in: database)
  }
}

/// The operations for likes.
enum FavoritesV1 {
  static let operations: [Operation] = [
    .v1("GET", "favorites/list", .v1Read, respond: list),
    .v1("POST", "favorites/create", .v1Write, respond: create),
    .v1("POST", "favorites/destroy", .v1Write, respond: destroy),
  ]

  /// Lists the newest tweets first, regardless of when they were liked, because `max_id` needs that order.
  private static func list(_ context: RequestContext, _ database: inout Database) throws(Problem) -> Response {
    let user = try context.namedOrAuthenticatedUser(in: database)
    let liked = database.likedPosts[user.id]
    return try StatusTimeline(of: database.timeline, context, in: database) { liked?.contains($0.id) == true }
      .response(context, in: database)
  }

  private static func create(_ context: RequestContext, _ database: inout Database) throws(Problem) -> Response {
    let user = try context.authenticatedUser()
    let post = try context.namedPost(in: database)
    guard database.likingUsers[post.id]?.contains(user) != true else {
      throw .v1(403, 139, "You have already favorited this status.")
    }
    database.like(post.id, by: user)
    return try context.status(post, in: database)
  }

  private static func destroy(_ context: RequestContext, _ database: inout Database) throws(Problem) -> Response {
    let user = try context.authenticatedUser()
    let post = try context.namedPost(in: database)
    guard database.likingUsers[post.id]?.contains(user) == true else { throw .noSuchStatus }
    database.unlike(post.id, by: user)
    return try context.status(post, in: database)
  }
}
