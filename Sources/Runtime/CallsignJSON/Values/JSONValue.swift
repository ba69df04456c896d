// Sound: no reader leaves the closure that gets the bytes.

/// Any JSON value.
///
/// ```swift
/// let value: JSONValue = ["id": "20", "counts": [1, 2.5, nil]]
/// value["counts"]?[0]?.int        // 1
/// value.id?.string                // "20"
/// ```
///
/// `1` and `1.0` are different values, because they are different texts: one is an ``integer(_:)``, the other a
/// ``number(_:)``.
@dynamicMemberLookup
public enum JSONValue: Sendable, Hashable {
  /// `null`.
  case null
  /// `true` or `false`.
  case bool(Bool)
  /// A number without fraction and exponent that fits in 64 bits.
  case integer(Int)
  /// Any other number that a `Double` holds to the 17th digit.
  case number(Double)
  /// A number with more digits or a bigger exponent, as it was written.
  case literal(String)
  /// A string, without its escapes.
  case string(String)
  /// An array.
  case array([JSONValue])
  /// An object.
  case object([String: JSONValue])

  /// The kind of JSON value.
  public var kind: JSONKind {
    switch self {
    case .null: .null
    case .bool: .bool
    case .integer, .number, .literal: .number
    case .string: .string
    case .array: .array
    case .object: .object
    }
  }

  /// Whether this is `null`.
  public var isNull: Bool { self == .null }

  /// `true` or `false`, if it is one of them.
  public var bool: Bool? { if case .bool(let value) = self { value } else { nil } }

  /// The text, if it is a string.
  public var string: String? { if case .string(let value) = self { value } else { nil } }

  /// The number, if it is a whole number that fits in 64 bits.
  public var int: Int? {
    switch self {
    case .integer(let value): value
    case .number(let value): Int(exactly: value)
    default: nil
    }
  }

  /// The nearest `Double`, if it is a number and not too large.
  public var double: Double? {
    switch self {
    case .integer(let value): Double(value)
    case .number(let value): value
    case .literal(let text): Double(text).flatMap { $0.isFinite ? $0 : nil }
    default: nil
    }
  }

  /// The elements, if it is an array.
  public var array: [JSONValue]? { if case .array(let value) = self { value } else { nil } }

  /// The members, if it is an object.
  public var object: [String: JSONValue]? { if case .object(let value) = self { value } else { nil } }

  /// The member with that name; `nil` if there is none or this is not an object.
  public subscript(name: String) -> JSONValue? { object?[name] }

  /// The element at that index; `nil` if there is none or this is not an array.
  public subscript(index: Int) -> JSONValue? {
    guard let array, array.indices.contains(index) else { return nil }
    return array[index]
  }

  /// The member with that name; `nil` if there is none or this is not an object.
  public subscript(dynamicMember name: String) -> JSONValue? { self[name] }

  /// Reads this value as another type.
  ///
  /// - Throws: ``JSONError`` with the path of the mismatch; byte offsets count in the compact text.
  public func decode<T: JSONCodable>(_: T.Type = T.self) throws(JSONError) -> T {
    let bytes = try jsonBytes(.compact)
    return try bytes.withUnsafeBytes { bytes in
      Result { () throws(JSONError) in try T(jsonBytes: bytes) }
    }.get()
  }

  /// Reads this value as another type, as far as it can be read; see ``JSONCodable/init(jsonData:issues:)``.
  ///
  /// - Parameters:
  ///   - type: The type.
  ///   - issues: Receives the skipped parts; byte offsets count in the compact text.
  /// - Throws: ``JSONError`` if no part is left that could be skipped.
  public func decode<T: JSONCodable>(
    _ type: T.Type = T.self, issues: inout [DecodingIssue]
  ) throws(JSONError) -> T {
    try T(jsonData: try jsonData(), issues: &issues)
  }
}

extension JSONValue: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByFloatLiteral, ExpressibleByStringLiteral, ExpressibleByStringInterpolation, ExpressibleByArrayLiteral,
  ExpressibleByDictionaryLiteral
{
  /// Takes a literal.
  public init(nilLiteral: ()) { self = .null }
  /// Takes a literal.
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  /// Takes a literal.
  public init(integerLiteral value: Int) { self = .integer(value) }
  /// Takes a literal.
  public init(floatLiteral value: Double) { self = .number(value) }
  /// Takes a literal.
  public init(stringLiteral value: String) { self = .string(value) }
  /// Takes a literal.
  public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
  /// If several members have the same name, the last one wins.
  public init(dictionaryLiteral elements: (String, JSONValue)...) {
    self = .object(Dictionary(elements, uniquingKeysWith: { $1 }))
  }
}

/// The compact JSON text; a value that has none becomes `null`.
extension JSONValue: CustomStringConvertible {
  /// One line for people, without line breaks.
  public var description: String {
    var writer = JSONWriter()
    write(json: &writer)
    return String(decoding: writer.bytes, as: UTF8.self)
  }
}

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
      // Integers have no negative zero.
      return integer == 0 && literal.isNegative ? .number(-0.0) : .integer(integer)
    }
    // 17 digits survive the conversion to a Double and back as far as they were significant.
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
    case .number(let value): writer.real(value)
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

/// You can read any `Decoder` into a `JSONValue` and write a `JSONValue` to any `Encoder`. Numbers beyond 64 bits then
/// pass through `Double`; the runtime's own reading and writing keeps them.
extension JSONValue: Codable {
  /// Reads the value's JSON through any of Swift's decoders.
  public init(from decoder: any Decoder) throws {
    if (try? decoder.container(keyedBy: MemberKey.self)) != nil {
      // A dictionary has no Swift keys that a coder's strategy would rename.
      self = .object(try decoder.singleValueContainer().decode([String: JSONValue].self))
      return
    }
    if var container = try? decoder.unkeyedContainer() {
      var elements: [JSONValue] = []
      while !container.isAtEnd { elements.append(try container.decode(JSONValue.self)) }
      self = .array(elements)
      return
    }
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let value = try? container.decode(Bool.self) {
      self = .bool(value)
    } else if let value = try? container.decode(Int.self) {
      self = .integer(value)
    } else if let value = try? container.decode(UInt64.self) {
      self = .literal(String(value))
    } else if let value = try? container.decode(Double.self) {
      self = .number(value)
    } else {
      self = .string(try container.decode(String.self))
    }
  }

  /// Writes the value's JSON through any of Swift's encoders.
  public func encode(to encoder: any Encoder) throws {
    switch self {
    case .object(let members):
      // As a dictionary, whose names no strategy changes.
      var container = encoder.singleValueContainer()
      try container.encode(members)
    case .array(let elements):
      var container = encoder.unkeyedContainer()
      for element in elements { try container.encode(element) }
    default:
      var container = encoder.singleValueContainer()
      switch self {
      case .bool(let value): try container.encode(value)
      case .integer(let value): try container.encode(value)
      case .number(let value): try container.encode(value)
      case .string(let value): try container.encode(value)
      case .literal(let text):
        if let value = UInt64(text) { try container.encode(value) } else { try container.encode(double) }
      case .null, .array, .object: try container.encodeNil()
      }
    }
  }

  private struct MemberKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { return nil }
  }
}

/// How models, open enums and unions conform to `Codable`: through ``JSONValue``, with the names and formats of the
/// wire, whatever strategies the coder uses.
extension JSONCodable {
  package func encode(through encoder: any Encoder) throws {
    try JSONValue(jsonBytes: jsonBytes(.compact)).encode(to: encoder)
  }

  package init(through decoder: any Decoder) throws {
    let value = try JSONValue(from: decoder)
    do throws(JSONError) {
      self = try value.decode()
    } catch {
      throw DecodingError.dataCorrupted(
        DecodingError.Context(
          codingPath: decoder.codingPath, debugDescription: error.description, underlyingError: error))
    }
  }

  package init(jsonBytes bytes: [UInt8]) throws(JSONError) {
    self = try bytes.withUnsafeBytes { bytes in
      Result { () throws(JSONError) in try Self(jsonBytes: bytes) }
    }.get()
  }
}
