import CallsignSupport

/// The bytes of a catalogue file, checked to be text that the YAML parser accepts.
package struct SourceText {
  package let file: String
  /// The bytes in UTF-8, without a byte order mark.
  let bytes: [UInt8]
  /// The offset of each line's first byte.
  private let lineStarts: [Int]
  /// Whether columns equal bytes.
  private let isASCII: Bool

  /// A larger file is rejected without being read.
  static let maximumByteCount = 8 << 20

  /// - Throws: ``SourceProblem`` if the file is too large, is not UTF-8 or contains characters that YAML forbids.
  package init(file: String, bytes given: [UInt8]) throws(SourceProblem) {
    self.file = file
    guard given.count <= Self.maximumByteCount else {
      throw SourceProblem(
        "the file has \(given.count / 1_000_000) MB; a catalogue file may have \(Self.maximumByteCount >> 20) MB: "
          + "split it by groups of endpoints", line: 1, column: 1)
    }
    for (mark, name) in Self.foreignMarks where given.starts(with: mark) {
      throw SourceProblem("the file is \(name); save it as UTF-8", line: 1, column: 1)
    }
    bytes = Array(given.withoutByteOrderMark)

    let scan = Scan(bytes)
    lineStarts = scan.lineStarts
    isASCII = scan.isASCII

    if let invalid = scan.invalid {
      let place = position(ofByte: invalid)
      throw SourceProblem("this is not UTF-8; save the file as UTF-8", line: place.line, column: place.column)
    }
    if let forbidden = scan.forbidden {
      let place = position(ofByte: forbidden)
      let code = String(bytes[forbidden], radix: 16, uppercase: true)
      let digits = String(repeating: "0", count: max(0, 4 - code.count)) + code
      throw SourceProblem(
        "the control character U+\(digits) cannot be in YAML; remove it, or write it as an escape inside double quotes",
        line: place.line, column: place.column)
    }
  }

  private static let foreignMarks: [([UInt8], String)] = [
    ([0xFF, 0xFE, 0x00, 0x00], "UTF-32"), ([0x00, 0x00, 0xFE, 0xFF], "UTF-32"),
    ([0xFF, 0xFE], "UTF-16"), ([0xFE, 0xFF], "UTF-16"),
  ]

  /// The location of the byte. Columns count Unicode scalars from 1.
  func position(ofByte offset: Int) -> (line: Int, column: Int) {
    var low = 0
    var high = lineStarts.count
    while high - low > 1 {
      let middle = (low + high) / 2
      if lineStarts[middle] <= offset { low = middle } else { high = middle }
    }
    var column = 1
    for index in lineStarts[low]..<max(lineStarts[low], min(offset, bytes.count)) where bytes[index] & 0xC0 != 0x80 {
      column += 1
    }
    return (low + 1, column)
  }

  /// The offset of the scalar at a line and column, both counted from 1; the end of the text if the position is beyond it.
  func byteOffset(line: Int, column: Int) -> Int {
    guard line >= 1, line <= lineStarts.count else { return bytes.count }
    var offset = lineStarts[line - 1]
    if isASCII { return min(bytes.count, offset + max(0, column - 1)) }
    var remaining = column - 1
    while remaining > 0, offset < bytes.count {
      offset += 1
      while offset < bytes.count, bytes[offset] & 0xC0 == 0x80 { offset += 1 }
      remaining -= 1
    }
    return offset
  }

  /// Whether the file contains exactly this text at the offset.
  func has(_ text: String, at offset: Int) -> Bool {
    let end = offset + text.utf8.count
    return end <= bytes.count && String(decoding: bytes[offset..<end], as: UTF8.self) == text
  }

  /// The findings of a single scan over all bytes.
  private struct Scan {
    var lineStarts = [0]
    var isASCII = true
    /// The first byte that is not UTF-8. The bytes after it are not examined.
    var invalid: Int?
    /// The first character that YAML forbids.
    var forbidden: Int?

    init(_ bytes: [UInt8]) {
      let count = bytes.count
      var index = 0
      while index < count {
        let byte = bytes[index]
        if byte >= 0x20 && byte < 0x7F {
          index += 1
        } else if byte < 0x80 {
          index += 1
          // CR LF is one line break, and so is a CR without LF.
          if byte == 0x0A || (byte == 0x0D && (index == count || bytes[index] != 0x0A)) {
            lineStarts.append(index)
          } else if byte != 0x09, byte != 0x0D, forbidden == nil {
            forbidden = index - 1
          }
        } else {
          isASCII = false
          let length = Self.length(bytes[index...])
          guard length > 0 else {
            invalid = index
            return
          }
          index += length
          // U+0085, U+2028 and U+2029 end lines.
          let last = bytes[index - 1]
          if length == 2
            ? byte == 0xC2 && last == 0x85
            : length == 3 && byte == 0xE2 && bytes[index - 2] == 0x80 && (last == 0xA8 || last == 0xA9)
          {
            lineStarts.append(index)
          }
        }
      }
    }

    /// The number of bytes of a non-ASCII scalar (RFC 3629 §4); 0 if the bytes are not valid.
    private static func length(_ bytes: ArraySlice<UInt8>) -> Int {
      guard let first = bytes.first, first >= 0xC2, first <= 0xF4 else { return 0 }
      let length = first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
      let rest = bytes.dropFirst().prefix(length - 1)
      let low: UInt8 = first == 0xE0 ? 0xA0 : first == 0xF0 ? 0x90 : 0x80
      let high: UInt8 = first == 0xED ? 0x9F : first == 0xF4 ? 0x8F : 0xBF
      guard rest.count == length - 1, let second = rest.first, second >= low, second <= high,
        rest.dropFirst().allSatisfy({ $0 & 0xC0 == 0x80 })
      else { return 0 }
      return length
    }
  }
}

/// The reason why a file cannot be YAML.
package struct SourceProblem: Error {
  package var message: String
  package var line: Int
  package var column: Int

  init(_ message: String, line: Int, column: Int) {
    self.message = message
    self.line = line
    self.column = column
  }
}
