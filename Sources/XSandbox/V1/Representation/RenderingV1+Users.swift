extension RenderingV1 {
  static func trimmed(_ user: UserRecord) -> JSON { ["id": .number(user.id), "id_str": .text(user.id)] }

  /// - Parameter hasStatus: whether the latest tweet may be part of it.
  func user(_ user: UserRecord, hasStatus: Bool = true) -> JSON {
    var members = profile(of: user)
    members.merge(counts(of: user)) { $1 }
    members.merge(relation(to: user)) { $1 }
    members.merge(Self.appearance) { $1 }
    if includesEntities { members["entities"] = ["description": ["urls": []]] }
    if hasStatus, !skipsStatus,
      let latest = world.postsOfUser[user.id]?.entries.last.flatMap({ world.posts[$0.member] })
    {
      members["status"] = status(latest, hasUser: false)
    }
    return .object(members)
  }

  func users(_ ids: [Identifier]) -> [JSON] { ids.compactMap { world.users[$0].map { user($0) } } }

  private func profile(of user: UserRecord) -> [String: JSON] {
    [
      "id": .number(user.id), "id_str": .text(user.id), "name": .string(user.name),
      "screen_name": .string(user.username), "location": "", "description": .string(user.about), "url": .null,
      "protected": false, "verified": false, "created_at": .string(Timestamp.v1(user.createdAt)),
      "utc_offset": .null, "time_zone": .null, "lang": .null, "geo_enabled": false,
    ]
  }

  private func counts(of user: UserRecord) -> [String: JSON] {
    [
      "followers_count": .integer(world.followers[user.id]?.count ?? 0),
      "friends_count": .integer(world.following[user.id]?.count ?? 0),
      "listed_count": .integer(world.memberships[user.id]?.count ?? 0),
      "favourites_count": .integer(world.likedPosts[user.id]?.count ?? 0),
      "statuses_count": .integer(world.postsOfUser[user.id]?.count ?? 0),
    ]
  }

  /// The app alone has no relation to anybody, which v1.1 writes as null.
  private func relation(to user: UserRecord) -> [String: JSON] {
    let isFollowing = viewer.map { JSON.boolean(world.following[$0]?.contains(user.id) == true) }
    return [
      "following": .nullable(isFollowing), "follow_request_sent": viewer == nil ? .null : false,
      "notifications": viewer == nil ? .null : false,
    ]
  }

  private static let image = "abs.twimg.com/sticky/default_profile_images/default_profile_normal.png"

  /// The same for all: the sandbox keeps no pictures and colours.
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
