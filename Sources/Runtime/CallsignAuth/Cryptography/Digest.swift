// Sound: libcrypto gets the buffer with its size, and reads it during the call only.

import CallsignSupport

#if canImport(CryptoKit)
  import CryptoKit
#else
  import CCrypto
#endif

/// A hash of some bytes, without a key.
package enum Digest {
  /// A hash function.
  package enum Function: Sendable {
    /// MD5, which HTTP Digest still hashes with; not for anything new.
    case md5
    /// SHA-1, which OAuth 1.0 still hashes with; not for anything new.
    case sha1
    case sha256
  }

  /// The hash of a message.
  ///
  /// - Throws: ``CryptographyError`` if the system's policy forbids the function.
  package static func hash(_ message: some Sequence<UInt8>, _ function: Function) throws(CryptographyError) -> [UInt8] {
    let message = Array(message)
    #if canImport(CryptoKit)
      return switch function {
      case .md5: Array(Insecure.MD5.hash(data: message))
      case .sha1: Array(Insecure.SHA1.hash(data: message))
      case .sha256: Array(SHA256.hash(data: message))
      }
    #else
      var output = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
      var length: UInt32 = 0
      guard EVP_Digest(message, message.count, &output, &length, function.algorithm, nil) == 1 else {
        throw .libcrypto("libcrypto refuses the hash function \(function)")
      }
      return Array(output.prefix(Int(length)))
    #endif
  }
}

#if !canImport(CryptoKit)
  extension Digest.Function {
    /// libcrypto's own, which lives as long as the process.
    fileprivate var algorithm: OpaquePointer? {
      switch self {
      case .md5: EVP_md5()
      case .sha1: EVP_sha1()
      case .sha256: EVP_sha256()
      }
    }
  }
#endif

/// A hash of bytes that come piece by piece. For one task at a time.
package final class RunningDigest {
  #if canImport(CryptoKit)
    private var hasher: any HashFunction

    package init(_ function: Digest.Function) throws(CryptographyError) {
      hasher =
        switch function {
        case .md5: Insecure.MD5()
        case .sha1: Insecure.SHA1()
        case .sha256: SHA256()
        }
    }

    /// Adds what follows.
    package func add(_ data: Data) throws(CryptographyError) { hasher.update(data: data) }

    /// The hash of everything that was added. Nothing can be added afterwards.
    package func finish() throws(CryptographyError) -> [UInt8] {
      func bytes(_ hasher: some HashFunction) -> [UInt8] { Array(hasher.finalize()) }
      return bytes(hasher)
    }
  #else
    private let context: OpaquePointer
    private static let failure = "libcrypto cannot hash"

    /// - Throws: ``CryptographyError`` if the system's policy forbids the function.
    package init(_ function: Digest.Function) throws(CryptographyError) {
      guard let context = EVP_MD_CTX_new() else { throw .libcrypto(Self.failure) }
      self.context = context
      guard EVP_DigestInit_ex(context, function.algorithm, nil) == 1 else {
        throw .libcrypto("libcrypto refuses the hash function \(function)")
      }
    }

    deinit { EVP_MD_CTX_free(context) }

    /// Adds what follows.
    package func add(_ data: Data) throws(CryptographyError) {
      let isAdded = data.withUnsafeBytes { EVP_DigestUpdate(context, $0.baseAddress, $0.count) == 1 }
      guard isAdded else { throw .libcrypto(Self.failure) }
    }

    /// The hash of everything that was added. Nothing can be added afterwards.
    package func finish() throws(CryptographyError) -> [UInt8] {
      var output = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
      var length: UInt32 = 0
      guard EVP_DigestFinal_ex(context, &output, &length) == 1 else { throw .libcrypto(Self.failure) }
      return Array(output.prefix(Int(length)))
    }
  #endif
}

extension Sequence<UInt8> {
  /// Two lower-case hexadecimal digits for each byte.
  package var hexadecimal: String {
    let digits = Array("0123456789abcdef".utf8)
    var text: [UInt8] = []
    for byte in self {
      text.append(digits[Int(byte >> 4)])
      text.append(digits[Int(byte & 15)])
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Base64 with the alphabet for URLs and without padding (RFC 4648 §5, RFC 7636 appendix A).
  package var base64URL: String {
    let text = Data(self).base64EncodedString()
    return String(
      text.compactMap { character in
        switch character {
        case "+": "-"
        case "/": "_"
        case "=": nil
        default: character
        }
      })
  }
}
