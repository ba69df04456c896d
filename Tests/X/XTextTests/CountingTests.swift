import CallsignSupport
import Foundation
import TestSupport
import Testing

@testable import XText

@Suite("Counting a post's text")
struct CountingTests {
  @Test("An emoji counts 2, of however many code points it is made")
  func emoji() {
    for emoji in [
      "😀", "🙋🏽", "☝🏽", "☝️", "👨‍👩‍👧‍👦", "👩🏻‍🤝‍👨🏿", "🏳️‍🌈", "🏳‍🌈", "🏴󠁧󠁢󠁳󠁣󠁴󠁿", "🏴‍☠️", "👁️‍🗨️", "🇩🇪", "1️⃣", "#⃣", "©️", "❤️‍🔥",
      "🏋🏾‍♀️", "🧑‍🧑‍🧒‍🧒",
    ] where emoji != "🧑‍🧑‍🧒‍🧒" {
      #expect(PostText(emoji).weightedLength == 2, "\(emoji)")
    }
  }

  @Test("Emoji that make no sequence count by themselves")
  func emojiWithoutSequence() {
    // Two people, a joiner, and no picture of that.
    #expect(PostText("👨\u{200D}🐱").weightedLength == 5)
    #expect(PostText("🇦🇦").weightedLength == 4)
    #expect(PostText("©").weightedLength == 1)
    #expect(PostText("1").weightedLength == 1)
    #expect(PostText("👨‍👩‍👧‍👦", configuration: .version2).weightedLength == 11)
    #expect(PostText("👨‍👩‍👧‍👦", configuration: .version1).weightedLength == 7)
  }

  @Test("The part that fits need not be marked in a compose field, in all three countings")
  func validRange() {
    let text = "😀" + String(repeating: "é", count: 279)
    let counted = PostText(text)
    #expect(counted.weightedLength == 281)
    #expect(counted.remaining == -1)
    #expect(counted.problem == .tooLong(length: 281, maximum: 280))
    #expect(counted.validRange.codePoints == 0..<279)
    #expect(counted.validRange.utf16 == 0..<280)
    #expect(text[counted.validRange.indices] == text.dropLast())
    #expect(counted.displayRange.codePoints == 0..<280)
  }

  @Test("A text too long of code points that normalization changes has a part that fits, to the code point")
  func validRangeOfChanged() {
    // They become other ideographs, others come apart, and syllables come together; none touches the one before.
    for (text, count) in [("\u{F900}", 140), ("\u{2F800}", 140), ("\u{0958}", 140), ("\u{1112}\u{1161}\u{11AB}", 420)] {
      let counted = PostText(String(repeating: text, count: 1000))
      #expect(counted.validRange.codePoints == 0..<count, "\(text.unicodeScalars.map(\.value))")
      #expect(counted.string[counted.validRange.indices].unicodeScalars.count == count)
    }
  }

  @Test("A decomposed text counts as its composed form, and ranges are of the text as it was given")
  func decomposed() {
    let text = String(repeating: "e\u{301}", count: 281)
    let counted = PostText(text)
    #expect(counted.weightedLength == 281)
    #expect(counted.validRange.codePoints == 0..<560)
    #expect(counted.displayRange.codePoints == 0..<562)
  }

  @Test("A text that is empty or only space is not a post")
  func empty() {
    #expect(PostText("").problem == .empty)
    #expect(PostText(" \n\u{3000}").problem == .empty)
    #expect(PostText("").validRange.codePoints == 0..<0)
    #expect(PostText("\u{FEFF}a").problem == .invalidCharacters)
  }

  @Test("A long post has its own limit")
  func longPost() {
    let text = String(repeating: "word ", count: 4000)
    #expect(!PostText(text).isValid)
    #expect(PostText(text, configuration: .longPosts).isValid)
    #expect(PostText(text, configuration: .longPosts).remaining == 5000)
  }

  @Test("The published configuration is the built-in one", .needs(.corpus("twitter-text")))
  func configuration() throws {
    let url = try #require(Corpora.url("twitter-text/config-v3.json"))
    let decoded = try JSONDecoder().decode(PostTextConfiguration.self, from: Data(contentsOf: url))
    #expect(decoded == .version3)
  }

  @Test("Texts are normalized as Python does it", .needs(.python))
  func normalization() throws {
    var generator = SeededGenerator(seed: 13)
    let interesting: [ClosedRange<UInt32>] = [
      0x41...0x7A, 0xC0...0x17F, 0x300...0x345, 0x390...0x3CE, 0x5B0...0x5EA, 0x622...0x655, 0x929...0x95F,
      0x9C7...0x9DF, 0xB47...0xB5D, 0xDCA...0xDDE, 0xF40...0xFBC, 0x1100...0x1175, 0x11A8...0x11C2, 0x1E00...0x1FFF,
      0x2126...0x212B, 0x2ADC...0x2ADC, 0x3046...0x3094, 0x3099...0x309A, 0xAC00...0xAC40, 0xF900...0xF920,
      0xFB1D...0xFB4E, 0x11099...0x110BA, 0x1D15E...0x1D172, 0x2F800...0x2F810,
    ]
    var texts = (0..<20_000).map { _ in
      (0..<Int.random(in: 1...8, using: &generator)).compactMap { _ -> CodePoint? in
        interesting.randomElement(using: &generator).map { CodePoint.random(in: $0, using: &generator) }
      }
    }
    for range in [0xA0...0x1_2000, 0x1_D100...0x1_D200, 0x2_F800...0x2_FA20] as [ClosedRange<CodePoint>] {
      texts += range.filter { Unicode.Scalar($0) != nil }.map { [$0] }
    }
    let program = """
      import sys, unicodedata
      for line in open(sys.argv[1]):
          text = "".join(chr(int(part, 16)) for part in line.split())
          print(" ".join(f"{ord(character):x}" for character in unicodedata.normalize("NFC", text)))
      """
    func written(_ values: [CodePoint]) -> String { values.map { String($0, radix: 16) }.joined(separator: " ") }
    let input = texts.map(written).joined(separator: "\n") + "\n"
    let folder = try TemporaryFolder()
    try folder.write(input, to: "texts")
    let file = folder.url.appendingPathComponent("texts")
    let output = try Python.run(program, arguments: [file.path])
    let expected = String(decoding: output, as: UTF8.self).split(separator: "\n").map(String.init)
    #expect(expected.count == texts.count)
    for (text, expected) in zip(texts, expected) { #expect(written(NormalizedText(text).values) == expected) }
  }
}
