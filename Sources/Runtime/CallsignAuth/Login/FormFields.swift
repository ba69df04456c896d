import CallsignHTTP

/// The pairs of `application/x-www-form-urlencoded`, decoded, in their order.
package struct FormFields: Sendable, Hashable {
  struct Pair: Sendable, Hashable {
    let name: String
    let value: String
  }

  let pairs: [Pair]

  /// `nil` when it has a broken escape, a character that no such text has, or bytes that are no UTF-8.
  package init?(_ text: some StringProtocol) { self.init(whole: Substring(text)) }

  private init?(whole text: Substring) {
    var pairs: [Pair] = []
    for piece in text.utf8.split(separator: UInt8(ascii: "&")) {
      let name = piece.prefix { $0 != UInt8(ascii: "=") }
      guard let decodedName = Self.decode(name), let value = Self.decode(piece.dropFirst(name.count + 1)) else {
        return nil
      }
      pairs.append(Pair(name: decodedName, value: value))
    }
    self.pairs = pairs
  }

  /// The value of a name; `nil` when it is missing, or there with different values.
  package func value(_ name: String) -> String? {
    let values = Set(pairs.lazy.filter { $0.name == name }.map(\.value))
    return values.count == 1 ? values.first : nil
  }

  /// Whether a name is there with different values.
  func isContradictory(_ name: String) -> Bool {
    Set(pairs.lazy.filter { $0.name == name }.map(\.value)).count > 1
  }

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
