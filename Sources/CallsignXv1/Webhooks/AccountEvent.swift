extension XAPIv1 {
  /// One event of an ``AccountActivity``. New kinds and forms arrive as ``other(kind:_:)``.
  public enum AccountEvent: Sendable, Hashable {
    /// A post by the user, or one that mentions, answers, quotes or reposts them.
    case tweetCreated(Tweet)
    /// A post of the user was deleted.
    case tweetDeleted(AccountTweetDeletion)
    /// The user liked a post, or one of theirs was liked.
    case favorite(AccountFavorite)
    /// The user follows, or ceased to.
    case follow(AccountRelation)
    /// The user blocks, or ceased to.
    case block(AccountRelation)
    /// The user mutes, or ceased to.
    case mute(AccountRelation)
    /// A message, sent or received.
    case directMessage(DirectMessageEvent)
    /// Somebody is typing a message.
    case typing(AccountMessageSignal)
    /// Somebody has read messages.
    case messagesRead(AccountMessageSignal)
    /// The user has revoked the app's access.
    case accessRevoked(AccountRevocation)
    /// An event that has no model here, or that does not fit its model, with the name of the list that it was in.
    case other(kind: String, JSONValue)

    /// The events in one member of a delivery.
    static func all(_ kind: String, _ value: JSONValue) -> [AccountEvent] {
      // `user_event` is the one that is no list.
      let values = value.array ?? [value]
      return values.map { model(kind, $0) ?? .other(kind: kind, $0) }
    }

    private static func model(_ kind: String, _ value: JSONValue) -> AccountEvent? {
      switch kind {
      case "tweet_create_events": (try? value.decode(Tweet.self)).map(tweetCreated)
      case "tweet_delete_events": AccountTweetDeletion(value).map(tweetDeleted)
      case "favorite_events": AccountFavorite(value).map(favorite)
      case "follow_events": AccountRelation(value).map(follow)
      case "block_events": AccountRelation(value).map(block)
      case "mute_events": AccountRelation(value).map(mute)
      case "direct_message_events": (try? value.decode(DirectMessageEvent.self)).map(directMessage)
      case "direct_message_indicate_typing_events": AccountMessageSignal(value).map(typing)
      case "direct_message_mark_read_events": AccountMessageSignal(value).map(messagesRead)
      case "user_event": AccountRevocation(value).map(accessRevoked)
      default: nil
      }
    }
  }
}
