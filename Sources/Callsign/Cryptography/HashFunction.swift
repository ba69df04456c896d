import Foundation

#if canImport(CryptoKit)
  import CryptoKit
#else
  import CCrypto
#endif

/// A hash function, for keyed signatures (RFC 2104).
enum HashFunction: Sendable {
  /// SHA-1, which OAuth 1.0 still signs with; not for anything new.
  case sha1
  case sha256

  /// The HMAC of a message under a key.
  func authenticationCode(of message: [UInt8], key: [UInt8]) throws(CryptographyError) -> [UInt8] {
    #if canImport(CryptoKit)
      let key = SymmetricKey(data: key)
      switch self {
      case .sha1: return Array(HMAC<Insecure.SHA1>.authenticationCode(for: message, using: key))
      case .sha256: return Array(HMAC<SHA256>.authenticationCode(for: message, using: key))
      }
    #else
      let digest =
        switch self {
        case .sha1: EVP_sha1()
        case .sha256: EVP_sha256()
        }
      guard let keyLength = Int32(exactly: key.count) else { throw CryptographyError("the key is too long") }
      var code = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
      var length: UInt32 = 0
      guard CCrypto.HMAC(digest, key, keyLength, message, message.count, &code, &length) != nil else {
        throw CryptographyError("libcrypto refuses this hash function; its policy or FIPS mode may forbid it")
      }
      code.removeLast(code.count - Int(length))
      return code
    #endif
  }
}
