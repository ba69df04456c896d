/// A value, or JSON `null` said on purpose.
///
/// In an optional argument or property, `nil`, `.null` and a value are three different things: left out, cleared, set.
/// Literals can be given as they are: `nickname: "Rex"`.
public enum Nullable<Value> {
  /// JSON `null`.
  case null
  /// A value.
  case value(Value)

  /// The value, or `nil` for null.
  public var value: Value? {
    switch self {
    case .null: nil
    case .value(let value): value
    }
  }

  /// Whether this is null.
  public var isNull: Bool { value == nil }

  /// A value, not null.
  public init(_ value: Value) { self = .value(value) }

  /// Null stays null; a value is transformed.
  public func map<Other>(_ transform: (Value) throws -> Other) rethrows -> Nullable<Other> {
    switch self {
    case .null: .null
    case .value(let value): .value(try transform(value))
    }
  }
}

extension Nullable: Sendable where Value: Sendable {}
extension Nullable: Equatable where Value: Equatable {}
extension Nullable: Hashable where Value: Hashable {}

extension Nullable: JSONCodable where Value: JSONCodable {
  /// Reads one value at the reader's position.
  public init(json reader: inout JSONReader) throws(JSONError) {
    self = try reader.null() ? .null : .value(try reader.value(Value.self))
  }

  /// Writes exactly one value.
  public func write(json writer: inout JSONWriter) {
    switch self {
    case .null: writer.null()
    case .value(let value): value.write(json: &writer)
    }
  }
}

extension Nullable: ExpressibleByUnicodeScalarLiteral where Value: ExpressibleByUnicodeScalarLiteral {
  /// Takes a literal.
  public init(unicodeScalarLiteral value: Value.UnicodeScalarLiteralType) {
    self = .value(Value(unicodeScalarLiteral: value))
  }
}

extension Nullable: ExpressibleByExtendedGraphemeClusterLiteral
where Value: ExpressibleByExtendedGraphemeClusterLiteral {
  /// Takes a literal.
  public init(extendedGraphemeClusterLiteral value: Value.ExtendedGraphemeClusterLiteralType) {
    self = .value(Value(extendedGraphemeClusterLiteral: value))
  }
}

extension Nullable: ExpressibleByStringLiteral where Value: ExpressibleByStringLiteral {
  /// Takes a literal.
  public init(stringLiteral value: Value.StringLiteralType) { self = .value(Value(stringLiteral: value)) }
}

extension Nullable: ExpressibleByIntegerLiteral where Value: ExpressibleByIntegerLiteral {
  /// Takes a literal.
  public init(integerLiteral value: Value.IntegerLiteralType) { self = .value(Value(integerLiteral: value)) }
}

extension Nullable: ExpressibleByFloatLiteral where Value: ExpressibleByFloatLiteral {
  /// Takes a literal.
  public init(floatLiteral value: Value.FloatLiteralType) { self = .value(Value(floatLiteral: value)) }
}

extension Nullable: ExpressibleByBooleanLiteral where Value: ExpressibleByBooleanLiteral {
  /// Takes a literal.
  public init(booleanLiteral value: Value.BooleanLiteralType) { self = .value(Value(booleanLiteral: value)) }
}
