import Callsign
import XCore

// The objects that a post refers to, found among those that its response includes. A call has to ask for them by
// `expansions`; an object that was not asked for, or that the caller may not see, is not found.
extension XAPI.Post {
  /// The whole text: that of a long post where the response has it, which `.notePost` among the fields asks for.
  ///
  /// As in either, `&`, `<` and `>` are escaped. The text of a repost begins with `RT` and is cut: ``wholeText(in:)``
  /// has that of the original.
  public var wholeText: String { notePost?.text ?? text }

  /// The whole text, of a repost that of the original; asked for by `.referencedPosts`, and with `.notePost` among the
  /// fields.
  public func wholeText(in includes: XAPI.Expansions?) -> String { (reposted(in: includes) ?? self).wholeText }

  /// The user who wrote it; asked for by `.authorID`.
  public func author(in includes: XAPI.Expansions?) -> XAPI.User? { includes?.user(authorID) }

  /// The user whom it replies to; asked for by `.inReplyToUserID`.
  public func repliedToUser(in includes: XAPI.Expansions?) -> XAPI.User? { includes?.user(inReplyToUserID) }

  /// Its pictures and videos, in its order; asked for by `.attachmentsMediaKeys`.
  public func media(in includes: XAPI.Expansions?) -> [XAPI.Media] { includes?.media(attachments?.mediaKeys) ?? [] }

  /// Its poll; asked for by `.attachmentsPollIDs`.
  public func poll(in includes: XAPI.Expansions?) -> XAPI.Poll? {
    guard let ids = attachments?.pollIDs else { return nil }
    return includes?.polls.first { ids.contains($0.id) }
  }

  /// The place that it is tagged with; asked for by `.geoPlaceID`.
  public func place(in includes: XAPI.Expansions?) -> XAPI.Place? {
    guard let id = geo?.placeID else { return nil }
    return includes?.places.first { $0.id == id }
  }

  /// The post that it replies to; asked for by `.referencedPosts`.
  public func repliedTo(in includes: XAPI.Expansions?) -> XAPI.Post? { referenced(.repliedTo, in: includes) }

  /// The post that it quotes; asked for by `.referencedPosts`.
  public func quoted(in includes: XAPI.Expansions?) -> XAPI.Post? { referenced(.quoted, in: includes) }

  /// The post that it reposts; asked for by `.referencedPosts`.
  public func reposted(in includes: XAPI.Expansions?) -> XAPI.Post? { referenced(.retweeted, in: includes) }

  /// The users whom its text names, in its order, each once; asked for by `.entitiesMentionsUsername`, and with
  /// `.entities` among the post's fields.
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

// The objects that a message refers to, found among those that its response includes.
extension XAPI.DMEvent {
  /// The user who sent it; asked for by the expansion `sender_id`.
  public func sender(in includes: XAPI.Expansions?) -> XAPI.User? { includes?.user(senderID) }

  /// The users who joined or left; asked for by the expansion `participant_ids`.
  public func participants(in includes: XAPI.Expansions?) -> [XAPI.User] {
    participantIDs.compactMap { includes?.user($0) }
  }

  /// Its pictures and videos, in its order; asked for by the expansion `attachments.media_keys`.
  public func media(in includes: XAPI.Expansions?) -> [XAPI.Media] { includes?.media(attachments?.mediaKeys) ?? [] }

  /// The posts that it links to, in its order; asked for by the expansion for referenced posts.
  public func posts(in includes: XAPI.Expansions?) -> [XAPI.Post] {
    referencedPosts.compactMap { includes?.post($0.id) }
  }
}

extension XAPI.User {
  /// The post at the top of the profile; asked for by `.pinnedPostID`.
  public func pinnedPost(in includes: XAPI.Expansions?) -> XAPI.Post? { includes?.post(pinnedPostID) }

  /// The newest post; asked for by `.mostRecentPostID`.
  public func mostRecentPost(in includes: XAPI.Expansions?) -> XAPI.Post? { includes?.post(mostRecentPostID) }
}

// The objects that a response includes, by id.
extension XAPI.Expansions {
  /// A user by id.
  public func user(_ id: XAPI.UserID?) -> XAPI.User? {
    guard let id else { return nil }
    return users.first { $0.id == id }
  }

  /// A user by name, in whatever case.
  public func user(named username: String?) -> XAPI.User? {
    guard let username = username?.lowercased() else { return nil }
    return users.first { $0.username.lowercased() == username }
  }

  /// A post by id.
  public func post(_ id: XAPI.PostID?) -> XAPI.Post? {
    guard let id else { return nil }
    return posts.first { $0.id == id }
  }

  /// Media by their keys, in the order of these.
  public func media(_ keys: [String]?) -> [XAPI.Media] {
    (keys ?? []).compactMap { key in media.first { $0.mediaKey == key } }
  }
}
