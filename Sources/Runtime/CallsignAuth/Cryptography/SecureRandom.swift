#if canImport(CryptoKit)
  import Security
#else
  import CCrypto
#endif

/// Random bytes that nobody can guess.
package enum SecureRandom {
  /// The requested number of bytes.
  package static func bytes(_ count: Int) throws(CryptographyError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    #if canImport(CryptoKit)
      let succeeded = SecRandomCopyBytes(kSecRandomDefault, count, &bytes) == errSecSuccess
    #else
      let succeeded = RAND_bytes(&bytes, Int32(count)) == 1
    #endif
    guard succeeded else { throw CryptographyError("the system has no random numbers to give") }
    return bytes
  }

  /// 128 random bits as 32 hexadecimal digits.
  package static func nonce() throws(CryptographyError) -> String {
    try bytes(16).hexadecimal
  }
}
