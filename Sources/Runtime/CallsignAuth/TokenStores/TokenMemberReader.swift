import CallsignHTTP
import CallsignJSON
import CallsignSupport

/// Takes members out of a stored token's object; unknown members remain. `null` counts as missing.
struct TokenMemberReader {
  private(set) var members: [String: JSONValue]

  init(_ members: [String: JSONValue]) { self.members = members }

  mutating func text(_ name: String) throws(TokenStoreError) -> String? {
    switch members.removeValue(forKey: name) {
    case nil, .null: return nil
    case .string(let text): return text
    default: throw .damaged("has a `\(name)` that is not a text")
    }
  }

  mutating func secret(_ name: String) throws(TokenStoreError) -> Secret? {
    guard let text = try text(name) else { return nil }
    guard !text.isEmpty else { throw .damaged("has an empty `\(name)`") }
    return Secret(text)
  }

  mutating func texts(_ name: String) throws(TokenStoreError) -> Set<String>? {
    switch members.removeValue(forKey: name) {
    case nil, .null: return nil
    case .array(let values):
      let texts = values.compactMap(\.string)
      guard texts.count == values.count else { throw .damaged("has a `\(name)` with something other than texts in it") }
      return Set(texts)
    default: throw .damaged("has a `\(name)` that is not a list")
    }
  }

  mutating func textsByName(_ name: String) throws(TokenStoreError) -> [String: String] {
    switch members.removeValue(forKey: name) {
    case nil, .null: return [:]
    case .object(let values):
      let texts = values.compactMapValues(\.string)
      guard texts.count == values.count else { throw .damaged("has `\(name)` with something other than texts in it") }
      return texts
    default: throw .damaged("has `\(name)` that are not an object")
    }
  }

  mutating func date(_ name: String) throws(TokenStoreError) -> Date? {
    guard let text = try text(name) else { return nil }
    // An offset can carry a date out of the years that can be written.
    guard let date = DateFormat.rfc3339.date(from: text), DateFormat.rfc3339.string(from: date) != nil else {
      throw .damaged("has a `\(name)` that is not a date")
    }
    return date
  }

  /// A number that is not negative.
  mutating func number(_ name: String) throws(TokenStoreError) -> Double? {
    switch members.removeValue(forKey: name) {
    case nil, .null: return nil
    case .some(let value):
      guard let number = value.double, number >= 0 else { throw .damaged("has a `\(name)` that is not a number") }
      return number
    }
  }
}
