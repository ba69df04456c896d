import CallsignSupport

/// A certificate with its private key, which identifies the client to a TLS server that asks for one (RFC 8446 §4.4.2).
///
/// ```swift
/// let certificate = try ClientCertificate(pkcs12: fileURL, password: "…", hosts: ["api.example.com"])
/// let transport = DefaultTransport.make(configuration: TransportConfiguration(clientCertificates: [certificate]))
/// ```
///
/// It is shown only to the hosts that it is for, whatever a redirect or ``BaseURLOverrides`` says. It is read and
/// checked when you create it, so you notice a wrong password before anything is sent.
public struct ClientCertificate: Sendable {
  package enum Content: Sendable, Hashable {
    case pem(certificates: Data, key: Secret, password: Secret?)
    case pkcs12(Data, password: Secret)

    package static func == (left: Content, right: Content) -> Bool {
      switch (left, right) {
      case (.pem(let one, let key, let password), .pem(let other, let otherKey, let otherPassword)):
        one == other && key == otherKey && password == otherPassword
      case (.pkcs12(let one, let password), .pkcs12(let other, let otherPassword)):
        one == other && password == otherPassword
      default: false
      }
    }

    /// The secrets are left out; equality compares them.
    package func hash(into hasher: inout Hasher) {
      switch self {
      case .pem(let certificates, _, _): hasher.combine(certificates)
      case .pkcs12(let bytes, _): hasher.combine(bytes)
      }
    }
  }

  /// The hosts that it is for, as requests actually reach them.
  public let hosts: AllowedHosts
  let content: Content
  #if canImport(Security)
    let identity: ClientIdentity
  #endif

  #if canImport(Security)
    /// Holds a certificate that has been read and checked.
    package init(_ content: Content, identity: ClientIdentity, hosts: [String]) {
      self.identity = identity
      self.content = content
      self.hosts = AllowedHosts(hosts)
    }
  #else
    /// Holds a certificate that has been checked.
    package init(_ content: Content, hosts: [String]) {
      self.content = content
      self.hosts = AllowedHosts(hosts)
    }
  #endif
}

extension ClientCertificate: Hashable {
  /// Whether both show the same certificate to the same hosts.
  public static func == (left: ClientCertificate, right: ClientCertificate) -> Bool {
    left.hosts == right.hosts && left.content == right.content
  }

  /// Hashes hosts and certificate.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(hosts)
    hasher.combine(content)
  }
}

/// Prints only its name.
extension ClientCertificate: RedactedStringConvertible {}

/// The error of a client certificate that cannot be used.
public struct ClientCertificateError: Error, Sendable, Hashable {
  /// A reason why a certificate cannot be used.
  public enum Reason: Sendable, Hashable {
    /// The file does not exist, or may not be read.
    case unreadableFile
    /// The file contains no readable certificate.
    case noCertificate
    /// The file contains no private key.
    case noKey
    /// The private key is damaged or of an unknown kind.
    case unreadableKey
    /// The key is encrypted, and the password is missing or wrong.
    case wrongPassword
    /// The key belongs to another certificate.
    case keyMismatch
    /// It is neither PEM nor PKCS#12, or damaged.
    case damaged
    /// This system cannot read such certificates, or such encryption.
    case unsupported
  }

  /// The reason.
  public var reason: Reason
  /// Advice for the reader, in one sentence. It may name a path, never a password.
  public var advice: String

  package init(_ reason: Reason, advice: String) {
    self.reason = reason
    self.advice = advice
  }
}

extension ClientCertificateError: CallsignError {
  /// The advice, in one line.
  public var description: String { advice }
  /// The same as ``description``.
  public var errorDescription: String? { advice }
  /// The same as ``advice``.
  public var recoverySuggestion: String? { advice as String }
}

extension ClientCertificateError {
  package static let noCertificate = ClientCertificateError(
    .noCertificate, advice: "it has no certificate; add the client's certificate to the key")
  package static let noKey = ClientCertificateError(
    .noKey, advice: "it has no private key; pass the file that has the key, or export both together")
  package static let unreadableKey = ClientCertificateError(
    .unreadableKey, advice: "the private key cannot be read; give a PEM text that begins with BEGIN PRIVATE KEY")
  package static let wrongPassword = ClientCertificateError(
    .wrongPassword, advice: "the private key is encrypted and the password does not open it; ask for it again")
  package static let keyMismatch = ClientCertificateError(
    .keyMismatch, advice: "the private key belongs to another certificate; pass the one that was made with it")
  package static let damaged = ClientCertificateError(
    .damaged, advice: "this is not a PKCS#12 file, or a damaged one; export certificate and key again")
  package static let unsupportedEncryption = ClientCertificateError(
    .unsupported,
    advice: "the PKCS#12 file is encrypted in an outdated way; export it again with: openssl pkcs12 -export")
  /// Security on Apple's systems only knows older methods than OpenSSL 3 uses by default.
  package static let newEncryption = ClientCertificateError(
    .unsupported,
    advice:
      "this system cannot read the PKCS#12 file's encryption; export it again with: openssl pkcs12 -export -legacy"
  )
  /// A locked keychain, or another reason why Security cannot use the certificate.
  package static func notTaken(status: Int) -> ClientCertificateError {
    ClientCertificateError(
      .unsupported,
      advice: "the system cannot take the PKCS#12 file (\(status)); `security error \(status)` in a terminal says why")
  }
  /// Security also reports a wrong password if it does not know the encryption.
  package static let wrongPasswordOrNewEncryption = ClientCertificateError(
    .wrongPassword,
    advice:
      "the password does not open the PKCS#12 file, or this system cannot read its encryption; ask for the password "
      + "again, or export the file again with: openssl pkcs12 -export -legacy")
}
