/// Finds the mentions of users and lists in a text.
enum MentionScanner {
  /// A mention: its position with the `@`, and the positions of the names in it.
  struct Mention {
    let range: Range<Int>
    let username: Range<Int>
    /// Without the `/`; `nil` if a user is mentioned.
    let list: Range<Int>?
  }

  private static let longestUsername = 20
  private static let longestList = 25

  /// All mentions, in order.
  static func mentions(in text: [CodePoint]) -> [Mention] {
    var found: [Mention] = []
    var consumed = 0
    var index = 0
    while index < text.count {
      guard text[index].isAtSign, mayBegin(text, index, after: consumed), let mention = mention(text, at: index) else {
        index += 1
        continue
      }
      consumed = mention.range.upperBound
      index = consumed
      if !isRefused(text, at: consumed) { found.append(mention) }
    }
    return found
  }

  /// The user whom a post replies to, because it begins with a mention.
  static func reply(in text: [CodePoint]) -> Range<Int>? {
    guard let start = text.firstIndex(where: { !$0.isSpace && !$0.isDirectionalMark }), text[start].isAtSign,
      let end = usernameEnd(text, start + 1), !isRefused(text, at: end)
    else { return nil }
    return start + 1..<end
  }

  /// The mention whose `@` is at a position.
  static func mention(_ text: [CodePoint], at start: Int) -> Mention? {
    guard let end = usernameEnd(text, start + 1) else { return nil }
    let username = start + 1..<end
    guard end + 1 < text.count, text[end] == 0x2F, text[end + 1].isASCIILetter else {
      return Mention(range: start..<end, username: username, list: nil)
    }
    var listEnd = end + 2
    while listEnd < text.count, listEnd - end - 1 < longestList,
      text[listEnd].isUsernameCharacter || text[listEnd] == 0x2D
    { listEnd += 1 }
    return Mention(range: start..<listEnd, username: username, list: end + 1..<listEnd)
  }

  private static func usernameEnd(_ text: [CodePoint], _ start: Int) -> Int? {
    var end = start
    while end < text.count, end - start < longestUsername, text[end].isUsernameCharacter { end += 1 }
    return end > start ? end : nil
  }

  /// Whether the characters before allow a mention: most do, and so does `RT`.
  private static func mayBegin(_ text: [CodePoint], _ index: Int, after consumed: Int) -> Bool {
    if index == 0 { return true }
    guard index > consumed else { return false }
    if !refusesMention(text[index - 1]) { return true }
    guard index - 2 >= consumed, text[index - 1] | 0x20 == 0x74, text[index - 2] | 0x20 == 0x72 else { return false }
    if index == 2 { return true }
    guard index - 3 >= consumed else { return false }
    let before = text[index - 3]
    // _ + ~ . -
    return !(before.isUsernameCharacter || before == 0x2B || before == 0x7E || before == 0x2E || before == 0x2D)
  }

  private static func refusesMention(_ value: CodePoint) -> Bool {
    if value.isUsernameCharacter || value.isAtSign { return true }
    switch value {
    // ! # $ % & *
    case 0x21, 0x23, 0x24, 0x25, 0x26, 0x2A: return true
    default: return false
    }
  }

  /// Whether the characters after a mention turn it into something else.
  private static func isRefused(_ text: [CodePoint], at end: Int) -> Bool {
    guard end < text.count else { return false }
    return text[end].isAtSign || text[end].isLatinAccent || text.hasSchemeSeparator(at: end)
  }
}

/// Finds the hashtags of a text.
enum HashtagScanner {
  /// The positions of all hashtags, with their signs.
  static func hashtags(in text: [CodePoint]) -> [Range<Int>] {
    var found: [Range<Int>] = []
    var consumed = 0
    var index = 0
    while index < text.count {
      guard text[index].isHashSign, mayBegin(text, index, after: consumed), let end = end(text, of: index) else {
        index += 1
        continue
      }
      consumed = end
      if !(end < text.count && text[end].isHashSign), !text.hasSchemeSeparator(at: end) { found.append(index..<end) }
      index = end
    }
    return found
  }

  private static func mayBegin(_ text: [CodePoint], _ index: Int, after consumed: Int) -> Bool {
    if index == 0 { return true }
    guard index > consumed else { return false }
    let before = text[index - 1]
    if before == 0xFE0E || before == 0xFE0F { return true }
    return before != 0x26 && !before.isHashtagCharacter
  }

  /// The end of the hashtag whose sign is at a position; `nil` if it has no letter.
  private static func end(_ text: [CodePoint], of sign: Int) -> Int? {
    var end = sign + 1
    // The sign as an emoji, or in a frame.
    guard end < text.count, text[end] != 0xFE0F, text[end] != 0x20E3 else { return nil }
    var hasLetter = false
    while end < text.count, text[end].isHashtagCharacter {
      if !hasLetter { hasLetter = text[end].isHashtagLetter }
      end += 1
    }
    return hasLetter ? end : nil
  }
}

/// Finds the cashtags of a text: stock symbols.
enum CashtagScanner {
  private static let longestSymbol = 6
  private static let longestSuffix = 2

  /// The positions of all cashtags, with their signs.
  static func cashtags(in text: [CodePoint]) -> [Range<Int>] {
    var found: [Range<Int>] = []
    for index in text.indices where text[index] == 0x24 {
      guard index == 0 || text[index - 1].isSpace || text[index - 1].isDirectionalMark else { continue }
      if let end = end(text, of: index) { found.append(index..<end) }
    }
    return found
  }

  private static func end(_ text: [CodePoint], of sign: Int) -> Int? {
    let symbolEnd = lettersEnd(text, sign + 1, atMost: longestSymbol)
    guard symbolEnd > sign + 1 else { return nil }
    // At most one `.` or `_`, followed by a letter or two.
    if symbolEnd < text.count, text[symbolEnd] == 0x2E || text[symbolEnd] == 0x5F {
      let suffixEnd = lettersEnd(text, symbolEnd + 1, atMost: longestSuffix)
      if suffixEnd > symbolEnd + 1, isBoundary(text, suffixEnd) { return suffixEnd }
    }
    return isBoundary(text, symbolEnd) ? symbolEnd : nil
  }

  private static func lettersEnd(_ text: [CodePoint], _ start: Int, atMost count: Int) -> Int {
    var end = start
    while end < text.count, end - start < count, text[end].isASCIILetter { end += 1 }
    return end
  }

  private static func isBoundary(_ text: [CodePoint], _ index: Int) -> Bool {
    index >= text.count || text[index].isSpace || text[index].isASCIIPunctuation
  }
}
