// Sound: libcrypto reads a buffer in place, so the buffer is freed before the bytes are. It does not write to the password.

import CallsignHTTP
import CallsignSupport

#if !canImport(Security)
  import CCrypto
#endif

extension ClientCertificate {
  /// Reads a certificate and its key in PEM form (RFC 7468). On Apple platforms, whose libraries have no such thing, this
  /// fails with ``ClientCertificateError/Reason/unsupported``.
  ///
  /// - Parameters:
  ///   - pem: A file with the certificate, and those between it and a root after it.
  ///   - key: A file with the private key; `nil` when it is in the same file.
  ///   - password: The password that the key is encrypted with, if it is.
  ///   - hosts: The hosts that it is for: names such as `api.example.com`, `*.example.com` for all names below one, with
  ///     `:8443` for a port other than 443.
  /// - Throws: ``ClientCertificateError``.
  public init(
    pem: URL, key: URL? = nil, password: (any SecretConvertible)? = nil, hosts: [String]
  ) throws(ClientCertificateError) {
    let certificates = try Self.read(pem)
    let key: Data? = if let key { try Self.read(key) } else { nil }
    try self.init(pem: certificates, key: key, password: password, hosts: hosts)
  }

  /// The same of bytes in memory.
  ///
  /// - Throws: ``ClientCertificateError``.
  public init(
    pem: Data, key: Data? = nil, password: (any SecretConvertible)? = nil, hosts: [String]
  ) throws(ClientCertificateError) {
    #if canImport(Security)
      throw ClientCertificateError(
        .unsupported,
        advice: "this platform reads no PEM certificates with keys; convert them with: openssl pkcs12 -export")
    #else
      let key = Secret(String(decoding: key ?? pem, as: UTF8.self))
      let password = password.map { Secret($0) }
      try PEMCertificateCheck.check(certificates: pem, key: key, password: password)
      self.init(.pem(certificates: pem, key: key, password: password), hosts: hosts)
    #endif
  }

  /// Reads a certificate and its key in PKCS#12 form (RFC 7292), as `.p12` and `.pfx` files have it.
  ///
  /// - Parameters:
  ///   - pkcs12: The file.
  ///   - password: The password that it is encrypted with.
  ///   - hosts: The hosts that it is for: names such as `api.example.com`, `*.example.com` for all names below one, with
  ///     `:8443` for a port other than 443.
  /// - Throws: ``ClientCertificateError``.
  public init(pkcs12: URL, password: any SecretConvertible, hosts: [String]) throws(ClientCertificateError) {
    try self.init(pkcs12: try Self.read(pkcs12), password: password, hosts: hosts)
  }

  /// The same of bytes in memory.
  ///
  /// - Throws: ``ClientCertificateError``.
  public init(pkcs12: Data, password: any SecretConvertible, hosts: [String]) throws(ClientCertificateError) {
    let password = Secret(password)
    let content = Content.pkcs12(pkcs12, password: password)
    #if canImport(Security)
      self.init(content, identity: try ClientIdentity(pkcs12: pkcs12, password: password), hosts: hosts)
    #else
      try PKCS12Check.check(pkcs12, password: password)
      self.init(content, hosts: hosts)
    #endif
  }

  private static func read(_ file: URL) throws(ClientCertificateError) -> Data {
    do { return try Data(contentsOf: file) } catch {
      throw ClientCertificateError(
        .unreadableFile, advice: "\(file.path.printable) cannot be read; check that it exists, and its permissions")
    }
  }
}

#if !canImport(Security)
  /// Reads a certificate and key as libcurl will, to report problems with them early.
  enum PEMCertificateCheck {
    static func check(certificates: Data, key: Secret, password: Secret?) throws(ClientCertificateError) {
      defer { ERR_clear_error() }
      guard let certificate = withBuffer(certificates, { PEM_read_bio_X509($0, nil, nil, nil) }) else {
        throw .noCertificate
      }
      defer { X509_free(certificate) }
      let text = key.reveal()
      guard text.contains("PRIVATE KEY-----") else { throw .noKey }
      // An empty text stands for "no password", so that libcrypto never asks a terminal for one.
      let privateKey = (password?.reveal() ?? "").withCString { words in
        withBuffer(Data(text.utf8)) {
          PEM_read_bio_PrivateKey($0, nil, nil, UnsafeMutableRawPointer(mutating: words))
        }
      }
      guard let privateKey else { throw text.contains("ENCRYPTED") ? .wrongPassword : .unreadableKey }
      defer { EVP_PKEY_free(privateKey) }
      guard X509_check_private_key(certificate, privateKey) == 1 else { throw .keyMismatch }
    }
  }

  /// The same for a PKCS#12 file.
  enum PKCS12Check {
    static func check(_ bytes: Data, password: Secret) throws(ClientCertificateError) {
      defer { ERR_clear_error() }
      guard let file = withBuffer(bytes, { d2i_PKCS12_bio($0, nil) }) else { throw .damaged }
      defer { PKCS12_free(file) }
      let words = password.reveal()
      // No password is another one than the empty one, and some programs write files without.
      guard
        words.withCString({ PKCS12_verify_mac(file, $0, -1) }) == 1
          || words.isEmpty && PKCS12_verify_mac(file, nil, 0) == 1
      else { throw .wrongPassword }
      var key: OpaquePointer?
      var certificate: OpaquePointer?
      guard words.withCString({ PKCS12_parse(file, $0, &key, &certificate, nil) }) == 1 else {
        throw .unsupportedEncryption
      }
      defer {
        EVP_PKEY_free(key)
        X509_free(certificate)
      }
      guard key != nil else { throw .noKey }
      guard certificate != nil else { throw .noCertificate }
    }
  }

  /// Lets libcrypto read bytes in memory.
  private func withBuffer<Result>(_ bytes: Data, _ read: (OpaquePointer) -> Result?) -> Result? {
    bytes.withUnsafeBytes { bytes in
      guard let length = Int32(exactly: bytes.count), let buffer = BIO_new_mem_buf(bytes.baseAddress, length) else {
        return nil
      }
      defer { BIO_free(buffer) }
      return read(buffer)
    }
  }
#endif
