extension UInt8 {
  var isLowercase: Bool { self >= UInt8(ascii: "a") && self <= UInt8(ascii: "z") }
  var isUppercase: Bool { self >= UInt8(ascii: "A") && self <= UInt8(ascii: "Z") }
  var isDigit: Bool { self >= UInt8(ascii: "0") && self <= UInt8(ascii: "9") }
}

extension Substring {
  /// The text without leading and trailing spaces.
  var trimmed: String {
    var part = self
    while part.first == " " { part.removeFirst() }
    while part.last == " " { part.removeLast() }
    return String(part)
  }
}
