import CallsignHTTP
import CallsignSupport

/// The key of a signature method.
enum OAuth1Key: Sendable {
  case shared(MessageAuthenticationKey)
  case rsa(RSAPrivateKey)
  /// The two secrets themselves.
  case plaintext([UInt8])

  /// - Parameters:
  ///   - method: How to sign.
  ///   - secrets: The two secrets, encoded and joined by `&` (RFC 5849 §3.4.2).
  init(_ method: OAuth1SignatureMethod, secrets: [UInt8]) {
    self =
      switch method {
      case .hmacSHA1: .shared(MessageAuthenticationKey(secrets, hash: .sha1))
      case .hmacSHA256: .shared(MessageAuthenticationKey(secrets, hash: .sha256))
      case .rsaSHA1(let key): .rsa(key)
      case .plaintext: .plaintext(secrets)
      }
  }

  /// The signature of a base string.
  func signature(of baseString: [UInt8]) throws(CryptographyError) -> String {
    switch self {
    case .shared(let key): return Data(try key.code(of: baseString)).base64EncodedString()
    case .rsa(let key): return try Data(key.signature(of: baseString)).base64EncodedString()
    case .plaintext(let secrets): return String(decoding: secrets, as: UTF8.self)
    }
  }
}
