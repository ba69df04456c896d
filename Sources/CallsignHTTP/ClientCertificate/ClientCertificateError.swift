import Foundation

/// Why a client certificate cannot be used.
public struct ClientCertificateError: Error, Sendable, Hashable {
  /// What is wrong.
  public enum Reason: Sendable, Hashable {
    /// The file is not there, or may not be read.
    case unreadableFile
    /// There is no certificate, or none that can be read.
    case noCertificate
    /// There is no private key.
    case noKey
    /// There is a private key, and it is damaged or of an unknown kind.
    case unreadableKey
    /// The key is encrypted, and the password is missing or wrong.
    case wrongPassword
    /// The key belongs to another certificate.
    case keyMismatch
    /// It is neither PEM nor PKCS#12, or damaged.
    case damaged
    /// This system reads no such certificates, or no such encryption.
    case unsupported
  }

  /// What is wrong.
  public var reason: Reason
  /// What to do about it, in one sentence. It may name a path, never a password.
  public var advice: String

  package init(_ reason: Reason, advice: String) {
    self.reason = reason
    self.advice = advice
  }
}

extension ClientCertificateError: CustomStringConvertible, LocalizedError {
  /// What to do, in one line.
  public var description: String { advice }
  /// The same as ``description``.
  public var errorDescription: String? { advice }
}

extension ClientCertificateError {
  package static let noCertificate = ClientCertificateError(
    .noCertificate, advice: "there is no certificate in it; give the client's certificate along with its key")
  package static let noKey = ClientCertificateError(
    .noKey, advice: "there is no private key in it; pass the file that has the key, or export both together")
  package static let unreadableKey = ClientCertificateError(
    .unreadableKey, advice: "the private key cannot be read; give a PEM text that begins with BEGIN PRIVATE KEY")
  package static let wrongPassword = ClientCertificateError(
    .wrongPassword, advice: "the private key is encrypted and the password does not open it; ask for it again")
  package static let keyMismatch = ClientCertificateError(
    .keyMismatch, advice: "the private key belongs to another certificate; pass the one that was made with it")
  package static let damaged = ClientCertificateError(
    .damaged, advice: "this is no PKCS#12 file, or a damaged one; export certificate and key again")
  package static let unsupportedEncryption = ClientCertificateError(
    .unsupported,
    advice: "the PKCS#12 file is encrypted in an outdated way; export it anew with: openssl pkcs12 -export")
}
