import CallsignHTTP
import Foundation

extension ClientCertificate {
  /// Reads a certificate and its key in PEM form (RFC 7468). On Apple platforms, whose libraries have no such thing, this
  /// fails with ``ClientCertificateError/Reason/unsupported``.
  ///
  /// - Parameters:
  ///   - pem: A file with the certificate, and those between it and a root after it.
  ///   - key: A file with the private key; `nil` when it is in the same file.
  ///   - password: What the key is encrypted with, if it is.
  ///   - hosts: The hosts that it is for: names such as `api.example.com`, `*.example.com` for all names below one, with
  ///     `:8443` for a port other than 443.
  /// - Throws: ``ClientCertificateError``.
  public init(pem: URL, key: URL? = nil, password: Secret? = nil, hosts: [String]) throws(ClientCertificateError) {
    let certificates = try Self.read(pem)
    let key: Data? = if let key { try Self.read(key) } else { nil }
    try self.init(pem: certificates, key: key, password: password, hosts: hosts)
  }

  /// The same of bytes in memory.
  public init(pem: Data, key: Data? = nil, password: Secret? = nil, hosts: [String]) throws(ClientCertificateError) {
    #if canImport(Security)
      throw ClientCertificateError(
        .unsupported,
        advice: "this platform reads no PEM certificates with keys; convert them with: openssl pkcs12 -export")
    #else
      let key = Secret(String(decoding: key ?? pem, as: UTF8.self))
      try PEMCertificateCheck.check(certificates: pem, key: key, password: password)
      self.init(.pem(certificates: pem, key: key, password: password), hosts: hosts)
    #endif
  }

  /// Reads a certificate and its key in PKCS#12 form (RFC 7292), as `.p12` and `.pfx` files have it.
  ///
  /// - Parameters:
  ///   - pkcs12: The file.
  ///   - password: What it is encrypted with.
  ///   - hosts: The hosts that it is for: names such as `api.example.com`, `*.example.com` for all names below one, with
  ///     `:8443` for a port other than 443.
  /// - Throws: ``ClientCertificateError``.
  public init(pkcs12: URL, password: Secret, hosts: [String]) throws(ClientCertificateError) {
    try self.init(pkcs12: try Self.read(pkcs12), password: password, hosts: hosts)
  }

  /// The same of bytes in memory.
  public init(pkcs12: Data, password: Secret, hosts: [String]) throws(ClientCertificateError) {
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
        .unreadableFile, advice: "\(file.path.printable) cannot be read; check that it is there and its permissions")
    }
  }
}
