import Foundation

/// Trends from the hashtags of the sandbox's posts, and the number of posts that an app has read.
enum Trends {
  static let operations = Operation.catalogued([
    .init("getTrendsByWoeid", place), .init("getTrendsPersonalizedTrends", personal), .init("getUsage", usage),
  ])

  /// The hashtags, those with the most posts first. They are the same in every place.
  private static func place(_ context: RequestContext, _ database: inout Database) throws(Problem) -> Response {
    let trends = tags(database, since: .distantPast).prefix(context.integer("max_trends") ?? 20)
    let names = Set(context.strings("trend.fields")).union(["trend_name"])
    let data = trends.map { trend in
      Renderer.select(["trend_name": .string("#" + trend.tag), "tweet_count": .integer(trend.count)], names)
    }
    return Response(json: ["data": .array(data)])
  }

  private static func personal(_ context: RequestContext, _ database: inout Database) throws(Problem) -> Response {
    _ = try context.authenticatedUser()
    let asked = Set(context.strings("personalized_trend.fields"))
    let names = asked.isEmpty ? ["category", "post_count", "trend_name", "trending_since"] : asked
    let data = tags(database, since: .distantPast).prefix(10).map { trend in
      Renderer.select(
        [
          "trend_name": .string("#" + trend.tag), "category": "Other",
          "post_count": .string(trend.count == 1 ? "1 post" : "\(trend.count) posts"),
          "trending_since": .string("Trending now"),
        ], names)
    }
    return Response(json: ["data": .array(data)])
  }

  private static func tags(_ database: Database, since: Date) -> [(tag: String, count: Int)] {
    var counts: [String: (tag: String, count: Int)] = [:]
    for entry in database.timeline.entries {
      guard let post = database.posts[entry.member], post.createdAt >= since else { continue }
      var seen: Set<String> = []
      for tag in PostEntities(post.text).hashtags where seen.insert(tag.text.lowercased()).inserted {
        counts[tag.text.lowercased(), default: (tag.text, 0)].count += 1
      }
    }
    return counts.values.sorted { ($1.count, $0.tag) < ($0.count, $1.tag) }
  }

  /// The cap of X's Pro plan.
  private static let cap = 1_000_000

  /// The number of posts in responses to the app, by day.
  private static func usage(_ context: RequestContext, _ database: inout Database) throws(Problem) -> Response {
    let counts = database.usage[context.principal.consumerKey] ?? [:]
    let days = context.integer("days") ?? 7
    let first = String(Timestamp.text(context.now.addingTimeInterval(TimeInterval(-86_400 * (days - 1)))).prefix(10))
    let shown: [JSON] = counts.filter { $0.key >= first }.sorted { $0.key < $1.key }.map {
      ["date": .string("\($0.key)T00:00:00.000Z"), "usage": .string(String($0.value))]
    }
    let month = String(Timestamp.text(context.now).prefix(7))
    let used = counts.filter { $0.key.hasPrefix(month) }.values.reduce(0, +)
    let all: [String: JSON?] = [
      "cap_reset_day": 1, "project_cap": .string(String(cap)), "project_id": "1",
      "project_usage": .string(String(used)),
      "daily_project_usage": ["project_id": "1", "usage": .array(shown)],
      "daily_client_app_usage": [
        ["client_app_id": "1", "usage": .array(shown), "usage_result_count": .integer(shown.count)]
      ],
    ]
    let names = Set(context.strings("usage.fields")).union(["project_cap", "project_id", "project_usage"])
    return Response(json: ["data": Renderer.select(all, names)])
  }
}
