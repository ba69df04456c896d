import CallsignSupport

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
  /// Any other number that a `Double` writes with the same digits, such as `0.30000000000000004`.
  case number(Double)
  /// A number with more digits or a bigger exponent, such as `12345678901234567.89`, as it was written.
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
    case .literal(let text): text.withNumberLiteral { $0.integer }
    default: nil
    }
  }

  /// The nearest `Double`, if it is a number and not too large.
  public var double: Double? {
    switch self {
    case .integer(let value): Double(value)
    case .number(let value): value
    case .literal(let text): text.withNumberLiteral { $0.double }
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
    try T(jsonBytes: jsonBytes(.compact))
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
    guard !literal.isInteger, let double = literal.double, literal.hasDigits(of: double) else {
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
    guard text.withNumberLiteral({ _ in true }) == true else {
      return fail("a number literal that is not a JSON number")
    }
    literal(text)
  }
}

extension JSONValue {
  /// The number that a whole text is, with all of its digits: also `.5` and `007`, which JSON does not allow; `nil` for another
  /// text, such as a hexadecimal one or one with white space.
  package init?(written text: String) {
    guard let double = Double(written: text) else { return nil }
    self = (try? JSONValue(jsonString: text)) ?? .number(double)
  }
}

extension String {
  /// Calls `body` with the number that the whole text is; `nil` if the text is not a JSON number.
  fileprivate func withNumberLiteral<Value>(_ body: (NumberLiteral) -> Value?) -> Value? {
    try? JSONReader.read(Array(utf8)) { (reader) throws(JSONError) in
      let literal = try reader.numberLiteral()
      return reader.offset == utf8.count ? body(literal) : nil
    }
  }
}

extension NumberLiteral {
  /// Whether the nearest `Double` is written as the same number.
  fileprivate func hasDigits(of double: Double) -> Bool {
    guard !isTruncated else { return false }
    // 15 digits survive the conversion to a Double and back, except very close to zero.
    if digits < 1_000_000_000_000_000, -22...22 ~= exponent { return true }
    return double.description.withNumberLiteral { $0.shortest == shortest } ?? false
  }

  /// The digits without the zeros at their end, and the power of ten to multiply them by.
  private var shortest: (digits: UInt64, exponent: Int) {
    var (digits, exponent) = (digits, exponent)
    while digits != 0, digits.isMultiple(of: 10) { (digits, exponent) = (digits / 10, exponent + 1) }
    return (digits, digits == 0 ? 0 : exponent)
  }
}

/// You can read any `Decoder` into a `JSONValue` and write a `JSONValue` to any `Encoder`. A number with more digits than a
/// `Double` or 64 bits hold passes as a `Decimal`, which `JSONEncoder` and `JSONDecoder` write and read as a number; beyond 38
/// digits `JSONDecoder` rounds. The runtime's own reading and writing keeps all digits.
extension JSONValue: Codable {
  /// Reads the value's JSON through any of Swift's decoders.
  public init(from decoder: any Decoder) throws {
    if let members = try? decoder.container(keyedBy: MemberKey.self) {
      let container = try decoder.singleValueContainer()
      if members.contains(MemberKey(stringValue: "mantissa")), let value = try? container.decode(Decimal.self),
        value.isFinite
      {
        // Coders of formats other than JSON write the members of a `Decimal`.
        self = .literal(value.description)
      } else {
        // A dictionary has no Swift keys that a coder's strategy would rename.
        self = .object(try container.decode([String: JSONValue].self))
      }
      return
    }
    if var container = try? decoder.unkeyedContainer() {
      var elements: [JSONValue] = []
      while !container.isAtEnd { elements.append(try container.decode(JSONValue.self)) }
      self = .array(elements)
      return
    }
    let container = try decoder.singleValueContainer()
    /// The number with more digits than it was decoded with. `JSONDecoder` drops what does not fit in the other types, even the
    /// fraction of `12345678901234567.89` as an `Int`; many other decoders have no decimals.
    func decimal(otherThan value: Decimal?) -> Decimal? {
      guard let value, let decimal = try? container.decode(Decimal.self), decimal != value else { return nil }
      return decimal
    }
    if container.decodeNil() {
      self = .null
    } else if let value = try? container.decode(Bool.self) {
      self = .bool(value)
    } else if let value = try? container.decode(Int.self), decimal(otherThan: Decimal(value)) == nil {
      self = .integer(value)
    } else if let value = try? container.decode(UInt64.self), decimal(otherThan: Decimal(value)) == nil {
      self = .literal(String(value))
    } else if let value = try? container.decode(Double.self) {
      self = decimal(otherThan: Decimal(exactly: value.description)).map { .literal($0.description) } ?? .number(value)
    } else {
      self = .string(try container.decode(String.self))
    }
  }

  /// Writes the value's JSON through any of Swift's encoders.
  ///
  /// - Throws: What the encoder throws, and `EncodingError` for a ``literal(_:)`` that a `Decimal` cannot hold exactly.
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
        if let value = UInt64(text) {
          try container.encode(value)
        } else if let value = Decimal(exactly: text) {
          try container.encode(value)
        } else {
          throw EncodingError.invalidValue(
            text,
            EncodingError.Context(
              codingPath: encoder.codingPath,
              debugDescription: "the number does not fit in a Decimal: write the value with jsonData() instead"))
        }
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
}
