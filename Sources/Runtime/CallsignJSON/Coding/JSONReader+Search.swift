// Sound: each place is compared with `end` before it is read, and eight bytes are read at once only if there are eight.

extension JSONReader {
  /// Whether the bytes are one whole JSON document.
  package static func isDocument(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var reader = JSONReader(bytes)
    do throws(JSONError) {
      try reader.beginDocument()
      try reader.skip()
      try reader.endDocument()
      return true
    } catch { return false }
  }

  /// Moves to the value of the first member at a path, if there is one.
  ///
  /// Values off the path are skipped without being checked, because this only looks into a document that something else
  /// reads. A document that is not JSON returns `false`.
  ///
  /// - Parameter path: The names of nested members, in UTF-8. If it is empty, the value is the next one.
  package mutating func seek(_ path: ArraySlice<[UInt8]>) -> Bool {
    skipWhitespace()
    guard let name = path.first else { return cursor < end }
    guard take(UInt8(ascii: "{")) else { return false }
    while true {
      skipWhitespace()
      let begin = cursor
      guard cursor < end, cursor.pointee == UInt8(ascii: "\""), let member = uncheckedString() else { return false }
      let isNamed = member.hasEscapes ? isName(name, at: begin) : Self.isName(name, member)
      skipWhitespace()
      guard take(UInt8(ascii: ":")) else { return false }
      skipWhitespace()
      if isNamed {
        if path.count == 1 { return cursor < end }
        // One without the rest of the path may come again.
        let begin = cursor
        if seek(path.dropFirst()) { return true }
        cursor = begin
      }
      guard passOver() else { return false }
      skipWhitespace()
      guard take(UInt8(ascii: ",")) else { return false }
    }
  }

  private static func isName(_ name: [UInt8], _ member: RawString) -> Bool {
    let bytes = UnsafeBufferPointer(start: member.start, count: member.count)
    return name.count == bytes.count && name.withUnsafeBufferPointer { $0.elementsEqual(bytes) }
  }

  /// The same for a name with escapes, which must be checked before they are decoded.
  private mutating func isName(_ name: [UInt8], at begin: UnsafePointer<UInt8>) -> Bool {
    let after = cursor
    cursor = begin
    defer { cursor = after }
    return (try? string()).map { $0.utf8.elementsEqual(name) } ?? false
  }

  /// Moves past the next value by its quotes and brackets.
  private mutating func passOver() -> Bool {
    var open = 0
    while cursor < end {
      switch cursor.pointee {
      case UInt8(ascii: "\""):
        guard uncheckedString() != nil else { return false }
        if open == 0 { return true }
        continue
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        open += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        // Of the object that the value is in.
        if open == 0 { return true }
        open -= 1
        if open == 0 {
          cursor += 1
          return true
        }
      case UInt8(ascii: ","):
        if open == 0 { return true }
      default: break
      }
      cursor += 1
    }
    return false
  }

  /// Moves past the string that begins here; `nil` if it does not end.
  private mutating func uncheckedString() -> RawString? {
    let first = cursor + 1
    var place = first
    var hasEscapes = false
    while place < end {
      while end - place >= 8 {
        let word = UnsafeRawPointer(place).loadUnaligned(as: UInt64.self).littleEndian
        let ends = Self.ends(in: word)
        place += ends == 0 ? 8 : ends.trailingZeroBitCount &>> 3
        if ends != 0 { break }
      }
      guard place < end else { return nil }
      switch place.pointee {
      case UInt8(ascii: "\""):
        cursor = place + 1
        return RawString(start: first, count: place - first, hasEscapes: hasEscapes)
      case UInt8(ascii: "\\"):
        guard end - place >= 2 else { return nil }
        hasEscapes = true
        place += 2
      default: place += 1
      }
    }
    return nil
  }

  /// The high bit of each byte that is a quote or a backslash. Bytes above the lowest marked one may be marked falsely.
  private static func ends(in word: UInt64) -> UInt64 {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let quotes = word ^ (ones &* 0x22)
    let backslashes = word ^ (ones &* 0x5C)
    return (((quotes &- ones) & ~quotes) | ((backslashes &- ones) & ~backslashes)) & (ones &* 0x80)
  }
}
