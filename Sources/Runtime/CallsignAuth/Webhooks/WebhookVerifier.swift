import Callsign
import CallsignHTTP
import CallsignJSON
import CallsignSupport
import HTTPTypes

/// Checks that a webhook delivery comes from the API, and reads it.
///
/// ```swift
/// let verifier = WebhookVerifier(Petstore.webhookSignature, secret: "…")
/// let adoption = try verifier.read(Petstore.Adoption.self, from: body, headers: headers)
/// ```
public struct WebhookVerifier: Sendable {
  private let signature: WebhookSignature
  private let keys: [MessageAuthenticationKey]
  /// Whether one of the secrets does not fit the scheme.
  private let hasUnusableSecret: Bool
  private let tolerance: Duration
  private let time: any TimeSource

  /// Sets a verifier up.
  ///
  /// - Parameters:
  ///   - signature: How the API signs.
  ///   - secret: The webhook's secret. Anybody can sign with an empty secret, so an empty one accepts nothing. If the
  ///     secret should be base64 and is not, everything is refused with ``WebhookVerificationError/unusableSecret``.
  ///   - previousSecrets: Secrets that the API may still sign with while the secret is being changed. Default: none.
  ///   - tolerance: How far the time of a delivery may be from now, in either direction, if the time is signed.
  ///     Default: 5 minutes.
  ///   - time: The clock. Default: the system's.
  public init(
    _ signature: WebhookSignature, secret: any SecretConvertible, previousSecrets: [any SecretConvertible] = [],
    tolerance: Duration = .seconds(300), time: any TimeSource = SystemTime()
  ) {
    self.signature = signature
    self.tolerance = tolerance
    self.time = time
    let secrets = ([secret] + previousSecrets).map { Self.bytes(of: Secret($0), signature.key) }
    hasUnusableSecret = secrets.contains { $0 == nil }
    keys = secrets.compactMap { bytes in
      guard let bytes, !bytes.isEmpty else { return nil }
      return MessageAuthenticationKey(bytes, hash: .init(signature.hash))
    }
  }

  /// Checks that a delivery comes from the API and is not an old one.
  ///
  /// The check takes the same time however much of the signature is right.
  ///
  /// - Parameters:
  ///   - body: The body exactly as it arrived.
  ///   - headers: The request's header fields.
  /// - Throws: ``WebhookVerificationError``; respond with status 401.
  public func verify(_ body: Data, headers: HTTPFields) throws(WebhookVerificationError) {
    try verify(body) { name in HTTPField.Name(name).flatMap { headers[$0] } }
  }

  /// Checks that a delivery comes from the API, for servers with header fields of another type.
  ///
  /// - Parameters:
  ///   - body: The body exactly as it arrived.
  ///   - header: The value of the header field with a name, in any case; `nil` if there is none.
  /// - Throws: ``WebhookVerificationError``; respond with status 401.
  public func verify(_ body: Data, header: (_ name: String) -> String?) throws(WebhookVerificationError) {
    if hasUnusableSecret { throw .unusableSecret }
    let field = try Self.needed(signature.header, header)
    var received = ReceivedSignature(field, format: signature.format)
    if let name = signature.timestampHeader { received.timestamp = try Self.needed(name, header) }
    let id = try signature.idHeader.map { (name) throws(WebhookVerificationError) in try Self.needed(name, header) }
    guard !received.codes.isEmpty else { throw .wrongSignature }
    let message = try message(of: body, received.timestamp, id)
    var isRight = false
    for key in keys {
      let expected: [UInt8]
      do throws(CryptographyError) { expected = try key.code(of: message) } catch { throw .cryptography(error) }
      for code in received.codes where ConstantTime.areEqual(code, expected) { isRight = true }
    }
    guard isRight else { throw .wrongSignature }
    // Only a signed time can be trusted.
    if let timestamp = received.timestamp, signature.message.contains("{timestamp}") { try checkTime(timestamp) }
  }

  /// Checks a delivery, and reads it.
  ///
  /// - Parameters:
  ///   - type: The payload's type, or `JSONValue` for any JSON.
  ///   - body: The body exactly as it arrived.
  ///   - headers: The request's header fields.
  ///   - reportIssues: Called with the parts that do not match the catalogue and were skipped, if there are any.
  /// - Throws: ``WebhookVerificationError``.
  public func read<Payload: JSONDecodable>(
    _ type: Payload.Type = Payload.self, from body: Data, headers: HTTPFields,
    reportIssues: ([DecodingIssue]) -> Void = { _ in }
  ) throws(WebhookVerificationError) -> Payload {
    try verify(body, headers: headers)
    do throws(JSONError) {
      var issues: [DecodingIssue] = []
      let payload = try Payload(jsonData: body, issues: &issues)
      if !issues.isEmpty { reportIssues(issues) }
      return payload
    } catch { throw .undecodable(error) }
  }

  /// The header fields of a delivery as the API would sign it: for tests of a receiver.
  ///
  /// - Parameters:
  ///   - body: The body.
  ///   - id: The delivery's id, if the scheme signs one.
  ///   - date: The time of signing. Default: now.
  /// - Throws: ``WebhookVerificationError/cryptography(_:)``, ``WebhookVerificationError/unusableSecret``.
  public func headers(
    signing body: Data, id: String = "1", at date: Date? = nil
  ) throws(WebhookVerificationError) -> HTTPFields {
    if hasUnusableSecret { throw .unusableSecret }
    let timestamp = String(Int((date ?? time.now()).timeIntervalSince1970))
    let message = try message(of: body, timestamp, id)
    guard let key = keys.first else { throw .wrongSignature }
    let code: [UInt8]
    do throws(CryptographyError) { code = try key.code(of: message) } catch { throw .cryptography(error) }
    let value = signature.format.replacing("{hex}", with: code.hexadecimal)
      .replacing("{base64}", with: Data(code).base64EncodedString())
      .replacing("{timestamp}", with: timestamp)
    var fields = HTTPFields()
    for (name, value) in [(signature.header, value), (signature.timestampHeader, timestamp), (signature.idHeader, id)] {
      if let name = name.flatMap({ HTTPField.Name($0) }) { fields[name] = value }
    }
    return fields
  }

  // MARK: The message

  private func message(
    of body: Data, _ timestamp: String?, _ id: String?
  ) throws(WebhookVerificationError) -> [UInt8] {
    var bytes: [UInt8] = []
    var rest = signature.message[...]
    while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
      bytes += rest[..<open].utf8
      switch rest[rest.index(after: open)..<close] {
      case "body": bytes += body
      case "timestamp":
        guard let timestamp else { throw .missingHeader(signature.timestampHeader ?? signature.header) }
        bytes += timestamp.utf8
      case "id":
        guard let id else { throw .missingHeader(signature.idHeader ?? signature.header) }
        bytes += id.utf8
      default: bytes += rest[open...close].utf8
      }
      rest = rest[rest.index(after: close)...]
    }
    return bytes + rest.utf8
  }

  private func checkTime(_ timestamp: String) throws(WebhookVerificationError) {
    guard var seconds = Double(written: timestamp) else { throw .wrongSignature }
    // Some APIs count milliseconds.
    if seconds > 100_000_000_000 { seconds /= 1_000 }
    let distance = abs(time.now().timeIntervalSince1970 - seconds)
    if distance > Double(tolerance.components.seconds) { throw .stale }
  }

  private static func needed(
    _ name: String, _ header: (_ name: String) -> String?
  ) throws(WebhookVerificationError) -> String {
    guard let value = header(name) ?? header(name.lowercased()) else { throw .missingHeader(name) }
    return value
  }

  /// - Returns: `nil` for a secret that should be base64 and is not.
  private static func bytes(of secret: Secret, _ key: WebhookSignature.Key) -> [UInt8]? {
    let text = secret.reveal()
    switch key {
    case .text: return Array(text.utf8)
    case .base64:
      let encoded = text.lastIndex(of: "_").map { text[text.index(after: $0)...] } ?? text[...]
      return Data(base64Encoded: String(encoded)).map { Array($0) }
    }
  }
}

extension WebhookVerifier: RedactedStringConvertible {}

extension MessageAuthenticationKey.HashFunction {
  fileprivate init(_ hash: WebhookSignature.Hash) {
    switch hash {
    case .sha1: self = .sha1
    case .sha256: self = .sha256
    case .sha512: self = .sha512
    }
  }
}

/// The codes, and the time, that a signature's header field has.
private struct ReceivedSignature {
  var codes: [[UInt8]] = []
  var timestamp: String?

  private static let limit = 16

  init(_ value: String, format: String) {
    let pieces = Self.pieces(of: format[...])
    // The time is next to the codes and has a different form; otherwise, commas of the format are within each
    // signature.
    let hasTime = format.contains("{timestamp}")
    let templates = hasTime ? pieces : [pieces.joined(separator: ",")]
    let size = hasTime ? 1 : max(1, pieces.count)
    // A signature that contains blanks cannot be followed by another one after a blank.
    let parts = format.contains(where: Self.isBlank) ? [value[...]] : value.split(whereSeparator: Self.isBlank)
    for part in parts {
      var rest = Self.pieces(of: part)[...]
      while !rest.isEmpty, codes.count < Self.limit {
        let field = rest.prefix(size).joined(separator: ",")
        rest = rest.dropFirst(size)
        for template in templates { take(field[...], by: template[...]) }
      }
    }
  }

  private static func isBlank(_ character: Character) -> Bool { character == " " || character == "\t" }

  /// The pieces between the commas, without the blanks around them.
  private static func pieces(of text: Substring) -> [String] {
    text.split(separator: ",").map { $0.trimmingWhitespace() }.filter { !$0.isEmpty }
  }

  /// Takes the text at the template's placeholder, if the field matches the template.
  private mutating func take(_ field: Substring, by template: Substring) {
    guard let open = template.firstIndex(of: "{"), let close = template.firstIndex(of: "}"), open < close,
      field.hasPrefix(template[..<open]), field.hasSuffix(template[template.index(after: close)...])
    else { return }
    let count = template.distance(from: close, to: template.endIndex) - 1
    let content = field.dropFirst(template.distance(from: template.startIndex, to: open)).dropLast(count)
    switch template[template.index(after: open)..<close] {
    case "hex": if let code = Self.hex(content) { codes.append(code) }
    case "base64": if let code = Data(base64Encoded: String(content)) { codes.append(Array(code)) }
    case "timestamp": timestamp = String(content)
    default: break
    }
  }

  private static func hex(_ text: Substring) -> [UInt8]? {
    let digits = text.utf8.compactMap(PercentEncoding.hexadecimal)
    guard digits.count == text.utf8.count, digits.count.isMultiple(of: 2) else { return nil }
    return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
  }
}

/// The error of a webhook request that does not come from the API, or that cannot be read.
public enum WebhookVerificationError: Error, Sendable, Hashable {
  /// The request lacks a header field of the scheme. Respond with status 401.
  case missingHeader(String)
  /// The signature does not match this body and secret. Respond with status 401.
  case wrongSignature
  /// The delivery was signed too long ago, or in the future: somebody may be sending an old one again. Respond with
  /// status 401.
  case stale
  /// The delivery comes from the API, but differs from the expected form. Respond with a success, or the API delivers it again.
  case undecodable(JSONError)
  /// The system refuses to sign.
  case cryptography(CryptographyError)
  /// The secret should be base64 and is not: it was not copied completely, or is a different one. Respond with status
  /// 500.
  case unusableSecret
}

extension WebhookVerificationError: CallsignError {
  /// The problem, in one line.
  public var description: String {
    switch self {
    case .missingHeader(let name): "the delivery has no header field \(name.printable); discard it"
    case .wrongSignature:
      "the signature does not fit; discard the delivery, and if all are affected check the secret and that the body is "
        + "passed on unchanged"
    case .stale: "the delivery was not signed just now; discard it, and if all are affected check the clock"
    case .undecodable(let error): "the delivery cannot be read; keep its body and look at it (\(error))"
    case .cryptography(let error): error.description
    case .unusableSecret: "the webhook's secret is not base64; copy it again from the API's settings, prefix and all"
    }
  }

  /// The same as ``description``.
  public var errorDescription: String? { description }
}
