extension RenderingV1 {
  /// - Parameter hasUser: `false` for the latest tweet inside of a user.
  func status(_ post: PostRecord, hasUser: Bool = true) -> JSON {
    var members = content(of: post)
    members.merge(reply(of: post)) { $1 }
    members.merge(counts(of: post)) { $1 }
    if hasUser, let author = world.users[post.author] {
      members["user"] = trimsUsers ? Self.trimmed(author) : user(author, hasStatus: false)
    }
    if let quoted = post.quotes {
      members["quoted_status_id"] = .number(quoted)
      members["quoted_status_id_str"] = .text(quoted)
      // As at X, a quoted tweet does not bring along what it quotes itself.
      if let quoted = world.posts[quoted], post.reposts == nil, hasUser {
        var shown = quoted
        shown.quotes = nil
        members["quoted_status"] = status(shown)
      }
    }
    if let original = post.reposts.flatMap({ world.posts[$0] }) {
      members["retweeted_status"] = status(original, hasUser: hasUser)
    }
    if includesOwnRetweet, let viewer, let own = world.repost(of: post.id, by: viewer) {
      members["current_user_retweet"] = ["id": .number(own.id), "id_str": .text(own.id)]
    }
    return .object(members)
  }

  private func content(of post: PostRecord) -> [String: JSON] {
    let text = StatusText(post, isExtended: isExtended)
    var members: [String: JSON] = [
      "created_at": .string(Timestamp.v1(post.createdAt)), "id": .number(post.id), "id_str": .text(post.id),
      "truncated": .boolean(text.isTruncated), "lang": "und", "source": .string(Self.link(to: post.source)),
      "geo": .null, "coordinates": .null, "place": .null, "contributors": .null,
      "is_quote_status": .boolean(post.quotes != nil),
    ]
    members[isExtended ? "full_text" : "text"] = .string(text.text)
    if isExtended {
      members["display_text_range"] = [
        .integer(post.hiddenPrefix), .integer(text.text.unicodeScalars.count),
      ]
    }
    if includesEntities { members["entities"] = entities(of: text.entities, expandedURL: text.expandedURL) }
    if post.isSensitive || !text.entities.urls.isEmpty {
      members["possibly_sensitive"] = .boolean(post.isSensitive)
    }
    return members
  }

  private func reply(of post: PostRecord) -> [String: JSON] {
    let user = post.repliesToUser.flatMap { world.users[$0] }
    return [
      "in_reply_to_status_id": .nullable(post.repliesTo.map(JSON.number)),
      "in_reply_to_status_id_str": .nullable(post.repliesTo.map(JSON.text)),
      "in_reply_to_user_id": .nullable(post.repliesToUser.map(JSON.number)),
      "in_reply_to_user_id_str": .nullable(post.repliesToUser.map(JSON.text)),
      "in_reply_to_screen_name": .nullable(user.map { .string($0.username) }),
    ]
  }

  private func counts(of post: PostRecord) -> [String: JSON] {
    // A retweet shows the numbers of its original.
    let id = post.reposts ?? post.id
    return [
      "retweet_count": .integer(world.repostingUsers[id]?.count ?? 0),
      "favorite_count": .integer(post.reposts == nil ? world.likingUsers[id]?.count ?? 0 : 0),
      "favorited": .boolean(viewer.map { world.likingUsers[id]?.contains($0) == true } ?? false),
      "retweeted": .boolean(viewer.map { world.repostingUsers[id]?.contains($0) == true } ?? false),
    ]
  }

  private static func link(to app: String) -> String {
    #"<a href="https://example.com/" rel="nofollow">\#(app)</a>"#
  }

  /// - Parameter expandedURL: where the addresses lead, if elsewhere than they say.
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

  /// Who doesn't exist isn't mentioned.
  private func mention(_ entity: PostEntities.Entity) -> JSON? {
    guard let user = world.user(named: entity.text) else { return nil }
    return [
      "screen_name": .string(user.username), "name": .string(user.name), "id": .number(user.id),
      "id_str": .text(user.id), "indices": Self.indices(entity),
    ]
  }

  private static func indices(_ entity: PostEntities.Entity) -> JSON { [.integer(entity.start), .integer(entity.end)] }
}
