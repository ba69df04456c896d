import Foundation

/// The settings of all of a transport's connections.
public struct TransportConfiguration: Sendable, Hashable {
  /// Whom to trust. Default: ``CertificateAuthorities/system``.
  public var certificateAuthorities: CertificateAuthorities

  /// The certificates for servers that ask who connects: for each connection the first that is for the host.
  /// Default: none.
  public var clientCertificates: [ClientCertificate]

  /// - Parameters:
  ///   - certificateAuthorities: Whom to trust.
  ///   - clientCertificates: The certificates for servers that ask who connects.
  public init(certificateAuthorities: CertificateAuthorities = .system, clientCertificates: [ClientCertificate] = []) {
    self.certificateAuthorities = certificateAuthorities
    self.clientCertificates = clientCertificates
  }

  /// The certificate for a connection to this server.
  func clientCertificate(for url: AbsoluteURL) -> ClientCertificate? {
    guard url.scheme == "https" else { return nil }
    return clientCertificates.first { $0.hosts.contains(url, isNamedByCatalogue: false) }
  }
}

/// Whose signature makes a server's certificate valid. Certificates and host names are always verified.
public enum CertificateAuthorities: Sendable, Hashable {
  /// Those that this system trusts.
  case system
  /// Those in a file of PEM certificates, and no others.
  case file(URL)
}
