import Foundation

/// A certificate with its private key, by which a TLS server that asks for one knows who connects (RFC 8446 §4.4.2).
///
/// ```swift
/// let certificate = try ClientCertificate(pkcs12: fileURL, password: "…", hosts: ["api.example.com"])
/// let transport = DefaultTransport.make(configuration: TransportConfiguration(clientCertificates: [certificate]))
/// ```
///
/// It is shown to the hosts that it is for and to no others, whatever a redirect or ``BaseURLOverrides`` says. It is read and
/// checked when it is made, so that a wrong password shows before anything is sent.
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

    /// The secrets are left out, which equality compares.
    package func hash(into hasher: inout Hasher) {
      switch self {
      case .pem(let certificates, _, _): hasher.combine(certificates)
      case .pkcs12(let bytes, _): hasher.combine(bytes)
      }
    }
  }

  /// The hosts that it is for, as requests really reach them.
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

/// Prints its name alone.
extension ClientCertificate: RedactedStringConvertible {}
