/// A decoded name and value out of a query, a form or an `Authorization` header.
struct RequestParameter: Sendable, Equatable {
  var name: [UInt8]
  var value: [UInt8]

  init(name: [UInt8], value: [UInt8]) {
    self.name = name
    self.value = value
  }

  init(_ name: String, _ value: String) {
    self.init(name: Array(name.utf8), value: Array(value.utf8))
  }

  /// For messages and for look-ups; bytes that are no UTF-8 show as replacement characters.
  var nameText: String { String(decoding: name, as: UTF8.self) }
  var valueText: String { String(decoding: value, as: UTF8.self) }

  var isProtocolParameter: Bool { nameText.hasPrefix("oauth_") }

  /// Reads `a=1&b=2` as RFC 5849 §3.4.1.3.1 does: `+` is a space, a name without `=` has an empty value.
  static func parse(form text: some StringProtocol) -> [RequestParameter] {
    text.split(separator: "&", omittingEmptySubsequences: true).map { pair in
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      return RequestParameter(
        name: PercentEncoding.decode(parts[0], plusIsSpace: true),
        value: parts.count > 1 ? PercentEncoding.decode(parts[1], plusIsSpace: true) : [])
    }
  }
}
