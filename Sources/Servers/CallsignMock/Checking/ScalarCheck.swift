import CallsignCatalogue
import CallsignJSON
import Foundation

/// Checks a value against a built-in type of the catalogue's language.
struct ScalarCheck {
  let scalar: Scalar
  let constraints: Constraints

  init(_ scalar: Scalar, _ constraints: Constraints) {
    self.scalar = scalar
    self.constraints = constraints
  }

  /// The reason why the value does not fit; `nil` if it does.
  func problem(of value: JSONValue) -> String? {
    switch scalar {
    case .json: return nil
    case .string, .file: return text(value) { _ in true }
    case .url: return text(value, "a URL") { URL(string: $0) != nil }
    case .uuid: return text(value, "a UUID") { Self.isUUID($0) }
    case .bytes: return text(value, "base64 text") { Self.isBase64($0) }
    case .base64URL: return text(value, "base64url text") { Self.isBase64URL($0) }
    case .bool:
      return value.kind == .bool ? nil : "must be true or false, not \(value.kind.phrase)"
    case .int: return number(value, isWhole: true)
    case .int32:
      if let int = value.int, Int32(exactly: int) == nil { return "does not fit in 32 bits" }
      return number(value, isWhole: true)
    case .uint64:
      let digits = value.string ?? value.description
      return digits.count <= 20 && UInt64(digits) != nil ? nil : "must be a whole number from 0 to 18446744073709551615"
    case .number: return number(value, isWhole: false)
    case .decimal:
      if let text = value.string { return Self.isNumber(text) ? nil : "must be a decimal number" }
      return number(value, isWhole: false)
    case .date(.seconds), .date(.milliseconds):
      if let text = value.string { return Self.isNumber(text) ? nil : "must be a number of time" }
      return value.kind == .number ? nil : "must be a number, not \(value.kind.phrase)"
    case .date(let format):
      return text(value, "a date such as \(Timestamps.text(1_767_225_600_000, format))") {
        Timestamps.isValid($0, format)
      }
    case .duration(.seconds), .duration(.milliseconds):
      return value.kind == .number ? nil : "must be a number, not \(value.kind.phrase)"
    case .duration(.protobuf):
      return text(value, "a duration such as 3.5s") {
        $0.hasSuffix("s") && Self.isNumber(String($0.dropLast()))
      }
    case .duration(.iso8601):
      return text(value, "a duration such as PT1H30M") { PatternTests.shared.matches($0, trusted: Self.duration) }
    }
  }

  private func text(_ value: JSONValue, _ phrase: String = "", isValid: (String) -> Bool) -> String? {
    guard let text = value.string else { return "must be a string, not \(value.kind.phrase)" }
    guard isValid(text) else { return "\(ValueChecker.quoted(text)) is not \(phrase)" }
    guard case .string = scalar else { return nil }
    // JSON Schema counts the characters of RFC 8259, that is, code points.
    if let reason = ValueChecker.outOfBounds(text.unicodeScalars.count, constraints, "character") { return reason }
    if let pattern = constraints.pattern, !PatternTests.shared.matches(text, pattern) {
      return "\(ValueChecker.quoted(text)) does not match /\(pattern)/"
    }
    return nil
  }

  private func number(_ value: JSONValue, isWhole: Bool) -> String? {
    guard value.kind == .number else {
      return "must be \(isWhole ? "a whole number" : "a number"), not \(value.kind.phrase)"
    }
    if isWhole, value.int == nil { return "must be a whole number of 64 bits" }
    guard let double = value.double else { return "is out of range" }
    if let least = constraints.minimum.flatMap({ Double($0) }), double < least {
      return "\(value) is less than \(constraints.minimum ?? "")"
    }
    if let most = constraints.maximum.flatMap({ Double($0) }), double > most {
      return "\(value) is more than \(constraints.maximum ?? "")"
    }
    return nil
  }

  private static let duration =
    #"^[+-]?P(?=.)([0-9]+W)?([0-9]+D)?(T(?=.)([0-9]+([.,][0-9]+)?H)?([0-9]+([.,][0-9]+)?M)?([0-9]+([.,][0-9]+)?S)?)?\z"#

  /// Whether the whole text is a decimal number: neither hexadecimal nor infinite.
  private static func isNumber(_ text: String) -> Bool { PatternTests.shared.matches(text, trusted: number) }

  private static let number = #"^[+-]?([0-9]+([.][0-9]*)?|[.][0-9]+)([eE][+-]?[0-9]+)?\z"#

  private static func isUUID(_ text: String) -> Bool {
    let digits = text.filter { $0 != "-" }
    return digits.count == 32 && digits.allSatisfy(\.isHexDigit)
  }

  private static func isBase64URL(_ text: String) -> Bool {
    isBase64(text) && !text.utf8.contains { [UInt8(ascii: "+"), UInt8(ascii: "/"), UInt8(ascii: "=")].contains($0) }
  }

  private static func isBase64(_ text: String) -> Bool {
    text.utf8.allSatisfy { byte in
      let character = Character(Unicode.Scalar(byte))
      return byte < 0x80 && (character.isLetter || character.isNumber || "+/-_=".contains(character))
    }
  }
}
