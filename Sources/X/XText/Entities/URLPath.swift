/// The end of a URL's path and query. Punctuation that ends a sentence is not part of them.
enum URLPath {
  /// The end of the path whose `/` is at a position.
  static func end(in text: [CodePoint], at slash: Int) -> Int {
    var index = slash + 1
    var end = index
    while index < text.count {
      if isPathCharacter(text[index]) {
        index += 1
        if isPathEnd(text[index - 1]) { end = index }
      } else if text[index] == 0x28, let closed = parenthesesEnd(in: text, at: index) {
        index = closed
        end = closed
      } else {
        break
      }
    }
    return end
  }

  /// The end of the query whose `?` is at a position; `nil` if there is none.
  static func queryEnd(in text: [CodePoint], at mark: Int) -> Int? {
    guard mark < text.count, text[mark] == 0x3F else { return nil }
    var index = mark + 1
    var end: Int?
    while index < text.count, isQueryCharacter(text[index]) {
      index += 1
      if isQueryEnd(text[index - 1]) { end = index }
    }
    return end
  }

  /// The position after balanced parentheses, which contain something, and at most one other pair.
  private static func parenthesesEnd(in text: [CodePoint], at start: Int) -> Int? {
    var index = start + 1
    var isNested = false
    var hasNested = false
    var isEmpty = true
    while index < text.count {
      switch text[index] {
      case 0x28:
        if hasNested { return nil }
        hasNested = true
        isNested = true
        isEmpty = true
      case 0x29:
        if isEmpty { return nil }
        if !isNested { return index + 1 }
        isNested = false
      case let value where isPathCharacter(value): isEmpty = false
      default: return nil
      }
      index += 1
    }
    return nil
  }

  private static func isWordCharacter(_ value: CodePoint) -> Bool {
    if value < 0x80 { return value.isASCIIAlphanumeric }
    return value.isLatinAccent || (0x0400...0x04FF).contains(value)
  }

  private static func isPathCharacter(_ value: CodePoint) -> Bool {
    if isWordCharacter(value) { return true }
    switch value {
    // ! # $ % & ' * + , - . / : ; = @ [ ] _ | ~ and the en dash
    case 0x21, 0x23...0x27, 0x2A...0x2F, 0x3A, 0x3B, 0x3D, 0x40, 0x5B, 0x5D, 0x5F, 0x7C, 0x7E, 0x2013: return true
    default: return false
    }
  }

  private static func isPathEnd(_ value: CodePoint) -> Bool {
    if isWordCharacter(value) { return true }
    switch value {
    // # + - / = _
    case 0x23, 0x2B, 0x2D, 0x2F, 0x3D, 0x5F: return true
    default: return false
    }
  }

  private static func isQueryCharacter(_ value: CodePoint) -> Bool {
    switch value {
    // ! # $ % & ' ( ) * + , - . / digits : ; = ? @ letters [ ] _ | ~
    case 0x21, 0x23...0x3B, 0x3D, 0x3F, 0x40...0x5B, 0x5D, 0x5F, 0x61...0x7A, 0x7C, 0x7E: true
    default: false
    }
  }

  private static func isQueryEnd(_ value: CodePoint) -> Bool {
    if value.isASCIIAlphanumeric { return true }
    switch value {
    // # & - / = _
    case 0x23, 0x26, 0x2D, 0x2F, 0x3D, 0x5F: return true
    default: return false
    }
  }
}
