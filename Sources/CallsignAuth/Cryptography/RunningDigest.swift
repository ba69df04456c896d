import Foundation

#if canImport(CryptoKit)
  import CryptoKit
#else
  import CCrypto
#endif

/// A hash of bytes that come piece by piece. For one task at a time.
final class RunningDigest {
  #if canImport(CryptoKit)
    private var hasher: any HashFunction

    init(_ function: Digest.Function) throws(CryptographyError) {
      hasher =
        switch function {
        case .md5: Insecure.MD5()
        case .sha1: Insecure.SHA1()
        case .sha256: SHA256()
        }
    }

    /// Adds what follows.
    func add(_ data: Data) throws(CryptographyError) { hasher.update(data: data) }

    /// The hash of all that was added. Nothing can be added any more.
    func finish() throws(CryptographyError) -> [UInt8] {
      func bytes(_ hasher: some HashFunction) -> [UInt8] { Array(hasher.finalize()) }
      return bytes(hasher)
    }
  #else
    private let context: OpaquePointer
    private static let failure = CryptographyError(
      "libcrypto refuses this hash function; its policy or FIPS mode may forbid it")

    /// - Throws: ``CryptographyError`` where the system's policy forbids the function.
    init(_ function: Digest.Function) throws(CryptographyError) {
      let algorithm =
        switch function {
        case .md5: EVP_md5()
        case .sha1: EVP_sha1()
        case .sha256: EVP_sha256()
        }
      guard let context = EVP_MD_CTX_new() else { throw Self.failure }
      self.context = context
      guard EVP_DigestInit_ex(context, algorithm, nil) == 1 else {
        ERR_clear_error()
        throw Self.failure
      }
    }

    deinit { EVP_MD_CTX_free(context) }

    /// Adds what follows.
    func add(_ data: Data) throws(CryptographyError) {
      let isAdded = data.withUnsafeBytes { EVP_DigestUpdate(context, $0.baseAddress, $0.count) == 1 }
      guard isAdded else { throw Self.failure }
    }

    /// The hash of all that was added. Nothing can be added any more.
    func finish() throws(CryptographyError) -> [UInt8] {
      var output = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
      var length: UInt32 = 0
      guard EVP_DigestFinal_ex(context, &output, &length) == 1 else { throw Self.failure }
      return Array(output.prefix(Int(length)))
    }
  #endif
}
