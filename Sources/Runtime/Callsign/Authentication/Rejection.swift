import CallsignHTTP
import CallsignSupport

/// An authenticator's reply to a rejection.
public enum RejectionRecovery: Sendable, Hashable {
  /// Nothing can be done; the response becomes the call's error.
  case giveUp
  /// The request is sent once more, with new credentials.
  case tryAgain
}

/// A request that the API refused for its credentials.
public struct Rejection: Sendable {
  /// The request as it was sent, credentials included.
  public let request: TransportRequest
  /// The response. Its header fields include `WWW-Authenticate` if the API sent a challenge.
  public let rawResponse: RawResponse
}
