// The parameters of a query that is written already, by their names. Other parameters stay byte for byte.

extension AbsoluteURL {
  /// Whether the query has a parameter.
  ///
  /// - Parameter name: The name, not encoded.
  package func hasQueryParameter(_ name: String) -> Bool {
    guard let query else { return false }
    return query.split(separator: "&").contains { Self.name(of: $0) == name }
  }

  /// Adds a parameter behind the others.
  package mutating func addQueryParameter(_ name: String, _ value: String) {
    let pair = "\(PercentEncoding.encode(name))=\(PercentEncoding.encode(value))"
    if let query, !query.isEmpty { self.query = "\(query)&\(pair)" } else { query = pair }
  }

  /// Takes every parameter of a name out. A query that is empty then is gone.
  package mutating func removeQueryParameter(_ name: String) {
    guard hasQueryParameter(name), let query else { return }
    let others = query.split(separator: "&", omittingEmptySubsequences: false).filter { Self.name(of: $0) != name }
    self.query = others.isEmpty ? nil : others.joined(separator: "&")
  }

  /// The name of a `name=value` pair, decoded; as it is written where that cannot be decoded.
  private static func name(of pair: Substring) -> String {
    let written = pair.prefix { $0 != "=" }
    guard written.utf8.contains(where: { $0 == UInt8(ascii: "%") || $0 == UInt8(ascii: "+") }) else {
      return String(written)
    }
    var bytes: [UInt8] = []
    var rest = written.utf8[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "+") {
        bytes.append(UInt8(ascii: " "))
      } else if byte == UInt8(ascii: "%"), let value = PercentEncoding.hexadecimalByte(rest) {
        bytes.append(value)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
