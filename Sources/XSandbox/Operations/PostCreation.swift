/// `POST /2/tweets`.
enum PostCreation {
  private static let replySettings = ["following", "mentionedUsers", "subscribers", "verified"]

  static let schema = BodySchema.object([
    .optional("text", .anyString),
    .optional(
      "reply",
      .object([
        .required("in_reply_to_tweet_id", .identifier), .optional("auto_populate_reply_metadata", .boolean),
        .optional("exclude_reply_user_ids", .array(of: .anyString, count: 0...100)),
      ])),
    .optional("quote_tweet_id", .identifier), .optional("reply_settings", .choice(of: replySettings)),
    .optional("for_super_followers_only", .boolean), .optional("made_with_ai", .boolean),
    .optional("nullcast", .boolean), .optional("paid_partnership", .boolean),
    .optional("share_with_followers", .boolean), .optional("card_uri", .anyString),
    .optional("community_id", .identifier), .optional("direct_message_deep_link", .anyString),
    .optional("edit_options", .object([.required("previous_post_id", .identifier)])),
    .optional("geo", .object([.required("place_id", .anyString)])), .optional("media", media),
    .optional("poll", poll),
  ])

  private static let media = BodySchema.object([
    .required("media_ids", .array(of: .identifier, count: 1...4)),
    .optional("call_to_actions", .object([])), .optional("description", .anyString),
    .optional("embeddable", .boolean), .optional("preview_media_id", .identifier),
    .optional("tagged_user_ids", .array(of: .identifier, count: 0...10)), .optional("title", .anyString),
  ])

  private static let poll = BodySchema.object([
    .required("options", .array(of: .string(length: 1...25), count: 2...4)),
    .required("duration_minutes", .integer(5...10080)), .optional("reply_settings", .choice(of: replySettings)),
  ])

  /// What the sandbox's posts cannot carry yet. To drop it silently would be a lie.
  private static let unsupported = [
    "card_uri", "community_id", "direct_message_deep_link", "edit_options", "geo", "poll",
  ]

  @Sendable static func respond(_ exchange: Exchange, _ world: inout World) throws(Problem) -> Answer {
    let author = try exchange.authenticatedUser()
    for member in unsupported where exchange.body[member] != nil {
      throw .notImplemented("`\(member)` in POST /2/tweets")
    }
    let text = exchange.text("text") ?? ""
    let media = try attached(exchange, author, world)
    if media.isEmpty || !text.isEmpty { try check(text) }
    let repliesTo = try post(exchange.body["reply"]?["in_reply_to_tweet_id"], "reply.in_reply_to_tweet_id", world)
    let quotes = try post(exchange.body["quote_tweet_id"], "quote_tweet_id", world)
    if media.isEmpty { try refuseDuplicate(text, author, repliesTo, quotes, world) }
    let post = world.addPost(
      by: author, text: text, at: exchange.now, source: exchange.source, repliesTo: repliesTo, quotes: quotes)
    world.posts[post.id]?.replySettings = exchange.text("reply_settings") ?? "everyone"
    world.posts[post.id]?.media = media
    world.posts[post.id]?.isPaidPartnership = exchange.body["paid_partnership"]?.boolean ?? false
    return Answer(
      status: 201,
      json: [
        "data": [
          "id": .string(String(post.id)), "text": .string(text),
          "edit_history_post_ids": [.string(String(post.id))],
        ]
      ])
  }

  private static func attached(
    _ exchange: Exchange, _ author: Identifier, _ world: World
  ) throws(Problem) -> [Identifier] {
    guard case .array(let values)? = exchange.body["media"]?["media_ids"] else { return [] }
    let texts = values.compactMap(\.string)
    do throws(MediaRefusal) {
      return try world.attachableMedia(texts.map { Identifier($0) }, for: author, at: exchange.now)
    } catch {
      throw .invalidRequest([InvalidParameter(name: "media.media_ids", values: texts, message: error.message)])
    }
  }

  private static func check(_ text: String) throws(Problem) {
    let isBlank = text.unicodeScalars.allSatisfy(\.properties.isWhitespace)
    guard !isBlank else {
      throw .invalidRequest([
        InvalidParameter(name: "$.text", values: [text], message: "[$.text: must not be empty in a post without media]")
      ])
    }
    let length = PostLength.of(text)
    guard length <= PostLength.maximum else {
      throw .invalidRequest([
        InvalidParameter(
          name: "$.text", values: [text],
          message: "[$.text: must be at most \(PostLength.maximum) weighted characters long; it has \(length)]")
      ])
    }
  }

  private static func post(_ value: JSON?, _ parameter: String, _ world: World) throws(Problem) -> Identifier? {
    guard let text = value?.string else { return nil }
    guard let id = Identifier(text), world.posts[id] != nil else {
      throw .missing(MissingResource(kind: .post, parameter: parameter, value: text))
    }
    return id
  }

  /// X refuses what one of the author's last posts says already.
  private static func refuseDuplicate(
    _ text: String, _ author: Identifier, _ repliesTo: Identifier?, _ quotes: Identifier?, _ world: World
  ) throws(Problem) {
    let recent = (world.postsOfUser[author]?.entries.suffix(20) ?? []).compactMap { world.posts[$0.member] }
    if recent.contains(where: { $0.text == text && $0.repliesTo == repliesTo && $0.quotes == quotes }) {
      throw .forbidden("You are not allowed to create a Post with duplicate content.")
    }
  }
}
