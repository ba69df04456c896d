import Foundation

/// The streams of v1.1: by keywords and authors, and a sample.
enum StatusStreamsV1 {
  static let operations: [Operation] = [
    .v1("POST", "statuses/filter", .v1ReadAsUser, opensStream: true, respond: filter),
    .v1("GET", "statuses/sample", .v1ReadAsUser, opensStream: true, respond: sample),
  ]

  private static func filter(_ context: RequestContext, _ database: inout Database) throws(Problem) -> Response {
    try context.refuse("locations", "count", "filter_level")
    let phrases = try context.listParameter("track")?.map { phrase in
      phrase.lowercased().split(separator: " ").map(String.init)
    }
    let authors = try context.listParameter("follow")
    guard phrases != nil || authors != nil else {
      // X answers in plain text.
      throw .v1(406, 0, "No filter parameters found. Expect at least one parameter: follow track locations")
    }
    if let authors, !authors.allSatisfy(Pattern.isIdentifier) { throw .invalidParameter("follow") }
    let ids = Set((authors ?? []).compactMap { Identifier($0) })
    return try open(context, database) { post, _ in
      let text = post.text.lowercased()
      return phrases?.contains { words in words.allSatisfy(text.contains) } == true || ids.contains(post.author)
        || post.repliesToUser.map(ids.contains) == true
    }
  }

  private static func sample(_ context: RequestContext, _ database: inout Database) throws(Problem) -> Response {
    try open(context, database) { _, _ in true }
  }

  private static func open(
    _ context: RequestContext, _ database: Database, select: @escaping @Sendable (PostRecord, Database) -> Bool
  ) throws(Problem) -> Response {
    try context.refuse("language")
    guard let connection = context.stream else { throw .notImplemented("\(context.operation) without a connection") }
    switch context.parameter("delimited") {
    case nil, "length": break
    default: throw .invalidParameter("delimited")
    }
    // Refuses invalid parameters before the stream opens.
    _ = try RendererV1(database, context)
    _ = try context.flag("stall_warnings")
    var asked = context
    asked.stream = nil
    let subscription = StreamSubscription(
      operation: context.operation, version: .v1, principal: context.principal,
      isDelimited: context.parameter("delimited") == "length",
      record: { [asked] post, database in
        guard select(post, database) else { return nil }
        return (try? RendererV1(database, asked))?.status(post)
      },
      deletion: { post in
        [
          "delete": [
            "status": [
              "id": .number(post.id), "id_str": .text(post.id), "user_id": .number(post.author),
              "user_id_str": .text(post.author),
            ]
          ]
        ]
      }, connectionLimit: .newestOfUser)
    return try connection.hub.connect(subscription, connection, backlog: [])
  }
}
