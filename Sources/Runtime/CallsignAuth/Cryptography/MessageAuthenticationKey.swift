import CallsignSupport

#if canImport(CryptoKit)
  import CryptoKit
#else
  import CCrypto
#endif

/// A key that authenticates messages by HMAC (RFC 2104), set up once and used many times.
///
/// `@unchecked Sendable`: what libcrypto keeps behind it is never changed after `init`; each use works on a copy of its own.
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

    /// Calls `body` with the authentication code of a message.
    package func withCode(
      of message: UnsafeBufferPointer<UInt8>, _ body: (UnsafeBufferPointer<UInt8>) -> Void
    ) throws(CryptographyError) {
      try code(of: Array(message)).withUnsafeBufferPointer(body)
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
    /// An `OSSL_PARAM` holds the addresses of its name and its value and copies neither, so both stay where they are
    /// until `body` has returned. A string that is passed to `OSSL_PARAM_construct_utf8_string` directly would be gone
    /// before.
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

    /// Calls `body` with the authentication code of a message.
    ///
    /// - Throws: ``CryptographyError`` with what libcrypto said, such as that its policy forbids the hash function.
    @_optimize(speed)
    package func withCode(
      of message: UnsafeBufferPointer<UInt8>, _ body: (UnsafeBufferPointer<UInt8>) -> Void
    ) throws(CryptographyError) {
      let isMade = withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Int(EVP_MAX_MD_SIZE)) { code in
        var length = 0
        // A code is as secret as the right to send the message.
        defer { OPENSSL_cleanse(code.baseAddress, code.count) }
        guard write(codeOf: message, to: code, &length) else { return false }
        body(UnsafeBufferPointer(rebasing: code[..<length]))
        return true
      }
      guard isMade else {
        _ = try context.get()
        throw .libcrypto("libcrypto cannot authenticate a message")
      }
    }

    private func write(
      codeOf message: UnsafeBufferPointer<UInt8>, to code: UnsafeMutableBufferPointer<UInt8>, _ length: inout Int
    ) -> Bool {
      if let states {
        length = Int(SHA_DIGEST_LENGTH)
        return callsign_hmac_sha1(states, message.baseAddress, message.count, code.baseAddress) == 1
      }
      guard case .success(let context) = context, let copy = EVP_MAC_CTX_dup(context) else { return false }
      defer { EVP_MAC_CTX_free(copy) }
      return EVP_MAC_update(copy, message.baseAddress, message.count) == 1
        && EVP_MAC_final(copy, code.baseAddress, &length, code.count) == 1
    }

    /// The authentication code of a message.
    ///
    /// - Throws: ``CryptographyError`` with what libcrypto said, such as that its policy forbids the hash function.
    package func code(of message: [UInt8]) throws(CryptographyError) -> [UInt8] {
      var code: [UInt8] = []
      let result = message.withUnsafeBufferPointer { message in
        Result { () throws(CryptographyError) in try withCode(of: message) { code = Array($0) } }
      }
      try result.get()
      return code
    }
  #endif
}
