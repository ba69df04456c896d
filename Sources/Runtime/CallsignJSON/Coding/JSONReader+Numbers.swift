// Sound: each place is compared with `end` before it is read, and eight bytes are read at once only if there are eight.

/// A number of the text, checked against the grammar of RFC 8259 §6.
struct NumberLiteral {
  let start: UnsafePointer<UInt8>
  let count: Int
  /// Whether it has neither fraction nor exponent.
  let isInteger: Bool
  let isNegative: Bool
  /// All digits of integer and fraction as one number; meaningless if `isTruncated`.
  let digits: UInt64
  /// The power of ten to multiply `digits` by.
  let exponent: Int
  /// Whether `digits` had more places than 64 bits hold.
  let isTruncated: Bool

  var text: String { String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self) }

  /// The number, if it is whole and has 64 bits: `12`, and also `12.0` and `1.2e1`.
  var integer: Int? {
    guard !isTruncated else { return nil }
    var magnitude = digits
    if exponent < 0 {
      for _ in 0..<min(-exponent, 20) where magnitude != 0 {
        guard magnitude % 10 == 0 else { return nil }
        magnitude /= 10
      }
      guard magnitude == 0 || -exponent < 20 else { return nil }
    } else if exponent > 0, magnitude != 0 {
      guard exponent < 20 else { return nil }
      for _ in 0..<exponent {
        let (product, overflow) = magnitude.multipliedReportingOverflow(by: 10)
        guard !overflow else { return nil }
        magnitude = product
      }
    }
    if isNegative {
      return magnitude <= UInt64(Int.max) + 1 ? Int(truncatingIfNeeded: 0 &- magnitude) : nil
    }
    return Int(exactly: magnitude)
  }

  /// The nearest number of 64 bits; `nil` if it is too big for one.
  var double: Double? {
    if !isTruncated, digits <= 1 << 53, -22...22 ~= exponent {
      // Both factors are exact, so the one rounding of the result is the right one.
      let magnitude = Double(digits)
      let value =
        exponent < 0 ? magnitude / Self.powersOfTen[-exponent] : magnitude * Self.powersOfTen[exponent]
      return isNegative ? -value : value
    }
    guard let value = Double(text), value.isFinite else { return nil }
    return value
  }

  private static let powersOfTen: [Double] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20,
    1e21, 1e22,
  ]
}

extension Double {
  /// The number that a whole text is, in digits: neither hexadecimal nor infinite, nor none at all.
  package init?(written text: String) {
    let isDecimal = text.utf8.allSatisfy { byte in
      (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || "+-.eE".utf8.contains(byte)
    }
    guard isDecimal, text.utf8.first != UInt8(ascii: "+"), let value = Double(text), value.isFinite else { return nil }
    self = value
  }
}

extension JSONReader {
  /// Reads a whole number of 64 bits: a JSON number without a fraction, or a string of digits, which APIs send to
  /// clients whose numbers are inexact.
  ///
  /// - Throws: ``JSONError`` if the next value is not such a number, has more than 64 bits or is not valid JSON.
  public mutating func int() throws(JSONError) -> Int {
    guard cursor < end else { throw failure(.unexpectedEnd) }
    let begin = cursor
    if begin.pointee == UInt8(ascii: "\"") {
      let raw = try rawString()
      guard let value = Self.integer(raw) else {
        throw failure(.invalid(expected: "a whole number of 64 bits"), at: begin)
      }
      return value
    }
    if let value = shortInteger() { return value }
    guard Self.kind(of: begin.pointee) == .number else { throw unexpected("a whole number") }
    guard let value = try numberLiteral().integer else {
      throw failure(.invalid(expected: "a whole number of 64 bits"), at: begin)
    }
    return value
  }

  /// Reads a whole number of up to 18 digits without sign; `nil`, with nothing read, for all others.
  package mutating func shortInteger() -> Int? {
    var place = cursor
    var value = 0
    if end - place >= 8 {
      let word = UnsafeRawPointer(place).loadUnaligned(as: UInt64.self).littleEndian
      let count = Self.leadingDigits(in: word)
      if count > 0 {
        value = Self.number(ofDigits: word &<< UInt64(64 - 8 * count))
        place += count
      }
    }
    while place < end {
      let digit = place.pointee &- UInt8(ascii: "0")
      guard digit < 10 else { break }
      value = value &* 10 &+ Int(digit)
      place += 1
    }
    let count = place - cursor
    guard 1...18 ~= count, place < end, count == 1 || cursor.pointee != UInt8(ascii: "0") else { return nil }
    switch place.pointee {
    case UInt8(ascii: "."), UInt8(ascii: "e"), UInt8(ascii: "E"): return nil
    default:
      cursor = place
      return value
    }
  }

  /// The number of bytes of a word, the lowest first, that are digits.
  static func leadingDigits(in word: UInt64) -> Int {
    // The high half of a digit is 3, and stays so when 6 is added to it.
    let others =
      (word & 0xF0F0_F0F0_F0F0_F0F0 ^ 0x3030_3030_3030_3030)
      | (((word & 0x0F0F_0F0F_0F0F_0F0F) &+ 0x0606_0606_0606_0606) & 0xF0F0_F0F0_F0F0_F0F0)
    return others.trailingZeroBitCount &>> 3
  }

  /// The number of eight digits in a word, the first in its lowest byte. Bytes of zero count as the digit 0.
  static func number(ofDigits word: UInt64) -> Int {
    // Pairs, then fours, then all of them.
    var sum = word & 0x0F0F_0F0F_0F0F_0F0F
    sum = (sum &* 10 &+ sum &>> 8) & 0x00FF_00FF_00FF_00FF
    sum = (sum &* 100 &+ sum &>> 16) & 0x0000_FFFF_0000_FFFF
    return Int(truncatingIfNeeded: (sum &* 10_000 &+ sum &>> 32) & 0xFFFF_FFFF)
  }

  /// Reads a number: a JSON number, or a string that contains only a number, as ``int()`` does.
  ///
  /// - Throws: ``JSONError`` if the next value is not such a number, is too large for a `Double` or is not valid JSON.
  public mutating func number() throws(JSONError) -> Double {
    guard cursor < end, Self.kind(of: cursor.pointee) == .number else { return try writtenNumber() }
    let begin = cursor
    guard let value = try numberLiteral().double else {
      throw failure(.invalid(expected: "a number of 64 bits"), at: begin)
    }
    return value
  }

  /// Reads a number that is written as a string.
  private mutating func writtenNumber() throws(JSONError) -> Double {
    guard cursor < end, cursor.pointee == UInt8(ascii: "\"") else { throw unexpected(JSONKind.number.phrase) }
    let begin = cursor
    let raw = try rawString()
    guard !raw.hasEscapes, let value = Double(written: Self.decode(raw)) else {
      throw failure(.invalid(expected: JSONKind.number.phrase), at: begin)
    }
    return value
  }

  private static func integer(_ raw: RawString) -> Int? {
    guard !raw.hasEscapes, raw.count > 0, raw.start[0] != UInt8(ascii: "+") else { return nil }
    return Int(decode(raw))
  }

  /// Moves past the number that begins here.
  mutating func numberLiteral() throws(JSONError) -> NumberLiteral {
    let begin = cursor
    var digits: UInt64 = 0
    var isTruncated = false
    let isNegative = take(UInt8(ascii: "-"))
    func digit(_ place: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>) -> UInt64? {
      guard place < end else { return nil }
      let value = place.pointee &- UInt8(ascii: "0")
      return value < 10 ? UInt64(value) : nil
    }
    func add(_ value: UInt64) {
      let (product, overflow) = digits.multipliedReportingOverflow(by: 10)
      let (sum, carry) = product.addingReportingOverflow(value)
      if overflow || carry { isTruncated = true } else { digits = sum }
    }

    guard let first = digit(cursor, end) else { throw syntaxFailure("a number needs a digit here") }
    cursor += 1
    digits = first
    while let value = digit(cursor, end) {
      guard first != 0 else { throw failure(.syntax(reason: "a number can't begin with a zero and more digits")) }
      add(value)
      cursor += 1
    }
    var isInteger = true
    var exponent = 0
    if take(UInt8(ascii: ".")) {
      isInteger = false
      guard digit(cursor, end) != nil else { throw syntaxFailure("a number needs a digit after its point") }
      while let value = digit(cursor, end) {
        add(value)
        exponent -= 1
        cursor += 1
      }
    }
    if cursor < end, cursor.pointee | 0x20 == UInt8(ascii: "e") {
      isInteger = false
      cursor += 1
      let isNegativeExponent = take(UInt8(ascii: "-"))
      if !isNegativeExponent { _ = take(UInt8(ascii: "+")) }
      guard digit(cursor, end) != nil else { throw syntaxFailure("a number needs a digit in its exponent") }
      var written = 0
      while let value = digit(cursor, end) {
        // Beyond this any number is zero or infinite; the limit keeps the sum from overflowing.
        written = min(written * 10 + Int(value), 1_000_000)
        cursor += 1
      }
      exponent += isNegativeExponent ? -written : written
    }
    return NumberLiteral(
      start: begin, count: cursor - begin, isInteger: isInteger, isNegative: isNegative, digits: digits,
      exponent: exponent, isTruncated: isTruncated)
  }
}
