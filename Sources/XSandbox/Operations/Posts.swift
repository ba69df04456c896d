/// Creating, reading and deleting posts.
enum Posts {
  static let operations: [Operation] = [
    Operation(
      name: "createPosts", method: "POST", path: "/2/tweets",
      access: .user("tweet.read", "tweet.write", "users.read", writes: true), body: PostCreation.schema,
      respond: PostCreation.respond),
    Operation(
      name: "deletePosts", method: "DELETE", path: "/2/tweets/{id}",
      access: .user("tweet.read", "tweet.write", "users.read", writes: true), respond: delete),
    Operation(
      name: "getPostsById", method: "GET", path: "/2/tweets/{id}", access: .userOrApp("tweet.read", "users.read"),
      query: .postSelection, respond: byIdentifier),
    Operation(
      name: "getPostsByIds", method: "GET", path: "/2/tweets", access: .userOrApp("tweet.read", "users.read"),
      query: [QueryParameter(name: "ids", kind: .identifiers(atMost: 100), isRequired: true)] + .postSelection,
      respond: byIdentifiers),
    Operation(
      name: "getPostsQuotedPosts", method: "GET", path: "/2/tweets/{id}/quote_tweets",
      access: .userOrApp("tweet.read", "users.read"),
      query: .page(10...100, default: 10)
        + [QueryParameter(name: "exclude", kind: .list(of: ["replies", "retweets"]))] + .postSelection,
      respond: quotes),
  ]

  @Sendable private static func delete(_ exchange: Exchange, _ world: inout World) throws(Problem) -> Answer {
    let user = try exchange.authenticatedUser()
    let post = try exchange.lookUpPost("id", in: world).required()
    guard post.author == user else { throw .forbidden("You are not authorized to delete this Post.") }
    world.removePost(post.id)
    return Answer(json: ["data": ["deleted": true]])
  }

  @Sendable private static func byIdentifier(_ exchange: Exchange, _ world: inout World) throws(Problem) -> Answer {
    let world = world
    return try exchange.lookUpPost("id", in: world).answer { post in
      var rendering = Rendering(world, exchange)
      let data = rendering.post(post)
      return rendering.answer(data: data)
    }
  }

  @Sendable private static func byIdentifiers(_ exchange: Exchange, _ world: inout World) throws(Problem) -> Answer {
    var rendering = Rendering(world, exchange)
    var data: [JSON] = []
    for text in exchange.strings("ids") {
      if let post = Identifier(text).flatMap({ world.posts[$0] }) {
        data.append(rendering.post(post))
      } else {
        rendering.report(missing: MissingResource(kind: .post, parameter: "ids", value: text))
      }
    }
    return rendering.answer(
      data: data.isEmpty ? nil : .array(data), meta: ["result_count": .integer(data.count)])
  }

  @Sendable private static func quotes(_ exchange: Exchange, _ world: inout World) throws(Problem) -> Answer {
    let world = world
    return try exchange.lookUpPost("id", in: world).answer { (post) throws(Problem) -> Answer in
      let filter = TimelineFilter(exchange, world)
      let page = try exchange.page(of: world.quotingPosts[post.id], defaultSize: 10, isIncluded: filter.includes)
      return exchange.posts(page, in: world, withBorders: false)
    }
  }
}
