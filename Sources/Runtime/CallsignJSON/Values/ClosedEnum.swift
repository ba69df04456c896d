/// An enum of texts or whole numbers that an API does not extend, so that a `switch` over it needs no default. Another
/// value cannot be read: an optional member is then absent, which is reported.
public protocol ClosedEnum: JSONCodable, RawRepresentable, CaseIterable, Sendable where RawValue: JSONCodable {}

extension ClosedEnum {
  /// Reads one value at the reader's position.
  public init(json reader: inout JSONReader) throws(JSONError) {
    let begin = reader.cursor
    guard let value = Self(rawValue: try RawValue(json: &reader)) else {
      let known = Self.allCases.prefix(8).map { "\($0.rawValue)" }.joined(separator: ", ")
      throw reader.failure(.invalid(expected: "one of \(known)"), at: begin)
    }
    self = value
  }

  /// Writes exactly one value.
  public func write(json writer: inout JSONWriter) { rawValue.write(json: &writer) }
}
