// Sound: the states are written before another thread sees them, and are erased and freed once, in `deinit`. libcrypto gets each
// buffer with its size, for the call only.

import CallsignSupport

#if canImport(CryptoKit)
  import CryptoKit
#else
  import CCrypto
#endif

/// A key that authenticates messages by HMAC (RFC 2104), set up once and used many times.
///
/// `@unchecked Sendable`: libcrypto's data behind it never changes after `init`; each use works on a separate copy.
package final class MessageAuthenticationKey: @unchecked Sendable {
  /// A hash function.
  package enum HashFunction: Sendable {
    /// SHA-1, which OAuth 1.0 still signs with; not for anything new.
    case sha1
    case sha256
    case sha512
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
      case .sha512: Array(HMAC<SHA512>.authenticationCode(for: message, using: key))
      }
    }
  #else
    /// The context, or why libcrypto made none.
    private let context: Result<OpaquePointer, CryptographyError>
    /// For HMAC-SHA1, where libcrypto's policy leaves it to us: the hash function's states after the key.
    private let states: UnsafeMutablePointer<callsign_hmac_sha1_key>?

    package init(_ bytes: [UInt8], hash: HashFunction) {
      let name =
        switch hash {
        case .sha1: "SHA1"
        case .sha256: "SHA256"
        case .sha512: "SHA512"
        }
      context = Result { () throws(CryptographyError) in try Self.makeContext(bytes, digest: name) }
      // The policy may forbid the hash function, which the context's making has found out.
      states = hash == .sha1 && (try? context.get()) != nil ? Self.makeStates(bytes) : nil
    }

    deinit {
      if let states {
        OPENSSL_cleanse(states, MemoryLayout<callsign_hmac_sha1_key>.size)
        states.deallocate()
      }
      if case .success(let context) = context { EVP_MAC_CTX_free(context) }
    }

    private static func makeStates(_ key: [UInt8]) -> UnsafeMutablePointer<callsign_hmac_sha1_key>? {
      let states = UnsafeMutablePointer<callsign_hmac_sha1_key>.allocate(capacity: 1)
      states.initialize(to: callsign_hmac_sha1_key())
      if callsign_hmac_sha1_prepare(states, key, key.count) == 1 { return states }
      states.deallocate()
      return nil
    }

    private static func makeContext(_ key: [UInt8], digest: String) throws(CryptographyError) -> OpaquePointer {
      let failure = "libcrypto makes no HMAC with \(digest)"
      guard let algorithm = EVP_MAC_fetch(nil, "HMAC", nil) else { throw .libcrypto(failure) }
      defer { EVP_MAC_free(algorithm) }
      guard let context = EVP_MAC_CTX_new(algorithm) else { throw .libcrypto(failure) }
      let isReady = withDigestParameter(digest) { parameters in
        // An empty key must still be a key, and an empty array may have no address. libcrypto copies the key.
        EVP_MAC_init(context, key.isEmpty ? [0] : key, key.count, parameters.baseAddress) == 1
      }
      guard isReady else {
        EVP_MAC_CTX_free(context)
        throw .libcrypto(failure)
      }
      return context
    }

    /// Lends libcrypto the parameters that choose a hash function.
    ///
    /// An `OSSL_PARAM` contains the addresses of its name and its value and copies neither, so both stay in place until `body` has
    /// returned. A string passed directly to `OSSL_PARAM_construct_utf8_string` would be freed before that.
    ///
    /// - Parameter body: Uses the parameters, which it must not keep.
    static func withDigestParameter<Value>(
      _ digest: String, _ body: (UnsafeBufferPointer<OSSL_PARAM>) -> Value
    ) -> Value {
      "digest".withCString { name in
        var value = Array(digest.utf8CString)
        return value.withUnsafeMutableBufferPointer { value in
          let parameters = [
            OSSL_PARAM_construct_utf8_string(name, value.baseAddress, 0), OSSL_PARAM_construct_end(),
          ]
          return parameters.withUnsafeBufferPointer(body)
        }
      }
    }

    /// The authentication code of a message.
    ///
    /// - Throws: ``CryptographyError`` with what libcrypto said, such as that its policy forbids the hash function.
    package func code(of message: [UInt8]) throws(CryptographyError) -> [UInt8] {
      let context = try context.get()
      var code = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
      var length = 0
      if let states {
        length = Int(SHA_DIGEST_LENGTH)
        guard callsign_hmac_sha1(states, message, message.count, &code) == 1 else { throw Self.failure }
      } else {
        guard let copy = EVP_MAC_CTX_dup(context) else { throw Self.failure }
        defer { EVP_MAC_CTX_free(copy) }
        guard EVP_MAC_update(copy, message, message.count) == 1,
          EVP_MAC_final(copy, &code, &length, code.count) == 1
        else { throw Self.failure }
      }
      return Array(code.prefix(length))
    }

    private static var failure: CryptographyError { .libcrypto("libcrypto cannot authenticate a message") }
  #endif
}
