import Foundation

#if canImport(CryptoKit)
  import CryptoKit
#else
  import CCrypto
#endif

/// HMAC-SHA1 (RFC 2104), as OAuth 1.0a needs it.
enum HMACSHA1 {
  static func authenticationCode(of message: [UInt8], key: [UInt8]) -> [UInt8] {
    #if canImport(CryptoKit)
      Array(HMAC<Insecure.SHA1>.authenticationCode(for: message, using: SymmetricKey(data: key)))
    #else
      var code = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
      var length: UInt32 = 0
      _ = HMAC(EVP_sha1(), key, Int32(clamping: key.count), message, message.count, &code, &length)
      return Array(code.prefix(Int(length)))
    #endif
  }
}
