import Foundation
import XText

/// Hashtags, cashtags, mentions and URLs in a post's text, found by the rules of XText. Positions count code points.
struct PostEntities: Sendable {
  struct Entity: Sendable {
    var start: Int
    var end: Int
    /// The text without `#`, `$` or `@`.
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

/// A text as in X's responses, with `&`, `<` and `>` escaped as in HTML. Positions count the escaped characters.
struct EscapedText: Sendable {
  let text: String
  /// The position in ``text`` for each code point of the plain text and for its end.
  private let places: [Int]

  init(_ plain: String) {
    var escaped = String.UnicodeScalarView()
    var places: [Int] = []
    var count = 0
    for scalar in plain.unicodeScalars {
      places.append(count)
      let written = Self.references[scalar] ?? String(scalar)
      escaped.append(contentsOf: written.unicodeScalars)
      count += written.unicodeScalars.count
    }
    places.append(count)
    text = String(escaped)
    self.places = places
  }

  private static let references: [Unicode.Scalar: String] = ["&": "&amp;", "<": "&lt;", ">": "&gt;"]

  /// The position in ``text`` for a position in the plain text; the end for every position beyond it.
  func place(_ plain: Int) -> Int { places[min(max(plain, 0), places.count - 1)] }

  /// The `display_text_range` of a text whose beginning is hidden.
  func displayRange(hiding prefix: Int) -> JSON { [.integer(place(prefix)), .integer(place(.max))] }
}

extension PostEntities {
  /// The same entities, at their positions in the escaped text.
  func places(in text: EscapedText) -> PostEntities {
    func moved(_ entities: [Entity]) -> [Entity] {
      entities.map { Entity(start: text.place($0.start), end: text.place($0.end), text: $0.text) }
    }
    var entities = self
    entities.hashtags = moved(hashtags)
    entities.cashtags = moved(cashtags)
    entities.mentions = moved(mentions)
    entities.urls = moved(urls)
    return entities
  }
}

/// The length of a post as X counts it.
enum PostLength {
  static let maximum = PostTextConfiguration.version3.maximumWeightedLength

  static func of(_ text: String) -> Int { PostText(text).weightedLength }
}

/// A link for sending the author of a post a message: `https://twitter.com/messages/compose?recipient_id=20`.
struct MessageLink: Sendable {
  private let address: String

  init(_ address: String) { self.address = address }

  /// Whether it is such a link and leads to an existing user.
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
  /// Whether the text mentions the user.
  func mentions(_ user: Identifier, in database: Database) -> Bool {
    PostEntities(text).mentions.contains { database.user(named: $0.text)?.id == user }
  }
}
