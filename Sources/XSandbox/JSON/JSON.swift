import Foundation

/// A JSON value of this module's own: what bodies are read into, and what answers are built from.
enum JSON: Sendable, Equatable {
  case null
  case boolean(Bool)
  case integer(Int)
  case number(Double)
  case string(String)
  case array([JSON])
  case object([String: JSON])

  subscript(member: String) -> JSON? {
    guard case .object(let members) = self else { return nil }
    return members[member]
  }

  var string: String? {
    guard case .string(let value) = self else { return nil }
    return value
  }

  var boolean: Bool? {
    guard case .boolean(let value) = self else { return nil }
    return value
  }

  /// The name that JSON Schema validators use in their messages.
  var typeName: String {
    switch self {
    case .null: "null"
    case .boolean: "boolean"
    case .integer: "integer"
    case .number: "number"
    case .string: "string"
    case .array: "array"
    case .object: "object"
    }
  }
}

extension JSON: ExpressibleByStringLiteral, ExpressibleByStringInterpolation, ExpressibleByBooleanLiteral,
  ExpressibleByIntegerLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  init(stringLiteral value: String) { self = .string(value) }
  init(booleanLiteral value: Bool) { self = .boolean(value) }
  init(integerLiteral value: Int) { self = .integer(value) }
  init(arrayLiteral elements: JSON...) { self = .array(elements) }
  init(dictionaryLiteral elements: (String, JSON)...) {
    self = .object(Dictionary(elements, uniquingKeysWith: { _, last in last }))
  }
}
