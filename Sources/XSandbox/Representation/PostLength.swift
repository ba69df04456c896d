import Foundation

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
