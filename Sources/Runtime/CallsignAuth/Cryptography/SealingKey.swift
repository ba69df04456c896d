import CallsignHTTP
import CallsignSupport

#if canImport(CryptoKit)
  import CryptoKit
#else
  import CCrypto
#endif

/// A key that seals data which leaves the program for a while and comes back, such as a ``PendingLogin`` in a cookie.
///
/// A third party that has the data in the meantime can neither read nor change it (AES-256-GCM, NIST SP 800-38D).
///
/// All processes that open the data need the same key. If you create a new key at each start, logins that have begun
/// are lost.
public struct SealingKey: Sendable {
  private let bytes: [UInt8]

  /// Tells this key from others, without giving it away: the first digits of a hash.
  package var mark: String {
    get throws(CryptographyError) {
      try Digest.hash(Array("callsign key ".utf8) + bytes, .sha256).prefix(8).hexadecimal
    }
  }

  private static let nonceLength = 12
  private static let tagLength = 16

  /// Makes a random key.
  ///
  /// - Throws: ``CryptographyError`` when the system has no random numbers.
  public init() throws(CryptographyError) { bytes = try SecureRandom.bytes(32) }

  /// Derives a key from a secret that all processes of a server have, such as one from its environment.
  ///
  /// - Parameter secret: At least 32 random characters; a password that a person made up is not such a secret.
  /// - Throws: ``CryptographyError`` if it is shorter.
  public init(_ secret: any SecretConvertible) throws(CryptographyError) {
    let text = Array(Secret(secret).reveal().utf8)
    guard text.count >= 32 else { throw CryptographyError("a sealing key's secret has at least 32 characters") }
    bytes = try Digest.hash(text, .sha256)
  }

  /// Seals bytes, such as a session for a cookie.
  ///
  /// - Parameters:
  ///   - content: The bytes.
  ///   - purpose: The purpose. It must be the same when the bytes are opened, so that data sealed for one place is
  ///     useless in another. It is not secret.
  /// - Returns: Bytes, 28 more than the content.
  /// - Throws: ``CryptographyError`` if the system has no random numbers or cannot seal.
  public func seal(_ content: Data, for purpose: String) throws(CryptographyError) -> Data {
    let nonce = try SecureRandom.bytes(Self.nonceLength)
    let context = Array(purpose.utf8)
    #if canImport(CryptoKit)
      do {
        let box = try AES.GCM.seal(
          content, using: SymmetricKey(data: bytes), nonce: AES.GCM.Nonce(data: nonce), authenticating: context)
        return Data(nonce) + box.ciphertext + box.tag
      } catch { throw CryptographyError("the system cannot seal") }
    #else
      let (sealed, tag) = try Self.run(Array(content), bytes, nonce, context, expecting: nil)
      return Data(nonce + sealed + tag)
    #endif
  }

  /// The bytes that were sealed; `nil` when it was by another key or for another purpose, or they have been changed since.
  public func open(_ sealed: Data, for purpose: String) -> Data? {
    let all = Array(sealed)
    guard all.count >= Self.nonceLength + Self.tagLength else { return nil }
    let nonce = Array(all.prefix(Self.nonceLength))
    let tag = Array(all.suffix(Self.tagLength))
    let content = Array(all.dropFirst(Self.nonceLength).dropLast(Self.tagLength))
    let context = Array(purpose.utf8)
    #if canImport(CryptoKit)
      guard let nonce = try? AES.GCM.Nonce(data: nonce),
        let box = try? AES.GCM.SealedBox(nonce: nonce, ciphertext: content, tag: tag)
      else { return nil }
      return try? AES.GCM.open(box, using: SymmetricKey(data: bytes), authenticating: context)
    #else
      return (try? Self.run(content, bytes, nonce, context, expecting: tag)).map { Data($0.output) }
    #endif
  }
}

extension SealingKey: RedactedStringConvertible {}

#if !canImport(CryptoKit)
  extension SealingKey {
    /// Encrypts; if a tag is expected, decrypts and checks it.
    private static func run(
      _ input: [UInt8], _ key: [UInt8], _ nonce: [UInt8], _ context: [UInt8], expecting tag: [UInt8]?
    ) throws(CryptographyError) -> (output: [UInt8], tag: [UInt8]) {
      let failure = tag == nil ? "libcrypto cannot seal" : "what was sealed has been changed"
      guard let cipher = EVP_CIPHER_CTX_new() else { throw .libcrypto(failure) }
      defer { EVP_CIPHER_CTX_free(cipher) }
      var output = [UInt8](repeating: 0, count: input.count + tagLength)
      var ending = [UInt8](repeating: 0, count: tagLength)
      var (count, rest): (Int32, Int32) = (0, 0)
      // libcrypto copies the key, the nonce and the tag before each call returns.
      guard EVP_CipherInit_ex(cipher, EVP_aes_256_gcm(), nil, key, nonce, tag == nil ? 1 : 0) == 1,
        EVP_CipherUpdate(cipher, nil, &rest, context, Int32(context.count)) == 1,
        input.isEmpty || EVP_CipherUpdate(cipher, &output, &count, input, Int32(input.count)) == 1
      else { throw .libcrypto(failure) }
      if var expected = tag {
        guard EVP_CIPHER_CTX_ctrl(cipher, EVP_CTRL_AEAD_SET_TAG, Int32(tagLength), &expected) == 1 else {
          throw .libcrypto(failure)
        }
      }
      guard EVP_CipherFinal_ex(cipher, &ending, &rest) == 1 else { throw .libcrypto(failure) }
      output.removeLast(output.count - Int(count))
      var made = [UInt8](repeating: 0, count: tagLength)
      if tag == nil {
        guard EVP_CIPHER_CTX_ctrl(cipher, EVP_CTRL_AEAD_GET_TAG, Int32(tagLength), &made) == 1 else {
          throw .libcrypto(failure)
        }
      }
      return (output + ending.prefix(Int(rest)), made)
    }
  }
#endif

extension Data {
  /// Reads base64 with the alphabet for URLs, with or without padding; `nil` for other texts.
  package init?(base64URL text: String) {
    guard text.utf8.allSatisfy({ $0 != UInt8(ascii: "+") && $0 != UInt8(ascii: "/") }) else { return nil }
    var plain = text.replacing("-", with: "+").replacing("_", with: "/")
    while plain.utf8.count % 4 != 0 { plain += "=" }
    self.init(base64Encoded: plain)
  }
}
