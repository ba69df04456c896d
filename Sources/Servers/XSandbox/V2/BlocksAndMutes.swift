/// The operations for blocks, mutes and hidden replies.
enum BlocksAndMutes {
  static let operations = Operation.catalogued([
    .init("getUsersBlocking", blocking), .init("getUsersMuting", muting), .init("muteUser", mute),
    .init("unmuteUser", unmute),
    .init("blockUsersDms", blockMessages), .init("unblockUsersDms", unblockMessages), .init("hidePostsReply", hide),
  ])

  private static func blocking(_ context: RequestContext, _ database: inout Database) throws(Problem) -> Response {
    try context.users(database.blocked[try context.actingUser()], in: database)
  }

  private static func muting(_ context: RequestContext, _ database: inout Database) throws(Problem) -> Response {
    try context.users(database.muted[try context.actingUser()], in: database)
  }

  private static func mute(_ context: RequestContext, _ database: inout Database) throws(Problem) -> Response {
    let user = try context.actingUser()
    let target = try context.requiredUser("target_user_id", in: database)
    guard target.id != user else { throw .forbidden("You cannot mute yourself.") }
    if database.muted[user, default: Relation()].insert(target.id) {
      database.report(.mute(target.id, by: user, isMuted: true))
    }
    return Response(json: ["data": ["muting": true]])
  }

  private static func unmute(_ context: RequestContext, _ database: inout Database) throws(Problem) -> Response {
    let user = try context.actingUser("source_user_id")
    let target = try context.lookUpUser("target_user_id", in: database).required()
    if database.muted[user]?.remove(target.id) == true {
      database.report(.mute(target.id, by: user, isMuted: false))
    }
    return Response(json: ["data": ["muting": false]])
  }

  /// Here, the path names the other user instead of the principal.
  private static func blockMessages(_ context: RequestContext, _ database: inout Database) throws(Problem) -> Response {
    let user = try context.authenticatedUser()
    let target = try context.lookUpUser("id", in: database).required()
    database.blockedSenders[user, default: Relation()].insert(target.id)
    return Response(json: ["data": ["blocked": true]])
  }

  private static func unblockMessages(
    _ context: RequestContext, _ database: inout Database
  ) throws(Problem) -> Response {
    let user = try context.authenticatedUser()
    let target = try context.lookUpUser("id", in: database).required()
    database.blockedSenders[user]?.remove(target.id)
    return Response(json: ["data": ["blocked": false]])
  }

  /// Only the author of the first post in a conversation can hide replies to it.
  private static func hide(_ context: RequestContext, _ database: inout Database) throws(Problem) -> Response {
    let user = try context.authenticatedUser()
    let post = try context.lookUpPost("tweet_id", in: database).required()
    guard database.posts[post.conversation]?.author == user else {
      throw .forbidden("You are not the author of the Post that this one replies to.")
    }
    guard post.repliesTo != nil else { throw .forbidden("Only replies can be hidden.") }
    let isHidden = context.body["hidden"]?.boolean ?? true
    database.posts[post.id]?.isHidden = isHidden
    return Response(json: ["data": ["hidden": .boolean(isHidden)]])
  }
}

/// The operations for the lists that a user has pinned.
enum PinnedLists {
  static let operations = Operation.catalogued([
    .init("getUsersPinnedLists", pinned), .init("pinList", pin), .init("unpinList", unpin),
  ])

  private static func pinned(_ context: RequestContext, _ database: inout Database) throws(Problem) -> Response {
    let user = try context.actingUser()
    var renderer = Renderer(database, context)
    let lists = (database.pinnedLists[user]?.entries.reversed() ?? []).compactMap {
      database.list($0.member, visibleTo: user)
    }
    let data = lists.map { renderer.list($0) }
    return renderer.response(
      data: data.isEmpty ? nil : .array(data), meta: ["result_count": .integer(data.count)])
  }

  private static func pin(_ context: RequestContext, _ database: inout Database) throws(Problem) -> Response {
    let user = try context.actingUser()
    let text = context.text("list_id") ?? ""
    guard let list = Identifier(text).flatMap({ database.list($0, visibleTo: user) }) else {
      throw .missing(MissingResource(kind: .list, parameter: "list_id", value: text))
    }
    database.pinnedLists[user, default: Relation()].insert(list.id)
    return Response(json: ["data": ["pinned": true]])
  }

  private static func unpin(_ context: RequestContext, _ database: inout Database) throws(Problem) -> Response {
    let user = try context.actingUser()
    let list = try context.lookUpList("list_id", in: database).required()
    database.pinnedLists[user]?.remove(list.id)
    return Response(json: ["data": ["pinned": false]])
  }
}
