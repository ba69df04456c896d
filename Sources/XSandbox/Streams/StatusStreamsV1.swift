import Foundation

/// The streams of v1.1: by keywords and authors, and a sample.
enum StatusStreamsV1 {
  static let operations: [Operation] = [
    .v1("POST", "statuses/filter", .v1ReadAsUser, opensStream: true, respond: filter),
    .v1("GET", "statuses/sample", .v1ReadAsUser, opensStream: true, respond: sample),
  ]

  @Sendable private static func filter(_ exchange: Exchange, _ world: inout World) throws(Problem) -> Answer {
    try exchange.refuse("locations", "count", "filter_level")
    let phrases = try exchange.listParameter("track")?.map { phrase in
      phrase.lowercased().split(separator: " ").map(String.init)
    }
    let authors = try exchange.listParameter("follow")
    guard phrases != nil || authors != nil else {
      // X answers in plain text.
      throw .v1(406, 0, "No filter parameters found. Expect at least one parameter: follow track locations")
    }
    if let authors, !authors.allSatisfy(Pattern.isIdentifier) { throw .invalidParameter("follow") }
    let ids = Set((authors ?? []).compactMap { Identifier($0) })
    return try open(exchange, world) { post, _ in
      let text = post.text.lowercased()
      return phrases?.contains { words in words.allSatisfy(text.contains) } == true || ids.contains(post.author)
        || post.repliesToUser.map(ids.contains) == true
    }
  }

  @Sendable private static func sample(_ exchange: Exchange, _ world: inout World) throws(Problem) -> Answer {
    try open(exchange, world) { _, _ in true }
  }

  private static func open(
    _ exchange: Exchange, _ world: World, select: @escaping @Sendable (PostRecord, World) -> Bool
  ) throws(Problem) -> Answer {
    try exchange.refuse("language")
    guard let opening = exchange.stream else { throw .notImplemented("\(exchange.operation) without a connection") }
    switch exchange.parameter("delimited") {
    case nil, "length": break
    default: throw .invalidParameter("delimited")
    }
    // What is wrong with the form is said now.
    _ = try RenderingV1(world, exchange)
    _ = try exchange.flag("stall_warnings")
    var asked = exchange
    asked.stream = nil
    let subscription = StreamSubscription(
      operation: exchange.operation, version: .v1, caller: exchange.caller,
      isDelimited: exchange.parameter("delimited") == "length",
      record: { [asked] post, world in
        guard select(post, world) else { return nil }
        return (try? RenderingV1(world, asked))?.status(post)
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
      }, bound: .newestOfUser)
    return try opening.hub.connect(subscription, opening, backlog: [])
  }
}
