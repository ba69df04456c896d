// What a message refers to, found among what its answer includes.
extension XAPI.DMEvent {
  /// Who sent it; asked for by the expansion `sender_id`.
  public func sender(in includes: XAPI.Expansions?) -> XAPI.User? { includes?.user(senderID) }

  /// Who joined or left; asked for by the expansion `participant_ids`.
  public func participants(in includes: XAPI.Expansions?) -> [XAPI.User] {
    (participantIDs ?? []).compactMap { includes?.user($0) }
  }

  /// Its pictures and videos, in its order; asked for by the expansion `attachments.media_keys`.
  public func media(in includes: XAPI.Expansions?) -> [XAPI.Media] { includes?.media(attachments?.mediaKeys) ?? [] }

  /// The posts that it links to, in its order; asked for by the expansion for referenced posts.
  public func posts(in includes: XAPI.Expansions?) -> [XAPI.Post] {
    (referencedPosts ?? []).compactMap { includes?.post($0.id) }
  }
}

extension XAPI.User {
  /// The post at the top of the profile; asked for by `.pinnedPostID`.
  public func pinnedPost(in includes: XAPI.Expansions?) -> XAPI.Post? { includes?.post(pinnedPostID) }

  /// The newest post; asked for by `.mostRecentPostID`.
  public func mostRecentPost(in includes: XAPI.Expansions?) -> XAPI.Post? { includes?.post(mostRecentPostID) }
}
