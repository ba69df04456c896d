import Callsign
import CallsignAuth
import CallsignSupport
import HTTPTypes

/// Responses X's webhook challenges, and checks that a delivery is X's; for a server that X delivers events to.
///
/// ```swift
/// let receiver = WebhookReceiver(clientSecret: Secret("…"), consumerSecret: Secret("…"))
/// // GET /webhook?crc_token=…
/// let response = try receiver.response(crcToken: query["crc_token"])
/// // POST /webhook
/// let event = try receiver.read(XAPI.ActivityEvent.self, from: body, headers: headers)
/// ```
///
/// X signs by the app's client secret of OAuth 2.0, and by its consumer secret where the app has no client secret. During
/// the migration from one to the other it may send both signatures; the one by the client secret decides then.
///
/// Source: https://docs.x.com/x-api/webhooks/introduction#signature-headers
public struct WebhookReceiver: Sendable {
  /// The header field in which a delivery has its signature by the app's client secret of OAuth 2.0.
  public static let oauth2SignatureField = "x-twitter-webhooks-signature-oauth2"
  /// The header field in which a delivery has its signature by the app's consumer secret of OAuth 1.0a, which X calls
  /// legacy.
  public static let signatureField = "x-twitter-webhooks-signature"

  /// The signers, in the order in which they are asked; the first one responds to challenges.
  let signers: [WebhookSigner]

  /// For an app that has no client secret of OAuth 2.0.
  ///
  /// - Parameter consumerSecret: The consumer secret of the app that the webhook belongs to. By an empty one nothing is
  ///   taken.
  public init(consumerSecret: any SecretConvertible) {
    signers = [WebhookSigner(Secret(consumerSecret), field: Self.signatureField)]
  }

  /// For an app that has a client secret of OAuth 2.0.
  ///
  /// - Parameters:
  ///   - clientSecret: The client secret of the app that the webhook belongs to: it responds to challenges, and checks
  ///     deliveries that have the field ``oauth2SignatureField``. By an empty one none of these is taken.
  ///   - consumerSecret: The app's consumer secret, for deliveries that have only the field ``signatureField``. Default:
  ///     these are not taken.
  public init(clientSecret: any SecretConvertible, consumerSecret: (any SecretConvertible)? = nil) {
    signers =
      [WebhookSigner(Secret(clientSecret), field: Self.oauth2SignatureField)]
      + (consumerSecret.map { [WebhookSigner(Secret($0), field: Self.signatureField)] } ?? [])
  }

  /// The response to a challenge (X's "CRC"), as JSON: to be sent within three seconds, with status 200 and
  /// `Content-Type: application/json`. It is signed by the client secret, or by the consumer secret where that is all.
  ///
  /// Challenges and deliveries are signed with the same key, so whoever could have any text signed here could forge
  /// deliveries. Therefore only what X's tokens look like is signed: up to 256 letters, digits and `+ / - _ =`, which no
  /// delivery, being a JSON object, consists of.
  ///
  /// - Parameter crcToken: The query's `crc_token`, percent-decoded.
  /// - Throws: ``WebhookError/invalidChallenge``, to get status 400, or ``WebhookError/cryptography(_:)``.
  public func response(crcToken: String?) throws(WebhookError) -> Data {
    // Each initializer makes a signer.
    guard let crcToken, Self.isToken(crcToken), let signer = signers.first else { throw .invalidChallenge }
    let signature = try signer.signature(of: Data(crcToken.utf8))
    return Data(#"{"response_token":"\#(signature)"}"#.utf8)
  }

  /// Checks that a delivery is X's, in a time that does not tell how much of the signature is right.
  ///
  /// Of a delivery with both signatures, the one by the client secret is checked, if the receiver has that.
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

  /// Checks that a delivery is X's, in a time that does not tell how much of the signature is right; for servers that
  /// have no `HTTPFields`.
  ///
  /// - Parameters:
  ///   - body: The body exactly as it arrived.
  ///   - signature: The value of the field ``oauth2SignatureField``, or of ``signatureField`` where that one is missing or
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

  /// Checks that a delivery is X's, and reads it.
  ///
  /// - Parameters:
  ///   - type: `XAPI.ActivityEvent` for X's activity API, `XAPIv1.AccountActivity` for its account activity API, or
  ///     `JSONValue` for whatever comes.
  ///   - body: The body exactly as it arrived.
  ///   - headers: The delivery's header fields.
  ///   - reportIssues: Called with the parts that are not what X's document says, and were passed over, if there are any.
  /// - Throws: ``WebhookError``.
  public func read<Event: JSONDecodable>(
    _ type: Event.Type = Event.self, from body: Data, headers: HTTPFields,
    reportIssues: ([DecodingIssue]) -> Void = { _ in }
  ) throws(WebhookError) -> Event {
    try verify(body, headers: headers)
    return try Self.decode(body, reportIssues)
  }

  /// Checks that a delivery is X's, and reads it; for servers that have no `HTTPFields`.
  ///
  /// - Parameters:
  ///   - type: `XAPI.ActivityEvent` for X's activity API, `XAPIv1.AccountActivity` for its account activity API, or
  ///     `JSONValue` for whatever comes.
  ///   - body: The body exactly as it arrived.
  ///   - signature: The value of the field ``oauth2SignatureField``, or of ``signatureField`` where that one is missing or
  ///     the receiver has no client secret.
  ///   - reportIssues: Called with the parts that are not what X's document says, and were passed over, if there are any.
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

/// One of the app's secrets, and the header field of the signatures by it.
struct WebhookSigner: Sendable {
  let fieldName: HTTPField.Name?
  private let key: MessageAuthenticationKey
  /// By an empty key everybody can sign.
  private let isKeyEmpty: Bool

  init(_ secret: Secret, field: String) {
    fieldName = HTTPField.Name(field)
    isKeyEmpty = secret.isEmpty
    key = MessageAuthenticationKey(Array(secret.reveal().utf8), hash: .sha256)
  }

  private static let prefix = "sha256="

  /// The value of the field for a message.
  func signature(of message: Data) throws(WebhookError) -> String {
    let code = try code(of: message)
    return Self.prefix + Data(code).base64EncodedString()
  }

  /// Whether a signature is that of a message, in a time that does not tell how much of it is right.
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
  /// The type's name alone.
  public var description: String { "WebhookReceiver(‹redacted›)" }
  /// The type's name alone.
  public var debugDescription: String { description }
  /// A mirror without children.
  public var customMirror: Mirror { Mirror(self, children: EmptyCollection<Mirror.Child>()) }
}

/// The error of a request to a webhook that is not X's, or cannot be read.
public enum WebhookError: Error, Sendable, Hashable {
  /// The challenge has no token, or one that X would not send. Response with status 400.
  case invalidChallenge
  /// The delivery has no signature by a secret that the receiver has. Response with status 401.
  case missingSignature
  /// The signature is not that of this body by this app's secret. Response with status 401.
  case wrongSignature
  /// The delivery is X's, and not what was expected. Response with status 200, or X delivers it again.
  case undecodable(JSONError)
  /// The system refuses to sign.
  case cryptography(CryptographyError)
}

extension WebhookError: CallsignError {
  /// Advice on it, in one sentence; `nil` for what the system refuses.
  public var advice: String? {
    switch self {
    case .invalidChallenge: "response with status 400 and sign nothing"
    case .missingSignature:
      "response with status 401 and discard it, and if all are affected give the receiver the app's other secret too"
    case .wrongSignature:
      """
      discard the delivery, and if all are affected check the client secret or consumer secret and that the body is \
      passed on unchanged
      """
    case .undecodable: "keep its body and look at it"
    case .cryptography: nil
    }
  }

  /// The problem and what to do, in one line.
  public var description: String {
    switch self {
    case .invalidChallenge: "this is no challenge of X's; \(advice ?? "")"
    case .missingSignature:
      """
      the delivery has no field \(WebhookReceiver.oauth2SignatureField) or \(WebhookReceiver.signatureField) with a \
      signature by a secret that the receiver has; \(advice ?? "")
      """
    case .wrongSignature: "the signature does not fit; \(advice ?? "")"
    case .undecodable(let error): "the delivery cannot be read; \(advice ?? "") (\(error))"
    case .cryptography(let error): error.description
    }
  }

  /// The same as ``description``.
  public var errorDescription: String? { description }

  /// The same as ``advice``.
  public var recoverySuggestion: String? { advice }
}
