import Foundation

/// What holds for all of a transport's connections.
public struct TransportConfiguration: Sendable, Hashable {
  /// Whom to trust. Default: ``CertificateAuthorities/system``.
  public var certificateAuthorities: CertificateAuthorities

  /// - Parameter certificateAuthorities: Whom to trust.
  public init(certificateAuthorities: CertificateAuthorities = .system) {
    self.certificateAuthorities = certificateAuthorities
  }
}

/// Whose signature makes a server's certificate valid. Certificates and host names are always verified.
public enum CertificateAuthorities: Sendable, Hashable {
  /// Those that this system trusts.
  case system
  /// Those in a file of PEM certificates, and no others.
  case file(URL)
}
