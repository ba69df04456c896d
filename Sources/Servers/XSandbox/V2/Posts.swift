/// The operations for posts.
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

  private static func delete(_ context: RequestContext, _ database: inout Database) throws(Problem) -> Response {
    let user = try context.authenticatedUser()
    let post = try context.lookUpPost("id", in: database).required()
    guard post.author == user else { throw .forbidden("You are not authorized to delete this Post.") }
    database.removePost(post.id)
    return Response(json: ["data": ["deleted": true]])
  }

  private static func byIdentifier(_ context: RequestContext, _ database: inout Database) throws(Problem) -> Response {
    try context.lookUpPost("id", in: database).response { post in
      var renderer = Renderer(database, context)
      let data = renderer.post(post)
      return renderer.response(data: data)
    }
  }

  private static func byIdentifiers(_ context: RequestContext, _ database: inout Database) throws(Problem) -> Response {
    var renderer = Renderer(database, context)
    var data: [JSON] = []
    for text in context.strings("ids") {
      if let post = Identifier(text).flatMap({ database.posts[$0] }) {
        data.append(renderer.post(post))
      } else {
        renderer.report(missing: MissingResource(kind: .post, parameter: "ids", value: text))
      }
    }
    return renderer.response(
      data: data.isEmpty ? nil : .array(data), meta: ["result_count": .integer(data.count)])
  }

  private static func quotes(_ context: RequestContext, _ database: inout Database) throws(Problem) -> Response {
    try context.lookUpPost("id", in: database).response { (post) throws(Problem) -> Response in
      let filter = TimelineFilter(context, database)
      let page = try context.page(of: database.quotingPosts[post.id], defaultSize: 10, isIncluded: filter.includes)
      return context.posts(page, in: database, withBorders: false)
    }
  }
}

/// Creates posts, `POST /2/tweets`.
enum PostCreation {
  private static let replySettings = ["following", "mentionedUsers", "subscribers", "verified"]

  static let schema = BodySchema.object([
    .optional("text", .anyString),
    .optional(
      "reply",
      .object([
        .required("in_reply_to_tweet_id", .identifier), .optional("auto_populate_reply_metadata", .boolean),
        .optional("exclude_reply_user_ids", .array(of: .anyString, count: 0...100)),
      ])),
    .optional("quote_tweet_id", .identifier), .optional("reply_settings", .choice(of: replySettings)),
    .optional("for_super_followers_only", .boolean), .optional("made_with_ai", .boolean),
    .optional("nullcast", .boolean), .optional("paid_partnership", .boolean),
    .optional("share_with_followers", .boolean), .optional("card_uri", .anyString),
    .optional("community_id", .identifier), .optional("direct_message_deep_link", .anyString),
    .optional("edit_options", .object([.required("previous_post_id", .identifier)])),
    .optional("geo", .object([.required("place_id", .anyString)])), .optional("media", media),
    .optional("poll", poll),
  ])

  private static let media = BodySchema.object([
    .required("media_ids", .array(of: .identifier, count: 1...4)),
    .optional("call_to_actions", .object([])), .optional("description", .anyString),
    .optional("embeddable", .boolean), .optional("preview_media_id", .identifier),
    .optional("tagged_user_ids", .array(of: .identifier, count: 0...10)), .optional("title", .anyString),
  ])

  private static let poll = BodySchema.object([
    .required("options", .array(of: .string(length: 1...25), count: 2...4)),
    .required("duration_minutes", .integer(5...10080)), .optional("reply_settings", .choice(of: replySettings)),
  ])

  static func respond(_ context: RequestContext, _ database: inout Database) throws(Problem) -> Response {
    let author = try context.authenticatedUser()
    let written = context.text("text") ?? ""
    let media = try attached(context, author, database)
    if media.isEmpty || !written.isEmpty { try check(written) }
    let text = try messageLink(context, database).map { "\(written) \($0)" } ?? written
    let place = try place(context, database)
    let poll = try self.poll(context, hasMedia: !media.isEmpty)
    let previous = try previousVersion(context, author, database)
    let repliesTo = try post(context.body["reply"]?["in_reply_to_tweet_id"], "reply.in_reply_to_tweet_id", database)
    let quotes = try post(context.body["quote_tweet_id"], "quote_tweet_id", database)
    if media.isEmpty { try refuseDuplicate(text, author, repliesTo, quotes, database) }
    if let repliesTo, let other = database.posts[repliesTo]?.author, database.isBlocked(author, by: other) {
      throw .forbidden("You are not allowed to reply to this Post.")
    }
    let post = database.addPost(
      by: author, text: text, at: context.now, source: context.source, repliesTo: repliesTo, quotes: quotes)
    database.posts[post.id]?.replySettings = context.text("reply_settings") ?? "everyone"
    database.posts[post.id]?.media = media
    database.posts[post.id]?.place = place
    database.posts[post.id]?.cardURI = context.text("card_uri")
    database.posts[post.id]?.community = context.text("community_id").flatMap { Identifier($0) }
    if let poll {
      database.posts[post.id]?.poll = PollRecord(
        id: database.identifiers.next(), options: poll.options, minutes: poll.minutes)
    }
    if let previous { database.replace(previous, by: post.id) }
    let versions = database.posts[post.id]?.versions ?? []
    database.posts[post.id]?.isPaidPartnership = context.body["paid_partnership"]?.boolean ?? false
    let history = JSON.array((versions.isEmpty ? [post.id] : versions).map { .string(String($0)) })
    return Response(
      status: 201,
      json: [
        "data": [
          "id": .string(String(post.id)), "text": .string(EscapedText(text).text), "edit_history_post_ids": history,
          "edit_history_tweet_ids": history,
        ]
      ])
  }

  /// The link for sending the author a message, which X adds after the text.
  private static func messageLink(_ context: RequestContext, _ database: Database) throws(Problem) -> String? {
    guard let link = context.text("direct_message_deep_link") else { return nil }
    guard MessageLink(link).isValid(in: database) else {
      throw .invalidRequest([
        InvalidParameter(
          name: "$.direct_message_deep_link", values: [link],
          message: "[$.direct_message_deep_link: is not a link to write a message]")
      ])
    }
    return link
  }

  private static func place(_ context: RequestContext, _ database: Database) throws(Problem) -> Identifier? {
    guard let key = context.body["geo"]?["place_id"]?.string else { return nil }
    guard let place = database.place(key) else {
      throw .invalidRequest([
        InvalidParameter(name: "$.geo.place_id", values: [key], message: "[$.geo.place_id: is not a place]")
      ])
    }
    return place.id
  }

  private static func poll(
    _ context: RequestContext, hasMedia: Bool
  ) throws(Problem) -> (options: [String], minutes: Int)? {
    guard let poll = context.body["poll"], case .array(let options)? = poll["options"] else { return nil }
    guard !hasMedia, context.body["quote_tweet_id"] == nil else {
      throw .invalidRequest([
        InvalidParameter(name: "$.poll", message: "[$.poll: must not be together with media or quote_tweet_id]")
      ])
    }
    guard case .integer(let minutes)? = poll["duration_minutes"] else { return nil }
    return (options.compactMap(\.string), minutes)
  }

  /// The version that this post replaces. It must be the author's own newest version, within the hour that allows edits.
  private static func previousVersion(
    _ context: RequestContext, _ author: Identifier, _ database: Database
  ) throws(Problem) -> Identifier? {
    let value = context.body["edit_options"]?["previous_post_id"]
    guard let id = try post(value, "edit_options.previous_post_id", database), let previous = database.posts[id] else {
      return nil
    }
    let first = database.firstVersion(of: previous)
    guard previous.author == author, previous.replacement == nil, previous.mayBeEdited,
      previous.versions.count <= PostRecord.editLimit,
      context.now.timeIntervalSince(first.createdAt) < PostRecord.editTime
    else { throw .forbidden("You are not permitted to edit this Post.") }
    return id
  }

  private static func attached(
    _ context: RequestContext, _ author: Identifier, _ database: Database
  ) throws(Problem) -> [Identifier] {
    guard case .array(let values)? = context.body["media"]?["media_ids"] else { return [] }
    let texts = values.compactMap(\.string)
    do throws(MediaRefusal) {
      return try database.attachableMedia(texts.map { Identifier($0) }, for: author, at: context.now)
    } catch {
      throw .invalidRequest([InvalidParameter(name: "media.media_ids", values: texts, message: error.message)])
    }
  }

  private static func check(_ text: String) throws(Problem) {
    let isBlank = text.unicodeScalars.allSatisfy(\.properties.isWhitespace)
    guard !isBlank else {
      throw .invalidRequest([
        InvalidParameter(name: "$.text", values: [text], message: "[$.text: must not be empty in a post without media]")
      ])
    }
    let length = PostLength.of(text)
    guard length <= PostLength.maximum else {
      throw .invalidRequest([
        InvalidParameter(
          name: "$.text", values: [text],
          message: "[$.text: must be at most \(PostLength.maximum) weighted characters long; it has \(length)]")
      ])
    }
  }

  private static func post(_ value: JSON?, _ parameter: String, _ database: Database) throws(Problem) -> Identifier? {
    guard let text = value?.string else { return nil }
    guard let id = Identifier(text), database.posts[id] != nil else {
      throw .missing(MissingResource(kind: .post, parameter: parameter, value: text))
    }
    return id
  }

  /// Refuses the text of one of the author's recent posts, as X does.
  private static func refuseDuplicate(
    _ text: String, _ author: Identifier, _ repliesTo: Identifier?, _ quotes: Identifier?, _ database: Database
  ) throws(Problem) {
    if database.hasRecentPost(by: author, text: text, repliesTo: repliesTo, quotes: quotes) {
      throw .forbidden("You are not allowed to create a Post with duplicate content.")
    }
  }
}
