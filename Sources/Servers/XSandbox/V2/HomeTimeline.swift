/// The home timeline and reposts.
enum HomeTimeline {
  static let operations = Operation.catalogued([
    .init("getUsersTimeline", home), .init("getPostsReposts", reposts), .init("getUsersRepostsOfMe", repostsOfMe),
  ])

  private static func home(_ context: RequestContext, _ database: inout Database) throws(Problem) -> Response {
    let user = try context.actingUser()
    let filter = TimelineFilter(context, database)
    let database = database
    let page = try context.page(of: database.timeline, defaultSize: 100) { id in
      filter.includes(id) && database.posts[id].map { database.isInHomeTimeline($0, of: user) } == true
    }
    return context.posts(page, in: database)
  }

  private static func reposts(_ context: RequestContext, _ database: inout Database) throws(Problem) -> Response {
    let database = database
    return try context.lookUpPost("id", in: database).response { (post) throws(Problem) -> Response in
      let page = try context.page(of: database.timeline, defaultSize: 100) { database.posts[$0]?.reposts == post.id }
      return context.posts(page, in: database, withBorders: false)
    }
  }

  private static func repostsOfMe(_ context: RequestContext, _ database: inout Database) throws(Problem) -> Response {
    let user = try context.authenticatedUser()
    let database = database
    let page = try context.page(of: database.postsOfUser[user], defaultSize: 100) {
      (database.repostingUsers[$0]?.count ?? 0) > 0
    }
    return context.posts(page, in: database, withBorders: false)
  }
}
