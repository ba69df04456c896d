import Foundation

/// A renderer of records in v2's JSON, with the fields that a request asked for. It collects the records that
/// expansions include.
struct Renderer {
  let database: Database
  let viewer: Identifier?
  let userFields: Set<String>
  let postFields: Set<String>
  let listFields: Set<String>
  let expansions: Set<String>
  let mediaFields: Set<String>
  let pollFields: Set<String>
  let placeFields: Set<String>
  private let now: Date

  private(set) var includedUsers: [JSON] = []
  private(set) var includedPosts: [JSON] = []
  private(set) var includedMedia: [JSON] = []
  private(set) var includedPolls: [JSON] = []
  private(set) var includedPlaces: [JSON] = []
  /// The posts of the response itself, which count towards the app's usage.
  private(set) var postCount = 0
  private(set) var errors: [MissingResource] = []
  private var seenUsers: Set<Identifier> = []
  private var seenPosts: Set<Identifier> = []
  private var seenMedia: Set<Identifier> = []
  private var seenPlaces: Set<Identifier> = []

  init(_ database: Database, _ context: RequestContext) {
    self.database = database
    viewer = context.principal.user
    userFields = Set(context.strings("user.fields")).union(["id", "name", "username"])
    postFields = Set(context.strings("post.fields")).union(["id", "text"])
    listFields = Set(context.strings("list.fields")).union(["id", "name"])
    expansions = Set(context.strings("expansions"))
    pollFields = Set(context.strings("poll.fields")).union(["id", "options"])
    placeFields = Set(context.strings("place.fields")).union(["id", "full_name"])
    now = context.now
    mediaFields = Set(context.strings("media.fields")).union(["media_key", "type"])
  }

  mutating func include(user id: Identifier) {
    guard let user = database.users[id], seenUsers.insert(id).inserted else { return }
    includedUsers.append(fields(of: user))
  }

  mutating func include(post id: Identifier, namedBy parameter: String) {
    guard seenPosts.insert(id).inserted else { return }
    if let post = database.posts[id] {
      includedPosts.append(fields(of: post))
    } else {
      errors.append(MissingResource(kind: .post, parameter: parameter, value: String(id)))
    }
  }

  /// - Parameter url: The address at which a message's readers fetch it.
  mutating func include(media id: Identifier, at url: String? = nil) {
    guard let media = database.media[id], seenMedia.insert(id).inserted else { return }
    includedMedia.append(
      Self.select(
        [
          "media_key": .string(media.key), "type": media.isVideo ? "video" : media.isGIF ? "animated_gif" : "photo",
          "alt_text": media.altText.map(JSON.string), "url": media.isVideo ? nil : url.map(JSON.string),
          "variants": media.isVideo
            ? url.map { [["content_type": .string(media.mediaType), "url": .string($0)]] } : nil,
        ], mediaFields))
  }

  mutating func include(place id: Identifier) {
    guard let place = database.places[id], seenPlaces.insert(id).inserted else { return }
    includedPlaces.append(
      Self.select(
        [
          "id": .string(place.key), "full_name": .string(place.fullName), "name": .string(place.name),
          "country": .string(place.country), "country_code": .string(place.countryCode),
          "place_type": .string(place.kind.rawValue),
          "contained_within": .array(database.places(around: place).map { .string($0.key) }),
          "geo": ["type": "Feature", "bbox": .array(place.area.bounds.map(JSON.number)), "properties": [:]],
        ], placeFields))
  }

  mutating func report(missing resource: MissingResource) { errors.append(resource) }

  /// The whole response: `data`, included records and missing resources.
  func response(data: JSON?, meta: [String: JSON]? = nil) -> Response {
    var response = Response(json: .object(document(data: data, meta: meta)))
    response.postCount = postCount
    return response
  }

  func document(data: JSON?, meta: [String: JSON]? = nil) -> [String: JSON] {
    var document: [String: JSON] = [:]
    document["data"] = data
    var includes: [String: JSON] = [:]
    if !includedUsers.isEmpty { includes["users"] = .array(includedUsers) }
    if !includedMedia.isEmpty { includes["media"] = .array(includedMedia) }
    if !includedPlaces.isEmpty { includes["places"] = .array(includedPlaces) }
    if !includedPolls.isEmpty { includes["polls"] = .array(includedPolls) }
    if !includedPosts.isEmpty { includes["posts"] = .array(includedPosts) }
    if !includes.isEmpty { document["includes"] = .object(includes) }
    if !errors.isEmpty { document["errors"] = .array(errors.map(\.document)) }
    if let meta { document["meta"] = .object(meta) }
    return document
  }

  static func select(_ all: [String: JSON?], _ names: Set<String>) -> JSON {
    .object(all.filter { names.contains($0.key) }.compactMapValues { $0 })
  }
}

extension Renderer {
  mutating func user(_ user: UserRecord) -> JSON {
    if expansions.contains("pinned_post_id"), let pinned = user.pinnedPost {
      include(post: pinned, namedBy: "pinned_post_id")
    }
    if expansions.contains("most_recent_post_id"), let recent = mostRecentPost(of: user) {
      include(post: recent, namedBy: "most_recent_post_id")
    }
    return fields(of: user)
  }

  func fields(of user: UserRecord) -> JSON {
    // Asking for few fields of many users is the common case; the metrics are counted only when asked for.
    let names = userFields.union(expansions.intersection(Fields.userExpansions))
    var all: [String: JSON?] = [
      "id": .string(String(user.id)), "name": .string(user.name), "username": .string(user.username),
    ]
    if names.count > all.count {
      all.merge(details(of: user)) { $1 }
      if names.contains("connection_status") { all["connection_status"] = connectionStatus(of: user) }
    }
    return Self.select(all, names)
  }

  private func details(of user: UserRecord) -> [String: JSON?] {
    [
      "created_at": .string(Timestamp.text(user.createdAt)), "description": .string(user.about),
      "location": user.location.isEmpty ? nil : .string(user.location),
      "protected": false, "verified": false, "verified_type": "none", "parody": false,
      "is_identity_verified": false, "receives_your_dm": false, "subscribes_to_you": false,
      "subscription_type": "None",
      "profile_image_url": "https://abs.twimg.com/sticky/default_profile_images/default_profile_normal.png",
      "pinned_post_id": user.pinnedPost.map { .string(String($0)) },
      "most_recent_post_id": mostRecentPost(of: user).map { .string(String($0)) },
      "public_metrics": [
        "followers_count": .integer(database.followers[user.id]?.count ?? 0),
        "following_count": .integer(database.following[user.id]?.count ?? 0),
        "post_count": .integer(database.postsOfUser[user.id]?.count ?? 0),
        "listed_count": .integer(database.memberships[user.id]?.count ?? 0),
        "like_count": .integer(database.likedPosts[user.id]?.count ?? 0),
        "media_count": 0,
      ],
    ]
  }

  /// The relation to the viewer; `nil` for app-only credentials.
  private func connectionStatus(of user: UserRecord) -> JSON? {
    guard let viewer else { return nil }
    var status: [JSON] = []
    if database.following[user.id]?.contains(viewer) == true { status.append("followed_by") }
    if database.following[viewer]?.contains(user.id) == true { status.append("following") }
    if database.blocked[viewer]?.contains(user.id) == true { status.append("blocking") }
    if database.muted[viewer]?.contains(user.id) == true { status.append("muting") }
    return .array(status)
  }

  private func mostRecentPost(of user: UserRecord) -> Identifier? {
    database.postsOfUser[user.id]?.entries.last?.member
  }
}

extension Renderer {
  mutating func post(_ post: PostRecord) -> JSON {
    postCount += 1
    if expansions.contains("author_id") || expansions.contains("username") { include(user: post.author) }
    if expansions.contains("in_reply_to_user_id"), let user = post.repliesToUser { include(user: user) }
    if expansions.contains("referenced_posts") {
      for reference in references(of: post) { include(post: reference.id, namedBy: "referenced_posts") }
    }
    if expansions.contains("edit_history_post_ids") {
      for version in versions(of: post) { include(post: version, namedBy: "edit_history_post_ids") }
    }
    if expansions.contains("attachments.poll_ids") { include(pollOf: post) }
    if expansions.contains("geo.place_id"), let place = post.place { include(place: place) }
    if expansions.contains("entities.mentions.username") {
      for mention in PostEntities(post.text).mentions {
        if let user = database.user(named: mention.text) { include(user: user.id) }
      }
    }
    if expansions.contains("attachments.media_keys") { for id in post.media { include(media: id) } }
    return fields(of: post)
  }

  func fields(of post: PostRecord) -> JSON {
    var names = postFields.union(expansions.intersection(Fields.postExpansions))
    if expansions.contains("geo.place_id") { names.insert("geo") }
    let text = EscapedText(post.text)
    var all: [String: JSON?] = ["id": .string(String(post.id)), "text": .string(text.text)]
    if names.count > all.count {
      all.merge(details(of: post)) { $1 }
      all.merge(joins(of: post)) { $1 }
      all["display_text_range"] = text.displayRange(hiding: post.hiddenPrefix)
      if names.contains("entities") { all["entities"] = entities(PostEntities(post.text).places(in: text)) }
    }
    return Self.select(all, names)
  }

  private func details(of post: PostRecord) -> [String: JSON?] {
    [
      "conversation_id": .string(String(post.conversation)),
      "created_at": .string(Timestamp.text(post.createdAt)),
      "edit_controls": [
        "is_edit_eligible": .boolean(post.mayBeEdited),
        "edits_remaining": .integer(PostRecord.editLimit + 1 - versions(of: post).count),
        "editable_until": .string(Timestamp.text(post.createdAt.addingTimeInterval(3600))),
      ],
      "lang": .string(post.language), "possibly_sensitive": false, "paid_partnership": .boolean(post.isPaidPartnership),
      "reply_settings": .string(post.replySettings), "source": .string(post.source),
      "public_metrics": [
        "repost_count": .integer(database.repostingUsers[post.id]?.count ?? 0),
        "reply_count": .integer(database.replies[post.id]?.count ?? 0),
        "like_count": .integer(database.likingUsers[post.id]?.count ?? 0),
        "quote_count": .integer(database.quotingPosts[post.id]?.count ?? 0),
        "bookmark_count": .integer(database.bookmarkCount(of: post.id)), "impression_count": 0,
      ],
    ]
  }

  /// The members that only expansions show.
  private func joins(of post: PostRecord) -> [String: JSON?] {
    let references = references(of: post)
    return [
      "author_id": .string(String(post.author)),
      "attachments": attachments(of: post),
      "geo": geo(of: post), "card_uri": post.cardURI.map(JSON.string),
      "username": database.users[post.author].map { .string($0.username) },
      "edit_history_post_ids": .array(versions(of: post).map { .string(String($0)) }),
      "community_id": post.community.map { .string(String($0)) },
      "in_reply_to_user_id": post.repliesToUser.map { .string(String($0)) },
      "referenced_posts": references.isEmpty
        ? nil
        : .array(references.map { ["type": .string($0.type), "id": .string(String($0.id))] }),
    ]
  }

  private func geo(of post: PostRecord) -> JSON? {
    var members: [String: JSON] = [:]
    members["place_id"] = post.place.map { .string(PlaceRecord.key($0)) }
    members["coordinates"] = post.point.map {
      ["type": "Point", "coordinates": [.number($0.longitude), .number($0.latitude)]]
    }
    return members.isEmpty ? nil : .object(members)
  }

  /// All versions of an edited post, whichever of them is asked for; the post itself where it was not edited.
  private func versions(of post: PostRecord) -> [Identifier] {
    var newest = post
    while let next = newest.replacement.flatMap({ database.posts[$0] }) { newest = next }
    return newest.versions.isEmpty ? [post.id] : newest.versions
  }

  private func attachments(of post: PostRecord) -> JSON? {
    if let poll = post.poll { return ["poll_ids": [.string(String(poll.id))]] }
    if post.media.isEmpty { return nil }
    return ["media_keys": .array(post.media.compactMap { database.media[$0].map { .string($0.key) } })]
  }

  private mutating func include(pollOf post: PostRecord) {
    guard let poll = post.poll else { return }
    let votes = (database.votes[post.id] ?? [:]).values
    let end = post.createdAt.addingTimeInterval(TimeInterval(poll.minutes * 60))
    let options = poll.options.enumerated().map { index, label -> JSON in
      [
        "position": .integer(index + 1), "label": .string(label),
        "votes": .integer(votes.count { $0 == index + 1 }),
      ]
    }
    includedPolls.append(
      Self.select(
        [
          "id": .string(String(poll.id)), "options": .array(options), "duration_minutes": .integer(poll.minutes),
          "end_datetime": .string(Timestamp.text(end)), "voting_status": now < end ? "open" : "closed",
        ], pollFields))
  }

  private func references(of post: PostRecord) -> [(type: String, id: Identifier)] {
    [("retweeted", post.reposts), ("quoted", post.quotes), ("replied_to", post.repliesTo)]
      .compactMap { type, id in id.map { (type, $0) } }
  }

  /// Hashtags, cashtags, links and mentions of a text; `nil` where it has none.
  func entities(_ entities: PostEntities) -> JSON? {
    var members: [String: JSON] = [:]
    if !entities.hashtags.isEmpty { members["hashtags"] = .array(entities.hashtags.map { $0.document(as: "tag") }) }
    if !entities.cashtags.isEmpty { members["cashtags"] = .array(entities.cashtags.map { $0.document(as: "tag") }) }
    if !entities.urls.isEmpty { members["urls"] = .array(entities.urls.map { $0.document(as: "url") }) }
    if !entities.mentions.isEmpty {
      members["mentions"] = .array(
        entities.mentions.map { mention in
          var document = ["start": JSON.integer(mention.start), "end": .integer(mention.end)]
          document["username"] = .string(mention.text)
          document["id"] = database.user(named: mention.text).map { .string(String($0.id)) }
          return .object(document)
        })
    }
    return members.isEmpty ? nil : .object(members)
  }
}

extension Renderer {
  mutating func list(_ list: ListRecord) -> JSON {
    if expansions.contains("owner_id") { include(user: list.owner) }
    let all: [String: JSON?] = [
      "id": .string(String(list.id)), "name": .string(list.name), "description": .string(list.about),
      "private": .boolean(list.isPrivate), "created_at": .string(Timestamp.text(list.createdAt)),
      "member_count": .integer(database.members[list.id]?.count ?? 0),
      "follower_count": .integer(database.listFollowers[list.id]?.count ?? 0),
      "owner_id": .string(String(list.owner)),
    ]
    return Self.select(all, listFields.union(expansions.intersection(Fields.listExpansions)))
  }
}
