import Foundation

/// Searches the whole archive, counts search results, and searches users.
enum PostCounts {
  static let operations = Operation.catalogued([
    .init("searchPostsAll", Search.recent), .init("getPostsCountsRecent", counts), .init("getPostsCountsAll", counts),
    .init("searchUsers", users),
  ])

  /// The maximum number of time intervals in a response. X returns pages of 31 days.
  private static let limit = 31 * 24

  /// The number of posts in each time interval. Default: the last seven days.
  private static func counts(_ context: RequestContext, _ database: inout Database) throws(Problem) -> Response {
    let query = try SearchQuery(parameter: "query", context.string("query") ?? "")
    let length: TimeInterval =
      switch context.string("granularity") {
      case "minute": 60
      case "day": 86_400
      default: 3600
      }
    let filter = TimelineFilter(context, database)
    let end = context.string("end_time").flatMap(Timestamp.parse) ?? context.now
    let start = context.string("start_time").flatMap(Timestamp.parse) ?? end.addingTimeInterval(-7 * 86_400)
    guard start < end else {
      throw .invalidRequest([
        InvalidParameter(name: "end_time", message: "The `end_time` query parameter value must be after `start_time`")
      ])
    }
    let dates = database.timeline.entries.map(\.member).filter(filter.includes).compactMap { database.posts[$0] }
      .filter { $0.createdAt >= start && $0.createdAt < end && query.matches($0, in: database) }.map(\.createdAt)
    var spans: [JSON] = []
    var total = 0
    // Intervals begin at full minutes, hours or days, except the first.
    var begin = start
    while begin < end, spans.count < limit {
      let next = Date(timeIntervalSince1970: ((begin.timeIntervalSince1970 / length).rounded(.down) + 1) * length)
      let count = dates.count { $0 >= begin && $0 < min(next, end) }
      spans.append([
        "start": .string(Timestamp.text(begin)), "end": .string(Timestamp.text(min(next, end))),
        "post_count": .integer(count),
      ])
      total += count
      begin = next
    }
    return Response(json: ["data": .array(spans), "meta": ["total_post_count": .integer(total)]])
  }

  private static func users(_ context: RequestContext, _ database: inout Database) throws(Problem) -> Response {
    let words = (context.string("query") ?? "").lowercased().split(separator: " ")
    var all = Relation()
    for user in database.users.keys.sorted() { all.insert(user) }
    let database = database
    let page = try Page(
      of: all, size: context.integer("max_results") ?? 100, token: context.string("next_token"),
      parameter: "next_token", scope: context.pageScope
    ) { id in
      guard let user = database.users[id] else { return false }
      let text = "\(user.username) \(user.name) \(user.about)".lowercased()
      return words.allSatisfy { text.contains($0) }
    }
    var renderer = Renderer(database, context)
    let data = page.members.compactMap { database.users[$0] }.map { renderer.user($0) }
    var meta = page.meta(resultCount: data.count)
    meta["result_count"] = nil
    return renderer.response(data: data.isEmpty ? nil : .array(data), meta: meta)
  }
}

extension SearchQuery {
  /// Parses a query from a parameter. It must have a condition that can be used on its own.
  init(parameter: String, _ text: String) throws(Problem) {
    do throws(SearchQuery.Fault) {
      try self.init(text)
      guard standsAlone else { throw .lacksStandaloneOperator }
    } catch { throw error.problem(parameter: parameter, text) }
  }
}
