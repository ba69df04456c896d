import CallsignHTTP
import CallsignSupport

/// A signed request's parts.
public struct OAuth1Signature: Sendable, Hashable {
  /// The text that was signed (RFC 5849 §3.4.1). It holds the request's parameters, but no secret.
  public let baseString: String
  /// `oauth_signature`, not encoded.
  public let signature: String
  /// The value of the `Authorization` field.
  public let authorization: String
}

extension OAuth1Signature: RedactedStringConvertible {}
