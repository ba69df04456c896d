import CallsignHTTP

/// The parameters of a request as OAuth 1.0 signs them: encoded, sorted, joined (RFC 5849 §3.4.1.3).
struct OAuth1Parameters: Sendable {
  /// Names and values, both encoded, one behind the other.
  private var text: [UInt8] = []
  private var pairs: [(name: Range<Int>, value: Range<Int>)] = []

  /// Adds a parameter whose name and value are not encoded.
  mutating func add(_ name: String, _ value: String) {
    let start = text.count
    PercentEncoding.append(name, to: &text)
    let middle = text.count
    PercentEncoding.append(value, to: &text)
    pairs.append((start..<middle, middle..<text.count))
  }

  /// Adds the pairs of a query or a form body, read as `application/x-www-form-urlencoded` (RFC 5849 §3.4.1.3.1): pairs
  /// separated by `&`, a name without `=` has an empty value, `+` is a space, an empty pair is skipped.
  mutating func add(urlEncoded source: some Collection<UInt8>) {
    let source = Array(source)
    text.reserveCapacity(text.count + source.count)
    var place = 0
    while place < source.count {
      let start = text.count
      var middle: Int?
      let first = place
      while place < source.count, source[place] != UInt8(ascii: "&") {
        if source[place] == UInt8(ascii: "="), middle == nil {
          middle = text.count
          place += 1
        } else {
          PercentEncoding.append(Self.nextByte(of: source, &place), to: &text)
        }
      }
      if place > first { pairs.append((start..<(middle ?? text.count), (middle ?? text.count)..<text.count)) }
      place += 1
    }
  }

  /// The parameters, sorted by name, then by value, both in their encoded form, and joined (RFC 5849 §3.4.1.3.2).
  consuming func normalized() -> [UInt8] {
    let text = text
    pairs.sort { left, right in
      text[left.name] == text[right.name]
        ? text[left.value].lexicographicallyPrecedes(text[right.value])
        : text[left.name].lexicographicallyPrecedes(text[right.name])
    }
    var result: [UInt8] = []
    result.reserveCapacity(text.count + 2 * pairs.count)
    for (name, value) in pairs {
      if !result.isEmpty { result.append(UInt8(ascii: "&")) }
      result += text[name]
      result.append(UInt8(ascii: "="))
      result += text[value]
    }
    return result
  }

  /// The byte that begins at a place, decoded, and the place behind it. A `%` without two digits is a character.
  private static func nextByte(of text: [UInt8], _ place: inout Int) -> UInt8 {
    let byte = text[place]
    place += 1
    if byte == UInt8(ascii: "+") { return UInt8(ascii: " ") }
    guard byte == UInt8(ascii: "%"), place + 1 < text.count, let high = PercentEncoding.hexadecimal(text[place]),
      let low = PercentEncoding.hexadecimal(text[place + 1])
    else { return byte }
    place += 2
    return high << 4 | low
  }
}
