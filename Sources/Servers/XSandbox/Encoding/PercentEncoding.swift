/// Percent-encoding (RFC 5849 §3.6) of bytes, so that text other than UTF-8 is preserved.
enum PercentEncoding {
  static func encode(_ bytes: some Sequence<UInt8>) -> String {
    var output: [UInt8] = []
    for byte in bytes {
      if isUnreserved(byte) {
        output.append(byte)
      } else {
        output.append(UInt8(ascii: "%"))
        output.append(digit(byte >> 4))
        output.append(digit(byte & 0x0F))
      }
    }
    return String(decoding: output, as: UTF8.self)
  }

  static func encode(_ text: String) -> String { encode(text.utf8) }

  /// Decodes `%XX`. A percent sign that does not start such a triplet is kept.
  /// - Parameter plusIsSpace: Whether `+` means a space, as in forms and queries.
  static func decode(_ text: some StringProtocol, plusIsSpace: Bool) -> [UInt8] {
    let bytes = Array(text.utf8)
    var output: [UInt8] = []
    var index = 0
    while index < bytes.count {
      let byte = bytes[index]
      if byte == UInt8(ascii: "%"), index + 2 < bytes.count, let high = value(bytes[index + 1]),
        let low = value(bytes[index + 2])
      {
        output.append(high << 4 | low)
        index += 3
        continue
      }
      output.append(plusIsSpace && byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
      index += 1
    }
    return output
  }

  static func isUnreserved(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
      UInt8(ascii: "~"):
      true
    default: false
    }
  }

  private static func digit(_ value: UInt8) -> UInt8 { value < 10 ? 0x30 + value : 0x41 + value - 10 }

  private static func value(_ digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - 0x30
    case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - 0x41 + 10
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - 0x61 + 10
    default: nil
    }
  }
}

extension String {
  /// The text of UTF-8 bytes, including a byte order mark; `nil` if they are not UTF-8. Foundation's initializer removes the mark,
  /// and the standard library's requires macOS 15.
  init?(validUTF8 bytes: some Collection<UInt8>) {
    self.init(decoding: bytes, as: UTF8.self)
    // Decoding has replaced bytes that are not UTF-8.
    guard utf8.elementsEqual(bytes) else { return nil }
  }
}

/// A decoded name and value from a query, a form or an `Authorization` header.
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

  /// The name as text; bytes that are not UTF-8 become replacement characters.
  var nameText: String { String(decoding: name, as: UTF8.self) }
  var valueText: String { String(decoding: value, as: UTF8.self) }

  var isProtocolParameter: Bool { nameText.hasPrefix("oauth_") }

  /// Parses `a=1&b=2` as in RFC 5849 §3.4.1.3.1: `+` is a space, and a name without `=` has an empty value.
  static func parse(form text: some StringProtocol) -> [RequestParameter] {
    text.split(separator: "&", omittingEmptySubsequences: true).map { pair in
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      return RequestParameter(
        name: PercentEncoding.decode(parts[0], plusIsSpace: true),
        value: parts.count > 1 ? PercentEncoding.decode(parts[1], plusIsSpace: true) : [])
    }
  }

  /// Writes a form or a query: `a=1&b=2`.
  static func form(_ parameters: [(name: String, value: String)]) -> String {
    parameters.map { "\(PercentEncoding.encode($0.name))=\(PercentEncoding.encode($0.value))" }.joined(separator: "&")
  }
}
