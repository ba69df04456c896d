import Foundation

/// The streams of posts: by rules, and samples.
enum PostStreams {
  static let operations: [Operation] = [
    Operation(
      name: "streamPosts", method: "GET", path: "/2/tweets/search/stream", access: .app, query: selection,
      opensStream: true, respond: filtered),
    Operation(
      name: "streamPostsSample", method: "GET", path: "/2/tweets/sample/stream", access: .app, query: selection,
      opensStream: true
    ) { (exchange, world) throws(Problem) in try sample(exchange, world, partitions: nil) },
    Operation(
      name: "streamPostsSample10", method: "GET", path: "/2/tweets/sample10/stream", access: .app,
      query: selection + [QueryParameter(name: "partition", kind: .integer(1...2, default: 1), isRequired: true)],
      opensStream: true
    ) { (exchange, world) throws(Problem) in try sample(exchange, world, partitions: 2) },
  ]

  /// The streams kept the names of before posts were called so; records have the new ones.
  private static let newNames = [
    "edit_history_tweet_ids": "edit_history_post_ids", "referenced_tweets": "referenced_posts",
    "referenced_tweets.id": "referenced_posts", "note_tweet": "note_post",
  ]
  private static let fields =
    Fields.post.filter { $0 != "note_post" && $0 != "article_title" }
    + ["author_id", "edit_history_tweet_ids", "in_reply_to_user_id", "note_tweet", "referenced_tweets"]
  private static let expansions = [
    "article.cover_media", "article.media_entities", "attachments.media_keys", "attachments.media_source_tweet",
    "attachments.poll_ids", "author_id", "edit_history_tweet_ids", "entities.mentions.username", "geo.place_id",
    "in_reply_to_user_id", "entities.note.mentions.username", "referenced_tweets.id",
    "referenced_tweets.id.attachments.media_keys", "referenced_tweets.id.author_id",
  ]
  private static let selection: [QueryParameter] = [
    QueryParameter(name: "backfill_minutes", kind: .integer(0...5, default: 0)),
    QueryParameter(name: "start_time", kind: .date), QueryParameter(name: "end_time", kind: .date),
    QueryParameter(name: "tweet.fields", kind: .list(of: fields)),
    QueryParameter(name: "expansions", kind: .list(of: expansions)),
    QueryParameter(name: "user.fields", kind: .list(of: Fields.user + ["most_recent_tweet_id", "pinned_tweet_id"])),
    QueryParameter(name: "media.fields", kind: .list(of: Fields.media)),
    QueryParameter(name: "poll.fields", kind: .list(of: Fields.poll)),
    QueryParameter(name: "place.fields", kind: .list(of: Fields.place)),
  ]

  @Sendable private static func filtered(_ exchange: Exchange, _ world: inout World) throws(Problem) -> Answer {
    let app = exchange.caller.consumerKey
    return try open(exchange, world, bound: .app(atMost: exchange.stream?.hub.configuration.streamConnectionLimit ?? 1))
    {
      post, world in
      // Rules count as they are now, not as they were when the stream was opened.
      let matching = world.rules(of: app).filter { rule in
        (try? SearchQuery(rule.value))?.matches(post, in: world) == true
      }
      guard !matching.isEmpty else { return nil }
      return [
        "matching_rules": .array(
          matching.map { ["id": .string(String($0.id)), "tag": .string($0.tag ?? "")] })
      ]
    }
  }

  private static func sample(
    _ exchange: Exchange, _ world: World, partitions: Int?
  ) throws(Problem) -> Answer {
    let partition = exchange.integer("partition")
    return try open(exchange, world, bound: .none) { post, _ in
      // Ids have 22 bits that are the same for all posts of the sandbox.
      if let partitions, let partition, Int(post.id >> 22) % partitions + 1 != partition { return nil }
      return [:]
    }
  }

  /// - Parameter select: what a record has beside the post, or `nil` for a post that is not in the stream.
  private static func open(
    _ exchange: Exchange, _ world: World, bound: StreamSubscription.Bound,
    select: @escaping @Sendable (PostRecord, World) -> [String: JSON]?
  ) throws(Problem) -> Answer {
    for name in ["start_time", "end_time"] where exchange.string(name) != nil {
      throw .notImplemented("the parameter `\(name)` of \(exchange.operation)")
    }
    guard let opening = exchange.stream else { throw .notImplemented("\(exchange.operation) without a connection") }
    var asked = exchange
    asked.stream = nil
    asked.query["post.fields"] = .strings(exchange.strings("tweet.fields").map { newNames[$0] ?? $0 })
    asked.query["expansions"] = .strings(exchange.strings("expansions").map { newNames[$0] ?? $0 })
    let subscription = StreamSubscription(
      operation: exchange.operation, version: .v2, caller: exchange.caller,
      record: { [asked] post, world in
        guard let further = select(post, world) else { return nil }
        var rendering = Rendering(world, asked)
        let data = rendering.post(post)
        return .object(rendering.document(data: data).merging(further) { $1 })
      }, bound: bound)
    let minutes = exchange.integer("backfill_minutes") ?? 0
    let beginning = exchange.now.addingTimeInterval(TimeInterval(-60 * minutes))
    let earlier =
      minutes == 0
      ? []
      : world.timeline.entries.reversed().lazy.compactMap { world.posts[$0.member] }.prefix {
        $0.createdAt >= beginning
      }
      .reversed()
    return try opening.hub.connect(
      subscription, opening, backlog: earlier.compactMap { subscription.record($0, world) })
  }
}
