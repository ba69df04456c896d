import Foundation

/// Renders records as v1.1 JSON, in the form that a request asks for.
struct RendererV1 {
  let database: Database
  let viewer: Identifier?
  /// Whether statuses contain the whole text, in `full_text` (`tweet_mode=extended`).
  let isExtended: Bool
  /// Whether a truncated status also contains the whole text, in `extended_tweet`.
  let addsWhole: Bool
  /// Whether authors contain only their IDs (`trim_user`).
  let trimsUsers: Bool
  let includesEntities: Bool
  /// Whether users lack their latest tweet (`skip_status`).
  let skipsStatus: Bool
  /// Whether a status contains the viewer's retweet (`include_my_retweet`).
  let includesOwnRetweet: Bool
  /// Whether media contain their descriptions (`include_ext_alt_text`).
  let includesAltText: Bool
  /// The URL that the client used to reach the sandbox.
  let origin: String

  /// - Parameter isDelivery: Whether the statuses are for a stream or a webhook. These have a single form, whatever `tweet_mode`
  ///   says.
  init(_ database: Database, _ context: RequestContext, isDelivery: Bool = false) throws(Problem) {
    self.database = database
    viewer = context.principal.user
    switch context.parameter("tweet_mode") {
    case nil, "compat": isExtended = false
    case "extended": isExtended = !isDelivery
    default: throw .invalidParameter("tweet_mode")
    }
    addsWhole = isDelivery
    trimsUsers = try context.flag("trim_user") ?? false
    let isAskedForUsers = try context.flag("include_user_entities")
    includesEntities = try context.flag("include_entities") ?? isAskedForUsers ?? true
    skipsStatus = try context.flag("skip_status") ?? false
    includesOwnRetweet = try context.flag("include_my_retweet") ?? false
    includesAltText = try context.flag("include_ext_alt_text") ?? false
    origin = context.origin
  }
}

extension JSON {
  /// An ID in the numeric form that v1.1 also contains.
  static func number(_ id: Identifier) -> JSON { .integer(Int(clamping: id)) }

  /// An ID as a string.
  static func text(_ id: Identifier) -> JSON { .string(String(id)) }

  /// A member that v1.1 writes as null if it has no value.
  static func nullable(_ value: JSON?) -> JSON { value ?? .null }
}

extension RendererV1 {
  /// - Parameter hasUser: `false` for the latest tweet inside a user.
  func status(_ post: PostRecord, hasUser: Bool = true) -> JSON {
    var members = content(of: post)
    members.merge(reply(of: post)) { $1 }
    members.merge(counts(of: post)) { $1 }
    if hasUser, let author = database.users[post.author] {
      members["user"] = trimsUsers ? Self.trimmed(author) : user(author, hasStatus: false)
    }
    if let quoted = post.quotes {
      members["quoted_status_id"] = .number(quoted)
      members["quoted_status_id_str"] = .text(quoted)
      // As on X, a quoted tweet does not contain the tweet that it quotes.
      if let quoted = database.posts[quoted], post.reposts == nil, hasUser {
        var shown = quoted
        shown.quotes = nil
        members["quoted_status"] = status(shown)
      }
    }
    if let original = post.reposts.flatMap({ database.posts[$0] }) {
      members["retweeted_status"] = status(original, hasUser: hasUser)
    }
    if includesOwnRetweet, let viewer, let own = database.repost(of: post.id, by: viewer) {
      members["current_user_retweet"] = ["id": .number(own.id), "id_str": .text(own.id)]
    }
    return .object(members)
  }

  private func content(of post: PostRecord) -> [String: JSON] {
    let text = StatusText(post, isExtended: isExtended)
    var members: [String: JSON] = [
      "created_at": .string(Timestamp.v1(post.createdAt)), "id": .number(post.id), "id_str": .text(post.id),
      "truncated": .boolean(text.isTruncated), "lang": .string(post.language),
      "source": .string(Self.link(to: post.source)),
      "geo": .nullable(post.point.map { Self.shape([$0.latitude, $0.longitude]) }),
      "coordinates": .nullable(post.point.map { Self.shape([$0.longitude, $0.latitude]) }),
      "place": .nullable(post.place.flatMap { database.places[$0] }.map { place($0) }), "contributors": .null,
      "is_quote_status": .boolean(post.quotes != nil),
    ]
    let escaped = EscapedText(text.text)
    let media = text.isTruncated ? [] : self.media(of: post, behind: escaped)
    members[isExtended ? "full_text" : "text"] = .string(escaped.text + Self.link(to: media))
    if isExtended { members["display_text_range"] = escaped.displayRange(hiding: post.hiddenPrefix) }
    if includesEntities {
      var entities = self.entities(of: text.entities.places(in: escaped), expandedURL: text.expandedURL)
      if let first = media.first { entities = entities.with("media", [first]) }
      members["entities"] = entities
    }
    if !media.isEmpty { members["extended_entities"] = ["media": .array(media)] }
    if addsWhole, text.isTruncated { members["extended_tweet"] = whole(of: post) }
    if post.isSensitive || !text.entities.urls.isEmpty {
      members["possibly_sensitive"] = .boolean(post.isSensitive)
    }
    return members
  }

  private func whole(of post: PostRecord) -> JSON {
    let text = StatusText(post, isExtended: true)
    let escaped = EscapedText(text.text)
    let media = self.media(of: post, behind: escaped)
    var members: [String: JSON] = [
      "full_text": .string(escaped.text + Self.link(to: media)),
      "display_text_range": escaped.displayRange(hiding: post.hiddenPrefix),
      "entities": entities(of: text.entities.places(in: escaped)),
    ]
    if let first = media.first {
      members["entities"] = members["entities"]?.with("media", [first])
      members["extended_entities"] = ["media": .array(media)]
    }
    return .object(members)
  }

  /// The text that X adds after a tweet with media: a link to the media.
  private static func link(to media: [JSON]) -> String { media.first?["url"]?.string.map { " " + $0 } ?? "" }

  /// The media of a tweet, which share a link at the end of its text.
  private func media(of post: PostRecord, behind text: EscapedText) -> [JSON] {
    guard let first = post.media.first else { return [] }
    let link = "https://t.co/" + StatusText.code(of: first)
    let start = text.text.unicodeScalars.count + 1
    let page = "https://twitter.com/\(database.users[post.author]?.username ?? "i")/status/\(post.id)"
    return post.media.compactMap { database.media[$0] }.map { media in
      let address = JSON.string(PostMedia.url(of: media, at: origin))
      var members: [String: JSON] = [
        "id": .number(media.id), "id_str": .text(media.id), "type": .string(media.kind), "url": .string(link),
        "display_url": .string("pic.twitter.com/" + StatusText.code(of: first)),
        "expanded_url": .string("\(page)/\(media.isVideo ? "video" : "photo")/1"), "media_url": address,
        "media_url_https": address, "indices": [.integer(start), .integer(start + link.unicodeScalars.count)],
        "sizes": Self.sizes(of: media.imageSize ?? .unknown),
      ]
      if media.isVideo || media.isGIF {
        members["video_info"] = [
          "aspect_ratio": [16, 9], "variants": [["content_type": .string(media.mediaType), "url": address]],
        ]
      }
      if includesAltText { members["ext_alt_text"] = .nullable(media.altText.map(JSON.string)) }
      return .object(members)
    }
  }

  /// X makes pictures in four sizes; the sandbox has only the uploaded one.
  private static func sizes(of size: ImageSize) -> JSON {
    let whole: JSON = ["w": .integer(size.width), "h": .integer(size.height), "resize": "fit"]
    return ["thumb": ["w": 150, "h": 150, "resize": "crop"], "small": whole, "medium": whole, "large": whole]
  }

  private static func shape(_ coordinates: [Double]) -> JSON {
    ["type": "Point", "coordinates": .array(coordinates.map(JSON.number))]
  }

  private func reply(of post: PostRecord) -> [String: JSON] {
    let user = post.repliesToUser.flatMap { database.users[$0] }
    return [
      "in_reply_to_status_id": .nullable(post.repliesTo.map(JSON.number)),
      "in_reply_to_status_id_str": .nullable(post.repliesTo.map(JSON.text)),
      "in_reply_to_user_id": .nullable(post.repliesToUser.map(JSON.number)),
      "in_reply_to_user_id_str": .nullable(post.repliesToUser.map(JSON.text)),
      "in_reply_to_screen_name": .nullable(user.map { .string($0.username) }),
    ]
  }

  private func counts(of post: PostRecord) -> [String: JSON] {
    // A retweet shows the counts of its original.
    let id = post.reposts ?? post.id
    return [
      "retweet_count": .integer(database.repostingUsers[id]?.count ?? 0),
      "favorite_count": .integer(post.reposts == nil ? database.likingUsers[id]?.count ?? 0 : 0),
      "favorited": .boolean(viewer.map { database.likingUsers[id]?.contains($0) == true } ?? false),
      "retweeted": .boolean(viewer.map { database.repostingUsers[id]?.contains($0) == true } ?? false),
    ]
  }

  private static func link(to app: String) -> String {
    #"<a href="https://example.com/" rel="nofollow">\#(app)</a>"#
  }

  /// - Parameter expandedURL: The target of the URLs, if it differs from them.
  func entities(of entities: PostEntities, expandedURL: String? = nil) -> JSON {
    [
      "hashtags": .array(entities.hashtags.map { ["text": .string($0.text), "indices": Self.indices($0)] }),
      "symbols": .array(entities.cashtags.map { ["text": .string($0.text), "indices": Self.indices($0)] }),
      "user_mentions": .array(entities.mentions.compactMap(mention)),
      "urls": .array(
        entities.urls.map { url in
          let expanded = expandedURL ?? url.text
          return [
            "url": .string(url.text), "expanded_url": .string(expanded), "indices": Self.indices(url),
            "display_url": .string(String(expanded.trimmingPrefix("https://").trimmingPrefix("http://"))),
          ]
        }),
    ]
  }

  /// The mention of a user; `nil` if the user does not exist.
  private func mention(_ entity: PostEntities.Entity) -> JSON? {
    guard let user = database.user(named: entity.text) else { return nil }
    return [
      "screen_name": .string(user.username), "name": .string(user.name), "id": .number(user.id),
      "id_str": .text(user.id), "indices": Self.indices(entity),
    ]
  }

  private static func indices(_ entity: PostEntities.Entity) -> JSON { [.integer(entity.start), .integer(entity.end)] }
}

/// A post's text as shown by v1.1: whole, or in compatibility mode truncated to 140 characters with a link to the whole.
struct StatusText {
  private(set) var text: String
  private(set) var isTruncated = false
  /// The target of the link in a truncated text.
  private(set) var expandedURL: String?

  var entities: PostEntities

  private static let limit = 140

  init(_ post: PostRecord, isExtended: Bool) {
    text = post.text
    let isTooLong = post.text.unicodeScalars.count > Self.limit
    if isTooLong, post.reposts != nil {
      // A retweet is truncated in both modes: the whole text is in `retweeted_status`.
      text = Self.prefix(of: post.text, Self.limit - 1) + "…"
    } else if isTooLong, !isExtended {
      let link = "https://t.co/" + Self.code(of: post.id)
      isTruncated = true
      expandedURL = "https://twitter.com/i/web/status/\(post.id)"
      text = Self.withoutLinks(Self.prefix(of: post.text, Self.limit - link.unicodeScalars.count - 2)) + "… " + link
    }
    entities = PostEntities(text)
  }

  private static func prefix(of text: String, _ count: Int) -> String {
    String(String.UnicodeScalarView(text.unicodeScalars.prefix(count)))
  }

  /// The text before its first link, because the cut may have split a link, which would then lead nowhere.
  private static func withoutLinks(_ text: String) -> String {
    guard let first = PostEntities(text).urls.first else { return text }
    return prefix(of: text, first.start)
  }

  /// The ten characters of a short link.
  static func code(of id: Identifier) -> String {
    let digits = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")
    var rest = id
    return String(
      (0..<10).map { _ in
        defer { rest /= 62 }
        return digits[Int(rest % 62)]
      })
  }
}

extension RendererV1 {
  static func trimmed(_ user: UserRecord) -> JSON { ["id": .number(user.id), "id_str": .text(user.id)] }

  /// - Parameter hasStatus: Whether the latest tweet can be included.
  func user(_ user: UserRecord, hasStatus: Bool = true) -> JSON {
    var members = profile(of: user)
    members.merge(counts(of: user)) { $1 }
    members.merge(relation(to: user)) { $1 }
    members.merge(Self.appearance) { $1 }
    if includesEntities { members["entities"] = ["description": ["urls": []]] }
    if hasStatus, !skipsStatus,
      let latest = database.postsOfUser[user.id]?.entries.last.flatMap({ database.posts[$0.member] })
    {
      members["status"] = status(latest, hasUser: false)
    }
    return .object(members)
  }

  func users(_ ids: [Identifier]) -> [JSON] { ids.compactMap { database.users[$0].map { user($0) } } }

  private func profile(of user: UserRecord) -> [String: JSON] {
    [
      "id": .number(user.id), "id_str": .text(user.id), "name": .string(user.name),
      "screen_name": .string(user.username), "location": .string(user.location), "description": .string(user.about),
      "url": .null,
      "protected": false, "verified": false, "created_at": .string(Timestamp.v1(user.createdAt)),
      "utc_offset": .null, "time_zone": .null, "lang": .null, "geo_enabled": true,
    ]
  }

  private func counts(of user: UserRecord) -> [String: JSON] {
    [
      "followers_count": .integer(database.followers[user.id]?.count ?? 0),
      "friends_count": .integer(database.following[user.id]?.count ?? 0),
      "listed_count": .integer(database.memberships[user.id]?.count ?? 0),
      "favourites_count": .integer(database.likedPosts[user.id]?.count ?? 0),
      "statuses_count": .integer(database.postsOfUser[user.id]?.count ?? 0),
    ]
  }

  /// The relation to the viewer; null for app-only credentials.
  private func relation(to user: UserRecord) -> [String: JSON] {
    let isFollowing = viewer.map { JSON.boolean(database.following[$0]?.contains(user.id) == true) }
    return [
      "following": .nullable(isFollowing), "follow_request_sent": viewer == nil ? .null : false,
      "notifications": viewer == nil ? .null : false,
    ]
  }

  private static let image = "abs.twimg.com/sticky/default_profile_images/default_profile_normal.png"

  /// Pictures and colours, the same for all users.
  private static let appearance: [String: JSON] = [
    "contributors_enabled": false, "is_translator": false, "is_translation_enabled": false,
    "translator_type": "none", "has_extended_profile": false, "default_profile": true,
    "default_profile_image": true, "profile_image_url": "http://\(image)",
    "profile_image_url_https": "https://\(image)", "profile_background_color": "F5F8FA",
    "profile_background_image_url": .null, "profile_background_image_url_https": .null,
    "profile_background_tile": false, "profile_use_background_image": true, "profile_link_color": "1DA1F2",
    "profile_sidebar_border_color": "C0DEED", "profile_sidebar_fill_color": "DDEEF6",
    "profile_text_color": "333333",
  ]
}

extension ListRecord {
  /// The name as used in a URL.
  var slug: String {
    let words = name.lowercased().split { !$0.isLetter && !$0.isNumber && $0 != "_" }
    return words.joined(separator: "-")
  }
}

extension RendererV1 {
  func list(_ list: ListRecord) -> JSON {
    let owner = database.users[list.owner]
    let place = "\(owner?.username ?? "")/lists/\(list.slug)"
    return [
      "id": .number(list.id), "id_str": .text(list.id), "name": .string(list.name), "slug": .string(list.slug),
      "uri": .string("/\(place)"), "full_name": .string("@\(owner?.username ?? "")/\(list.slug)"),
      "description": .string(list.about), "mode": list.isPrivate ? "private" : "public",
      "subscriber_count": .integer(database.listFollowers[list.id]?.count ?? 0),
      "member_count": .integer(database.members[list.id]?.count ?? 0),
      "created_at": .string(Timestamp.v1(list.createdAt)),
      "following": .boolean(viewer.map { database.listFollowers[list.id]?.contains($0) == true } ?? false),
      "user": .nullable(owner.map { user($0, hasStatus: false) }),
    ]
  }
}

extension RendererV1 {
  /// The ID of the sending app in events.
  private static let appIdentifier = "268278"

  func event(_ message: MessageRecord) -> JSON {
    var data: [String: JSON] = ["text": .string(message.text), "entities": entities(of: PostEntities(message.text))]
    if let id = message.media.first, let media = database.media[id] {
      let url = MessageMedia.url(of: id, in: message)
      data["attachment"] = [
        "type": "media",
        "media": [
          "id": .number(id), "id_str": .text(id), "media_url": .string(url), "media_url_https": .string(url),
          "type": .string(media.kind),
        ],
      ]
    }
    let extras = message.extras
    switch extras.location {
    case .point(let point)?:
      data["attachment"] = [
        "type": "location",
        "location": [
          "type": "shared_coordinate",
          "shared_coordinate": ["coordinates": Self.shape([point.longitude, point.latitude])],
        ],
      ]
    case .place(let id)?:
      data["attachment"] = [
        "type": "location",
        "location": ["type": "shared_place", "shared_place": ["place": ["id": .string(PlaceRecord.key(id))]]],
      ]
    case nil: break
    }
    if !extras.choices.isEmpty {
      data["quick_reply"] = ["type": "options", "options": .array(extras.choices.map(Self.choice))]
    }
    if let chosen = extras.chosen {
      var response: [String: JSON] = ["type": "options"]
      response["metadata"] = chosen.metadata.map(JSON.string)
      data["quick_reply_response"] = .object(response)
    }
    if !extras.buttons.isEmpty {
      data["ctas"] = .array(
        extras.buttons.enumerated().map { index, button in
          [
            "type": "web_url", "label": .string(button.label), "url": .string(button.url),
            "tco_url": .string("https://t.co/" + StatusText.code(of: message.id + Identifier(index))),
          ]
        })
    }
    var create: [String: JSON] = [
      "target": ["recipient_id": .text(message.recipient ?? message.sender)], "sender_id": .text(message.sender),
      "source_app_id": .string(Self.appIdentifier), "message_data": .object(data),
    ]
    create["custom_profile_id"] = extras.profile.map(JSON.string)
    return [
      "type": "message_create", "id": .text(message.id),
      "created_timestamp": .string(String(Int(message.createdAt.timeIntervalSince1970 * 1000))),
      "message_create": .object(create),
    ]
  }

  private static func choice(_ choice: MessageExtras.Choice) -> JSON {
    var members: [String: JSON] = ["label": .string(choice.label)]
    members["description"] = choice.description.map(JSON.string)
    members["metadata"] = choice.metadata.map(JSON.string)
    return .object(members)
  }

  static func apps(_ context: RequestContext) -> JSON {
    .object([
      appIdentifier: [
        "id": .string(appIdentifier), "name": .string(context.source), "url": "https://example.com/",
      ]
    ])
  }
}
