import Foundation

#if canImport(CryptoKit)
  import CryptoKit
#else
  import CCrypto
#endif

/// SHA-256 (FIPS 180-4), as PKCE needs it.
enum SHA256Digest {
  static func of(_ bytes: [UInt8]) -> [UInt8] {
    #if canImport(CryptoKit)
      Array(SHA256.hash(data: bytes))
    #else
      var digest = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
      var length: UInt32 = 0
      _ = EVP_Digest(bytes, bytes.count, &digest, &length, EVP_sha256(), nil)
      return Array(digest.prefix(Int(length)))
    #endif
  }
}
