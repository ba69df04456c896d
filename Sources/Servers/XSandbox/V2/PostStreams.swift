import Foundation

/// The streams of posts: the filtered stream, and samples.
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

  private static let selection =
    [QueryParameter(name: "backfill_minutes", kind: .integer(0...5, default: 0))] + .postSelection

  private static func filtered(_ context: RequestContext, _ database: inout Database) throws(Problem) -> Response {
    let app = context.principal.consumerKey
    guard !database.rules(of: app).isEmpty else { throw .rulesMissing }
    return try open(
      context, database, connectionLimit: .app(atMost: context.stream?.hub.configuration.streamConnectionLimit ?? 1)
    ) {
      post, database in
      // The current rules apply, not those at the time when the stream was opened.
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
      // The lower 22 bits of IDs are the same for all posts in the sandbox.
      if let partitions, let partition, Int(post.id >> 22) % partitions + 1 != partition { return nil }
      return [:]
    }
  }

  /// - Parameter select: Returns the additional members of a record, or `nil` for a post that is not in the stream.
  private static func open(
    _ context: RequestContext, _ database: Database, connectionLimit: StreamSubscription.ConnectionLimit,
    select: @escaping @Sendable (PostRecord, Database) -> [String: JSON]?
  ) throws(Problem) -> Response {
    guard let connection = context.stream else { throw .internalError }
    var asked = context
    asked.stream = nil
    let subscription = StreamSubscription(
      operation: context.operation, version: .v2, principal: context.principal,
      record: { [asked] post, database in
        guard let further = select(post, database) else { return nil }
        var renderer = Renderer(database, asked)
        let data = renderer.post(post)
        return asked.dialect.document(.object(renderer.document(data: data).merging(further) { $1 }))
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
  /// The refusal of the filtered stream to an app without rules.
  fileprivate static let rulesMissing = Problem(
    status: 409, title: "ConnectionException",
    detail: "You must define rules using the POST /2/tweets/search/stream/rules endpoint before connecting to filtered "
      + "stream.",
    type: typePrefix + "streaming-connection", members: ["connection_issue": "RuleConfigurationIssue"])
}
