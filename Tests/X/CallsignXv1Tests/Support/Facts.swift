import Foundation

/// The facts in a JSON document, apart from the order of members, white space, and members that are null.
enum Facts {
  /// Equal texts for documents that say the same. Parsed without Callsign.
  static func text(_ json: Data) throws -> String {
    let value = try JSONSerialization.jsonObject(with: json, options: .fragmentsAllowed)
    let data = try JSONSerialization.data(
      withJSONObject: withoutNulls(value), options: [.sortedKeys, .fragmentsAllowed])
    return String(decoding: data, as: UTF8.self)
  }

  private static func withoutNulls(_ value: Any) -> Any {
    if let members = value as? [String: Any] {
      return members.filter { !($0.value is NSNull) }.mapValues(withoutNulls)
    }
    if let elements = value as? [Any] { return elements.map(withoutNulls) }
    return value
  }
}
