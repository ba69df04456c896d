/// The operations for likes.
enum Likes {
  static let operations: [Operation] = [
    Operation(
      name: "likePost", method: "POST", path: "/2/users/{id}/likes",
      access: .user("like.write", "tweet.read", "users.read", writes: true),
      body: .object([.required("tweet_id", .identifier)]), respond: like),
    Operation(
      name: "unlikePost", method: "DELETE", path: "/2/users/{id}/likes/{tweet_id}",
      access: .user("like.write", "tweet.read", "users.read", writes: true), respond: unlike),
    Operation(
      name: "getUsersLikedPosts", method: "GET", path: "/2/users/{id}/liked_tweets",
      access: .user("like.read", "tweet.read", "users.read"), query: .page(5...100, default: 100) + .postSelection,
      respond: likedPosts),
    Operation(
      name: "getPostsLikingUsers", method: "GET", path: "/2/tweets/{id}/liking_users",
      access: .user("like.read", "tweet.read", "users.read"), query: .page(1...100, default: 100) + .userSelection,
      respond: likingUsers),
  ]

  private static func like(_ context: RequestContext, _ database: inout Database) throws(Problem) -> Response {
    let user = try context.actingUser()
    database.like(try context.requiredPost("tweet_id", in: database).id, by: user)
    return Response(json: ["data": ["liked": true]])
  }

  private static func unlike(_ context: RequestContext, _ database: inout Database) throws(Problem) -> Response {
    let user = try context.actingUser()
    database.unlike(try context.lookUpPost("tweet_id", in: database).required().id, by: user)
    return Response(json: ["data": ["liked": false]])
  }

  private static func likedPosts(_ context: RequestContext, _ database: inout Database) throws(Problem) -> Response {
    try context.lookUpUser("id", in: database).response { (user) throws(Problem) -> Response in
      let page = try context.page(of: database.likedPosts[user.id], defaultSize: 100)
      return context.posts(page, in: database, withBorders: false)
    }
  }

  private static func likingUsers(_ context: RequestContext, _ database: inout Database) throws(Problem) -> Response {
    try context.lookUpPost("id", in: database).response { (post) throws(Problem) -> Response in
      try context.users(database.likingUsers[post.id], in: database)
    }
  }
}

/// The operations for reposts. As on X, a repost is a separate post that refers to the original.
enum Reposts {
  static let operations: [Operation] = [
    Operation(
      name: "repostPost", method: "POST", path: "/2/users/{id}/retweets",
      access: .user("tweet.read", "tweet.write", "users.read", writes: true),
      body: .object([.required("tweet_id", .identifier)]), respond: repost),
    Operation(
      name: "unrepostPost", method: "DELETE", path: "/2/users/{id}/retweets/{source_tweet_id}",
      access: .user("tweet.read", "tweet.write", "users.read", writes: true), respond: unrepost),
    Operation(
      name: "getPostsRepostedBy", method: "GET", path: "/2/tweets/{id}/retweeted_by",
      access: .userOrApp("tweet.read", "users.read"), query: .page(1...100, default: 100) + .userSelection,
      respond: repostingUsers),
  ]

  private static func repost(_ context: RequestContext, _ database: inout Database) throws(Problem) -> Response {
    let user = try context.actingUser()
    let original = try context.requiredPost("tweet_id", in: database)
    let repost =
      database.repost(of: original.id, by: user)
      ?? database.addRepost(of: original, by: user, at: context.now, source: context.source)
    return Response(json: ["data": ["retweeted": true, "rest_id": .string(String(repost.id))]])
  }

  private static func unrepost(_ context: RequestContext, _ database: inout Database) throws(Problem) -> Response {
    let user = try context.actingUser()
    let original = try context.lookUpPost("source_tweet_id", in: database).required()
    if let repost = database.repost(of: original.id, by: user) { database.removePost(repost.id) }
    return Response(json: ["data": ["retweeted": false]])
  }

  private static func repostingUsers(_ context: RequestContext, _ database: inout Database) throws(Problem) -> Response
  {
    return try context.lookUpPost("id", in: database).response { (post) throws(Problem) -> Response in
      try context.users(database.repostingUsers[post.id], in: database)
    }
  }
}
