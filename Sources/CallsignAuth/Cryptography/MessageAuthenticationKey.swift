import Foundation

#if canImport(CryptoKit)
  import CryptoKit
#else
  import CCrypto
#endif

/// A key that authenticates messages by HMAC (RFC 2104), set up once and used many times.
///
/// `@unchecked Sendable`: the context behind it is never changed after `init`; each use works on a copy of its own.
package final class MessageAuthenticationKey: @unchecked Sendable {
  /// A hash function.
  package enum HashFunction: Sendable {
    /// SHA-1, which OAuth 1.0 still signs with; not for anything new.
    case sha1
    case sha256
  }

  #if canImport(CryptoKit)
    private let hash: HashFunction
    private let key: SymmetricKey

    package init(_ bytes: [UInt8], hash: HashFunction) {
      self.hash = hash
      key = SymmetricKey(data: bytes)
    }

    /// The authentication code of a message.
    package func code(of message: [UInt8]) throws(CryptographyError) -> [UInt8] {
      switch hash {
      case .sha1: Array(HMAC<Insecure.SHA1>.authenticationCode(for: message, using: key))
      case .sha256: Array(HMAC<SHA256>.authenticationCode(for: message, using: key))
      }
    }
  #else
    /// `nil` where libcrypto refuses the hash function.
    private let context: OpaquePointer?

    package init(_ bytes: [UInt8], hash: HashFunction) {
      let name =
        switch hash {
        case .sha1: "SHA1"
        case .sha256: "SHA256"
        }
      context = Self.makeContext(bytes, digest: name)
    }

    deinit { EVP_MAC_CTX_free(context) }

    private static func makeContext(_ key: [UInt8], digest: String) -> OpaquePointer? {
      guard let algorithm = EVP_MAC_fetch(nil, "HMAC", nil) else { return nil }
      defer { EVP_MAC_free(algorithm) }
      guard let context = EVP_MAC_CTX_new(algorithm) else { return nil }
      var name = Array(digest.utf8CString)
      let isReady = name.withUnsafeMutableBufferPointer { name in
        let parameters = [
          OSSL_PARAM_construct_utf8_string("digest", name.baseAddress, 0), OSSL_PARAM_construct_end(),
        ]
        // An empty key must still be a key, and an empty array may have no address.
        return EVP_MAC_init(context, key.isEmpty ? [0] : key, key.count, parameters) == 1
      }
      guard isReady else {
        ERR_clear_error()
        EVP_MAC_CTX_free(context)
        return nil
      }
      return context
    }

    /// The authentication code of a message.
    package func code(of message: [UInt8]) throws(CryptographyError) -> [UInt8] {
      let failure = CryptographyError("libcrypto refuses this hash function; its policy or FIPS mode may forbid it")
      guard let context, let copy = EVP_MAC_CTX_dup(context) else { throw failure }
      defer { EVP_MAC_CTX_free(copy) }
      var code = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
      var length = 0
      guard EVP_MAC_update(copy, message, message.count) == 1,
        EVP_MAC_final(copy, &code, &length, code.count) == 1
      else {
        ERR_clear_error()
        throw failure
      }
      code.removeLast(code.count - length)
      return code
    }
  #endif
}
