import CallsignSupport

/// The settings of all of a transport's connections.
public struct TransportConfiguration: Sendable, Hashable {
  /// The certificate authorities to trust. Default: ``CertificateAuthorities/system``.
  public var certificateAuthorities: CertificateAuthorities

  /// The certificates for servers that ask who connects: for each connection the first that is for the host.
  /// Default: none.
  public var clientCertificates: [ClientCertificate]

  /// The way to the servers. Default: ``ProxySettings/system``.
  public var proxy: ProxySettings

  /// - Parameters:
  ///   - certificateAuthorities: Whom to trust.
  ///   - clientCertificates: The certificates for servers that ask who connects.
  ///   - proxy: The way to the servers.
  public init(
    certificateAuthorities: CertificateAuthorities = .system, clientCertificates: [ClientCertificate] = [],
    proxy: ProxySettings = .system
  ) {
    self.certificateAuthorities = certificateAuthorities
    self.clientCertificates = clientCertificates
    self.proxy = proxy
  }

  /// The certificate for a connection to this server.
  func clientCertificate(for url: AbsoluteURL) -> ClientCertificate? {
    guard url.scheme == "https" else { return nil }
    return clientCertificates.first { $0.hosts.contains(url, isNamedByCatalogue: false) }
  }
}

/// The certificate authorities whose signatures make a server's certificate valid. Certificates and host names are
/// always verified.
public enum CertificateAuthorities: Sendable, Hashable {
  /// Those that this system trusts.
  case system
  /// Those in a file of PEM certificates, and no others.
  case file(URL)
}
