import Foundation

/// Hashtags, cashtags, mentions and addresses in a post's text; positions count Unicode scalars. An approximation of
/// twitter-text's rules.
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
    var start = 0
    for word in text.unicodeScalars.split(omittingEmptySubsequences: false, whereSeparator: Self.isSpace) {
      add(String(String.UnicodeScalarView(word)), at: start)
      start += word.count + 1
    }
  }

  private mutating func add(_ word: String, at start: Int) {
    if word.hasPrefix("http://") || word.hasPrefix("https://") {
      urls.append(Entity(start: start, end: start + word.unicodeScalars.count, text: word))
      return
    }
    let name = String(String.UnicodeScalarView(word.unicodeScalars.dropFirst().prefix(while: Self.isNameScalar)))
    guard !name.isEmpty else { return }
    let entity = Entity(start: start, end: start + 1 + name.unicodeScalars.count, text: name)
    switch word.unicodeScalars.first {
    case "#": hashtags.append(entity)
    case "$" where name.unicodeScalars.allSatisfy(\.properties.isAlphabetic): cashtags.append(entity)
    case "@" where Pattern.isUsername(name): mentions.append(entity)
    default: break
    }
  }

  private static func isSpace(_ scalar: Unicode.Scalar) -> Bool { scalar.properties.isWhitespace }

  private static func isNameScalar(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "_" || scalar.properties.isAlphabetic || scalar.properties.numericType != nil
  }
}

/// The weighted length of a post: at most 280, addresses count 23, most scripts 1 and others 2 a character.
/// <https://docs.x.com/fundamentals/counting-characters>
enum PostLength {
  static let maximum = 280

  static func of(_ text: String) -> Int {
    let normalized = text.precomposedStringWithCanonicalMapping
    return PostEntities(normalized).urls.reduce(weight(of: normalized)) { $0 - weight(of: $1.text) + 23 }
  }

  private static func weight(of text: String) -> Int {
    text.reduce(0) { sum, character in
      // An emoji counts 2, of however many scalars it is made.
      if character.unicodeScalars.contains(where: \.properties.isEmojiPresentation) { return sum + 2 }
      return character.unicodeScalars.reduce(sum) { $0 + (isLight($1.value) ? 1 : 2) }
    }
  }

  private static func isLight(_ scalar: UInt32) -> Bool {
    switch scalar {
    case 0...4351, 8192...8205, 8208...8223, 8242...8247: true
    default: false
    }
  }
}
