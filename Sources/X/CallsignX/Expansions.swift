import Callsign
import XCore

// The objects that a post refers to, looked up among those that its response includes. The call must request them with
// `expansions`. An object that was not requested, or that the caller cannot see, is not found.
extension XAPI.Post {
  /// The whole text. For a long post, this needs `.notePost` among the requested fields.
  ///
  /// As in both sources, `&`, `<` and `>` are escaped. The text of a repost begins with `RT` and is truncated; use
  /// ``wholeText(in:)`` for the original's text.
  public var wholeText: String { notePost?.text ?? text }

  /// The whole text; for a repost, that of the original. Request it with `.referencedPosts`, and with `.notePost` among the fields.
  public func wholeText(in includes: XAPI.Expansions?) -> String { (reposted(in: includes) ?? self).wholeText }

  /// The user who wrote it. Request it with `.authorID`.
  public func author(in includes: XAPI.Expansions?) -> XAPI.User? { includes?.user(authorID) }

  /// The user whom it replies to. Request it with `.inReplyToUserID`.
  public func repliedToUser(in includes: XAPI.Expansions?) -> XAPI.User? { includes?.user(inReplyToUserID) }

  /// Its pictures and videos, in order. Request them with `.attachmentsMediaKeys`.
  public func media(in includes: XAPI.Expansions?) -> [XAPI.Media] { includes?.media(attachments?.mediaKeys) ?? [] }

  /// Its poll. Request it with `.attachmentsPollIDs`.
  public func poll(in includes: XAPI.Expansions?) -> XAPI.Poll? {
    guard let ids = attachments?.pollIDs else { return nil }
    return includes?.polls.first { ids.contains($0.id) }
  }

  /// The place that it is tagged with. Request it with `.geoPlaceID`.
  public func place(in includes: XAPI.Expansions?) -> XAPI.Place? {
    guard let id = geo?.placeID else { return nil }
    return includes?.places.first { $0.id == id }
  }

  /// The post that it replies to. Request it with `.referencedPosts`.
  public func repliedTo(in includes: XAPI.Expansions?) -> XAPI.Post? { referenced(.repliedTo, in: includes) }

  /// The post that it quotes. Request it with `.referencedPosts`.
  public func quoted(in includes: XAPI.Expansions?) -> XAPI.Post? { referenced(.quoted, in: includes) }

  /// The post that it reposts. Request it with `.referencedPosts`.
  public func reposted(in includes: XAPI.Expansions?) -> XAPI.Post? { referenced(.retweeted, in: includes) }

  /// The users whom its text mentions, in order, each once. Request them with `.entitiesMentionsUsername`, and with `.entities`
  /// among the post's fields.
  public func mentionedUsers(in includes: XAPI.Expansions?) -> [XAPI.User] {
    var seen: Set<String> = []
    return (entities?.mentions ?? []).compactMap { mention in
      let user = includes?.user(mention.id) ?? includes?.user(named: mention.username)
      return user.flatMap { seen.insert($0.id).inserted ? $0 : nil }
    }
  }

  private func referenced(_ type: XAPI.PostReferencedPostType, in includes: XAPI.Expansions?) -> XAPI.Post? {
    includes?.post(referencedPosts.first { $0.type == type }?.id)
  }
}

// The objects that a message refers to, looked up among those that its response includes.
extension XAPI.DMEvent {
  /// The user who sent it. Request it with the expansion `sender_id`.
  public func sender(in includes: XAPI.Expansions?) -> XAPI.User? { includes?.user(senderID) }

  /// The users who joined or left. Request them with the expansion `participant_ids`.
  public func participants(in includes: XAPI.Expansions?) -> [XAPI.User] {
    participantIDs.compactMap { includes?.user($0) }
  }

  /// Its pictures and videos, in order. Request them with the expansion `attachments.media_keys`.
  public func media(in includes: XAPI.Expansions?) -> [XAPI.Media] { includes?.media(attachments?.mediaKeys) ?? [] }

  /// The posts that it links to, in order. Request them with the expansion for referenced posts.
  public func posts(in includes: XAPI.Expansions?) -> [XAPI.Post] {
    referencedPosts.compactMap { includes?.post($0.id) }
  }
}

extension XAPI.User {
  /// The post pinned to the profile. Request it with `.pinnedPostID`.
  public func pinnedPost(in includes: XAPI.Expansions?) -> XAPI.Post? { includes?.post(pinnedPostID) }

  /// The newest post. Request it with `.mostRecentPostID`.
  public func mostRecentPost(in includes: XAPI.Expansions?) -> XAPI.Post? { includes?.post(mostRecentPostID) }
}

// The objects that a response includes, by id.
extension XAPI.Expansions {
  /// A user by ID.
  public func user(_ id: XAPI.UserID?) -> XAPI.User? {
    guard let id else { return nil }
    return users.first { $0.id == id }
  }

  /// A user by name, ignoring case.
  public func user(named username: String?) -> XAPI.User? {
    guard let username = username?.lowercased() else { return nil }
    return users.first { $0.username.lowercased() == username }
  }

  /// A post by ID.
  public func post(_ id: XAPI.PostID?) -> XAPI.Post? {
    guard let id else { return nil }
    return posts.first { $0.id == id }
  }

  /// Media by key, in the order of the keys.
  public func media(_ keys: [String]?) -> [XAPI.Media] {
    (keys ?? []).compactMap { key in media.first { $0.mediaKey == key } }
  }
}
