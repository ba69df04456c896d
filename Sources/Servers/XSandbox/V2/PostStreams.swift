import Foundation

/// The streams of posts: the filtered one, and samples.
enum PostStreams {
  static let operations: [Operation] = [
    Operation(
      name: "streamPosts", method: "GET", path: "/2/tweets/search/stream", access: .app, query: selection,
      opensStream: true, respond: filtered),
    Operation(
      name: "streamPostsSample", method: "GET", path: "/2/tweets/sample/stream", access: .app, query: selection,
      opensStream: true
    ) { (context, database) throws(Problem) in try sample(context, database, partitions: nil) },
    Operation(
      name: "streamPostsSample10", method: "GET", path: "/2/tweets/sample10/stream", access: .app,
      query: selection + [QueryParameter(name: "partition", kind: .integer(1...2, default: 1), isRequired: true)],
      opensStream: true
    ) { (context, database) throws(Problem) in try sample(context, database, partitions: 2) },
  ]

  /// The names in records for the older names in the streams' parameters.
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
    QueryParameter(name: "tweet.fields", kind: .list(of: fields)),
    QueryParameter(name: "expansions", kind: .list(of: expansions)),
    QueryParameter(name: "user.fields", kind: .list(of: Fields.user + ["most_recent_tweet_id", "pinned_tweet_id"])),
    QueryParameter(name: "media.fields", kind: .list(of: Fields.media)),
    QueryParameter(name: "poll.fields", kind: .list(of: Fields.poll)),
    QueryParameter(name: "place.fields", kind: .list(of: Fields.place)),
  ]

  private static func filtered(_ context: RequestContext, _ database: inout Database) throws(Problem) -> Response {
    let app = context.principal.consumerKey
    guard !database.rules(of: app).isEmpty else { throw .rulesMissing }
    return try open(
      context, database, connectionLimit: .app(atMost: context.stream?.hub.configuration.streamConnectionLimit ?? 1)
    ) {
      post, database in
      // Rules count as they are now, not as they were when the stream was opened.
      let matching = database.rules(of: app).filter { rule in
        (try? SearchQuery(rule.value))?.matches(post, in: database) == true
      }
      guard !matching.isEmpty else { return nil }
      return [
        "matching_rules": .array(
          matching.map { ["id": .string(String($0.id)), "tag": .string($0.tag ?? "")] })
      ]
    }
  }

  private static func sample(
    _ context: RequestContext, _ database: Database, partitions: Int?
  ) throws(Problem) -> Response {
    let partition = context.integer("partition")
    return try open(context, database, connectionLimit: .none) { post, _ in
      // Ids have 22 bits that are the same for all posts of the sandbox.
      if let partitions, let partition, Int(post.id >> 22) % partitions + 1 != partition { return nil }
      return [:]
    }
  }

  /// - Parameter select: returns the further members of a record, or `nil` for a post that is not in the stream.
  private static func open(
    _ context: RequestContext, _ database: Database, connectionLimit: StreamSubscription.ConnectionLimit,
    select: @escaping @Sendable (PostRecord, Database) -> [String: JSON]?
  ) throws(Problem) -> Response {
    guard let connection = context.stream else { throw .internalError }
    var asked = context
    asked.stream = nil
    asked.query["post.fields"] = .strings(context.strings("tweet.fields").map { newNames[$0] ?? $0 })
    asked.query["expansions"] = .strings(context.strings("expansions").map { newNames[$0] ?? $0 })
    let dialect = connection.hub.configuration.dialect
    let subscription = StreamSubscription(
      operation: context.operation, version: .v2, principal: context.principal,
      record: { [asked] post, database in
        guard let further = select(post, database) else { return nil }
        var renderer = Renderer(database, asked)
        let data = renderer.post(post)
        return dialect.document(.object(renderer.document(data: data).merging(further) { $1 }))
      }, connectionLimit: connectionLimit)
    let minutes = context.integer("backfill_minutes") ?? 0
    let beginning = context.now.addingTimeInterval(TimeInterval(-60 * minutes))
    let earlier =
      minutes == 0
      ? []
      : database.timeline.entries.reversed().lazy.compactMap { database.posts[$0.member] }.prefix {
        $0.createdAt >= beginning
      }
      .reversed()
    return try connection.hub.connect(
      subscription, connection, backlog: earlier.compactMap { subscription.record($0, database) })
  }
}

extension Problem {
  /// The refusal of a filtered stream by an app without rules.
  fileprivate static let rulesMissing = Problem(
    status: 409, title: "ConnectionException",
    detail: "You must define rules using the POST /2/tweets/search/stream/rules endpoint before connecting to filtered "
      + "stream.",
    type: typePrefix + "streaming-connection", members: ["connection_issue": "RuleConfigurationIssue"])
}
