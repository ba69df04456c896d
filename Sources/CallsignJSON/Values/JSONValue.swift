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
  case null
  case bool(Bool)
  /// A number without fraction and exponent that 64 bits hold.
  case integer(Int)
  /// Any other number that a `Double` holds to the 17th digit.
  case number(Double)
  /// A number with more digits or a bigger exponent, as it was written.
  case literal(String)
  case string(String)
  case array([JSONValue])
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

  /// The number, if it is one that is whole and has 64 bits.
  public var int: Int? {
    switch self {
    case .integer(let value): value
    case .number(let value): Int(exactly: value)
    default: nil
    }
  }

  /// The nearest `Double`, if it is a number and not too big for one.
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

  /// The member of that name; `nil` if there is none or this is no object.
  public subscript(name: String) -> JSONValue? { object?[name] }

  /// The element at that index; `nil` if there is none or this is no array.
  public subscript(index: Int) -> JSONValue? {
    guard let array, array.indices.contains(index) else { return nil }
    return array[index]
  }

  /// The member of that name; `nil` if there is none or this is no object.
  public subscript(dynamicMember name: String) -> JSONValue? { self[name] }

  /// Reads this value as another type.
  ///
  /// - Throws: ``JSONError`` with the path of what doesn't fit; byte offsets count in the compact text.
  public func decode<T: JSONCodable>(_: T.Type = T.self) throws(JSONError) -> T {
    let bytes = try jsonBytes(.compact)
    return try bytes.withUnsafeBytes { bytes in
      Result { () throws(JSONError) in try T(jsonBytes: bytes) }
    }.get()
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
  /// The last of several members of one name wins.
  public init(dictionaryLiteral elements: (String, JSONValue)...) {
    self = .object(Dictionary(elements, uniquingKeysWith: { $1 }))
  }
}

/// The compact JSON text; what has none is `null` in it.
extension JSONValue: CustomStringConvertible {
  /// One line for people, without line breaks.
  public var description: String {
    var writer = JSONWriter()
    write(json: &writer)
    return String(decoding: writer.bytes, as: UTF8.self)
  }
}
