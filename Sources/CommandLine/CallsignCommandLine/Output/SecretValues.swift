import Callsign
import CallsignHTTP
import CallsignJSON
import CallsignSupport
import Foundation

/// Hides JSON values that are secrets according to their names or their content, and reports which ones.
///
/// It hides more than ``Redaction``, which must not touch data with such names. This type is for people and assistants who read a
/// response and can request it in another way.
struct SecretValues {
  private let redaction: Redaction
  /// The paths of hidden values, each once, without indices.
  private(set) var paths: [String] = []
  /// The same paths, for a quick search.
  private var known: Set<String> = []

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
    remember(path)
    return .string(Self.mark)
  }

  /// The text in place of a hidden value.
  private static let mark = "HIDDEN"

  private mutating func remember(_ path: String) {
    let shown = (path.isEmpty ? "the response" : path).printable
    if known.insert(shown).inserted { paths.append(shown) }
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

// MARK: Bodies

extension SecretValues {
  /// A body without its secrets, according to its content type: JSON, a form, a stream of records, or other text.
  ///
  /// - Returns: `nil` if only the body's size may be shown, because its parts are not known.
  mutating func cleaned(_ body: Data, contentType: String?) -> Data? {
    if let value = try? JSONValue(jsonData: body) {
      let shown = cleaned(value)
      return paths.isEmpty ? body : Data(shown.description.utf8)
    }
    let type = contentType?.lowercased() ?? ""
    if type.hasPrefix("application/x-www-form-urlencoded") {
      return Data(cleaned(form: String(decoding: body, as: UTF8.self)).utf8)
    }
    let hasRecords = type.contains("json") || type.hasPrefix("text/event-stream")
    guard hasRecords || type.isEmpty || type.hasPrefix("text/") else { return nil }
    if !hasRecords {
      // A private key has several lines.
      let text = cleaned(.string(String(decoding: body, as: UTF8.self)))
      if !paths.isEmpty { return Data((text.string ?? Self.mark).utf8) }
    }
    var lines: [Data] = []
    for line in body.split(whereSeparator: { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }) {
      lines.append(cleaned(line: Data(line), isRecord: hasRecords))
    }
    return Data(lines.joined(separator: [UInt8(ascii: "\n")]))
  }

  /// A line of a stream: a record, or a field of an event.
  ///
  /// - Parameter isRecord: Whether the line should be JSON. If it is not, it may be a part of a record and have a secret.
  private mutating func cleaned(line: Data, isRecord: Bool) -> Data {
    let text = String(decoding: line, as: UTF8.self)
    let scalars = text.unicodeScalars
    // A record of a JSON text sequence begins with a separator (RFC 7464).
    let start = line.starts(with: "data:".utf8) ? 5 : scalars.first == "\u{1E}" ? 1 : 0
    let end = scalars.lastIndex { $0 != "," && $0 != " " }.map { scalars.index(after: $0) } ?? scalars.endIndex
    let place = scalars.index(scalars.startIndex, offsetBy: start)
    guard place < end else { return line }
    let content = String(scalars[place..<end])
    guard let value = try? JSONValue(jsonData: Data(content.utf8)) else {
      if isRecord, scalars.contains("\"") { return Data("‹\(line.count) bytes›".utf8) }
      let plain = content.trimmingWhitespace()
      return cleaned(.string(plain)) == .string(plain) ? line : Data(Self.mark.utf8)
    }
    let shown = cleaned(value)
    if shown == value { return line }
    return Data((String(scalars[..<place]) + shown.description + String(scalars[end...])).utf8)
  }

  /// A form without the values of its secrets. In a name such as `card[number]`, the last word counts as the name too.
  private mutating func cleaned(form: String) -> String {
    var pairs: [String] = []
    for pair in form.unicodeScalars.split(separator: "&", omittingEmptySubsequences: false) {
      guard let equals = pair.firstIndex(of: "=") else {
        pairs.append(String(pair))
        continue
      }
      let written = String(pair[..<equals])
      let encoded = String(pair[pair.index(after: equals)...])
      let name = PercentEncoding.decode(written.utf8, isForm: true) ?? written
      let text = PercentEncoding.decode(encoded.utf8, isForm: true) ?? encoded
      let words = name.split { $0 == "[" || $0 == "]" || $0 == "." }.map(String.init)
      let last = words.last { Int($0) == nil } ?? name
      // A value can be JSON.
      let parsed = try? JSONValue(jsonData: Data(text.utf8))
      var value = JSONValue.string(text)
      if let parsed, parsed.object != nil || parsed.array != nil { value = parsed }
      let byLast = cleaned(value, named: last, at: name)
      let byName = cleaned(value, named: name, at: name)
      let isShown = byLast == value && byName == value
      pairs.append(isShown ? String(pair) : "\(written)=\(Self.mark)")
    }
    return pairs.joined(separator: "&")
  }
}
