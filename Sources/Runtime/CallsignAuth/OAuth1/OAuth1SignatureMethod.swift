import CallsignHTTP
import CallsignSupport

/// How requests are signed (RFC 5849 §3.4).
public enum OAuth1SignatureMethod: Sendable {
  /// HMAC-SHA1 (RFC 5849 §3.4.2), which every provider takes.
  case hmacSHA1
  /// HMAC-SHA256, the same with a better hash, for providers that take it.
  case hmacSHA256
  /// RSA-SHA1 (RFC 5849 §3.4.3). The shared secrets play no part in it.
  case rsaSHA1(RSAPrivateKey)
  /// PLAINTEXT (RFC 5849 §3.4.4): the secrets themselves, so over TLS or to this machine only.
  case plaintext

  /// The value of `oauth_signature_method`.
  public var name: String {
    switch self {
    case .hmacSHA1: "HMAC-SHA1"
    case .hmacSHA256: "HMAC-SHA256"
    case .rsaSHA1: "RSA-SHA1"
    case .plaintext: "PLAINTEXT"
    }
  }
}
