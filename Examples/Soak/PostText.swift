/// The text of a post: a word that the streams look for, its number, and more, so that records have sizes of all kinds and
/// UTF-8 sequences to be cut.
enum PostText {
  static let word = "soaked"
  private static let words = ["plain", "naïve", "größer", "日本語", "🌊", "👩‍🚀", "\"quoted\"", "back\\slash", "line\nbreak"]

  static func make(_ number: Int, _ chance: inout Chance) -> String {
    let rest = (0..<chance.number(0...12)).map { _ in words[chance.number(0...(words.count - 1))] }
    return (["\(word) \(number)"] + rest).joined(separator: " ")
  }

  /// The number in a text; `nil` for a text of somebody else's.
  static func number(in text: String) -> Int? {
    let parts = text.split(separator: " ", maxSplits: 2)
    guard parts.count >= 2, parts[0] == word else { return nil }
    return Int(parts[1])
  }
}
