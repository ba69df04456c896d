import Foundation

/// The streams of v1.1: one for keywords and authors, a sample, and a user's own.
enum StatusStreamsV1 {
  static let operations: [Operation] = [
    .v1("POST", "statuses/filter", .v1ReadAsUser, opensStream: true, respond: filter),
    .v1("GET", "statuses/sample", .v1ReadAsUser, opensStream: true, respond: sample),
    .v1("GET", "user", .v1ReadAsUser, opensStream: true, respond: user),
  ]

  private static func filter(_ context: RequestContext, _ database: inout Database) throws(Problem) -> Response {
    // X sends earlier tweets only to apps with elevated access.
    if context.parameter("count") != nil {
      throw .v1(416, 0, "The parameter count is not available to this app.")
    }
    let level = try level(context)
    let areas = try areas(context)
    let phrases = try phrases(context)
    let authors = try context.listParameter("follow")
    guard phrases != nil || authors != nil || areas != nil else {
      // X responds with plain text.
      throw .v1(406, 0, "No filter parameters found. Expect at least one parameter: follow track locations")
    }
    if let authors, !authors.allSatisfy(Pattern.isIdentifier) { throw .invalidParameter("follow") }
    let ids = Set((authors ?? []).compactMap { Identifier($0) })
    return try open(context, database) { post, database in
      // All tweets in the sandbox have the level `low`.
      guard level != "medium" else { return false }
      return post.contains(phrases) || ids.contains(post.author) || post.repliesToUser.map(ids.contains) == true
        || areas?.contains { post.meets($0, in: database) } == true
    }
  }

  /// The words of each phrase in `track`.
  private static func phrases(_ context: RequestContext) throws(Problem) -> [[String]]? {
    try context.listParameter("track")?.map { phrase in phrase.lowercased().split(separator: " ").map(String.init) }
  }

  private static func level(_ context: RequestContext) throws(Problem) -> String {
    let level = context.parameter("filter_level") ?? "none"
    guard ["none", "low", "medium"].contains(level) else { throw .invalidParameter("filter_level") }
    return level
  }

  /// The areas in `locations`: longitude and latitude of the south-west and north-east corners, for up to 25 areas.
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

  /// Sends the IDs of the users whom the user follows, and then new posts: the user's own, those about the user, those of followed
  /// users unless `with=user`, and those that match `track` and `locations`. It does not include messages and events.
  private static func user(_ context: RequestContext, _ database: inout Database) throws(Problem) -> Response {
    let user = try context.authenticatedUser()
    let scope = context.parameter("with") ?? "followings"
    guard ["user", "followings"].contains(scope) else { throw .invalidParameter("with") }
    let replies = context.parameter("replies")
    guard replies == nil || replies == "all" else { throw .invalidParameter("replies") }
    let phrases = try phrases(context)
    let areas = try areas(context)
    let followed = database.following[user]?.entries.map(\.member) ?? []
    let friends: JSON =
      try context.flag("stringify_friend_ids") == true
      ? ["friends_str": .array(followed.map { JSON.text($0) })]
      : ["friends": .array(followed.map { JSON.number($0) })]
    return try open(context, database, backlog: [friends]) { post, database in
      if post.contains(phrases) || areas?.contains(where: { post.meets($0, in: database) }) == true { return true }
      let isAboutUser =
        post.author == user || post.repliesToUser == user || post.mentions(user, in: database)
        || post.reposts.flatMap { database.posts[$0] }?.author == user
      if isAboutUser || scope == "user" { return isAboutUser }
      guard database.isInHomeTimeline(post, of: user) else { return false }
      // Replies to users whom the user follows, unless all replies are requested.
      guard replies == nil, let other = post.repliesToUser, other != post.author else { return true }
      return database.following[user]?.contains(other) == true
    }
  }

  private static func open(
    _ context: RequestContext, _ database: Database, backlog: [JSON] = [],
    select: @escaping @Sendable (PostRecord, Database) -> Bool
  ) throws(Problem) -> Response {
    guard let connection = context.stream else { throw .internalError }
    let languages = try context.listParameter("language").map { Set($0.map { $0.lowercased() }) }
    switch context.parameter("delimited") {
    case nil, "length": break
    default: throw .invalidParameter("delimited")
    }
    // Rejects invalid parameters before the stream opens.
    _ = try RendererV1(database, context, isDelivery: true)
    _ = try context.flag("stall_warnings")
    var asked = context
    asked.stream = nil
    let subscription = StreamSubscription(
      operation: context.operation, version: .v1, principal: context.principal,
      isDelimited: context.parameter("delimited") == "length",
      record: { [asked] post, database in
        guard languages?.contains(post.language.lowercased()) ?? true, select(post, database),
          case .object(var members)? = (try? RendererV1(database, asked, isDelivery: true))?.status(post)
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
    return try connection.hub.connect(subscription, connection, backlog: backlog)
  }
}

extension PostRecord {
  /// Whether its text contains all words of at least one phrase.
  fileprivate func contains(_ phrases: [[String]]?) -> Bool {
    let text = self.text.lowercased()
    return phrases?.contains { words in words.allSatisfy(text.contains) } == true
  }
}
