import CallsignSupport

// Types that JSON does not have, and that APIs write as texts or numbers of a certain format.

extension JSONReader {
  /// Reads a string and converts it to a value.
  ///
  /// - Throws: ``JSONError`` that names the expected kind, if the text is something else.
  mutating func text<Value>(
    expecting phrase: String, _ value: (String) -> Value?
  ) throws(JSONError) -> Value {
    let begin = cursor
    let text = try string(expecting: phrase)
    guard let value = value(text) else { throw failure(.invalid(expected: phrase), at: begin) }
    return value
  }

  /// Whether a string is next.
  fileprivate var isAtString: Bool { cursor < end && cursor.pointee == UInt8(ascii: "\"") }
}

/// A whole number of 32 bits.
extension Int32: JSONCodable {
  /// Reads one value at the reader's position. A string of digits is also accepted.
  public init(json reader: inout JSONReader) throws(JSONError) {
    let begin = reader.cursor
    guard let value = Int32(exactly: try reader.int()) else {
      throw reader.failure(.invalid(expected: "a whole number of 32 bits"), at: begin)
    }
    self = value
  }

  /// Writes exactly one value.
  public func write(json writer: inout JSONWriter) { writer.int(Int(self)) }
}

/// A whole number of 64 bits that is never negative.
extension UInt64: JSONCodable {
  /// Reads one value at the reader's position, with all of its digits. A string of digits is also accepted.
  public init(json reader: inout JSONReader) throws(JSONError) {
    let phrase = "a whole number from 0 to 18446744073709551615"
    if reader.isAtString {
      self = try reader.text(expecting: phrase) { UInt64($0) }
      return
    }
    let begin = reader.cursor
    guard begin < reader.end, JSONReader.kind(of: begin.pointee) == .number else { throw reader.unexpected(phrase) }
    guard let value = UInt64(try reader.numberLiteral().text) else {
      throw reader.failure(.invalid(expected: phrase), at: begin)
    }
    self = value
  }

  /// Writes exactly one value.
  public func write(json writer: inout JSONWriter) { writer.literal(String(self)) }
}

/// The text of a URL or of a relative reference (RFC 3986).
extension URL: JSONCodable {
  /// Reads one value at the reader's position. Characters that are invalid in a URL are percent-encoded.
  public init(json reader: inout JSONReader) throws(JSONError) {
    self = try reader.text(expecting: "a URL") { URL(string: $0) }
  }

  /// Writes exactly one value.
  public func write(json writer: inout JSONWriter) { writer.string(absoluteString) }
}

/// The text of a UUID (RFC 9562 §4), written in lower case.
extension UUID: JSONCodable {
  /// Reads one value at the reader's position. The 32 digits without hyphens are also accepted.
  public init(json reader: inout JSONReader) throws(JSONError) {
    self = try reader.text(expecting: "a UUID") { UUID(lenient: $0) }
  }

  /// Writes exactly one value.
  public func write(json writer: inout JSONWriter) { writer.string(uuidString.lowercased()) }

  private init?(lenient text: String) {
    var text = text
    // Among ASCII only, a place counts as many characters as bytes.
    if text.utf8.count == 32, text.utf8.allSatisfy({ JSONReader.hexadecimalDigit($0) != nil }) {
      for offset in [8, 13, 18, 23] { text.insert("-", at: text.index(text.startIndex, offsetBy: offset)) }
    }
    self.init(uuidString: text)
  }
}

/// A decimal number, read and written digit by digit, so that amounts of money are never rounded: a number with more digits than
/// a `Decimal` holds is refused. Written as a JSON number; a model reads and writes its members that are texts.
extension Decimal: JSONCodable {
  /// Reads one value at the reader's position: a JSON number, or a string with one.
  public init(json reader: inout JSONReader) throws(JSONError) {
    let phrase = "a decimal number"
    if reader.isAtString {
      self = try reader.text(expecting: phrase) { Decimal(exactly: $0) }
      return
    }
    let begin = reader.cursor
    guard begin < reader.end, JSONReader.kind(of: begin.pointee) == .number else { throw reader.unexpected(phrase) }
    guard let value = Decimal(exactly: try reader.numberLiteral().text) else {
      throw reader.failure(.invalid(expected: phrase), at: begin)
    }
    self = value
  }

  /// Writes exactly one value. A decimal that is not a number is remembered as the writer's failure.
  public func write(json writer: inout JSONWriter) {
    guard isFinite else { return writer.fail("a decimal that is not a number cannot be written as JSON") }
    writer.literal(description)
  }

  /// The number that the whole text represents; `nil` for another text, for a number out of range, and for one with more digits
  /// than fit: all numbers of up to 38 digits do.
  init?(exactly text: String) {
    var hasDigits = false
    var isInExponent = false
    var hasPoint = false
    var previous: UInt8 = 0
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): hasDigits = true
      case UInt8(ascii: "-"), UInt8(ascii: "+"):
        guard previous == 0 || previous | 0x20 == UInt8(ascii: "e") else { return nil }
      case UInt8(ascii: "."):
        guard !hasPoint, !isInExponent else { return nil }
        hasPoint = true
      case UInt8(ascii: "e"), UInt8(ascii: "E"):
        guard hasDigits, !isInExponent else { return nil }
        isInExponent = true
        hasDigits = false
      default: return nil
      }
      previous = byte
    }
    guard hasDigits, let value = Decimal(string: text, locale: Locale(identifier: "en_US_POSIX")), value.isFinite
    else { return nil }
    // Foundation drops the digits that do not fit.
    guard text.utf8.count <= 38 || Self.significantDigits(text) == Self.significantDigits(value.description) else {
      return nil
    }
    self = value
  }

  /// The digits of a number's text from the last to the first, without its exponent and without the zeros at both ends.
  private static func significantDigits(_ text: String) -> [UInt8] {
    let digits = text.utf8.prefix { $0 | 0x20 != UInt8(ascii: "e") }.filter { $0 >= UInt8(ascii: "0") }
    return Array(digits.drop { $0 == UInt8(ascii: "0") }.reversed().drop { $0 == UInt8(ascii: "0") })
  }
}

/// A decimal number that the API writes as a text, for a call's arguments.
public struct DecimalText: JSONCodable, Sendable, Hashable {
  /// The number.
  public let value: Decimal

  /// Keeps a number.
  public init(_ value: Decimal) { self.value = value }

  /// Reads one value at the reader's position.
  public init(json reader: inout JSONReader) throws(JSONError) { value = try Decimal(json: &reader) }

  /// Writes exactly one value.
  public func write(json writer: inout JSONWriter) {
    guard value.isFinite else { return writer.fail("a decimal that is not a number cannot be written") }
    writer.string(value.description)
  }
}

/// Bytes that the API writes as base64url without padding (RFC 4648 §5), for a call's arguments.
public struct Base64URLText: JSONCodable, Sendable, Hashable {
  /// The bytes.
  public let value: Data

  /// Keeps bytes.
  public init(_ value: Data) { self.value = value }

  /// Reads one value at the reader's position, in base64url or base64, padded or not.
  public init(json reader: inout JSONReader) throws(JSONError) { value = try Data(json: &reader) }

  /// Writes exactly one value.
  public func write(json writer: inout JSONWriter) { writer.string(text) }

  /// The bytes as base64url.
  package var text: String {
    let characters = value.base64EncodedString().compactMap { character -> Character? in
      switch character {
      case "+": "-"
      case "/": "_"
      case "=": nil
      default: character
      }
    }
    return String(characters)
  }
}

/// A date in the API's own format, for a call's arguments.
public struct FormattedDate: JSONCodable, Sendable, Hashable {
  /// The date.
  public let value: Date
  /// The format that it is written in.
  public let format: DateFormat

  /// Keeps a date and its format.
  public init(_ value: Date, _ format: DateFormat) {
    self.value = value
    self.format = format
  }

  /// Reads one value at the reader's position, as a date of no known format.
  public init(json reader: inout JSONReader) throws(JSONError) { self.init(try Date(json: &reader), .rfc3339) }

  /// Writes exactly one value. A date that the format cannot represent is remembered as the writer's failure.
  public func write(json writer: inout JSONWriter) { writer.date(value, format) }
}

/// A length of time in ISO 8601 format; a model reads and writes its members with another format.
extension Duration: JSONCodable {
  /// Reads one value at the reader's position. A number of seconds is also accepted.
  public init(json reader: inout JSONReader) throws(JSONError) { self = try reader.duration(.iso8601) }
  /// Writes exactly one value.
  public func write(json writer: inout JSONWriter) { writer.duration(self, .iso8601) }
}

/// A length of time in the API's own format, for a call's arguments.
public struct FormattedDuration: JSONCodable, Sendable, Hashable {
  /// The length of time.
  public let value: Duration
  /// The format that it is written in.
  public let format: DurationFormat

  /// Keeps a length of time and its format.
  public init(_ value: Duration, _ format: DurationFormat) {
    self.value = value
    self.format = format
  }

  /// Reads one value at the reader's position, in ISO 8601 format.
  public init(json reader: inout JSONReader) throws(JSONError) {
    self.init(try reader.duration(.iso8601), .iso8601)
  }

  /// Writes exactly one value.
  public func write(json writer: inout JSONWriter) { writer.duration(value, format) }
}

extension JSONReader {
  /// Reads a length of time: a string in the format, or a number, of milliseconds or of seconds.
  public mutating func duration(_ format: DurationFormat = .iso8601) throws(JSONError) -> Duration {
    if isAtString {
      return try text(expecting: format.phrase) { text in
        format.duration(from: text) ?? (format == .iso8601 ? DurationFormat.protobuf.duration(from: text) : nil)
      }
    }
    let begin = cursor
    guard begin < end, Self.kind(of: begin.pointee) == .number else { throw unexpected(format.phrase) }
    let numeric: DurationFormat = format == .milliseconds ? .milliseconds : .seconds
    guard let value = numeric.duration(from: try numberLiteral().text) else {
      throw failure(.invalid(expected: format.phrase), at: begin)
    }
    return value
  }
}

extension JSONWriter {
  /// Writes a length of time.
  public mutating func duration(_ value: Duration, _ format: DurationFormat = .iso8601) {
    let text = format.string(from: value)
    if format.isNumeric { literal(text) } else { string(text) }
  }
}
