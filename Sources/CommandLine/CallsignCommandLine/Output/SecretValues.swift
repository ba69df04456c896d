import Callsign
import CallsignSupport

/// Hides JSON values that are secrets according to their names or their content, and reports which ones.
///
/// It hides more than ``Redaction``, which must not touch data with such names. This type is for people and assistants who read a
/// response and can request it in another way.
struct SecretValues {
  private let redaction: Redaction
  /// The paths of hidden values, each once, without indices.
  private(set) var paths: [String] = []

  init(_ redaction: Redaction) { self.redaction = redaction }

  /// The names of hidden values as the end of a message; empty if nothing was hidden.
  var note: String {
    guard !paths.isEmpty else { return "" }
    let names = paths.prefix(8).joined(separator: ", ") + (paths.count > 8 ? ", …" : "")
    return "hidden, as it may be secret: \(names)"
  }

  /// The value without its secrets.
  mutating func cleaned(_ value: JSONValue) -> JSONValue { cleaned(value, named: "", at: "") }

  private mutating func cleaned(_ value: JSONValue, named name: String, at path: String) -> JSONValue {
    switch value {
    case .object(let members):
      var result: [String: JSONValue] = [:]
      for member in members.keys.sorted() {
        result[member] = cleaned(
          members[member] ?? .null, named: member, at: path.isEmpty ? member : "\(path).\(member)")
      }
      return .object(result)
    case .array(let elements): return .array(elements.map { cleaned($0, named: name, at: path + "[]") })
    case .string(let text):
      guard !text.isEmpty, hides(name) || Self.mayHold(name) && Self.looksRandom(text) || Self.isSecret(text) else {
        return value
      }
    case .integer, .number, .literal: guard hides(name) else { return value }
    case .null, .bool: return value
    }
    let shown = (path.isEmpty ? "the response" : path).printable
    if !paths.contains(shown) { paths.append(shown) }
    return .string("HIDDEN")
  }

  /// Suffixes of names that are always secrets, without separators.
  private static let ends = [
    "password", "passwd", "passphrase", "secret", "privatekey", "secretkey", "apikey", "accesskey", "signingkey",
    "encryptionkey", "sessionkey", "authkey", "masterkey", "sharedkey", "presharedkey", "accesstoken", "refreshtoken",
    "authtoken", "apitoken", "bearertoken", "idtoken", "sessiontoken", "secrettoken", "webhooktoken",
  ]
  private static let names: Set<String> = ["pwd", "jwt", "otp", "psk", "mnemonic", "credential", "privkey", "secrets"]

  private func hides(_ name: String) -> Bool {
    if redaction.hides(parameter: name) { return true }
    let letters = name.lowercased().filter { $0.isLetter || $0.isNumber }
    return Self.names.contains(letters) || Self.ends.contains { letters.hasSuffix($0) }
  }

  /// Whether a member with this name can contain a secret, in addition to other things.
  private static func mayHold(_ name: String) -> Bool {
    let letters = name.lowercased().filter(\.isLetter)
    return letters.hasSuffix("key") || letters.hasSuffix("keys") || letters.hasSuffix("token")
      || letters.hasSuffix("hash")
  }

  /// Whether a text looks random: a long run of mixed characters, such as a key in Base64 or hexadecimal digits.
  private static func looksRandom(_ text: String) -> Bool {
    guard text.utf8.count < 10_000 else { return false }
    let runs = text.utf8.split { byte in
      !(UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) && !(UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
        && !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) && byte != UInt8(ascii: "+")
    }
    guard !text.contains(" "), let longest = runs.max(by: { $0.count < $1.count }), longest.count >= 16 else {
      return false
    }
    let digits = longest.count { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    let capitals = longest.count { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }
    return digits > 1 && (capitals > 1 || longest.count >= 24) && Set(longest).count >= 8
  }

  /// Whether a text is a secret whatever its name: a private key, or a signed token (RFC 7519).
  private static func isSecret(_ text: String) -> Bool {
    if text.contains("PRIVATE KEY-----") || text.hasPrefix("Private-key-format:") { return true }
    return text.hasPrefix("eyJ") && text.utf8.count > 40 && text.split(separator: ".").count == 3
  }
}
