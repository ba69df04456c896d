#if canImport(CryptoKit)
  import CryptoKit
#else
  import CCrypto
#endif

/// A hash of some bytes, without a key.
enum Digest {
  /// A hash function.
  enum Function: Sendable {
    /// MD5, which HTTP Digest still hashes with; not for anything new.
    case md5
    /// SHA-1, which OAuth 1.0 still hashes with; not for anything new.
    case sha1
    case sha256
  }

  /// The hash of a message.
  ///
  /// - Throws: ``CryptographyError`` where the system's policy forbids the function.
  static func hash(_ message: some Sequence<UInt8>, _ function: Function) throws(CryptographyError) -> [UInt8] {
    let message = Array(message)
    #if canImport(CryptoKit)
      return switch function {
      case .md5: Array(Insecure.MD5.hash(data: message))
      case .sha1: Array(Insecure.SHA1.hash(data: message))
      case .sha256: Array(SHA256.hash(data: message))
      }
    #else
      let algorithm =
        switch function {
        case .md5: EVP_md5()
        case .sha1: EVP_sha1()
        case .sha256: EVP_sha256()
        }
      var output = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
      var length: UInt32 = 0
      guard EVP_Digest(message, message.count, &output, &length, algorithm, nil) == 1 else {
        ERR_clear_error()
        throw CryptographyError("libcrypto refuses this hash function; its policy or FIPS mode may forbid it")
      }
      return Array(output.prefix(Int(length)))
    #endif
  }
}

extension Sequence where Element == UInt8 {
  /// Two lower-case hexadecimal digits for each byte.
  var hexadecimal: String {
    let digits = Array("0123456789abcdef".utf8)
    return String(decoding: flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }
}
