import Foundation

/// Renders records as v2 JSON, with the fields that a request asks for. It collects the records that expansions include.
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
  private let origin: String

  private(set) var includedUsers: [JSON] = []
  private(set) var includedPosts: [JSON] = []
  private(set) var includedMedia: [JSON] = []
  private(set) var includedPolls: [JSON] = []
  private(set) var includedPlaces: [JSON] = []
  /// The posts in the response itself, which count towards the app's usage.
  private(set) var postCount = 0
  private(set) var errors: [MissingResource] = []
  private var seenUsers: Set<Identifier> = []
  private var seenPosts: Set<Identifier> = []
  private var seenMedia: Set<Identifier> = []
  private var seenPlaces: Set<Identifier> = []

  init(_ database: Database, _ context: RequestContext) {
    self.database = database
    viewer = context.principal.user
    func names(_ parameter: String, _ usual: Set<String>) -> Set<String> {
      usual.union(context.strings(parameter)).union(context.further[parameter] ?? [])
    }
    userFields = names("user.fields", ["id", "name", "username"])
    postFields = names("post.fields", ["id", "text", "edit_history_post_ids", "edit_history_tweet_ids"])
    listFields = Set(context.strings("list.fields")).union(["id", "name"])
    expansions = names("expansions", [])
    pollFields = Set(context.strings("poll.fields")).union(["id", "options"])
    placeFields = Set(context.strings("place.fields")).union(["id", "full_name"])
    now = context.now
    origin = context.origin
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

  /// - Parameter url: The URL that a message's readers download it from; `nil` for media of a post.
  mutating func include(media id: Identifier, at url: String? = nil) {
    guard let media = database.media[id], seenMedia.insert(id).inserted else { return }
    let url = url ?? PostMedia.url(of: media, at: origin)
    var all: [String: JSON?] = [
      "media_key": .string(media.key), "type": .string(media.kind), "alt_text": media.altText.map(JSON.string),
      "width": media.imageSize.map { .integer($0.width) }, "height": media.imageSize.map { .integer($0.height) },
    ]
    if media.isVideo || media.isGIF {
      all["variants"] = [["content_type": .string(media.mediaType), "url": .string(url)]]
      all["public_metrics"] = media.isVideo ? ["view_count": 0] : nil
    } else {
      all["url"] = .string(url)
    }
    includedMedia.append(Self.select(all, mediaFields))
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
    // Most requests want few fields of many users, so the metrics are counted only if requested.
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
      for reference in references(of: post) {
        include(post: reference.id, namedBy: "referenced_posts")
        guard let referenced = database.posts[reference.id] else { continue }
        if expansions.contains("referenced_posts.author_id") { include(user: referenced.author) }
        if expansions.contains("referenced_posts.attachments.media_keys") {
          for id in referenced.media { include(media: id) }
        }
      }
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
    reportPrivateMetrics(of: post)
    return fields(of: post)
  }

  func fields(of post: PostRecord) -> JSON {
    var names = postFields.union(expansions.intersection(Fields.postExpansions))
    for parent in ["geo", "attachments"] where expansions.contains(where: { $0.hasPrefix(parent + ".") }) {
      names.insert(parent)
    }
    let text = EscapedText(post.text)
    let versions = JSON.array(self.versions(of: post).map { .string(String($0)) })
    // Clients read the older name, even if the request shows no names.
    var all: [String: JSON?] = [
      "id": .string(String(post.id)), "text": .string(text.text), "edit_history_post_ids": versions,
      "edit_history_tweet_ids": versions,
    ]
    if names.count > all.count {
      all.merge(details(of: post)) { $1 }
      all.merge(joins(of: post)) { $1 }
      all.merge(privateMetrics(of: post)) { $1 }
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

  /// The metrics that only a post's author can see, when logged in.
  private static let privateMetrics = ["non_public_metrics", "organic_metrics", "promoted_metrics"]

  /// Whether the viewer can see the private metrics of a post.
  private func ownsMetrics(of post: PostRecord) -> Bool { viewer == post.author && post.reposts == nil }

  private func privateMetrics(of post: PostRecord) -> [String: JSON?] {
    guard ownsMetrics(of: post) else { return [:] }
    let counts: [String: JSON] = ["impression_count": 0, "url_link_clicks": 0, "user_profile_clicks": 0]
    return [
      "non_public_metrics": .object(counts),
      "organic_metrics": .object(
        counts.merging([
          "repost_count": .integer(database.repostingUsers[post.id]?.count ?? 0),
          "reply_count": .integer(database.replies[post.id]?.count ?? 0),
          "like_count": .integer(database.likingUsers[post.id]?.count ?? 0),
        ]) { $1 }),
    ]
  }

  /// Reports the requested private metrics that the viewer cannot see.
  private mutating func reportPrivateMetrics(of post: PostRecord) {
    guard !ownsMetrics(of: post) else { return }
    for field in Self.privateMetrics where postFields.contains(field) {
      errors.append(MissingResource(kind: .post, parameter: field, value: String(post.id), field: field))
    }
  }

  /// The members that only expansions show.
  private func joins(of post: PostRecord) -> [String: JSON?] {
    let references = references(of: post)
    return [
      "author_id": .string(String(post.author)),
      "attachments": attachments(of: post),
      "geo": geo(of: post), "card_uri": post.cardURI.map(JSON.string),
      "username": database.users[post.author].map { .string($0.username) },
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

  /// All versions of an edited post, whichever one is requested; only the post itself if it was not edited.
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

  /// Hashtags, cashtags, links and mentions in a text; `nil` if it has none.
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
