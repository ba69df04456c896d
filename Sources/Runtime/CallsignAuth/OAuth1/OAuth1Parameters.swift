import CallsignHTTP

/// The parameters of a request as OAuth 1.0 signs them: encoded, sorted, joined (RFC 5849 §3.4.1.3).
struct OAuth1Parameters: Sendable {
  /// Names and values, both encoded.
  private var pairs: [(name: [UInt8], value: [UInt8])] = []

  /// Adds a parameter whose name and value are not encoded.
  mutating func add(_ name: String, _ value: String) {
    pairs.append((Self.encoded(name), Self.encoded(value)))
  }

  /// Adds the pairs of a query or a form body, read as `application/x-www-form-urlencoded` (RFC 5849 §3.4.1.3.1): pairs
  /// separated by `&`, a name without `=` has an empty value, `+` is a space, an empty pair is skipped.
  mutating func add(urlEncoded source: some Collection<UInt8>) {
    for pair in Array(source).split(separator: UInt8(ascii: "&")) {
      let parts = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
      pairs.append((Self.reencoded(parts[0]), parts.count > 1 ? Self.reencoded(parts[1]) : []))
    }
  }

  /// The parameters, sorted by name, then by value, both in their encoded form, and joined (RFC 5849 §3.4.1.3.2).
  consuming func normalized() -> [UInt8] {
    pairs.sort { left, right in
      left.name == right.name
        ? left.value.lexicographicallyPrecedes(right.value) : left.name.lexicographicallyPrecedes(right.name)
    }
    var text: [UInt8] = []
    for (name, value) in pairs {
      if !text.isEmpty { text.append(UInt8(ascii: "&")) }
      text += name
      text.append(UInt8(ascii: "="))
      text += value
    }
    return text
  }

  private static func encoded(_ text: String) -> [UInt8] {
    var bytes: [UInt8] = []
    PercentEncoding.append(text, to: &bytes)
    return bytes
  }

  /// The text in the encoding of RFC 5849 §3.6, from another percent-encoding. A `%` without two digits is a character.
  private static func reencoded(_ text: ArraySlice<UInt8>) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count)
    var place = text.startIndex
    while place < text.endIndex {
      var byte = text[place]
      place += 1
      if byte == UInt8(ascii: "+") {
        byte = UInt8(ascii: " ")
      } else if byte == UInt8(ascii: "%"), place + 1 < text.endIndex,
        let high = PercentEncoding.hexadecimal(text[place]), let low = PercentEncoding.hexadecimal(text[place + 1])
      {
        byte = high << 4 | low
        place += 2
      }
      PercentEncoding.append(byte, to: &bytes)
    }
    return bytes
  }
}
