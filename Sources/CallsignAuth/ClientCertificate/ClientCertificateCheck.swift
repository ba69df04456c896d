#if !canImport(Security)
  import CCrypto
  import CallsignHTTP
  import Foundation

  /// Reads a certificate and key as libcurl will, to say in time what is wrong with them.
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
      guard words.withCString({ PKCS12_verify_mac(file, $0, -1) }) == 1 else { throw .wrongPassword }
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
