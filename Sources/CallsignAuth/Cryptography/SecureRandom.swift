#if canImport(CryptoKit)
  import Security
#else
  import CCrypto
#endif

/// Random bytes that nobody can guess.
enum SecureRandom {
  private static let digits = Array("0123456789abcdef".utf8)

  /// As many bytes as asked for.
  static func bytes(_ count: Int) throws(CryptographyError) -> [UInt8] {
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
  static func nonce() throws(CryptographyError) -> String {
    let random = try bytes(16)
    return String(unsafeUninitializedCapacity: 32) { buffer in
      for (index, byte) in random.enumerated() {
        buffer[2 * index] = digits[Int(byte >> 4)]
        buffer[2 * index + 1] = digits[Int(byte & 15)]
      }
      return 32
    }
  }
}
