// Sound: libcrypto gets each buffer with its size, and reads it during the call only.

import CallsignSupport
import Foundation

#if canImport(CryptoKit)
  import CryptoKit
  import Security
#else
  import CCrypto
#endif

/// SHA-256 (FIPS 180-4) of bytes that arrive piece by piece. The pieces are not kept.
///
/// `@unchecked Sendable`: a hash in progress belongs to one upload, and only the store's actor uses it.
final class SHA256Hash: @unchecked Sendable {
  #if canImport(CryptoKit)
    private var function = SHA256()

    func update(_ bytes: Data) { function.update(data: bytes) }

    /// Returns the digest. You cannot add anything afterwards.
    func finalize() -> [UInt8] { Array(function.finalize()) }
  #else
    private let context = EVP_MD_CTX_new()

    init() { EVP_DigestInit_ex(context, EVP_sha256(), nil) }

    deinit { EVP_MD_CTX_free(context) }

    func update(_ bytes: Data) {
      bytes.withUnsafeBytes { _ = EVP_DigestUpdate(context, $0.baseAddress, $0.count) }
    }

    /// Returns the digest. You cannot add anything afterwards.
    func finalize() -> [UInt8] {
      var output = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
      var length: UInt32 = 0
      EVP_DigestFinal_ex(context, &output, &length)
      return Array(output.prefix(Int(length)))
    }
  #endif

  /// Returns the digest in hexadecimal. You cannot add anything afterwards.
  func finalizeHexadecimal() -> String { finalize().map { String(format: "%02x", $0) }.joined() }

  static func digest(of bytes: Data) -> [UInt8] { hash(of: bytes).finalize() }

  static func hexadecimalDigest(of bytes: Data) -> String { hash(of: bytes).finalizeHexadecimal() }

  private static func hash(of bytes: Data) -> SHA256Hash {
    let hash = SHA256Hash()
    hash.update(bytes)
    return hash
  }
}

/// HMAC message authentication codes (RFC 2104).
enum HMACCode {
  /// HMAC-SHA1, for OAuth 1.0a signatures.
  static func sha1(of message: [UInt8], key: [UInt8]) -> [UInt8] {
    #if canImport(CryptoKit)
      code(of: message, key: key, Insecure.SHA1.self)
    #else
      code(of: message, key: key, EVP_sha1())
    #endif
  }

  /// HMAC-SHA256, for webhook signatures.
  static func sha256(of message: [UInt8], key: [UInt8]) -> [UInt8] {
    #if canImport(CryptoKit)
      code(of: message, key: key, SHA256.self)
    #else
      code(of: message, key: key, EVP_sha256())
    #endif
  }

  #if canImport(CryptoKit)
    private static func code<Hash: HashFunction>(of message: [UInt8], key: [UInt8], _: Hash.Type) -> [UInt8] {
      Array(HMAC<Hash>.authenticationCode(for: message, using: SymmetricKey(data: key)))
    }
  #else
    private static func code(of message: [UInt8], key: [UInt8], _ hash: OpaquePointer?) -> [UInt8] {
      var code = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
      var length: UInt32 = 0
      _ = HMAC(hash, key, Int32(clamping: key.count), message, message.count, &code, &length)
      return Array(code.prefix(Int(length)))
    }
  #endif
}

/// Verifies RSASSA-PKCS1-v1_5 signatures with SHA-1 (RFC 8017 §8.2.2), the other side of OAuth 1.0's `RSA-SHA1`.
enum RSASHA1 {
  /// Whether the owner of the key signed the message.
  static func isSignature(_ signature: Data, of message: [UInt8], by pem: String) -> Bool {
    #if canImport(CryptoKit)
      guard let key = key(pem) else { return false }
      return SecKeyVerifySignature(
        key, .rsaSignatureMessagePKCS1v15SHA1, Data(message) as CFData, signature as CFData, nil)
    #else
      return withKey(pem) { key in
        guard let context = EVP_MD_CTX_new() else { return false }
        defer { EVP_MD_CTX_free(context) }
        let bytes = Array(signature)
        return EVP_DigestVerifyInit(context, nil, EVP_sha1(), nil, key) == 1
          && EVP_DigestVerify(context, bytes, bytes.count, message, message.count) == 1
      } ?? false
    #endif
  }

  #if canImport(CryptoKit)
    private static func key(_ pem: String) -> SecKey? {
      let lines = pem.split(whereSeparator: \.isNewline).filter { !$0.hasPrefix("-----") }
      guard let der = Data(base64Encoded: lines.joined()) else { return nil }
      let attributes = [kSecAttrKeyType: kSecAttrKeyTypeRSA, kSecAttrKeyClass: kSecAttrKeyClassPublic]
      return SecKeyCreateWithData(der as CFData, attributes as CFDictionary, nil)
    }
  #else
    private static func withKey<Value>(_ pem: String, _ body: (OpaquePointer) -> Value) -> Value? {
      Array(pem.utf8).withUnsafeBytes { text -> Value? in
        // The buffer refers to the text in place, so it is freed before the text is.
        guard let length = Int32(exactly: text.count), let buffer = BIO_new_mem_buf(text.baseAddress, length) else {
          return nil
        }
        defer { BIO_free(buffer) }
        guard let key = PEM_read_bio_PUBKEY(buffer, nil, nil, nil) else {
          ERR_clear_error()
          return nil
        }
        defer { EVP_PKEY_free(key) }
        return body(key)
      }
    }
  #endif
}

/// Compares values in a time that does not depend on where they differ.
enum ConstantTime {
  static func equal(_ left: some Collection<UInt8>, _ right: some Collection<UInt8>) -> Bool {
    guard left.count == right.count else { return false }
    return zip(left, right).reduce(0 as UInt8) { $0 | ($1.0 ^ $1.1) } == 0
  }

  static func equal(_ left: String, _ right: String) -> Bool { equal(Array(left.utf8), Array(right.utf8)) }
}
