import CallsignHTTP
import CallsignJSON
import Foundation

/// Takes members out of a stored token's object; what remains is what nobody knew. A member that is `null` is none.
struct TokenMemberReader {
  private(set) var members: [String: JSONValue]

  init(_ members: [String: JSONValue]) { self.members = members }

  mutating func text(_ name: String) throws(TokenStoreError) -> String? {
    switch members.removeValue(forKey: name) {
    case nil, .null: return nil
    case .string(let text): return text
    default: throw .damaged("has a `\(name)` that is no text")
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
    default: throw .damaged("has a `\(name)` that is no list")
    }
  }

  mutating func date(_ name: String) throws(TokenStoreError) -> Date? {
    guard let text = try text(name) else { return nil }
    // An offset can carry a date out of the years that can be written.
    guard let date = DateFormat.rfc3339.date(from: text), DateFormat.rfc3339.string(from: date) != nil else {
      throw .damaged("has a `\(name)` that is no date")
    }
    return date
  }

  /// A date in seconds since 1970.
  mutating func seconds(_ name: String) throws(TokenStoreError) -> Date? {
    switch members.removeValue(forKey: name) {
    case nil, .null: return nil
    case .some(let value):
      guard let date = value.double.map(Date.init(timeIntervalSince1970:)),
        DateFormat.rfc3339.string(from: date) != nil
      else { throw .damaged("has a `\(name)` that is no time in seconds") }
      return date
    }
  }
}
