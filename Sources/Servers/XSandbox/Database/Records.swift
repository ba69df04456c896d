import Foundation

/// A numeric ID. The API writes it as a string of up to 19 digits.
typealias Identifier = UInt64

/// A sequence of IDs in X's format, with the milliseconds since 2010-11-04 in the upper bits. It starts at a fixed time, so that
/// each run has the same IDs.
struct IdentifierSource: Sendable {
  /// 2026-01-01T00:00:00Z in milliseconds since 1970.
  private static let firstMoment: UInt64 = 1_767_225_600_000
  /// The epoch of X's IDs in milliseconds since 1970.
  private static let epoch: UInt64 = 1_288_834_974_657

  private var count: UInt64 = 0

  /// Makes sure that an ID already in use is not assigned again.
  mutating func skip(past id: Identifier) {
    let moment = (id >> 22) + Self.epoch
    if moment >= Self.firstMoment { count = max(count, moment - Self.firstMoment) }
  }

  mutating func next() -> Identifier {
    count += 1
    return (Self.firstMoment + count - Self.epoch) << 22
  }
}

/// The two patterns from X's document.
enum Pattern {
  /// `^[0-9]{1,19}$`
  static func isIdentifier(_ text: String) -> Bool {
    (1...19).contains(text.utf8.count) && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
  }

  /// `^[A-Za-z0-9_]{1,15}$`
  static func isUsername(_ text: String) -> Bool {
    (1...15).contains(text.utf8.count)
      && text.utf8.allSatisfy { byte in
        byte == UInt8(ascii: "_")
          || byte != UInt8(ascii: "-") && byte != UInt8(ascii: ".")
            && byte != UInt8(ascii: "~") && PercentEncoding.isUnreserved(byte)
      }
  }
}

/// A user in the database.
struct UserRecord: Sendable {
  let id: Identifier
  var username: String
  var name: String
  var about: String
  /// The location in the user's profile.
  var location = ""
  var createdAt: Date
  var pinnedPost: Identifier?

  /// An email address that reaches nobody (RFC 2606 §3).
  var email: String { "\(username.lowercased())@example.com" }
}

/// A post in the database.
struct PostRecord: Sendable {
  let id: Identifier
  var author: Identifier
  var text: String
  var createdAt: Date
  var conversation: Identifier
  var repliesTo: Identifier?
  /// The author of the post that this one replies to. It is kept even if that post is deleted.
  var repliesToUser: Identifier?
  var quotes: Identifier?
  /// The original of a repost; `text` is then `RT @…`.
  var reposts: Identifier?
  /// A BCP 47 code; `und` if nobody has stated the language.
  var language = "und"
  var replySettings: String = "everyone"
  var isPaidPartnership = false
  var isSensitive = false
  /// Whether the author of the conversation has hidden it.
  var isHidden = false
  var poll: PollRecord?
  /// The ids of all its versions, oldest first; empty for a post that was not edited.
  var versions: [Identifier] = []
  /// The later version that replaces it.
  var replacement: Identifier?
  var community: Identifier?
  /// The number of Unicode scalars at the beginning that are hidden mentions, which the server added to a reply.
  var hiddenPrefix = 0
  var source: String
  /// The ids of the attached uploads.
  var media: [Identifier] = []
  /// The place that it is tagged with.
  var place: Identifier?
  /// The exact point, if the author shows it.
  var point: GeographicPoint?
  var cardURI: String?
}

/// A poll of a post in the database.
struct PollRecord: Sendable {
  let id: Identifier
  var options: [String]
  var minutes: Int
}

/// A list in the database.
struct ListRecord: Sendable {
  let id: Identifier
  var owner: Identifier
  var name: String
  var about: String
  var isPrivate: Bool
  var createdAt: Date
}

/// A direct message in the database.
struct MessageRecord: Sendable {
  let id: Identifier
  var sender: Identifier
  /// The other user; `nil` in a group.
  var recipient: Identifier?
  /// The group that it belongs to.
  var group: Identifier?
  var media: [Identifier] = []
  var text: String
  var createdAt: Date
  var extras = MessageExtras()
}

/// The parts of a direct message that exist only in v1.1.
struct MessageExtras: Sendable {
  /// A response to choose from.
  struct Choice: Sendable {
    var label: String
    var description: String?
    var metadata: String?
  }

  /// A button that leads to a page.
  struct Button: Sendable {
    var label: String
    var url: String
  }

  enum Location: Sendable {
    case point(GeographicPoint)
    case place(Identifier)
  }

  var choices: [Choice] = []
  /// The response chosen from the options in the previous message.
  var chosen: Choice?
  var buttons: [Button] = []
  var location: Location?
  /// The custom profile that it was sent with, unchanged.
  var profile: String?
}

/// A group of users who write to each other, in the database.
struct ConversationRecord: Sendable {
  let id: Identifier
  var participants: [Identifier]
}

/// A saved search in the database.
struct SavedSearchRecord: Sendable {
  let id: Identifier
  var owner: Identifier
  var query: String
  var createdAt: Date
}

/// A rule of the filtered stream in the database.
struct StreamRuleRecord: Sendable {
  let id: Identifier
  var app: String
  var value: String
  var tag: String?
}
