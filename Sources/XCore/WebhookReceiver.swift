import Callsign
import CallsignAuth
import CallsignFoundation

/// Answers X's webhook challenges, and checks that a delivery is X's; for a server that X delivers events to.
///
/// ```swift
/// let receiver = WebhookReceiver(consumerSecret: Secret("…"))
/// // GET /webhook?crc_token=…
/// let answer = try receiver.answer(crcToken: query["crc_token"])
/// // POST /webhook
/// let event = try receiver.read(
///   XAPI.ActivityEvent.self, from: body, signature: headers[WebhookReceiver.signatureField])
/// ```
///
/// Source: https://docs.x.com/x-api/webhooks/quickstart
public struct WebhookReceiver: Sendable {
  /// The header field in which a delivery has its signature.
  public static let signatureField = "x-twitter-webhooks-signature"

  private let key: MessageAuthenticationKey
  /// By an empty key everybody can sign.
  private let isKeyEmpty: Bool

  /// - Parameter consumerSecret: The secret of the app that the webhook belongs to. By an empty one nothing is taken.
  public init(consumerSecret: Secret) {
    isKeyEmpty = consumerSecret.isEmpty
    key = MessageAuthenticationKey(Array(consumerSecret.reveal().utf8), hash: .sha256)
  }

  /// The answer to a challenge (X's "CRC"), as JSON: to be sent within three seconds, with status 200 and
  /// `Content-Type: application/json`.
  ///
  /// Challenges and deliveries are signed with the same key, so whoever could have any text signed here could forge
  /// deliveries. Therefore only what X's tokens look like is signed: up to 256 letters, digits and `+ / - _ =`, which no
  /// delivery, being a JSON object, consists of.
  ///
  /// - Parameter crcToken: The query's `crc_token`, percent-decoded.
  /// - Throws: ``WebhookError/invalidChallenge``, to be answered with status 400, or ``WebhookError/cryptography(_:)``.
  public func answer(crcToken: String?) throws(WebhookError) -> Data {
    guard let crcToken, Self.isToken(crcToken) else { throw .invalidChallenge }
    let code = try code(of: Array(crcToken.utf8))
    return Data(#"{"response_token":"sha256=\#(Data(code).base64EncodedString())"}"#.utf8)
  }

  /// Checks that a delivery is X's, in a time that does not tell how much of the signature is right.
  ///
  /// - Parameters:
  ///   - body: The body exactly as it arrived.
  ///   - signature: The value of the field ``signatureField``.
  /// - Throws: ``WebhookError/missingSignature`` or ``WebhookError/wrongSignature``, to be answered with status 401 or
  ///   403, or ``WebhookError/cryptography(_:)``.
  public func verify(_ body: Data, signature: String?) throws(WebhookError) {
    guard let signature else { throw .missingSignature }
    guard !isKeyEmpty else { throw .wrongSignature }
    let prefix = "sha256="
    guard signature.hasPrefix(prefix), let received = Data(base64Encoded: String(signature.dropFirst(prefix.count)))
    else {
      throw .wrongSignature
    }
    guard ConstantTime.areEqual(Array(received), try code(of: Array(body))) else { throw .wrongSignature }
  }

  /// Checks that a delivery is X's, and reads it.
  ///
  /// - Parameters:
  ///   - type: `XAPI.ActivityEvent` for X's activity API, `XAPIv1.AccountActivity` for its account activity API, or
  ///     `JSONValue` for whatever comes.
  ///   - body: The body exactly as it arrived.
  ///   - signature: The value of the field ``signatureField``.
  ///   - reportIssues: Called with the parts that are not what X's document says, and were passed over, if there are any.
  /// - Throws: ``WebhookError``.
  public func read<Event: JSONDecodable>(
    _ type: Event.Type = Event.self, from body: Data, signature: String?,
    reportIssues: ([DecodingIssue]) -> Void = { _ in }
  ) throws(WebhookError) -> Event {
    try verify(body, signature: signature)
    do throws(JSONError) {
      var issues: [DecodingIssue] = []
      let event = try Event(jsonData: body, issues: &issues)
      if !issues.isEmpty { reportIssues(issues) }
      return event
    } catch { throw .undecodable(error) }
  }

  func code(of message: [UInt8]) throws(WebhookError) -> [UInt8] {
    do throws(CryptographyError) { return try key.code(of: message) } catch { throw .cryptography(error) }
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

extension WebhookReceiver: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The type's name alone.
  public var description: String { "WebhookReceiver(‹redacted›)" }
  /// The type's name alone.
  public var debugDescription: String { description }
  /// A mirror without children.
  public var customMirror: Mirror { Mirror(self, children: EmptyCollection<Mirror.Child>()) }
}

/// Why a request to a webhook is not X's, or cannot be read.
public enum WebhookError: Error, Sendable, Hashable {
  /// The challenge has no token, or one that X would not send. Answer with status 400.
  case invalidChallenge
  /// The delivery is not signed. Answer with status 401.
  case missingSignature
  /// The signature is not that of this body by this app's secret. Answer with status 401.
  case wrongSignature
  /// The delivery is X's, and not what was expected. Answer with status 200, or X delivers it again.
  case undecodable(JSONError)
  /// The system refuses to sign.
  case cryptography(CryptographyError)
}

extension WebhookError: CustomStringConvertible, LocalizedError {
  /// Advice on it, in one sentence; `nil` for what the system refuses.
  public var advice: String? {
    switch self {
    case .invalidChallenge: "answer with status 400 and sign nothing"
    case .missingSignature: "answer with status 401 and discard it"
    case .wrongSignature:
      """
      discard the delivery, and if all are affected check the consumer secret and that the body is passed on unchanged
      """
    case .undecodable: "keep its body and look at it"
    case .cryptography: nil
    }
  }

  /// The problem and what to do, in one line.
  public var description: String {
    switch self {
    case .invalidChallenge: "this is no challenge of X's; \(advice ?? "")"
    case .missingSignature: "the delivery has no field \(WebhookReceiver.signatureField); \(advice ?? "")"
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
