/// Posting and deleting.
enum StatusesV1 {
  static let operations: [Operation] = [
    .v1("POST", "statuses/update", .v1Write, respond: update),
    .v1("POST", "statuses/destroy/{id}", .v1Write, respond: destroy),
  ]

  @Sendable private static func update(_ exchange: Exchange, _ world: inout World) throws(Problem) -> Answer {
    let author = try exchange.authenticatedUser()
    try exchange.refuse(
      "card_uri", "place_id", "lat", "long", "display_coordinates", "enable_dmcommands")
    let media = try attached(exchange, author, world)
    let draft = try StatusDraft(exchange, author: author, hasMedia: !media.isEmpty, in: world)
    try draft.check(author, in: world)
    let post = world.addPost(
      by: author, text: draft.text, at: exchange.now, source: exchange.source, repliesTo: draft.repliesTo?.id,
      quotes: draft.quotes)
    world.posts[post.id]?.media = media
    world.posts[post.id]?.hiddenPrefix = draft.hiddenPrefix
    world.posts[post.id]?.isSensitive = try exchange.flag("possibly_sensitive") ?? false
    return try exchange.status(world.posts[post.id] ?? post, in: world)
  }

  private static func attached(
    _ exchange: Exchange, _ author: Identifier, _ world: World
  ) throws(Problem) -> [Identifier] {
    guard let ids = try exchange.listParameter("media_ids") else { return [] }
    do throws(MediaRefusal) {
      return try world.attachableMedia(ids.map { Identifier($0) }, for: author, at: exchange.now)
    } catch { throw .v1(400, 324, error.message) }
  }

  @Sendable private static func destroy(_ exchange: Exchange, _ world: inout World) throws(Problem) -> Answer {
    let post = try exchange.pathPost(in: world)
    guard post.author == exchange.caller.user else {
      throw .v1(403, 183, "You may not delete another user's status.")
    }
    let answer = try exchange.status(post, in: world)
    world.removePost(post.id)
    return answer
  }
}

extension Exchange {
  /// The answer with one tweet.
  func status(_ post: PostRecord, in world: World) throws(Problem) -> Answer {
    Answer(json: try RenderingV1(world, self).status(post))
  }
}
