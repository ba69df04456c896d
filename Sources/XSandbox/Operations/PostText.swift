import Foundation
import XText

/// Hashtags, cashtags, mentions and URLs in a post's text, by the rules of XText; positions count code points.
struct PostEntities: Sendable {
  struct Entity: Sendable {
    var start: Int
    var end: Int
    /// Without `#`, `$` or `@`.
    var text: String

    func document(as member: String) -> JSON {
      .object(["start": .integer(start), "end": .integer(end), member: .string(text)])
    }
  }

  private(set) var hashtags: [Entity] = []
  private(set) var cashtags: [Entity] = []
  private(set) var mentions: [Entity] = []
  private(set) var urls: [Entity] = []

  init(_ text: String) {
    for entity in XText.PostEntities(text).all {
      let places = entity.range.codePoints
      func named(_ name: String) -> Entity { Entity(start: places.lowerBound, end: places.upperBound, text: name) }
      switch entity.kind {
      case .url(let url): urls.append(named(url))
      case .mention(let username): mentions.append(named(username))
      case .hashtag(let name): hashtags.append(named(name))
      case .cashtag(let name): cashtags.append(named(name))
      case .list: break
      }
    }
  }
}

/// The length of a post as X counts it.
enum PostLength {
  static let maximum = PostTextConfiguration.version3.maximumWeightedLength

  static func of(_ text: String) -> Int { PostText(text).weightedLength }
}

/// A link by which a post's readers write its author a message: `https://twitter.com/messages/compose?recipient_id=20`.
struct MessageLink: Sendable {
  private let address: String

  init(_ address: String) { self.address = address }

  /// Whether it is such a link, and leads to a user.
  func isValid(in database: Database) -> Bool {
    guard let parts = URLComponents(string: address), parts.scheme == "https", parts.path == "/messages/compose",
      ["twitter.com", "www.twitter.com", "x.com", "www.x.com"].contains(parts.host?.lowercased()),
      let recipient = parts.queryItems?.first(where: { $0.name == "recipient_id" })?.value,
      let id = Identifier(recipient)
    else { return false }
    return database.users[id] != nil
  }
}

extension PostRecord {
  /// Whether the text names the user.
  func mentions(_ user: Identifier, in database: Database) -> Bool {
    PostEntities(text).mentions.contains { database.user(named: $0.text)?.id == user }
  }
}
