/// Where an emoji ends that may be made of several code points, by the sequences of Unicode's `emoji-test.txt`.
///
/// Variation selectors may be missing or be there, and any skin tone may follow what takes one. An emoji that no one
/// recommends, such as a joined pair that has no picture, is the emoji that it is made of.
struct EmojiSequences: Sendable {
  static let shared = EmojiSequences()

  /// The next state by a state and a code point. State 0 is the beginning of a sequence.
  private var steps: [UInt64: Int32] = [:]
  /// The states at which a sequence may end.
  private var ends: Set<Int32> = []
  private var flags: Set<UInt64> = []

  private init() {
    var count: Int32 = 0
    for entry in EmojiData.sequences.split(whereSeparator: \.isWhitespace) {
      var state: Int32 = 0
      for part in entry.split(separator: "-") {
        guard let value = CodePoint(part, radix: 16) else { continue }
        let key = Self.key(state, value)
        if let known = steps[key] {
          state = known
        } else {
          count += 1
          steps[key] = count
          state = count
        }
      }
      ends.insert(state)
    }
    for entry in EmojiData.flags.split(whereSeparator: \.isWhitespace) {
      let letters = entry.unicodeScalars.map { $0.value &- 0x41 &+ 0x1F1E6 }
      if letters.count == 2 { flags.insert(Self.key(Int32(letters[0]), letters[1])) }
    }
  }

  private static func key(_ state: Int32, _ value: CodePoint) -> UInt64 {
    UInt64(UInt32(bitPattern: state)) << 32 | UInt64(value)
  }

  /// The end of the emoji that begins at a place; `nil` where none does.
  func end(of text: [CodePoint], at start: Int) -> Int? {
    let value = text[start]
    if value < 0x80 { return keycapEnd(text, start) }
    guard Self.mayBegin(value), let scalar = Unicode.Scalar(value), scalar.properties.isEmoji else { return nil }
    if Self.isRegionalIndicator(value) {
      guard start + 1 < text.count, flags.contains(Self.key(Int32(value), text[start + 1])) else { return start + 1 }
      return start + 2
    }
    let (next, style) = Self.afterModifiers(text, start)
    // A sign of copyright is text, and so is what is marked as text.
    let isText = !scalar.properties.isEmojiPresentation && (value < 0x100 ? style != .emoji : style == .text)
    var end = isText ? nil : next
    guard next < text.count, Self.mayContinue(text[next]), var state = steps[Self.key(0, value)] else { return end }
    var index = next
    while index < text.count, let known = steps[Self.key(state, text[index])] {
      state = known
      index = Self.afterModifiers(text, index).end
      if ends.contains(state) { end = index }
    }
    return end
  }

  /// A digit, `#` or `*` in a frame.
  private func keycapEnd(_ text: [CodePoint], _ start: Int) -> Int? {
    guard text[start].isASCIIDigit || text[start] == 0x23 || text[start] == 0x2A else { return nil }
    var index = start + 1
    if index < text.count, text[index] == 0xFE0F { index += 1 }
    return index < text.count && text[index] == 0x20E3 ? index + 1 : nil
  }

  private enum Style { case none, text, emoji }

  /// The place after a code point, its skin tone and its variation selector.
  private static func afterModifiers(_ text: [CodePoint], _ index: Int) -> (end: Int, style: Style) {
    var end = index + 1
    var style = Style.none
    guard end < text.count else { return (end, style) }
    if isSkinTone(text[end]), Unicode.Scalar(text[index])?.properties.isEmojiModifierBase == true {
      end += 1
      style = .emoji
    }
    if end < text.count, text[end] == 0xFE0F {
      end += 1
      style = .emoji
    } else if end < text.count, text[end] == 0xFE0E, style == .none {
      style = .text
    }
    return (end, style)
  }

  private static func isSkinTone(_ value: CodePoint) -> Bool { value &- 0x1F3FB < 5 }
  private static func isRegionalIndicator(_ value: CodePoint) -> Bool { value &- 0x1F1E6 < 26 }

  /// A joiner or a tag.
  private static func mayContinue(_ value: CodePoint) -> Bool { value == 0x200D || value &- 0xE0020 < 0x60 }

  /// Where emoji are, to ask for nobody's properties elsewhere.
  private static func mayBegin(_ value: CodePoint) -> Bool {
    switch value {
    case 0xA9, 0xAE, 0x2000...0x2BFF, 0x3030, 0x303D, 0x3297, 0x3299, 0x1F000...0x1FBFF: true
    default: false
    }
  }
}
