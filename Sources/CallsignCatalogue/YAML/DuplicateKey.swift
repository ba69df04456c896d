/// Finds the second use of a key in a mapping, of which the YAML parser names the first alone.
struct DuplicateKey {
  var name: String
  var firstLine: Int
  var firstColumn: Int

  /// The byte offset of the second use, or `nil` when it is written in a way that this does not understand.
  func second(in source: SourceText) -> Int? {
    let first = source.byteOffset(line: firstLine, column: firstColumn)
    return inBlock(source, from: first) ?? inFlow(source, from: first)
  }

  /// The following lines with the key at the same column, as long as no line is indented less.
  private func inBlock(_ source: SourceText, from first: Int) -> Int? {
    let bytes = source.bytes
    let lineStart = source.byteOffset(line: firstLine, column: 1)
    guard first <= bytes.count else { return nil }
    let lead: Set<UInt8> = [0x20, UInt8(ascii: "-"), UInt8(ascii: "?")]
    guard bytes[lineStart..<first].allSatisfy(lead.contains) else { return nil }
    let indentation = first - lineStart
    var offset = first
    while let newline = bytes[offset...].firstIndex(where: { $0 == 0x0A || $0 == 0x0D }) {
      offset = newline + 1
      let text = bytes[offset...].prefix { $0 == 0x20 }.endIndex
      guard text < bytes.count else { return nil }
      if bytes[text] == 0x0A || bytes[text] == 0x0D || bytes[text] == UInt8(ascii: "#") { continue }
      if text - offset < indentation { return nil }
      if text - offset == indentation, isKey(at: text, in: bytes) { return text }
    }
    return nil
  }

  /// The following keys of the same pair of braces.
  private func inFlow(_ source: SourceText, from first: Int) -> Int? {
    let bytes = source.bytes
    var offset = first
    var depth = 0
    var isTokenStart = true
    while offset < bytes.count {
      let byte = bytes[offset]
      if isTokenStart, byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
        if offset > first, depth == 0, isKey(at: offset, in: bytes) { return offset }
        guard let end = endOfQuoted(bytes, from: offset) else { return nil }
        offset = end
        isTokenStart = false
        continue
      }
      if isTokenStart, offset > first, depth == 0, isKey(at: offset, in: bytes) { return offset }
      switch byte {
      case UInt8(ascii: "["), UInt8(ascii: "{"): (depth, isTokenStart) = (depth + 1, true)
      case UInt8(ascii: "]"), UInt8(ascii: "}"):
        depth -= 1
        if depth < 0 { return nil }
      case UInt8(ascii: ","), UInt8(ascii: ":"): isTokenStart = true
      case 0x20, 0x09, 0x0A, 0x0D: break
      default: isTokenStart = false
      }
      offset += 1
    }
    return nil
  }

  /// Whether the name stands here, plain or quoted, with a colon, a comma or the end of the braces behind it.
  private func isKey(at offset: Int, in bytes: [UInt8]) -> Bool {
    for spelling in [name, "\"\(name)\"", "'\(name)'"] where bytes[offset...].starts(with: spelling.utf8) {
      let rest = bytes[(offset + spelling.utf8.count)...].drop { $0 == 0x20 }
      guard let next = rest.first else { return true }
      return [UInt8(ascii: ":"), UInt8(ascii: ","), UInt8(ascii: "}")].contains(next)
    }
    return false
  }

  private func endOfQuoted(_ bytes: [UInt8], from start: Int) -> Int? {
    let quote = bytes[start]
    var offset = start + 1
    while offset < bytes.count {
      if bytes[offset] == UInt8(ascii: "\\"), quote == UInt8(ascii: "\"") {
        offset += 2
      } else if bytes[offset] == quote {
        return offset + 1
      } else {
        offset += 1
      }
    }
    return nil
  }
}
