import TestSupport
import Testing
import XText

@Suite("Hostile texts")
struct HostileTextTests {
  /// Pieces that the rules have something to say on.
  private static let pieces = [
    "http://", "https://", "t.co", "example.com", "日本", ".", "..", "-", "_", "@", "＠", "#", "＃", "$", "/", "?", "(",
    ")", ":",
    "://", "RT", "xn--", "xn--p1ai", "みんな", "com", "é", "e\u{301}", "\u{FE0F}", "\u{200D}", "👨", "👩🏽", "🇩🇪", "🇩", "1",
    "\u{20E3}", "\u{202A}", "\u{FEFF}", "\u{FFFF}", " ", "\n", "\u{3000}", "a", "Z", "9", "ل", "&", "<", ">",
    "\u{1F3FB}", "한",
    "\u{1100}", "\u{1161}", "\u{11A8}", "\u{E0067}", "!", "%", "~",
  ]

  @Test("Texts made from the rules' own characters are never misread", arguments: UInt64(0)..<8)
  func random(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<400 {
      let count = Int.random(in: 0...40, using: &generator)
      let text = (0..<count).compactMap { _ in Self.pieces.randomElement(using: &generator) }.joined()
      let counted = PostText(text)
      #expect(counted.weightedLength >= 0)
      #expect(counted.validRange.utf16.upperBound <= text.utf16.count)
      #expect(String(text[counted.validRange.indices]).unicodeScalars.count == counted.validRange.codePoints.count)
      var end = 0
      for entity in PostEntities(text).all {
        #expect(entity.range.codePoints.lowerBound >= end)
        #expect(!entity.range.codePoints.isEmpty)
        end = entity.range.codePoints.upperBound
        let written = String(text[entity.range.indices])
        #expect(written.utf16.count == entity.range.utf16.count)
        switch entity.kind {
        case .url(let url): #expect(url == written)
        case .mention(let name): #expect(written.dropFirst() == name)
        case .list(let name, let list): #expect(written.dropFirst() == "\(name)/\(list)")
        case .hashtag(let name):
          #expect(written.unicodeScalars.dropFirst().elementsEqual(name.unicodeScalars))
          #expect(PostEntities.isHashtag(written))
        case .cashtag(let name): #expect(written.dropFirst() == name && PostEntities.isCashtag(written))
        }
      }
      // Without its links the text is what it was.
      var plain = Autolink.twitterText
      plain.escapesText = true
      let html = plain.html(text)
      #expect(Self.withoutTags(html) == Autolink.escaped(text))
      _ = HitHighlighting.highlight(text, hits: [1..<3, 5..<9])
      _ = PostEntities.isURL(text)
    }
  }

  private static func withoutTags(_ html: String) -> String {
    var depth = 0
    return String(
      String.UnicodeScalarView(
        html.unicodeScalars.filter { scalar in
          if scalar == "<" { depth += 1 }
          if scalar == ">" {
            depth -= 1
            return false
          }
          return depth == 0
        }))
  }

  @Test("No text takes time out of proportion to its length", .timeLimit(.minutes(5)))
  func time() {
    let count = 20_000
    for piece in Self.pieces + [
      "a.com", "あ.com", "a.com.-x.", "http://a.co/(", "(a(b)", "@a", "#あ", " $a.b", ".сааааа", "a.",
    ] {
      let text = String(repeating: piece, count: count / piece.unicodeScalars.count)
      for text in [text, "a" + text, "http://a.co/" + text, "#" + text] {
        _ = PostText(text).weightedLength
        _ = PostEntities(text).all.count
      }
    }
  }
}
