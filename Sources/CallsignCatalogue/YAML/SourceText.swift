/// The bytes of a catalogue file, known to be text that the YAML parser may be given.
struct SourceText {
  let file: String
  /// UTF-8, without a byte order mark.
  let bytes: [UInt8]
  /// The offset of each line's first byte.
  private let lineStarts: [Int]

  /// A file of more bytes than this is refused unread.
  static let maximumByteCount = 8 << 20

  /// - Throws: ``SourceProblem`` when the file is too large, is not UTF-8 or has characters that YAML forbids.
  init(file: String, bytes given: [UInt8]) throws(SourceProblem) {
    self.file = file
    guard given.count <= Self.maximumByteCount else {
      throw SourceProblem(
        "the file has \(given.count / 1_000_000) MB; a catalogue file may have \(Self.maximumByteCount >> 20) MB: "
          + "split it by groups of endpoints", line: 1, column: 1)
    }
    for (mark, name) in Self.foreignMarks where given.starts(with: mark) {
      throw SourceProblem("the file is \(name); save it as UTF-8", line: 1, column: 1)
    }
    bytes = given.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(given.dropFirst(3)) : given

    var starts = [0]
    var forbidden: Int?
    bytes.withUnsafeBufferPointer { buffer in
      var index = 0
      while index < buffer.count {
        let byte = buffer[index]
        index += 1
        if byte >= 0x20 && byte < 0x7F { continue }
        switch byte {
        case 0x0A: starts.append(index)
        case 0x0D:
          // CR LF is one line break, CR alone is one too.
          if index == buffer.count || buffer[index] != 0x0A { starts.append(index) }
        case 0x85 where index >= 2 && buffer[index - 2] == 0xC2: starts.append(index)
        case 0xA8, 0xA9:
          if index >= 3, buffer[index - 2] == 0x80, buffer[index - 3] == 0xE2 { starts.append(index) }
        case 0x00...0x08, 0x0B, 0x0C, 0x0E...0x1F, 0x7F: if forbidden == nil { forbidden = index - 1 }
        default: break
        }
      }
    }
    lineStarts = starts

    if let invalid = firstInvalidByte() {
      let place = position(ofByte: invalid)
      throw SourceProblem("this is not UTF-8; save the file as UTF-8", line: place.line, column: place.column)
    }
    if let forbidden {
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

  /// Where the byte is; columns count Unicode scalars from 1.
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

  /// The offset of the scalar at a line and column that count from 1; the end of the text for what lies behind it.
  func byteOffset(line: Int, column: Int) -> Int {
    guard line >= 1, line <= lineStarts.count else { return bytes.count }
    var offset = lineStarts[line - 1]
    var remaining = column - 1
    while remaining > 0, offset < bytes.count {
      offset += 1
      while offset < bytes.count, bytes[offset] & 0xC0 == 0x80 { offset += 1 }
      remaining -= 1
    }
    return offset
  }

  /// Whether the text stands in the file at this offset, byte for byte.
  func has(_ text: String, at offset: Int) -> Bool {
    offset <= bytes.count && bytes[offset...].starts(with: text.utf8)
  }

  private func firstInvalidByte() -> Int? {
    var decoder = UTF8()
    var iterator = bytes.makeIterator()
    var valid = 0
    while true {
      switch decoder.decode(&iterator) {
      case .scalarValue(let scalar): valid += UTF8.width(scalar)
      case .emptyInput: return nil
      case .error: return valid
      }
    }
  }
}

/// A reason why a file cannot be YAML at all.
struct SourceProblem: Error {
  var message: String
  var line: Int
  var column: Int

  init(_ message: String, line: Int, column: Int) {
    self.message = message
    self.line = line
    self.column = column
  }
}
