/// The posts of a user.
enum Timelines {
  static let operations: [Operation] = [
    Operation(
      name: "getUsersPosts", method: "GET", path: "/2/users/{id}/tweets",
      access: .userOrApp("tweet.read", "users.read"),
      query: .page(5...100, default: 10) + TimelineFilter.bounds
        + [QueryParameter(name: "exclude", kind: .list(of: ["replies", "retweets"]))] + .postSelection,
      respond: posts)
  ]

  @Sendable private static func posts(_ exchange: Exchange, _ world: inout World) throws(Problem) -> Answer {
    let world = world
    return try exchange.lookUpUser("id", in: world).answer { (user) throws(Problem) -> Answer in
      let filter = TimelineFilter(exchange, world)
      let page = try exchange.page(of: world.postsOfUser[user.id], defaultSize: 10, isIncluded: filter.includes)
      return exchange.posts(page, in: world)
    }
  }
}
