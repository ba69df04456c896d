import Foundation

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
  /// What happened and what to do, in one line.
  public var description: String {
    switch self {
    case .invalidChallenge: "this is no challenge of X's; answer with status 400 and sign nothing"
    case .missingSignature:
      "the delivery has no field \(WebhookReceiver.signatureField); answer with status 401 and discard it"
    case .wrongSignature:
      """
      the signature does not fit; discard the delivery, and if all are affected check the consumer secret and that the \
      body is passed on unchanged
      """
    case .undecodable(let error): "the delivery cannot be read; keep its body and look at it (\(error))"
    case .cryptography(let error): error.description
    }
  }

  /// The same as ``description``.
  public var errorDescription: String? { description }
}
