import Foundation

#if canImport(CryptoKit)
  import CryptoKit
#else
  import CCrypto
#endif

/// SHA-256 of bytes that come piece by piece, none of which is kept.
///
/// `@unchecked Sendable`: only the store, which does one thing at a time, touches it.
final class RunningSHA256: @unchecked Sendable {
  #if canImport(CryptoKit)
    private var function = SHA256()

    func update(_ bytes: Data) { function.update(data: bytes) }

    /// In hexadecimal. Nothing can be added afterwards.
    func finish() -> String { Self.text(Array(function.finalize())) }
  #else
    private let context = EVP_MD_CTX_new()

    init() { EVP_DigestInit_ex(context, EVP_sha256(), nil) }

    deinit { EVP_MD_CTX_free(context) }

    func update(_ bytes: Data) {
      bytes.withUnsafeBytes { _ = EVP_DigestUpdate(context, $0.baseAddress, $0.count) }
    }

    /// In hexadecimal. Nothing can be added afterwards.
    func finish() -> String {
      var output = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
      var length: UInt32 = 0
      EVP_DigestFinal_ex(context, &output, &length)
      return Self.text(Array(output.prefix(Int(length))))
    }
  #endif

  /// Of bytes that are all there.
  static func hash(_ bytes: Data) -> String {
    let hash = RunningSHA256()
    hash.update(bytes)
    return hash.finish()
  }

  private static func text(_ bytes: [UInt8]) -> String { bytes.map { String(format: "%02x", $0) }.joined() }
}
