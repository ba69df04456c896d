import Callsign
import HTTPTypes

/// One challenge of a server's `WWW-Authenticate` field (RFC 9110 §11.3).
public struct HTTPChallenge: Sendable, Hashable {
  /// The scheme in lower case, such as `digest`.
  public let scheme: String
  /// The text after the scheme, if that is one value and not a list of parameters, as for `Negotiate`.
  public let token68: String?
  /// The parameters, quotes removed, by their names in lower case. Of a name that occurs twice the first counts.
  public let parameters: [String: String]

  /// Describes a challenge.
  public init(scheme: String, token68: String? = nil, parameters: [String: String] = [:]) {
    self.scheme = scheme.lowercased()
    self.token68 = token68
    self.parameters = parameters
  }

  /// A parameter by its name in lower case.
  public subscript(name: String) -> String? { parameters[name] }

  /// All challenges of the `WWW-Authenticate` fields, in the server's order. Challenges that cannot be read are left
  /// out.
  public static func all(in fields: HTTPFields) -> [HTTPChallenge] {
    fields[values: .wwwAuthenticate].flatMap { HTTPChallengeParser.read($0) }
  }
}

extension Rejection {
  /// The server's challenges, in its order; empty if it states none.
  public var challenges: [HTTPChallenge] { HTTPChallenge.all(in: rawResponse.headers) }
}

/// Reads lists of challenges and of parameters (RFC 9110 §11.2 to §11.4).
///
/// A comma separates both challenges and their parameters, so the meaning of a word depends on what follows it. Empty
/// list elements, spaces around `=`, and a missing comma are accepted.
struct HTTPChallengeParser {
  private let bytes: [UInt8]
  private var position = 0

  private init(_ text: String) { bytes = Array(text.utf8) }

  /// The challenges of one field.
  static func read(_ text: String) -> [HTTPChallenge] {
    var parser = HTTPChallengeParser(text)
    var challenges: [HTTPChallenge] = []
    while parser.skipToElement() {
      guard let scheme = parser.token() else {
        parser.position += 1
        continue
      }
      let hasSpace = parser.skipSpace()
      if hasSpace, let value = parser.token68() {
        challenges.append(HTTPChallenge(scheme: scheme, token68: value))
      } else {
        challenges.append(HTTPChallenge(scheme: scheme, parameters: parser.parameters()))
      }
    }
    return challenges
  }

  /// The parameters of a field that has no scheme, such as `Authentication-Info` (RFC 7615).
  static func readParameters(_ text: String) -> [String: String] {
    var parser = HTTPChallengeParser(text)
    return parser.parameters()
  }

  /// Parameters up to the next word that has no `=` after it.
  private mutating func parameters() -> [String: String] {
    var parameters: [String: String] = [:]
    while skipToElement() {
      let start = position
      guard let name = token()?.lowercased() else { break }
      skipSpace()
      guard take(UInt8(ascii: "=")) else {
        position = start
        break
      }
      skipSpace()
      guard let value = peek() == UInt8(ascii: "\"") ? quotedString() : token() else { continue }
      if parameters[name] == nil { parameters[name] = value }
    }
    return parameters
  }

  /// A single value, when the whole element is one; otherwise nothing is consumed.
  private mutating func token68() -> String? {
    let start = position
    while let byte = peek(), Self.isToken68(byte) { position += 1 }
    guard position > start else { return nil }
    while take(UInt8(ascii: "=")) {}
    let end = position
    skipSpace()
    // A word and nothing else could be the scheme of a challenge whose comma is missing; it is read as a value.
    guard peek() == nil || peek() == UInt8(ascii: ",") else {
      position = start
      return nil
    }
    return String(decoding: bytes[start..<end], as: UTF8.self)
  }

  private mutating func token() -> String? {
    let start = position
    while let byte = peek(), Self.isToken(byte) { position += 1 }
    return position > start ? String(decoding: bytes[start..<position], as: UTF8.self) : nil
  }

  /// A quoted string without its quotes; `nil`, and the field's end, when the closing one is missing.
  private mutating func quotedString() -> String? {
    var content: [UInt8] = []
    position += 1
    while let byte = peek() {
      position += 1
      switch byte {
      case UInt8(ascii: "\""): return String(decoding: content, as: UTF8.self)
      case UInt8(ascii: "\\"):
        guard let escaped = peek() else { return nil }
        content.append(escaped)
        position += 1
      default: content.append(byte)
      }
    }
    return nil
  }

  /// Passes over spaces and commas.
  ///
  /// - Returns: Whether anything follows.
  private mutating func skipToElement() -> Bool {
    while skipSpace() || take(UInt8(ascii: ",")) {}
    return peek() != nil
  }

  @discardableResult private mutating func skipSpace() -> Bool {
    let start = position
    while let byte = peek(), byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") { position += 1 }
    return position > start
  }

  private mutating func take(_ byte: UInt8) -> Bool {
    guard peek() == byte else { return false }
    position += 1
    return true
  }

  private func peek() -> UInt8? { position < bytes.count ? bytes[position] : nil }

  /// RFC 9110 §5.6.2.
  private static func isToken(_ byte: UInt8) -> Bool {
    isAlphanumeric(byte) || "!#$%&'*+-.^_`|~".utf8.contains(byte)
  }

  /// RFC 9110 §11.2, without the equals signs at the end.
  private static func isToken68(_ byte: UInt8) -> Bool { isAlphanumeric(byte) || "-._~+/".utf8.contains(byte) }

  private static func isAlphanumeric(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "a")...UInt8(ascii: "z"):
      true
    default: false
    }
  }
}

extension String {
  /// As a quoted string (RFC 9110 §5.6.4); `nil` when a control character in it cannot be sent.
  var httpQuoted: String? {
    guard utf8.allSatisfy({ ($0 >= 0x20 && $0 != 0x7F) || $0 == 0x09 }) else { return nil }
    var quoted: [UInt8] = [UInt8(ascii: "\"")]
    // By bytes: a quote with an accent on it is one character, and ends the string all the same.
    for byte in utf8 {
      if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { quoted.append(UInt8(ascii: "\\")) }
      quoted.append(byte)
    }
    quoted.append(UInt8(ascii: "\""))
    return String(decoding: quoted, as: UTF8.self)
  }
}
