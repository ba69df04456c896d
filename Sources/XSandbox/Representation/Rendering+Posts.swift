import Foundation

extension Rendering {
  mutating func post(_ post: PostRecord) -> JSON {
    if expansions.contains("author_id") || expansions.contains("username") { include(user: post.author) }
    if expansions.contains("in_reply_to_user_id"), let user = post.repliesToUser { include(user: user) }
    if expansions.contains("referenced_posts") {
      for reference in references(of: post) { include(post: reference.id, namedBy: "referenced_posts") }
    }
    if expansions.contains("edit_history_post_ids") { include(post: post.id, namedBy: "edit_history_post_ids") }
    if expansions.contains("entities.mentions.username") {
      for mention in PostEntities(post.text).mentions {
        if let user = world.user(named: mention.text) { include(user: user.id) }
      }
    }
    if expansions.contains("attachments.media_keys") { for id in post.media { include(media: id) } }
    return fields(of: post)
  }

  func fields(of post: PostRecord) -> JSON {
    let names = postFields.union(expansions.intersection(Fields.postExpansions))
    var all: [String: JSON?] = ["id": .string(String(post.id)), "text": .string(post.text)]
    if names.count > all.count {
      all.merge(details(of: post)) { $1 }
      all.merge(joins(of: post)) { $1 }
      if names.contains("entities") { all["entities"] = entities(of: post) }
    }
    return Self.select(all, names)
  }

  private func details(of post: PostRecord) -> [String: JSON?] {
    [
      "conversation_id": .string(String(post.conversation)),
      "created_at": .string(Timestamp.text(post.createdAt)),
      "display_text_range": [.integer(post.hiddenPrefix), .integer(post.text.unicodeScalars.count)],
      "edit_controls": [
        "is_edit_eligible": false, "edits_remaining": 5,
        "editable_until": .string(Timestamp.text(post.createdAt.addingTimeInterval(3600))),
      ],
      "lang": "und", "possibly_sensitive": false, "paid_partnership": .boolean(post.isPaidPartnership),
      "reply_settings": .string(post.replySettings), "source": .string(post.source),
      "public_metrics": [
        "repost_count": .integer(world.repostingUsers[post.id]?.count ?? 0),
        "reply_count": .integer(world.replies[post.id]?.count ?? 0),
        "like_count": .integer(world.likingUsers[post.id]?.count ?? 0),
        "quote_count": .integer(world.quotingPosts[post.id]?.count ?? 0),
        "bookmark_count": 0, "impression_count": 0,
      ],
    ]
  }

  /// What only expansions show.
  private func joins(of post: PostRecord) -> [String: JSON?] {
    let references = references(of: post)
    return [
      "author_id": .string(String(post.author)),
      "attachments": post.media.isEmpty
        ? nil : ["media_keys": .array(post.media.compactMap { world.media[$0].map { .string($0.key) } })],
      "username": world.users[post.author].map { .string($0.username) },
      "edit_history_post_ids": [.string(String(post.id))],
      "in_reply_to_user_id": post.repliesToUser.map { .string(String($0)) },
      "referenced_posts": references.isEmpty
        ? nil
        : .array(references.map { ["type": .string($0.type), "id": .string(String($0.id))] }),
    ]
  }

  private func references(of post: PostRecord) -> [(type: String, id: Identifier)] {
    [("retweeted", post.reposts), ("quoted", post.quotes), ("replied_to", post.repliesTo)]
      .compactMap { type, id in id.map { (type, $0) } }
  }

  private func entities(of post: PostRecord) -> JSON? {
    let entities = PostEntities(post.text)
    var members: [String: JSON] = [:]
    if !entities.hashtags.isEmpty { members["hashtags"] = .array(entities.hashtags.map { $0.document(as: "tag") }) }
    if !entities.cashtags.isEmpty { members["cashtags"] = .array(entities.cashtags.map { $0.document(as: "tag") }) }
    if !entities.urls.isEmpty { members["urls"] = .array(entities.urls.map { $0.document(as: "url") }) }
    if !entities.mentions.isEmpty {
      members["mentions"] = .array(
        entities.mentions.map { mention in
          var document = ["start": JSON.integer(mention.start), "end": .integer(mention.end)]
          document["username"] = .string(mention.text)
          document["id"] = world.user(named: mention.text).map { .string(String($0.id)) }
          return .object(document)
        })
    }
    return members.isEmpty ? nil : .object(members)
  }
}
