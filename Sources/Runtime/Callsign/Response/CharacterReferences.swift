/// Character references of XML and HTML, such as `&amp;` (XML 1.0 §4.1, WHATWG HTML §13.5), as far as errors and forms
/// have them.
package enum CharacterReferences {
  private static let named = [
    "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "nbsp": "\u{A0}",
  ]

  /// The text with its references resolved; unknown references stay unchanged.
  package static func resolve(_ text: some StringProtocol) -> String {
    guard text.utf8.contains(UInt8(ascii: "&")) else { return String(text) }
    var result = ""
    var rest = Substring(text)
    while let start = rest.firstIndex(of: "&") {
      result += rest[..<start]
      let after = rest[rest.index(after: start)...]
      if let end = after.prefix(12).firstIndex(of: ";"), let character = character(after[..<end]) {
        result += character
        rest = after[after.index(after: end)...]
      } else {
        result += "&"
        rest = after
      }
    }
    return result + rest
  }

  private static func character(_ name: Substring) -> String? {
    guard name.first == "#" else { return named[String(name)] }
    let digits = name.dropFirst()
    let number = digits.first == "x" || digits.first == "X" ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
    return number.flatMap(Unicode.Scalar.init).map { String(Character($0)) }
  }
}
