import Callsign
import CallsignSupport
import XCore

extension XAPIv1 {
  /// A delivery of the account activity API: the events of one user's account, mostly a single one.
  ///
  /// ``WebhookReceiver`` checks a delivery's signature and reads this from it.
  ///
  /// Source: https://docs.x.com/x-api/account-activity/introduction
  public struct AccountActivity: Sendable, Hashable {
    /// The user whose events these are; `nil` for events of the app, such as a revocation.
    public let forUserID: UserID?
    /// Whether this user has blocked the author of the post that mentions them.
    public let userHasBlocked: Bool
    /// The events, by kind in alphabetical order, and within a kind in the order of the delivery.
    public let events: [AccountEvent]
    /// The users of the messages among the events, by their ids, as they came.
    public let users: [UserID: JSONValue]
    /// The delivery as it came.
    public let document: JSONValue
  }
}

extension XAPIv1.AccountActivity: JSONCodable {
  /// The members of a delivery that are no events.
  private static let companions: Set<String> = ["for_user_id", "user_has_blocked", "users", "apps"]

  /// Reads one value at the reader's position.
  ///
  /// - Throws: `JSONError` when it is no object.
  public init(json reader: inout JSONReader) throws(JSONError) {
    let offset = reader.offset
    document = try JSONValue(json: &reader)
    guard let members = document.object else {
      throw JSONError(.mismatch(expected: "an object", found: "another value"), offset: offset)
    }
    forUserID = members["for_user_id"]?.string
    userHasBlocked = members["user_has_blocked"]?.bool ?? (members["user_has_blocked"]?.string == "true")
    users = members["users"]?.object ?? [:]
    events = members.sorted { $0.key < $1.key }.flatMap { name, value in
      Self.companions.contains(name) ? [] : XAPIv1.AccountEvent.all(name, value)
    }
  }

  /// Writes exactly one value.
  public func write(json writer: inout JSONWriter) { writer.value(document) }
}

extension XAPIv1 {
  /// One event of an ``AccountActivity``. New kinds and forms arrive as ``other(kind:_:)``.
  public enum AccountEvent: Sendable, Hashable {
    /// A post by the user, or one that mentions, responses, quotes or reposts them.
    case tweetCreated(Tweet)
    /// A post of the user was deleted.
    case tweetDeleted(AccountTweetDeletion)
    /// The user liked a post, or one of theirs was liked.
    case favorite(AccountFavorite)
    /// The user follows, or ceased to.
    case follow(AccountRelationshipChange)
    /// The user blocks, or ceased to.
    case block(AccountRelationshipChange)
    /// The user mutes, or ceased to.
    case mute(AccountRelationshipChange)
    /// A message, sent or received.
    case directMessage(DirectMessageEvent)
    /// Somebody is typing a message.
    case typing(AccountMessageIndicator)
    /// Somebody has read messages.
    case messagesRead(AccountMessageIndicator)
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
      case "follow_events": AccountRelationshipChange(value).map(follow)
      case "block_events": AccountRelationshipChange(value).map(block)
      case "mute_events": AccountRelationshipChange(value).map(mute)
      case "direct_message_events": (try? value.decode(DirectMessageEvent.self)).map(directMessage)
      case "direct_message_indicate_typing_events": AccountMessageIndicator(value).map(typing)
      case "direct_message_mark_read_events": AccountMessageIndicator(value).map(messagesRead)
      case "user_event": AccountRevocation(value).map(accessRevoked)
      default: nil
      }
    }
  }
}

extension XAPIv1 {
  /// A like, in an ``AccountActivity``.
  public struct AccountFavorite: Sendable, Hashable {
    /// The event's id.
    public let id: String
    /// The time of the like, to the millisecond.
    public let date: Date?
    /// The liked post.
    public let tweet: Tweet
    /// The user who likes it.
    public let user: User

    init?(_ value: JSONValue) {
      guard let id = value["id"]?.string,
        let tweet: Tweet = try? value["favorited_status"]?.decode(), let user: User = try? value["user"]?.decode()
      else { return nil }
      self.id = id
      self.tweet = tweet
      self.user = user
      date = value["timestamp_ms"]?.millisecondDate
    }
  }

  /// Somebody's stance towards somebody else, in an ``AccountActivity``.
  public struct AccountRelationshipChange: Sendable, Hashable {
    /// The change: `follow`, `unfollow`, `block`, `unblock`, `mute` or `unmute`.
    public let type: String
    /// The time of the change, to the millisecond.
    public let date: Date?
    /// The user who follows, blocks or mutes, or no longer does.
    public let source: User
    /// The user whom it concerns.
    public let target: User

    /// Whether it was begun: `true` for `follow`, `block` and `mute`; `false` for their opposites.
    public var isActive: Bool { !type.hasPrefix("un") }

    init?(_ value: JSONValue) {
      guard let type = value["type"]?.string, let source: User = try? value["source"]?.decode(),
        let target: User = try? value["target"]?.decode()
      else { return nil }
      self.type = type
      self.source = source
      self.target = target
      date = value["created_timestamp"]?.millisecondDate
    }
  }

  /// A deleted post, in an ``AccountActivity``.
  public struct AccountTweetDeletion: Sendable, Hashable {
    /// The deleted post's id.
    public let tweetID: String
    /// The author's id.
    public let userID: UserID
    /// The time of the deletion, to the millisecond.
    public let date: Date?

    init?(_ value: JSONValue) {
      guard let tweetID = value["status"]?["id"]?.string, let userID = value["status"]?["user_id"]?.string else {
        return nil
      }
      self.tweetID = tweetID
      self.userID = userID
      date = value["timestamp_ms"]?.millisecondDate
    }
  }

  /// Somebody types or has read messages, in an ``AccountActivity``.
  public struct AccountMessageIndicator: Sendable, Hashable {
    /// The id of the user who types or has read.
    public let senderID: UserID
    /// The other person's id.
    public let recipientID: UserID?
    /// The time, to the millisecond.
    public let date: Date?
    /// The id of the last message that was read; `nil` where somebody types.
    public let lastReadEventID: String?

    init?(_ value: JSONValue) {
      guard let senderID = value["sender_id"]?.string else { return nil }
      self.senderID = senderID
      recipientID = value["target"]?["recipient_id"]?.string
      lastReadEventID = value["last_read_event_id"]?.string
      date = value["created_timestamp"]?.millisecondDate
    }
  }

  /// A user took the app's access back, in an ``AccountActivity``. Forget their tokens.
  public struct AccountRevocation: Sendable, Hashable {
    /// The id of the user who took the access back.
    public let userID: UserID
    /// The id of the app.
    public let appID: String?
    /// The time, as X writes it.
    public let dateTime: String?

    init?(_ value: JSONValue) {
      guard let revocation = value["revoke"], let userID = revocation["source"]?["user_id"]?.string else { return nil }
      self.userID = userID
      appID = revocation["target"]?["app_id"]?.string
      dateTime = revocation["date_time"]?.string
    }
  }
}

extension JSONValue {
  /// Milliseconds since 1970, as a number or as text.
  fileprivate var millisecondDate: Date? {
    (int ?? string.flatMap { Int($0) }).map { Date(timeIntervalSince1970: Double($0) / 1000) }
  }
}
