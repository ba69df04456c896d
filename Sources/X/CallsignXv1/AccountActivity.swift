import Callsign
import CallsignSupport
import XCore

extension XAPIv1 {
  /// A delivery from the account activity API: the events of one user's account, usually a single one.
  ///
  /// ``WebhookReceiver`` checks a delivery's signature and reads this from it.
  ///
  /// Source: https://docs.x.com/x-api/account-activity/introduction
  public struct AccountActivity: Sendable, Hashable {
    /// The user whom the events belong to; `nil` for events of the app, such as a revocation.
    public let forUserID: UserID?
    /// Whether this user has blocked the author of the post that mentions them.
    public let userHasBlocked: Bool
    /// The events, by kind in alphabetical order, and within a kind in the order of the delivery.
    public let events: [AccountEvent]
    /// The users of the messages among the events, by ID, as received.
    public let users: [UserID: JSONValue]
    /// The delivery as received.
    public let document: JSONValue
  }
}

extension XAPIv1.AccountActivity: JSONCodable {
  /// The members of a delivery that are not events.
  private static let companions: Set<String> = ["for_user_id", "user_has_blocked", "users", "apps"]

  /// Reads one value at the reader's position.
  ///
  /// - Throws: `JSONError` if it is not an object.
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
    /// A post by the user, or one that mentions, replies to, quotes or reposts them.
    case tweetCreated(Tweet)
    /// A post of the user was deleted.
    case tweetDeleted(AccountTweetDeletion)
    /// The user liked a post, or one of theirs was liked.
    case favorite(AccountFavorite)
    /// The user started or stopped following another.
    case follow(AccountRelationshipChange)
    /// The user started or stopped blocking another.
    case block(AccountRelationshipChange)
    /// The user started or stopped muting another.
    case mute(AccountRelationshipChange)
    /// A message, sent or received.
    case directMessage(DirectMessageEvent)
    /// Someone is typing a message.
    case typing(AccountMessageIndicator)
    /// Someone has read messages.
    case messagesRead(AccountMessageIndicator)
    /// The user has revoked the app's access.
    case accessRevoked(AccountRevocation)
    /// An event without a model, or that does not match its model, with the name of the list that contained it.
    case other(kind: String, JSONValue)

    /// The events in one member of a delivery.
    static func all(_ kind: String, _ value: JSONValue) -> [AccountEvent] {
      // `user_event` is the only one that is not a list.
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
    /// The user who liked it.
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

  /// A change in how one user relates to another, in an ``AccountActivity``.
  public struct AccountRelationshipChange: Sendable, Hashable {
    /// The change: `follow`, `unfollow`, `block`, `unblock`, `mute` or `unmute`.
    public let type: String
    /// The time of the change, to the millisecond.
    public let date: Date?
    /// The user who follows, blocks or mutes, or stopped doing so.
    public let source: User
    /// The user whom it concerns.
    public let target: User

    /// Whether the relation started: `true` for `follow`, `block` and `mute`; `false` for their opposites.
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
    /// The ID of the deleted post.
    public let tweetID: String
    /// The ID of the author.
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

  /// A user is typing or has read messages, in an ``AccountActivity``.
  public struct AccountMessageIndicator: Sendable, Hashable {
    /// The ID of the user who is typing or has read messages.
    public let senderID: UserID
    /// The ID of the other user.
    public let recipientID: UserID?
    /// The time, to the millisecond.
    public let date: Date?
    /// The ID of the last message that was read; `nil` if the user is typing.
    public let lastReadEventID: String?

    init?(_ value: JSONValue) {
      guard let senderID = value["sender_id"]?.string else { return nil }
      self.senderID = senderID
      recipientID = value["target"]?["recipient_id"]?.string
      lastReadEventID = value["last_read_event_id"]?.string
      date = value["created_timestamp"]?.millisecondDate
    }
  }

  /// A user revoked the app's access, in an ``AccountActivity``. Delete their tokens.
  public struct AccountRevocation: Sendable, Hashable {
    /// The ID of the user who revoked the access.
    public let userID: UserID
    /// The ID of the app.
    public let appID: String?
    /// The time, in X's format.
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
