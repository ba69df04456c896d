extension JSONValue: JSONCodable {
  /// Reads one value at the reader's position.
  public init(json reader: inout JSONReader) throws(JSONError) {
    switch try reader.kind() {
    case .null:
      try reader.literal("null")
      self = .null
    case .bool: self = .bool(try reader.bool())
    case .number: self = Self.number(try reader.numberLiteral())
    case .string: self = .string(try reader.string())
    case .array: self = .array(try reader.list(of: JSONValue.self))
    case .object: self = .object(try reader.map(of: JSONValue.self))
    }
  }

  private static func number(_ literal: NumberLiteral) -> JSONValue {
    if literal.isInteger, let integer = literal.integer {
      // There is no negative zero among integers.
      return integer == 0 && literal.isNegative ? .number(-0.0) : .integer(integer)
    }
    // 17 digits always survive the way through a Double and back as far as they were meaningful.
    let isShort = !literal.isTruncated && literal.digits < 100_000_000_000_000_000
    guard !literal.isInteger, isShort, let double = literal.double, double != 0 || literal.digits == 0 else {
      return .literal(literal.text)
    }
    return .number(double)
  }

  /// Writes exactly one value.
  public func write(json writer: inout JSONWriter) {
    switch self {
    case .null: writer.null()
    case .bool(let value): writer.bool(value)
    case .integer(let value): writer.int(value)
    case .number(let value): writer.number(value)
    case .literal(let text): writer.numberLiteral(text)
    case .string(let value): writer.string(value)
    case .array(let value): value.write(json: &writer)
    case .object(let value): value.write(json: &writer)
    }
  }
}

extension JSONWriter {
  /// Writes a number as it is spelled, if it is one.
  fileprivate mutating func numberLiteral(_ text: String) {
    let isNumber = text.utf8.withContiguousStorageIfAvailable { utf8 in
      var reader = JSONReader(UnsafeRawBufferPointer(utf8))
      guard (try? reader.numberLiteral()) != nil else { return false }
      return reader.offset == utf8.count
    }
    guard isNumber ?? (Double(text) != nil) else { return fail("a number literal that is not a JSON number") }
    literal(text)
  }
}
