import Foundation

extension XAPIv1 {
  /// A like, in an ``AccountActivity``.
  public struct AccountFavorite: Sendable, Hashable {
    /// The event's id.
    public let id: String
    /// When, to the millisecond.
    public let date: Date?
    /// What was liked.
    public let tweet: Tweet
    /// Who likes it.
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
  public struct AccountRelation: Sendable, Hashable {
    /// What happened: `follow`, `unfollow`, `block`, `unblock`, `mute` or `unmute`.
    public let type: String
    /// When, to the millisecond.
    public let date: Date?
    /// Who does it.
    public let source: User
    /// To whom.
    public let target: User

    /// Whether it was begun, and not ended.
    public var isBegun: Bool { !type.hasPrefix("un") }

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
    /// Which post.
    public let tweetID: String
    /// Whose.
    public let userID: UserID
    /// When, to the millisecond.
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
  public struct AccountMessageSignal: Sendable, Hashable {
    /// Who does it.
    public let senderID: UserID
    /// With whom they talk.
    public let recipientID: UserID?
    /// When, to the millisecond.
    public let date: Date?
    /// The last message that was read.
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
    /// Whose access.
    public let userID: UserID
    /// To which app.
    public let appID: String?
    /// When, as X writes it.
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
