import CallsignHTTP

/// The pairs of `application/x-www-form-urlencoded`, decoded, in their order.
package struct FormFields: Sendable, Hashable {
  struct Pair: Sendable, Hashable {
    let name: String
    let value: String
  }

  let pairs: [Pair]

  /// `nil` when it has a broken escape, a character that no such text has, or bytes that are no UTF-8.
  package init?(_ text: some StringProtocol) {
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

  /// Writes pairs, every byte that is not unreserved as `%XX`, so that all readers agree on it.
  package static func encode(_ pairs: [(name: String, value: String)]) -> String {
    pairs.map { "\(PercentEncoding.encode($0.name))=\(PercentEncoding.encode($0.value))" }.joined(separator: "&")
  }

  private static func decode(_ text: some Collection<UInt8>) -> String? {
    var bytes: [UInt8] = []
    var rest = text.makeIterator()
    while let byte = rest.next() {
      switch byte {
      case UInt8(ascii: "+"): bytes.append(0x20)
      case UInt8(ascii: "%"):
        guard let high = rest.next().flatMap(hexadecimal), let low = rest.next().flatMap(hexadecimal) else {
          return nil
        }
        bytes.append(high << 4 | low)
      case ...0x20, 0x7F..., UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\""): return nil
      default: bytes.append(byte)
      }
    }
    return String(validating: bytes)
  }

  private static func hexadecimal(_ byte: UInt8) -> UInt8? {
    Character(Unicode.Scalar(byte)).hexDigitValue.map(UInt8.init)
  }
}

extension String {
  /// The text that bytes are in UTF-8; `nil` when they are none.
  init?(validating bytes: [UInt8]) {
    let text = String(decoding: bytes, as: UTF8.self)
    // Decoding replaces what is no UTF-8, which shows in the bytes.
    guard text.utf8.elementsEqual(bytes) else { return nil }
    self = text
  }
}
