// Sound: each place is compared with `end` before it is read, and eight or four bytes are read at once only if there are as many. A
// string is decoded only after it was checked, and its text is no longer than its escapes.

import CallsignSupport

/// The bytes between the quotes of a JSON string, checked but not yet decoded.
package struct RawString {
  package let start: UnsafePointer<UInt8>
  package let count: Int
  package let hasEscapes: Bool

  /// Calls `body` with the bytes of the decoded string.
  package func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
    if !hasEscapes { return body(UnsafeBufferPointer(start: start, count: count)) }
    var text = JSONReader.decode(self)
    return text.withUTF8(body)
  }
}

extension JSONReader {
  /// Reads a string.
  ///
  /// - Throws: ``JSONError`` if the next value is not a string, or is not valid JSON.
  public mutating func string() throws(JSONError) -> String { try string(expecting: JSONKind.string.phrase) }

  mutating func string(expecting expected: @autoclosure () -> String) throws(JSONError) -> String {
    guard cursor < end, cursor.pointee == UInt8(ascii: "\"") else { throw unexpected(expected()) }
    return Self.decode(try rawString())
  }

  package static func decode(_ raw: RawString) -> String {
    if raw.hasEscapes { return unescape(raw) }
    return String(decoding: UnsafeBufferPointer(start: raw.start, count: raw.count), as: UTF8.self)
  }

  /// Moves past the string that begins here (the opening quote has been seen), checking all of it.
  package mutating func rawString() throws(JSONError) -> RawString {
    let first = cursor + 1
    var place = first
    while end - place >= 8 {
      let word = UnsafeRawPointer(place).loadUnaligned(as: UInt64.self).littleEndian
      let marks = Self.marks(in: word)
      if marks == 0 {
        place += 8
        continue
      }
      place += marks.trailingZeroBitCount &>> 3
      guard place.pointee == UInt8(ascii: "\"") else { break }
      cursor = place + 1
      return RawString(start: first, count: place - first, hasEscapes: false)
    }
    return try rawStringSlowly(first: first, from: place)
  }

  /// The high bit of each byte that is a quote, a backslash, a control character or not ASCII. Bytes above the lowest
  /// marked one may be marked falsely.
  package static func marks(in word: UInt64) -> UInt64 {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let quotes = word ^ (ones &* 0x22)
    let backslashes = word ^ (ones &* 0x5C)
    let control = word &- (ones &* 0x20)
    return ((quotes &- ones) | (backslashes &- ones) | control | word) & (ones &* 0x80)
  }

  mutating func rawStringSlowly(
    first: UnsafePointer<UInt8>, from: UnsafePointer<UInt8>
  ) throws(JSONError) -> RawString {
    var place = from
    var hasEscapes = false
    while place < end {
      while end - place >= 8 {
        let marks = Self.marks(in: UnsafeRawPointer(place).loadUnaligned(as: UInt64.self).littleEndian)
        place += marks == 0 ? 8 : marks.trailingZeroBitCount &>> 3
        if marks != 0 { break }
      }
      guard place < end else { break }
      let byte = place.pointee
      switch byte {
      case UInt8(ascii: "\""):
        cursor = place + 1
        return RawString(start: first, count: place - first, hasEscapes: hasEscapes)
      case UInt8(ascii: "\\"):
        hasEscapes = true
        place = try checkEscape(at: place)
      case 0..<0x20:
        throw failure(.syntax(reason: "a control character in a string must be escaped"), at: place)
      case 0x80...:
        repeat {
          let length = Self.sequenceLength(at: place, end: end)
          guard length > 0 else { throw failure(.invalidUTF8, at: place) }
          place += length
        } while place < end && place.pointee >= 0x80
      default:
        place += 1
      }
    }
    throw failure(.unexpectedEnd, at: end)
  }

  /// The length of the well-formed UTF-8 sequence of two to four bytes that begins here (Unicode table 3-7), or 0.
  static func sequenceLength(at place: UnsafePointer<UInt8>, end: UnsafePointer<UInt8>) -> Int {
    guard end - place >= 4 else { return shortSequenceLength(at: place, end: end) }
    // The four bytes at once. Overlong forms, surrogates and values beyond Unicode show in the scalar's upper bits.
    let word = UnsafeRawPointer(place).loadUnaligned(as: UInt32.self).littleEndian
    if word & 0xC0E0 == 0x80C0 { return word & 0x1E != 0 ? 2 : 0 }
    if word & 0xC0_C0F0 == 0x80_80E0 {
      let upper = (word & 0x0F) &<< 12 | (word & 0x3F00) &>> 2
      return upper >= 0x800 && upper & 0xF800 != 0xD800 ? 3 : 0
    }
    if word & 0xC0C0_C0F8 == 0x8080_80F0 {
      let upper = (word & 0x07) &<< 18 | (word & 0x3F00) &<< 4
      return upper >= 0x1_0000 && upper < 0x11_0000 ? 4 : 0
    }
    return 0
  }

  /// The same near the end of the text.
  private static func shortSequenceLength(at place: UnsafePointer<UInt8>, end: UnsafePointer<UInt8>) -> Int {
    let available = end - place
    func isContinuation(_ index: Int) -> Bool { index < available && place[index] & 0xC0 == 0x80 }
    let first = place.pointee
    switch first {
    case 0xC2...0xDF:
      return isContinuation(1) ? 2 : 0
    case 0xE0...0xEF:
      guard isContinuation(1), isContinuation(2) else { return 0 }
      // No overlong forms and no surrogates.
      if first == 0xE0, place[1] < 0xA0 { return 0 }
      if first == 0xED, place[1] > 0x9F { return 0 }
      return 3
    case 0xF0...0xF4:
      guard isContinuation(1), isContinuation(2), isContinuation(3) else { return 0 }
      if first == 0xF0, place[1] < 0x90 { return 0 }
      if first == 0xF4, place[1] > 0x8F { return 0 }
      return 4
    default:
      return 0
    }
  }

  /// Checks the escape sequence at the backslash, with both halves of a surrogate pair; the place after it.
  private func checkEscape(at backslash: UnsafePointer<UInt8>) throws(JSONError) -> UnsafePointer<UInt8> {
    guard end - backslash >= 2 else { throw failure(.unexpectedEnd, at: end) }
    switch backslash[1] {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
      UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
      return backslash + 2
    case UInt8(ascii: "u"):
      let unit = try codeUnit(at: backslash)
      guard unit & 0xF800 == 0xD800 else { return backslash + 6 }
      let loneSurrogate = JSONError.Kind.syntax(reason: "half of a surrogate pair is missing")
      guard unit < 0xDC00, end - backslash >= 8, backslash[6] == UInt8(ascii: "\\"), backslash[7] == UInt8(ascii: "u")
      else { throw failure(loneSurrogate, at: backslash) }
      guard try codeUnit(at: backslash + 6) & 0xFC00 == 0xDC00 else { throw failure(loneSurrogate, at: backslash) }
      return backslash + 12
    default:
      throw failure(.syntax(reason: "a backslash is followed by a character that it can't escape"), at: backslash)
    }
  }

  /// The four hexadecimal digits of the `\u` escape at the backslash.
  private func codeUnit(at backslash: UnsafePointer<UInt8>) throws(JSONError) -> UInt32 {
    guard end - backslash >= 6 else { throw failure(.unexpectedEnd, at: end) }
    var unit: UInt32 = 0
    for index in 2..<6 {
      guard let digit = Self.hexadecimalDigit(backslash[index]) else {
        throw failure(.syntax(reason: "`\\u` must be followed by four hexadecimal digits"), at: backslash)
      }
      unit = unit << 4 | digit
    }
    return unit
  }

  static func hexadecimalDigit(_ byte: UInt8) -> UInt32? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte - UInt8(ascii: "0"))
    case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt32(byte - UInt8(ascii: "a") + 10)
    case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt32(byte - UInt8(ascii: "A") + 10)
    default: nil
    }
  }

  /// Decodes a string that has been checked, so no step of it can fail; it never grows.
  private static func unescape(_ raw: RawString) -> String {
    String(unsafeUninitializedCapacity: raw.count) { output in
      var written = 0
      func put(_ byte: UInt32) {
        output[written] = UInt8(truncatingIfNeeded: byte)
        written += 1
      }
      func unit(_ index: Int) -> UInt32 {
        var unit: UInt32 = 0
        for place in index + 2..<index + 6 { unit = unit << 4 | (hexadecimalDigit(raw.start[place]) ?? 0) }
        return unit
      }
      var index = 0
      while index < raw.count {
        let rest = raw.count - index
        let run = memchr(raw.start + index, 0x5C, rest).map {
          UnsafeRawPointer($0) - UnsafeRawPointer(raw.start + index)
        }
        let plain = run ?? rest
        if plain > 0, let target = output.baseAddress {
          memcpy(target + written, raw.start + index, plain)
          written += plain
          index += plain
          continue
        }
        switch raw.start[index + 1] {
        case UInt8(ascii: "b"): put(0x08)
        case UInt8(ascii: "f"): put(0x0C)
        case UInt8(ascii: "n"): put(0x0A)
        case UInt8(ascii: "r"): put(0x0D)
        case UInt8(ascii: "t"): put(0x09)
        case UInt8(ascii: "u"):
          var scalar = unit(index)
          if scalar & 0xF800 == 0xD800 {
            scalar = 0x10000 + (scalar & 0x3FF) << 10 + (unit(index + 6) & 0x3FF)
            index += 6
          }
          index += 4
          switch scalar {
          case 0..<0x80:
            put(scalar)
          case 0x80..<0x800:
            put(0xC0 | scalar >> 6)
            put(0x80 | scalar & 0x3F)
          case 0x800..<0x10000:
            put(0xE0 | scalar >> 12)
            put(0x80 | scalar >> 6 & 0x3F)
            put(0x80 | scalar & 0x3F)
          default:
            put(0xF0 | scalar >> 18)
            put(0x80 | scalar >> 12 & 0x3F)
            put(0x80 | scalar >> 6 & 0x3F)
            put(0x80 | scalar & 0x3F)
          }
        case let other: put(UInt32(other))
        }
        index += 2
      }
      return written
    }
  }
}
