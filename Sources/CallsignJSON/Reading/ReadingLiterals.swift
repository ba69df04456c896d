extension JSONReader {
  /// Reads `true` or `false`.
  public mutating func bool() throws(JSONError) -> Bool {
    guard cursor < end else { throw failure(.unexpectedEnd) }
    switch cursor.pointee {
    case UInt8(ascii: "t"):
      try literal("true")
      return true
    case UInt8(ascii: "f"):
      try literal("false")
      return false
    default:
      throw unexpected(JSONKind.bool.phrase)
    }
  }

  /// Reads `null` if it is next; else nothing is read and the answer is `false`.
  @inline(__always)
  public mutating func null() throws(JSONError) -> Bool {
    guard cursor < end, cursor.pointee == UInt8(ascii: "n") else { return false }
    try literal("null")
    return true
  }

  mutating func literal(_ text: StaticString) throws(JSONError) {
    let count = text.utf8CodeUnitCount
    for index in 0..<count {
      guard cursor + index < end else { throw failure(.unexpectedEnd, at: end) }
      guard cursor[index] == text.utf8Start[index] else {
        throw failure(.syntax(reason: "this is not the beginning of a JSON value"))
      }
    }
    cursor += count
  }

  /// Moves past the next value, checking it as strictly as if it were read.
  public mutating func skip() throws(JSONError) {
    guard cursor < end else { throw failure(.unexpectedEnd) }
    switch cursor.pointee {
    case UInt8(ascii: "\""):
      _ = try rawString()
    case UInt8(ascii: "{"):
      guard try beginObject() else { return }
      repeat {
        guard cursor < end, cursor.pointee == UInt8(ascii: "\"") else { throw unexpected("a member's name") }
        _ = try rawString()
        try takeColon()
        try skip()
      } while try nextMember()
    case UInt8(ascii: "["):
      guard try beginArray() else { return }
      repeat { try skip() } while try nextElement()
    case UInt8(ascii: "t"): try literal("true")
    case UInt8(ascii: "f"): try literal("false")
    case UInt8(ascii: "n"): try literal("null")
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): _ = try numberLiteral()
    default: throw unexpected("a value")
    }
  }
}
