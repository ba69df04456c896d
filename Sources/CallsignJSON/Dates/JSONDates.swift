import Foundation

extension JSONReader {
  /// Reads a date; in the formats that are numbers, a string of digits is accepted too.
  public mutating func date(_ format: DateFormat = .rfc3339) throws(JSONError) -> Date {
    let begin = cursor
    if format.isNumeric, cursor < end, cursor.pointee != UInt8(ascii: "\"") {
      let number = try number()
      guard let date = format.date(from: number) else { throw failure(.invalid(expected: format.phrase), at: begin) }
      return date
    }
    guard cursor < end, cursor.pointee == UInt8(ascii: "\"") else { throw unexpected(format.phrase) }
    let raw = try rawString()
    let date =
      raw.hasEscapes
      ? format.date(from: Self.decode(raw))
      : format.date(fromUTF8: UnsafeBufferPointer(start: raw.start, count: raw.count))
    guard let date else { throw failure(.invalid(expected: format.phrase), at: begin) }
    return date
  }
}

extension JSONWriter {
  /// Writes a date. One that the format can't say is remembered in ``failure``.
  public mutating func date(_ value: Date, _ format: DateFormat = .rfc3339) {
    if isExact { return number(value.timeIntervalSinceReferenceDate) }
    guard let text = format.string(from: value) else { return fail("the date can't be written as \(format.phrase)") }
    if format.isNumeric { literal(text) } else { string(text) }
  }
}

/// As RFC 3339 says; members of models with another format are read and written by their models.
extension Date: JSONCodable {
  /// Reads one value at the reader's position.
  public init(json reader: inout JSONReader) throws(JSONError) { self = try reader.date() }
  /// Writes exactly one value.
  public func write(json writer: inout JSONWriter) { writer.date(self) }
}
