import Foundation

/// The streams of v1.1: by keywords and authors, and a sample.
enum StatusStreamsV1 {
  static let operations: [Operation] = [
    .v1("POST", "statuses/filter", .v1ReadAsUser, opensStream: true, respond: filter),
    .v1("GET", "statuses/sample", .v1ReadAsUser, opensStream: true, respond: sample),
  ]

  private static func filter(_ context: RequestContext, _ database: inout Database) throws(Problem) -> Response {
    // X sends earlier tweets to apps with elevated access only.
    if context.parameter("count") != nil {
      throw .v1(416, 0, "The parameter count is not available to this app.")
    }
    let level = try level(context)
    let areas = try areas(context)
    let phrases = try context.listParameter("track")?.map { phrase in
      phrase.lowercased().split(separator: " ").map(String.init)
    }
    let authors = try context.listParameter("follow")
    guard phrases != nil || authors != nil || areas != nil else {
      // X answers in plain text.
      throw .v1(406, 0, "No filter parameters found. Expect at least one parameter: follow track locations")
    }
    if let authors, !authors.allSatisfy(Pattern.isIdentifier) { throw .invalidParameter("follow") }
    let ids = Set((authors ?? []).compactMap { Identifier($0) })
    return try open(context, database) { post, database in
      // All of the sandbox's tweets are of the level `low`.
      guard level != "medium" else { return false }
      let text = post.text.lowercased()
      return phrases?.contains { words in words.allSatisfy(text.contains) } == true || ids.contains(post.author)
        || post.repliesToUser.map(ids.contains) == true
        || areas?.contains { post.meets($0, in: database) } == true
    }
  }

  private static func level(_ context: RequestContext) throws(Problem) -> String {
    let level = context.parameter("filter_level") ?? "none"
    guard ["none", "low", "medium"].contains(level) else { throw .invalidParameter("filter_level") }
    return level
  }

  /// The areas of `locations`: longitude and latitude of the south-west and of the north-east, of up to 25.
  private static func areas(_ context: RequestContext) throws(Problem) -> [GeographicArea]? {
    guard let numbers = try context.listParameter("locations") else { return nil }
    guard !numbers.isEmpty, numbers.count.isMultiple(of: 4) else { throw .invalidParameter("locations") }
    var areas: [GeographicArea] = []
    for start in stride(from: 0, to: numbers.count, by: 4) {
      let bounds = numbers[start..<start + 4].compactMap { Double($0) }
      guard let area = GeographicArea(bounds) else { throw .invalidParameter("locations") }
      areas.append(area)
    }
    return areas
  }

  private static func sample(_ context: RequestContext, _ database: inout Database) throws(Problem) -> Response {
    try open(context, database) { _, _ in true }
  }

  private static func open(
    _ context: RequestContext, _ database: Database, select: @escaping @Sendable (PostRecord, Database) -> Bool
  ) throws(Problem) -> Response {
    guard let connection = context.stream else { throw .internalError }
    let languages = try context.listParameter("language").map { Set($0.map { $0.lowercased() }) }
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
        guard languages?.contains(post.language.lowercased()) ?? true, select(post, database),
          case .object(var members)? = (try? RendererV1(database, asked))?.status(post)
        else { return nil }
        members["filter_level"] = "low"
        return .object(members)
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
