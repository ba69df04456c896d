/// Search in the posts of the last days: the sandbox's are all recent.
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

  @Sendable private static func recent(_ exchange: Exchange, _ world: inout World) throws(Problem) -> Answer {
    let world = world
    let query = try SearchQuery(exchange.string("query") ?? "")
    let filter = TimelineFilter(exchange, world)
    let parameter = exchange.string("next_token") == nil ? "pagination_token" : "next_token"
    let page = try Page(
      of: world.timeline, size: exchange.integer("max_results") ?? 10, token: exchange.string(parameter),
      parameter: parameter, scope: exchange.pageScope
    ) { id in
      guard filter.includes(id), let post = world.posts[id] else { return false }
      return query.matches(post, in: world)
    }
    return exchange.posts(page, in: world)
  }
}
