import Callsign
import CallsignAuth
import CallsignSupport
import HTTPTypes

/// Responds to X's webhook challenges, and checks that a delivery comes from X; for a server that receives X's events.
///
/// ```swift
/// let receiver = WebhookReceiver(clientSecret: Secret("…"), consumerSecret: Secret("…"))
/// // GET /webhook?crc_token=…
/// let response = try receiver.response(crcToken: query["crc_token"])
/// // POST /webhook
/// let event = try receiver.read(XAPI.ActivityEvent.self, from: body, headers: headers)
/// ```
///
/// X signs with the app's OAuth 2.0 client secret, or with its consumer secret if the app has no client secret. While X
/// migrates from one to the other, it may send both signatures; then the one made with the client secret counts.
///
/// Source: https://docs.x.com/x-api/webhooks/introduction#signature-headers
public struct WebhookReceiver: Sendable {
  /// The header field of a delivery's signature made with the app's OAuth 2.0 client secret.
  public static let oauth2SignatureField = "x-twitter-webhooks-signature-oauth2"
  /// The header field of a delivery's signature made with the app's OAuth 1.0a consumer secret, which X calls legacy.
  public static let signatureField = "x-twitter-webhooks-signature"

  /// The signers, in the order of use; the first one responds to challenges.
  let signers: [WebhookSigner]

  /// For an app that has no OAuth 2.0 client secret.
  ///
  /// - Parameter consumerSecret: The consumer secret of the app that owns the webhook. If it is empty, the receiver
  ///   accepts nothing.
  public init(consumerSecret: any SecretConvertible) {
    signers = [WebhookSigner(Secret(consumerSecret), field: Self.signatureField)]
  }

  /// For an app that has an OAuth 2.0 client secret.
  ///
  /// - Parameters:
  ///   - clientSecret: The client secret of the app that owns the webhook. It signs responses to challenges, and checks
  ///     deliveries that have the field ``oauth2SignatureField``. If it is empty, the receiver accepts none of these.
  ///   - consumerSecret: The app's consumer secret, for deliveries that have only the field ``signatureField``.
  ///     Default: the receiver does not accept these.
  public init(clientSecret: any SecretConvertible, consumerSecret: (any SecretConvertible)? = nil) {
    signers =
      [WebhookSigner(Secret(clientSecret), field: Self.oauth2SignatureField)]
      + (consumerSecret.map { [WebhookSigner(Secret($0), field: Self.signatureField)] } ?? [])
  }

  /// The response to a challenge (X's "CRC"), as JSON. Send it within three seconds, with status 200 and
  /// `Content-Type: application/json`. It is signed with the client secret, or with the consumer secret if there is no
  /// client secret.
  ///
  /// Challenges and deliveries are signed with the same key, so anyone who could have arbitrary text signed here could
  /// forge deliveries. Therefore this only signs text that looks like X's tokens: up to 256 letters, digits and
  /// `+ / - _ =`. No delivery looks like that, because a delivery is a JSON object.
  ///
  /// - Parameter crcToken: The query's `crc_token`, percent-decoded.
  /// - Throws: ``WebhookError/invalidChallenge``, to get status 400, or ``WebhookError/cryptography(_:)``.
  public func response(crcToken: String?) throws(WebhookError) -> Data {
    // Every initializer makes a signer.
    guard let crcToken, Self.isToken(crcToken), let signer = signers.first else { throw .invalidChallenge }
    let signature = try signer.signature(of: Data(crcToken.utf8))
    return Data(#"{"response_token":"\#(signature)"}"#.utf8)
  }

  /// Checks that a delivery comes from X, in a time that does not reveal how much of the signature is right.
  ///
  /// If a delivery has both signatures and the receiver has a client secret, this checks the client secret's.
  ///
  /// - Parameters:
  ///   - body: The body exactly as it arrived.
  ///   - headers: The delivery's header fields.
  /// - Throws: ``WebhookError/missingSignature`` or ``WebhookError/wrongSignature``, to get status 401 or
  ///   403, or ``WebhookError/cryptography(_:)``.
  public func verify(_ body: Data, headers: HTTPFields) throws(WebhookError) {
    for signer in signers {
      guard let signature = signer.fieldName.flatMap({ headers[$0] }) else { continue }
      guard try signer.hasMade(signature, of: body) else { throw .wrongSignature }
      return
    }
    throw .missingSignature
  }

  /// Checks that a delivery comes from X, in a time that does not reveal how much of the signature is right; for
  /// servers that do not use `HTTPFields`.
  ///
  /// - Parameters:
  ///   - body: The body exactly as it arrived.
  ///   - signature: The value of the field ``oauth2SignatureField``, or of ``signatureField`` if that one is missing or
  ///     the receiver has no client secret.
  /// - Throws: ``WebhookError/missingSignature`` or ``WebhookError/wrongSignature``, to get status 401 or
  ///   403, or ``WebhookError/cryptography(_:)``.
  public func verify(_ body: Data, signature: String?) throws(WebhookError) {
    guard let signature else { throw .missingSignature }
    for signer in signers {
      if try signer.hasMade(signature, of: body) { return }
    }
    throw .wrongSignature
  }

  /// Checks that a delivery comes from X, and decodes it.
  ///
  /// - Parameters:
  ///   - type: `XAPI.ActivityEvent` for X's activity API, `XAPIv1.AccountActivity` for its account activity API, or
  ///     `JSONValue` for any delivery.
  ///   - body: The body exactly as it arrived.
  ///   - headers: The delivery's header fields.
  ///   - reportIssues: Called with the parts that differ from X's document and were skipped, if there are any.
  /// - Throws: ``WebhookError``.
  public func read<Event: JSONDecodable>(
    _ type: Event.Type = Event.self, from body: Data, headers: HTTPFields,
    reportIssues: ([DecodingIssue]) -> Void = { _ in }
  ) throws(WebhookError) -> Event {
    try verify(body, headers: headers)
    return try Self.decode(body, reportIssues)
  }

  /// Checks that a delivery comes from X, and decodes it; for servers that do not use `HTTPFields`.
  ///
  /// - Parameters:
  ///   - type: `XAPI.ActivityEvent` for X's activity API, `XAPIv1.AccountActivity` for its account activity API, or
  ///     `JSONValue` for any delivery.
  ///   - body: The body exactly as it arrived.
  ///   - signature: The value of the field ``oauth2SignatureField``, or of ``signatureField`` if that one is missing or
  ///     the receiver has no client secret.
  ///   - reportIssues: Called with the parts that differ from X's document and were skipped, if there are any.
  /// - Throws: ``WebhookError``.
  public func read<Event: JSONDecodable>(
    _ type: Event.Type = Event.self, from body: Data, signature: String?,
    reportIssues: ([DecodingIssue]) -> Void = { _ in }
  ) throws(WebhookError) -> Event {
    try verify(body, signature: signature)
    return try Self.decode(body, reportIssues)
  }

  private static func decode<Event: JSONDecodable>(
    _ body: Data, _ reportIssues: ([DecodingIssue]) -> Void
  ) throws(WebhookError) -> Event {
    do throws(JSONError) {
      var issues: [DecodingIssue] = []
      let event = try Event(jsonData: body, issues: &issues)
      if !issues.isEmpty { reportIssues(issues) }
      return event
    } catch { throw .undecodable(error) }
  }

  private static func isToken(_ text: String) -> Bool {
    (1...256).contains(text.utf8.count)
      && text.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "+"), UInt8(ascii: "/"), UInt8(ascii: "-"),
          UInt8(ascii: "_"), UInt8(ascii: "="):
          true
        default: false
        }
      }
  }
}

/// One of the app's secrets, and the header field of the signatures made with it.
struct WebhookSigner: Sendable {
  let fieldName: HTTPField.Name?
  private let key: MessageAuthenticationKey
  /// With an empty key, everybody can sign.
  private let isKeyEmpty: Bool

  init(_ secret: Secret, field: String) {
    fieldName = HTTPField.Name(field)
    isKeyEmpty = secret.isEmpty
    key = MessageAuthenticationKey(Array(secret.reveal().utf8), hash: .sha256)
  }

  private static let prefix = "sha256="

  /// The field's value for a message.
  func signature(of message: Data) throws(WebhookError) -> String {
    let code = try code(of: message)
    return Self.prefix + Data(code).base64EncodedString()
  }

  /// Whether a signature matches a message, in a time that does not reveal how much of it is right.
  func hasMade(_ signature: String, of message: Data) throws(WebhookError) -> Bool {
    guard !isKeyEmpty, signature.hasPrefix(Self.prefix),
      let received = Data(base64Encoded: String(signature.dropFirst(Self.prefix.count)))
    else { return false }
    let code = try code(of: message)
    return ConstantTime.areEqual(Array(received), code)
  }

  private func code(of message: Data) throws(WebhookError) -> [UInt8] {
    do throws(CryptographyError) { return try key.code(of: Array(message)) } catch { throw .cryptography(error) }
  }
}

extension WebhookReceiver: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// Only the type's name.
  public var description: String { "WebhookReceiver(‹redacted›)" }
  /// Only the type's name.
  public var debugDescription: String { description }
  /// A mirror without children.
  public var customMirror: Mirror { Mirror(self, children: EmptyCollection<Mirror.Child>()) }
}

/// Why a request to a webhook does not come from X, or cannot be read.
public enum WebhookError: Error, Sendable, Hashable {
  /// The challenge has no token, or one that X would not send. Respond with status 400.
  case invalidChallenge
  /// The delivery has no signature made with a secret that the receiver has. Respond with status 401.
  case missingSignature
  /// The signature does not match this body and this app's secret. Respond with status 401.
  case wrongSignature
  /// The delivery comes from X, but is not what was expected. Respond with status 200, or X delivers it again.
  case undecodable(JSONError)
  /// The system refuses to sign.
  case cryptography(CryptographyError)
}

extension WebhookError: CallsignError {
  /// What to do, in one sentence; `nil` if the system refuses.
  public var advice: String? {
    switch self {
    case .invalidChallenge: "respond with status 400 and sign nothing"
    case .missingSignature:
      """
      respond with status 401 and discard it; if this happens to every delivery, also give the receiver the app's \
      other secret
      """
    case .wrongSignature:
      """
      discard the delivery; if this happens to every delivery, check the client secret or consumer secret, and that \
      the body is passed on unchanged
      """
    case .undecodable: "keep its body and inspect it"
    case .cryptography: nil
    }
  }

  /// The problem and what to do, in one line.
  public var description: String {
    switch self {
    case .invalidChallenge: "this is not a challenge from X; \(advice ?? "")"
    case .missingSignature:
      """
      the delivery has no field \(WebhookReceiver.oauth2SignatureField) or \(WebhookReceiver.signatureField) with a \
      signature made with a secret that the receiver has; \(advice ?? "")
      """
    case .wrongSignature: "the signature does not match; \(advice ?? "")"
    case .undecodable(let error): "the delivery cannot be read; \(advice ?? "") (\(error))"
    case .cryptography(let error): error.description
    }
  }

  /// The same as ``description``.
  public var errorDescription: String? { description }

  /// The same as ``advice``.
  public var recoverySuggestion: String? { advice }
}
