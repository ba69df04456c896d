import Foundation

/// A certificate with its private key, by which a TLS server that asks for one knows who connects (RFC 8446 §4.4.2).
///
/// ```swift
/// let certificate = try ClientCertificate(pkcs12: fileURL, password: "…", hosts: ["api.example.com"])
/// let transport = DefaultTransport.make(configuration: TransportConfiguration(clientCertificates: [certificate]))
/// ```
///
/// It is shown to the hosts that it is for and to no others, whatever a redirect or ``HostMap`` says. It is read and
/// checked when it is made, so that a wrong password shows before anything is sent.
public struct ClientCertificate: Sendable {
  enum Content: Sendable, Hashable {
    case pem(certificates: Data, key: Secret, password: Secret?)
    case pkcs12(Data, password: Secret)

    static func == (left: Content, right: Content) -> Bool {
      switch (left, right) {
      case (.pem(let one, let key, let password), .pem(let other, let otherKey, let otherPassword)):
        one == other && key == otherKey && password == otherPassword
      case (.pkcs12(let one, let password), .pkcs12(let other, let otherPassword)):
        one == other && password == otherPassword
      default: false
      }
    }

    /// The secrets are left out, which equality compares.
    func hash(into hasher: inout Hasher) {
      switch self {
      case .pem(let certificates, _, _): hasher.combine(certificates)
      case .pkcs12(let bytes, _): hasher.combine(bytes)
      }
    }
  }

  /// The hosts that it is for, as requests really reach them.
  public let hosts: HostScope
  let content: Content
  #if canImport(Security)
    let identity: ClientIdentity
  #endif

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
      self.hosts = HostScope(hosts)
      content = .pem(certificates: pem, key: key, password: password)
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
    #if canImport(Security)
      identity = try ClientIdentity(pkcs12: pkcs12, password: password)
    #else
      try PKCS12Check.check(pkcs12, password: password)
    #endif
    self.hosts = HostScope(hosts)
    content = .pkcs12(pkcs12, password: password)
  }

  private static func read(_ file: URL) throws(ClientCertificateError) -> Data {
    do { return try Data(contentsOf: file) } catch {
      throw ClientCertificateError(
        .unreadableFile, advice: "\(file.path.printable) cannot be read; check that it is there and its permissions")
    }
  }
}

extension ClientCertificate: Hashable {
  /// Whether both show the same to the same hosts.
  public static func == (left: ClientCertificate, right: ClientCertificate) -> Bool {
    left.hosts == right.hosts && left.content == right.content
  }

  /// By hosts and certificate.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(hosts)
    hasher.combine(content)
  }
}

extension ClientCertificate: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The type's name alone.
  public var description: String { "ClientCertificate(\(Secret.redacted))" }
  /// The type's name alone.
  public var debugDescription: String { description }
  /// A mirror without children.
  public var customMirror: Mirror { Mirror(self, children: EmptyCollection<Mirror.Child>()) }
}
