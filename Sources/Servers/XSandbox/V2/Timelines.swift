import Foundation

/// The operations for a user's posts, and for posts that mention a user.
enum Timelines {
  static let operations: [Operation] = [
    Operation(
      name: "getUsersPosts", method: "GET", path: "/2/users/{id}/tweets",
      access: .userOrApp("tweet.read", "users.read"),
      query: .page(5...100, default: 10) + TimelineFilter.bounds
        + [QueryParameter(name: "exclude", kind: .list(of: ["replies", "retweets"]))] + .postSelection,
      respond: posts),
    Operation(
      name: "getUsersMentions", method: "GET", path: "/2/users/{id}/mentions",
      access: .userOrApp("tweet.read", "users.read"),
      query: .page(5...100, default: 10) + TimelineFilter.bounds + .postSelection,
      respond: mentions),
  ]

  private static func mentions(_ context: RequestContext, _ database: inout Database) throws(Problem) -> Response {
    try context.lookUpUser("id", in: database).response { (user) throws(Problem) -> Response in
      let filter = TimelineFilter(context, database)
      let page = try context.page(of: database.timeline, defaultSize: 10) { id in
        guard filter.includes(id), let post = database.posts[id], post.reposts == nil else { return false }
        return post.mentions(user.id, in: database)
      }
      return context.posts(page, in: database)
    }
  }

  private static func posts(_ context: RequestContext, _ database: inout Database) throws(Problem) -> Response {
    try context.lookUpUser("id", in: database).response { (user) throws(Problem) -> Response in
      let filter = TimelineFilter(context, database)
      let page = try context.page(of: database.postsOfUser[user.id], defaultSize: 10, isIncluded: filter.includes)
      return context.posts(page, in: database)
    }
  }
}

/// Searches recent posts. All posts in the sandbox are recent.
enum Search {
  static let operations: [Operation] = [
    Operation(
      name: "searchPostsRecent", method: "GET", path: "/2/tweets/search/recent",
      access: .userOrApp("tweet.read", "users.read"),
      query: [
        QueryParameter(name: "query", kind: .text(length: 1...4096), isRequired: true),
        QueryParameter(name: "next_token", kind: .pageToken),
        QueryParameter(name: "sort_order", kind: .choice(of: ["recency", "relevancy"])),
      ] + .page(10...100, default: 10) + TimelineFilter.bounds + .postSelection,
      respond: recent)
  ]

  static func recent(_ context: RequestContext, _ database: inout Database) throws(Problem) -> Response {
    let query = try SearchQuery(parameter: "query", context.string("query") ?? "")
    let filter = TimelineFilter(context, database)
    let parameter = context.string("next_token") == nil ? "pagination_token" : "next_token"
    let page = try Page(
      of: database.timeline, size: context.integer("max_results") ?? 10, token: context.string(parameter),
      parameter: parameter, scope: context.pageScope
    ) { id in
      guard filter.includes(id), let post = database.posts[id] else { return false }
      return query.matches(post, in: database)
    }
    return context.posts(page, in: database)
  }
}

/// The filter from `since_id`, `until_id`, `start_time`, `end_time` and `exclude`.
struct TimelineFilter {
  private let database: Database
  private let since: Identifier
  private let until: Identifier
  private let start: Date
  private let end: Date
  private let excluded: Set<String>

  init(_ context: RequestContext, _ database: Database) {
    self.database = database
    since = context.string("since_id").flatMap { Identifier($0) } ?? 0
    until = context.string("until_id").flatMap { Identifier($0) } ?? .max
    start = context.string("start_time").flatMap(Timestamp.parse) ?? .distantPast
    end = context.string("end_time").flatMap(Timestamp.parse) ?? .distantFuture
    excluded = Set(context.strings("exclude"))
  }

  func includes(_ id: Identifier) -> Bool {
    guard let post = database.posts[id], id > since, id < until, post.createdAt >= start, post.createdAt < end else {
      return false
    }
    if excluded.contains("replies"), post.repliesTo != nil { return false }
    if excluded.contains("retweets"), post.reposts != nil { return false }
    return true
  }

  static let bounds = [
    QueryParameter(name: "start_time", kind: .date), QueryParameter(name: "end_time", kind: .date),
    QueryParameter(name: "since_id", kind: .identifier), QueryParameter(name: "until_id", kind: .identifier),
  ]
}
