/// What a redirect carries (RFC 6749 §4.1.2).
struct RedirectParameters: Sendable {
  struct Pair: Sendable, Hashable {
    var name: String
    var value: String
  }

  let pairs: [Pair]

  /// Reads a query.
  static func pairs(_ query: String) -> [Pair] {
    query.split(separator: "&").map { pair in
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      return Pair(name: decode(parts[0]), value: parts.count == 2 ? decode(parts[1]) : "")
    }
  }

  /// The value of a parameter; `nil` when it is missing or empty, which means the same (RFC 6749 §3.1).
  ///
  /// - Throws: ``LoginError/unexpectedAnswer(_:_:)`` when it is there twice, so that nobody can know which is meant.
  subscript(name: String) -> String? {
    get throws(LoginError) {
      let values = pairs.filter { $0.name == name }.map(\.value)
      guard values.count < 2 else {
        throw .unexpectedAnswer("the redirect has \(name) more than once; discard it and begin again", nil)
      }
      return values.first.flatMap { $0.isEmpty ? nil : $0 }
    }
  }

  /// Undoes form-encoding. What is not encoded rightly stays as it is.
  private static func decode(_ text: Substring) -> String {
    func digit(_ byte: UInt8) -> UInt8? {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
      case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
      case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
      default: nil
      }
    }
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "+") {
        bytes.append(UInt8(ascii: " "))
      } else if byte == UInt8(ascii: "%"), rest.count >= 2, let high = digit(rest[rest.startIndex]),
        let low = digit(rest[rest.startIndex + 1])
      {
        bytes.append(high << 4 | low)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
