/// The two patterns that X's document uses throughout.
enum Pattern {
  /// `^[0-9]{1,19}$`
  static func isIdentifier(_ text: String) -> Bool {
    (1...19).contains(text.utf8.count) && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
  }

  /// `^[A-Za-z0-9_]{1,15}$`
  static func isUsername(_ text: String) -> Bool {
    (1...15).contains(text.utf8.count)
      && text.utf8.allSatisfy { byte in
        byte == UInt8(ascii: "_")
          || byte != UInt8(ascii: "-") && byte != UInt8(ascii: ".")
            && byte != UInt8(ascii: "~") && PercentEncoding.isUnreserved(byte)
      }
  }
}
