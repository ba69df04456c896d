extension Rendering {
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
      "protected": false, "verified": false, "verified_type": "none", "parody": false,
      "is_identity_verified": false, "receives_your_dm": false, "subscribes_to_you": false,
      "subscription_type": "None",
      "profile_image_url": "https://abs.twimg.com/sticky/default_profile_images/default_profile_normal.png",
      "pinned_post_id": user.pinnedPost.map { .string(String($0)) },
      "most_recent_post_id": mostRecentPost(of: user).map { .string(String($0)) },
      "public_metrics": [
        "followers_count": .integer(world.followers[user.id]?.count ?? 0),
        "following_count": .integer(world.following[user.id]?.count ?? 0),
        "post_count": .integer(world.postsOfUser[user.id]?.count ?? 0),
        "listed_count": .integer(world.memberships[user.id]?.count ?? 0),
        "like_count": .integer(world.likedPosts[user.id]?.count ?? 0),
        "media_count": 0,
      ],
    ]
  }

  /// Only in the name of a user; the app alone follows nobody.
  private func connectionStatus(of user: UserRecord) -> JSON? {
    guard let viewer else { return nil }
    var status: [JSON] = []
    if world.following[user.id]?.contains(viewer) == true { status.append("followed_by") }
    if world.following[viewer]?.contains(user.id) == true { status.append("following") }
    return .array(status)
  }

  private func mostRecentPost(of user: UserRecord) -> Identifier? {
    world.postsOfUser[user.id]?.entries.last?.member
  }
}
