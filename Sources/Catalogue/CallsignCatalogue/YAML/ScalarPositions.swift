import CallsignYAML

/// The locations of a scalar's characters in the file.
///
/// The parser only gives the start of a scalar. Quotes, escapes and line folding shift the characters after it.
struct ScalarPositions {
  private let line: Int
  private let column: Int
  /// The location of each character, for a scalar whose text is not contiguous on one line.
  private var table: [(line: Int, column: Int)] = []

  init(_ node: YAMLNode, _ scalar: YAMLScalar, in source: SourceText) {
    line = node.line
    switch scalar.style {
    case .plain: column = node.column
    case .singleQuoted, .doubleQuoted: column = node.column + 1
    case .block:
      // For a text that begins on the next line, the relevant location is its indicator.
      column = node.column
      table = Array(repeating: (node.line, node.column), count: 1)
      return
    }
    let start = source.byteOffset(line: line, column: column)
    if source.has(scalar.text, at: start) { return }
    table = Self.align(scalar, with: source, from: start)
  }

  /// Whether the file contains the text unchanged and on one line.
  var areSideBySide: Bool { table.isEmpty }

  /// The location of the Unicode scalar with this index in the text.
  subscript(index: Int) -> (line: Int, column: Int) {
    if table.isEmpty { return (line, column + index) }
    return table[max(0, min(index, table.count - 1))]
  }

  /// Walks through text and file in parallel: white space matches any white space, and an escape matches one character.
  private static func align(
    _ scalar: YAMLScalar, with source: SourceText, from start: Int
  ) -> [(line: Int, column: Int)] {
    var table: [(line: Int, column: Int)] = []
    var cursor = SourceCursor(source, at: start)
    for character in scalar.text.unicodeScalars {
      let isWhite = character == " " || character == "\n" || character == "\t"
      if !isWhite { while cursor.isAtWhiteSpace { cursor.advance() } }
      table.append((cursor.line, cursor.column))
      if isWhite {
        if cursor.isAtWhiteSpace { cursor.advance() }
      } else if scalar.style == .singleQuoted, cursor.byte == UInt8(ascii: "'") {
        cursor.advance()
        cursor.advance()
      } else if scalar.style == .doubleQuoted, cursor.byte == UInt8(ascii: "\\") {
        cursor.advance()
        for _ in 0...escapeDigits(after: cursor.byte) { cursor.advance() }
      } else {
        cursor.advance()
      }
    }
    table.append((cursor.line, cursor.column))
    return table
  }

  private static func escapeDigits(after letter: UInt8?) -> Int {
    switch letter {
    case UInt8(ascii: "x"): 2
    case UInt8(ascii: "u"): 4
    case UInt8(ascii: "U"): 8
    default: 0
    }
  }
}

/// A position in a file that moves forward one character at a time.
struct SourceCursor {
  private let bytes: [UInt8]
  private(set) var offset: Int
  private(set) var line: Int
  private(set) var column: Int

  init(_ source: SourceText, at offset: Int) {
    bytes = source.bytes
    self.offset = min(offset, source.bytes.count)
    (line, column) = source.position(ofByte: self.offset)
  }

  /// The byte at the cursor; `nil` at the end.
  var byte: UInt8? { offset < bytes.count ? bytes[offset] : nil }

  var isAtWhiteSpace: Bool { byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D }

  mutating func advance() {
    guard let byte else { return }
    offset += 1
    let isHalfBreak = byte == 0x0D && self.byte == 0x0A
    if byte == 0x0A || (byte == 0x0D && !isHalfBreak) {
      line += 1
      column = 1
    } else if !isHalfBreak {
      while let next = self.byte, next & 0xC0 == 0x80 { offset += 1 }
      column += 1
    }
  }
}
