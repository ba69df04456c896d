import CallsignHTTP

/// The pairs of `application/x-www-form-urlencoded`, decoded one by one, in their order.
///
/// A pair that cannot be decoded has no value, and does not affect the others: usually nobody needs it.
package struct FormFields: Sendable, Hashable {
  struct Pair: Sendable, Hashable {
    let name: String
    /// `nil` if it has a broken escape, a character that no such text has, or bytes that are not UTF-8.
    let value: String?
  }

  let pairs: [Pair]
  /// Whether every name and value could be decoded.
  let isReadable: Bool

  package init(_ text: some StringProtocol) { self.init(whole: Substring(text)) }

  private init(whole text: Substring) {
    let pieces = text.utf8.split(separator: UInt8(ascii: "&"))
    pairs = pieces.compactMap { piece in
      let name = piece.prefix { $0 != UInt8(ascii: "=") }
      return Self.decode(name).map { Pair(name: $0, value: Self.decode(piece.dropFirst(name.count + 1))) }
    }
    isReadable = pairs.count == pieces.count && pairs.allSatisfy { $0.value != nil }
  }

  /// The value of a name; `nil` if it is missing, cannot be decoded, or occurs with different values.
  package func value(_ name: String) -> String? {
    let values = values(name)
    return values.count == 1 ? values.first ?? nil : nil
  }

  /// Whether a name occurs with different values.
  func isContradictory(_ name: String) -> Bool { values(name).count > 1 }

  /// Whether a name occurs with a value that cannot be decoded.
  func isUnreadable(_ name: String) -> Bool { values(name).contains(nil) }

  private func values(_ name: String) -> Set<String?> { Set(pairs.lazy.filter { $0.name == name }.map(\.value)) }

  /// The pairs of a dictionary, by name.
  static func sorted(_ fields: [String: String]) -> [(name: String, value: String)] {
    fields.sortedNames.map { ($0, fields[$0] ?? "") }
  }

  /// Writes pairs, every byte that is not unreserved as `%XX`, so that all readers agree on it.
  package static func encode(_ pairs: [(name: String, value: String)]) -> String {
    pairs.map { "\(PercentEncoding.encode($0.name))=\(PercentEncoding.encode($0.value))" }.joined(separator: "&")
  }

  private static func decode(_ text: some Collection<UInt8>) -> String? {
    let isLegal = text.allSatisfy { byte in
      switch byte {
      case ...0x20, 0x7F..., UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\""): false
      default: true
      }
    }
    return isLegal ? PercentEncoding.decode(text, isForm: true) : nil
  }
}
