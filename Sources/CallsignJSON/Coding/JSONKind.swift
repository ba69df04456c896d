/// The kinds of JSON values (RFC 8259 §3).
public enum JSONKind: String, Hashable, Sendable, CaseIterable {
  case null, bool, number, string, array, object

  /// For error texts: `a string`.
  var phrase: String {
    switch self {
    case .null: "null"
    case .bool: "true or false"
    case .number: "a number"
    case .string: "a string"
    case .array: "an array"
    case .object: "an object"
    }
  }
}
