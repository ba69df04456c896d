import Foundation

/// Search in tweets.
enum SearchV1 {
  static let operations: [Operation] = [.v1("GET", "search/tweets", .v1Read, respond: tweets)]

  @Sendable private static func tweets(_ exchange: Exchange, _ world: inout World) throws(Problem) -> Answer {
    try exchange.refuse("geocode", "callback")
    guard let text = exchange.parameter("q") else { throw .v1(400, 25, "Query parameters are missing.") }
    let query = try SearchQuery(text)
    let end = try end(exchange)
    let world = world
    let timeline = try StatusTimeline(of: world.timeline, exchange, in: world, defaultCount: 15, maximum: 100) {
      $0.createdAt < end && query.matches($0, in: world)
    }
    let rendering = try RenderingV1(world, exchange)
    let statuses = timeline.posts.map { post -> JSON in
      guard case .object(var members) = rendering.status(post) else { return .null }
      members["metadata"] = ["iso_language_code": "und", "result_type": "recent"]
      return .object(members)
    }
    return Answer(json: [
      "statuses": .array(statuses), "search_metadata": try metadata(timeline, text, exchange),
    ])
  }

  /// `until`: tweets from before this day.
  private static func end(_ exchange: Exchange) throws(Problem) -> Date {
    guard let text = exchange.parameter("until") else { return .distantFuture }
    guard let date = try? Date(text, strategy: Date.ISO8601FormatStyle().year().month().day()) else {
      throw .invalidParameter("until")
    }
    return date
  }

  private static func metadata(
    _ timeline: StatusTimeline, _ query: String, _ exchange: Exchange
  ) throws(Problem) -> JSON {
    let since = try exchange.identifierParameter("since_id") ?? 0
    let newest = timeline.posts.first?.id ?? 0
    let encoded = PercentEncoding.encode(query)
    let count = try exchange.count(default: 15, atMost: 100)
    var members: [String: JSON] = [
      "completed_in": .number(0.001), "query": .string(encoded), "count": .integer(count),
      "max_id": .number(newest), "max_id_str": .text(newest), "since_id": .number(since),
      "since_id_str": .text(since),
      "refresh_url": .string("?since_id=\(newest)&q=\(encoded)&include_entities=1"),
    ]
    if timeline.hasMore, let oldest = timeline.posts.last?.id {
      members["next_results"] = .string("?max_id=\(oldest - 1)&q=\(encoded)&count=\(count)&include_entities=1")
    }
    return .object(members)
  }
}
