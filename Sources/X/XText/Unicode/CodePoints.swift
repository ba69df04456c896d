// Sound: Swift's texts are valid UTF-8, so the bytes of a code point are all there, and there are at most as many code points as
// bytes.

import CallsignSupport

/// A Unicode code point. Texts are scanned as arrays of code points, because the rules of a post's text use them.
typealias CodePoint = UInt32

// The classes of characters that the rules name.
extension CodePoint {
  var isASCIIDigit: Bool { self &- 0x30 < 10 }
  var isASCIILetter: Bool { (self | 0x20) &- 0x61 < 26 }
  var isASCIIAlphanumeric: Bool { isASCIILetter || isASCIIDigit }
  var isUnderscore: Bool { self == 0x5F }

  /// In a username: `a` to `z`, digits and `_`.
  var isUsernameCharacter: Bool { isASCIIAlphanumeric || isUnderscore }

  /// `@` and its full-width form.
  var isAtSign: Bool { self == 0x40 || self == 0xFF20 }

  /// `#` and its full-width form.
  var isHashSign: Bool { self == 0x23 || self == 0xFF03 }

  /// A space of any kind, including line breaks.
  var isSpace: Bool {
    switch self {
    case 0x09...0x0D, 0x20, 0x85, 0xA0, 0x1680, 0x180E, 0x2000...0x200A, 0x2028, 0x2029, 0x202F, 0x205F, 0x3000: true
    default: false
    }
  }

  /// A mark that sets the direction of writing.
  var isDirectionalMark: Bool {
    switch self {
    case 0x061C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: true
    default: false
    }
  }

  /// Not allowed in a post: byte order marks, and U+FFFF.
  var isInvalid: Bool { self == 0xFEFF || self == 0xFFFE || self == 0xFFFF }

  /// Printable ASCII, except letters, digits and space.
  var isASCIIPunctuation: Bool { self > 0x20 && self < 0x7F && !isASCIIAlphanumeric }

  /// A Latin letter with an accent, or a combining accent, except the signs of multiplication and division.
  var isLatinAccent: Bool {
    guard self >= 0xC0 else { return false }
    switch self {
    case 0xC0...0xD6, 0xD8...0xF6, 0xF8...0x24F, 0x253, 0x254, 0x256, 0x257, 0x259, 0x25B, 0x263, 0x268, 0x26F, 0x272,
      0x289, 0x28B, 0x2BB, 0x300...0x36F, 0x1E00...0x1EFF:
      return true
    default: return false
    }
  }

  /// Part of a script that is written from right to left.
  var isRightToLeft: Bool {
    switch self {
    case 0x0590...0x06FF, 0x0750...0x077F, 0xFE70...0xFEFF: true
    default: false
    }
  }

  /// The lowercase form if it is one code point, otherwise itself; only for Europe's scripts, which domains use.
  var lowercased: CodePoint {
    if self < 0x80 { return isASCIILetter ? self | 0x20 : self }
    // Most of Cyrillic is lowercase already.
    if 0x0430...0x045F ~= self { return self }
    if self < 0x0590 { return LowercaseForms.shared.first[Int(self)] }
    return self & ~0x1FF == 0x1E00 ? LowercaseForms.shared.second[Int(self & 0x1FF)] : self
  }
}

/// The lowercase forms of Europe's scripts. The standard library would make a string for each lookup.
private struct LowercaseForms: Sendable {
  static let shared = LowercaseForms()

  /// For the code points below U+0590.
  let first: [CodePoint]
  /// For U+1E00 to U+1FFF.
  let second: [CodePoint]

  private init() {
    first = (0..<0x0590).map(Self.form)
    second = (0x1E00...0x1FFF).map(Self.form)
  }

  private static func form(of value: CodePoint) -> CodePoint {
    guard let properties = Unicode.Scalar(value)?.properties, properties.changesWhenLowercased else { return value }
    let mapped = properties.lowercaseMapping.unicodeScalars
    return mapped.count == 1 ? mapped.first?.value ?? value : value
  }
}

// The characters of hashtags.
extension CodePoint {
  /// A letter of any script, or a mark on one: a hashtag has at least one.
  var isHashtagLetter: Bool {
    if self < 0x80 { return isASCIILetter }
    switch self {
    case 0x3041...0x3096, 0x30A1...0x30FA, 0x4E00...0x9FFF, 0xAC00...0xD7A3: return true
    // Private use, which Apple's fonts use for letters.
    case 0xF870...0xF87F, 0xF882, 0xF884...0xF89F, 0xF8B8, 0xF8C1...0xF8D6: return true
    default: break
    }
    switch Unicode.Scalar(self)?.properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .nonspacingMark,
      .spacingMark, .enclosingMark:
      return true
    default: return false
    }
  }

  /// A letter, a mark, a digit of any script, or one of the signs that join words.
  var isHashtagCharacter: Bool {
    if self < 0x80 { return isUsernameCharacter }
    return isHashtagJoiner || isHashtagLetter
      || Unicode.Scalar(self)?.properties.generalCategory == .decimalNumber
  }

  /// A sign that may be in a hashtag, although it is not a letter.
  private var isHashtagJoiner: Bool {
    switch self {
    case 0xB7, 0x05BE, 0x05F3, 0x05F4, 0x0F0B, 0x0F0C, 0x200C, 0x200D, 0x3003, 0x301C, 0x309B, 0x309C, 0x30A0, 0x30FB,
      0xA67E, 0xFF5E:
      true
    default: false
    }
  }
}

extension Array where Element == CodePoint {
  /// The code points of a text.
  init(codePointsOf text: some StringProtocol) {
    let read = text.utf8.withContiguousStorageIfAvailable { bytes in
      // At most as many as the bytes.
      [CodePoint](unsafeUninitializedCapacity: bytes.count) { $1 = Self.decode(bytes, into: $0) }
    }
    // A text that Objective-C stores has no UTF-8 bytes.
    self = read ?? text.unicodeScalars.map(\.value)
  }

  /// Decodes UTF-8 that Swift has validated. Returns the number of code points.
  private static func decode(
    _ bytes: UnsafeBufferPointer<UInt8>, into values: UnsafeMutableBufferPointer<CodePoint>
  ) -> Int {
    var count = 0
    var index = 0
    while index < bytes.count {
      let byte = CodePoint(bytes[index])
      func rest(_ offset: Int) -> CodePoint { CodePoint(bytes[index + offset]) & 0x3F }
      if byte < 0x80 {
        values[count] = byte
        index += 1
      } else if byte < 0xE0 {
        values[count] = (byte & 0x1F) << 6 | rest(1)
        index += 2
      } else if byte < 0xF0 {
        values[count] = (byte & 0x0F) << 12 | rest(1) << 6 | rest(2)
        index += 3
      } else {
        values[count] = (byte & 0x07) << 18 | rest(1) << 12 | rest(2) << 6 | rest(3)
        index += 4
      }
      count += 1
    }
    return count
  }

  /// Whether `://` begins at a position.
  func hasSchemeSeparator(at index: Int) -> Bool {
    index >= 0 && index + 2 < count && self[index] == 0x3A && self[index + 1] == 0x2F && self[index + 2] == 0x2F
  }
}

extension String {
  /// A text made from code points; invalid ones are left out.
  init(codePoints: some Sequence<CodePoint>) {
    self.init()
    for case let scalar? in codePoints.lazy.map(Unicode.Scalar.init) { unicodeScalars.append(scalar) }
  }
}
