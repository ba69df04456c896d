// Sound: libcrypto reads the buffer in place, so it is freed before the text is.

import CallsignHTTP
import CallsignSupport

#if canImport(CryptoKit)
  import Security
#else
  import CCrypto
#endif

/// An RSA key that signs. It prints as `‹redacted›`.
///
/// `@unchecked Sendable`: the key behind it is never changed after `init`, and both libraries allow signing with one key
/// from several threads at once.
public final class RSAPrivateKey: @unchecked Sendable {
  #if canImport(CryptoKit)
    private let key: SecKey
  #else
    private let key: OpaquePointer
  #endif

  /// Reads a key in PEM form: PKCS#8 (`BEGIN PRIVATE KEY`) or PKCS#1 (`BEGIN RSA PRIVATE KEY`), not encrypted.
  ///
  /// - Throws: ``CryptographyError`` when it is not such a key.
  public init(pem: any SecretConvertible) throws(CryptographyError) {
    let pem = Secret(pem)
    let unreadable = CryptographyError(
      "the RSA key is not readable; give an unencrypted PEM text that begins with BEGIN PRIVATE KEY or "
        + "BEGIN RSA PRIVATE KEY")
    #if canImport(CryptoKit)
      guard let der = Self.pkcs1(pem.reveal()) else { throw unreadable }
      let attributes = [kSecAttrKeyType: kSecAttrKeyTypeRSA, kSecAttrKeyClass: kSecAttrKeyClassPrivate]
      guard let key = SecKeyCreateWithData(der as CFData, attributes as CFDictionary, nil) else { throw unreadable }
      self.key = key
    #else
      let key = Array(pem.reveal().utf8).withUnsafeBytes { text -> OpaquePointer? in
        // The buffer reads the text in place, so it is freed before the text is.
        guard let length = Int32(exactly: text.count), let buffer = BIO_new_mem_buf(text.baseAddress, length) else {
          return nil
        }
        defer { BIO_free(buffer) }
        // The callback stands for "no password", so that libcrypto never asks a terminal for one.
        return PEM_read_bio_PrivateKey(buffer, nil, { _, _, _, _ in 0 }, nil)
      }
      guard let key else {
        ERR_clear_error()
        throw unreadable
      }
      guard EVP_PKEY_get_base_id(key) == EVP_PKEY_RSA else {
        EVP_PKEY_free(key)
        throw CryptographyError("the key is not an RSA key")
      }
      self.key = key
    #endif
  }

  #if !canImport(CryptoKit)
    deinit { EVP_PKEY_free(key) }
  #endif

  /// The RSASSA-PKCS1-v1_5 signature with SHA-1 (RFC 8017 §8.2), as OAuth 1.0's `RSA-SHA1` has it.
  package func signature(of message: [UInt8]) throws(CryptographyError) -> [UInt8] {
    #if canImport(CryptoKit)
      let signature = SecKeyCreateSignature(key, .rsaSignatureMessagePKCS1v15SHA1, Data(message) as CFData, nil)
      guard let signature else { throw CryptographyError("the RSA key cannot sign") }
      return Array(signature as Data)
    #else
      let failure = "libcrypto cannot sign with this RSA key"
      guard let context = EVP_MD_CTX_new() else { throw .libcrypto(failure) }
      defer { EVP_MD_CTX_free(context) }
      var length = 0
      guard EVP_DigestSignInit(context, nil, EVP_sha1(), nil, key) == 1,
        EVP_DigestSign(context, nil, &length, message, message.count) == 1
      else { throw .libcrypto(failure) }
      var signature = [UInt8](repeating: 0, count: length)
      guard EVP_DigestSign(context, &signature, &length, message, message.count) == 1 else {
        throw .libcrypto(failure)
      }
      signature.removeLast(signature.count - length)
      return signature
    #endif
  }

  #if canImport(CryptoKit)
    /// The PKCS#1 form of a PEM text, which is what Security reads.
    private static func pkcs1(_ pem: String) -> Data? {
      let lines = pem.split(whereSeparator: \.isNewline)
      guard let first = lines.first, let last = lines.last, first.hasPrefix("-----BEGIN "), last.hasPrefix("-----END "),
        let der = Data(base64Encoded: lines.dropFirst().dropLast().joined())
      else { return nil }
      if first.contains("RSA PRIVATE KEY") { return der }
      // PKCS#8 (RFC 5208) wraps it: a sequence of a version, the algorithm, and an octet string with the key.
      var rest = DERReader(der)
      guard var info = rest.sequence(), info.skip(), info.skip(), let key = info.octets() else { return nil }
      return key
    }
  #endif
}

extension RSAPrivateKey: RedactedStringConvertible {
  /// `‹redacted›`
  public var description: String { Secret.redacted }
}

#if canImport(CryptoKit)
  /// The little of DER (ITU-T X.690) that it takes to unwrap a key.
  private struct DERReader {
    private var rest: Data

    init(_ data: Data) { rest = data }

    mutating func sequence() -> DERReader? { element(tag: 0x30).map(DERReader.init) }

    mutating func octets() -> Data? { element(tag: 0x04) }

    mutating func skip() -> Bool { element(tag: nil) != nil }

    private mutating func element(tag expected: UInt8?) -> Data? {
      guard let tag = rest.popFirst(), expected == nil || tag == expected, let first = rest.popFirst() else {
        return nil
      }
      var length = Int(first)
      if first & 0x80 != 0 {
        guard first & 0x7F <= 4 else { return nil }
        length = 0
        for _ in 0..<(first & 0x7F) {
          guard let byte = rest.popFirst() else { return nil }
          length = length << 8 | Int(byte)
        }
      }
      guard length <= rest.count else { return nil }
      defer { rest = rest.dropFirst(length) }
      return rest.prefix(length)
    }
  }
#endif
