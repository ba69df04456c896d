import Foundation

#if canImport(CryptoKit)
  import CryptoKit
#else
  import CCrypto
#endif

/// SHA-256 (FIPS 180-4) of bytes that arrive piece by piece. No piece is kept.
///
/// `@unchecked Sendable`: a hash in progress belongs to one upload, which only the store's actor touches.
final class SHA256Hash: @unchecked Sendable {
  #if canImport(CryptoKit)
    private var function = SHA256()

    func update(_ bytes: Data) { function.update(data: bytes) }

    /// Returns the digest. Nothing can be added afterwards.
    func finalize() -> [UInt8] { Array(function.finalize()) }
  #else
    private let context = EVP_MD_CTX_new()

    init() { EVP_DigestInit_ex(context, EVP_sha256(), nil) }

    deinit { EVP_MD_CTX_free(context) }

    func update(_ bytes: Data) {
      bytes.withUnsafeBytes { _ = EVP_DigestUpdate(context, $0.baseAddress, $0.count) }
    }

    /// Returns the digest. Nothing can be added afterwards.
    func finalize() -> [UInt8] {
      var output = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
      var length: UInt32 = 0
      EVP_DigestFinal_ex(context, &output, &length)
      return Array(output.prefix(Int(length)))
    }
  #endif

  /// Returns the digest in hexadecimal. Nothing can be added afterwards.
  func finalizeHexadecimal() -> String { finalize().map { String(format: "%02x", $0) }.joined() }

  static func digest(of bytes: Data) -> [UInt8] { hash(of: bytes).finalize() }

  static func hexadecimalDigest(of bytes: Data) -> String { hash(of: bytes).finalizeHexadecimal() }

  private static func hash(of bytes: Data) -> SHA256Hash {
    let hash = SHA256Hash()
    hash.update(bytes)
    return hash
  }
}

/// HMAC-SHA1 (RFC 2104), which OAuth 1.0a signs with.
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

/// Comparison whose time does not depend on where two values differ.
enum ConstantTime {
  static func equal(_ left: some Collection<UInt8>, _ right: some Collection<UInt8>) -> Bool {
    guard left.count == right.count else { return false }
    return zip(left, right).reduce(0 as UInt8) { $0 | ($1.0 ^ $1.1) } == 0
  }

  static func equal(_ left: String, _ right: String) -> Bool { equal(Array(left.utf8), Array(right.utf8)) }
}
