import CallsignSupport

/// Finds the ends of emoji that may have several code points, by the sequences in Unicode's `emoji-test.txt`.
///
/// Variation selectors are optional, and any skin tone may follow an emoji that accepts one. An emoji that Unicode does
/// not recommend, such as a joined pair without a picture, counts as the emoji that it consists of.
struct EmojiSequences: Sendable {
  static let shared = EmojiSequences()

  /// The kinds of a code point, as a combination of the bits below.
  private var classes = CodePointTable()
  /// The next state for a state and a code point. State 0 is the beginning of a sequence.
  private var steps = PairMap()
  /// For each state, whether a sequence may end there.
  private var ends = [false]
  /// For each pair of regional indicators, whether it is a flag.
  private var flags = [Bool](repeating: false, count: 26 * 26)

  private static let isEmoji: UInt16 = 1
  /// An emoji that is a picture unless it is marked as text.
  private static let isPicture: UInt16 = 2
  private static let takesSkinTone: UInt16 = 4

  private init() {
    for value in [0xA9, 0xAE, 0x3030, 0x303D, 0x3297, 0x3299] as [CodePoint] { classify(value) }
    for value in 0x2000...0x2BFF as ClosedRange<CodePoint> { classify(value) }
    for value in 0x1F000...0x1FBFF as ClosedRange<CodePoint> { classify(value) }
    HexadecimalList.forEach(in: EmojiData.sequences) { values, _ in
      var state: UInt32 = 0
      for value in values {
        if let known = steps[state, value] {
          state = known
        } else {
          let next = UInt32(ends.count)
          ends.append(false)
          steps[state, value] = next
          state = next
        }
      }
      ends[Int(state)] = true
    }
    var letters: [Int] = []
    for byte in EmojiData.flags.utf8 {
      if byte > 0x20 { letters.append(Int(byte) - 0x41) } else { letters.removeAll() }
      if letters.count == 2 { flags[letters[0] * 26 + letters[1]] = true }
    }
  }

  private mutating func classify(_ value: CodePoint) {
    guard let properties = Unicode.Scalar(value)?.properties, properties.isEmoji else { return }
    classes[value] =
      Self.isEmoji | (properties.isEmojiPresentation ? Self.isPicture : 0)
      | (properties.isEmojiModifierBase ? Self.takesSkinTone : 0)
  }

  /// The end of the emoji that begins at a position; `nil` if there is none.
  func end(of text: [CodePoint], at start: Int) -> Int? {
    let value = text[start]
    if value < 0x80 { return keycapEnd(text, start) }
    let classes = classes[value]
    guard classes != 0 else { return nil }
    if Self.isRegionalIndicator(value) {
      guard start + 1 < text.count, Self.isRegionalIndicator(text[start + 1]) else { return start + 1 }
      return flags[Int(value - 0x1F1E6) * 26 + Int(text[start + 1] - 0x1F1E6)] ? start + 2 : start + 1
    }
    let (next, style) = afterModifiers(text, start, classes)
    // A copyright sign is text, and so is an emoji that is marked as text.
    let isText = classes & Self.isPicture == 0 && (value < 0x100 ? style != .emoji : style == .text)
    var end = isText ? nil : next
    guard next < text.count, Self.mayContinue(text[next]), var state = steps[0, value] else { return end }
    var index = next
    while index < text.count, let known = steps[state, text[index]] {
      state = known
      index = afterModifiers(text, index, self.classes[text[index]]).end
      if ends[Int(state)] { end = index }
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

  /// The position after a code point, its skin tone and its variation selector.
  private func afterModifiers(_ text: [CodePoint], _ index: Int, _ classes: UInt16) -> (end: Int, style: Style) {
    var end = index + 1
    var style = Style.none
    guard end < text.count else { return (end, style) }
    if classes & Self.takesSkinTone != 0, Self.isSkinTone(text[end]) {
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
}

extension CodePoint {
  /// Whether an emoji may begin with it: most characters of texts do not begin one.
  var mayBeginEmoji: Bool { self < 0x100 || (self >= 0x2000 && self < 0x3300) || self >= 0x1F000 }
}
