import CallsignCatalogue
import CallsignJSON

extension ModelTable {
  /// A constant's text as a value of its type.
  package func constant(_ text: String, of type: TypeReference) -> JSONValue {
    switch resolved(type).kind {
    // Half of the values do not fit into an `Int`.
    case .scalar(.uint64): UInt64(text).flatMap { try? JSONValue(jsonString: String($0)) } ?? .string(text)
    case .scalar(.int), .scalar(.int32): Int(text).map { .integer($0) } ?? .string(text)
    case .scalar(.number): JSONValue(written: text) ?? .string(text)
    case .scalar(.bool): text == "true" ? true : text == "false" ? false : .string(text)
    case .named(let name) where self[name]?.isInteger == true: Int(text).map { .integer($0) } ?? .string(text)
    default: .string(text)
    }
  }

  /// Converts a value from a response to an argument of a type: an API may write a number as a text, or a text as a number, while
  /// the next call requires the other.
  func argument(_ value: JSONValue, of type: TypeReference) -> JSONValue {
    if let text = value.string { return constant(text, of: type) }
    let isText: Bool =
      switch resolved(type).kind {
      case .scalar(.string): true
      case .named(let name):
        if case .enumeration? = self[name]?.shape { self[name]?.isInteger == false } else { false }
      default: false
      }
    return isText ? value.tagText.map { .string($0) } ?? value : value
  }
}
