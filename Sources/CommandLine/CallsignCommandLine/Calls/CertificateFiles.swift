import CallsignAuth
import CallsignHTTP
import Foundation

/// The certificate files for the calls of a command line: a client certificate, and the authorities to trust.
///
/// The password of the certificate's key comes from the environment, because every user of a machine can see arguments.
struct CertificateFiles: Sendable {
  /// The client's certificate: PEM, or PKCS#12 if the file name ends in `.p12` or `.pfx`.
  let certificate: String?
  /// The certificate's private key, if it is in a separate file.
  let key: String?
  /// The certificate authorities to trust instead of the system's, in PEM format.
  let authorities: String?

  static let passwordVariable = "CALLSIGN_CERT_PASSWORD"

  /// Whether no file is given.
  var isEmpty: Bool { certificate == nil && key == nil && authorities == nil }

  /// A transport that uses the files; `nil` if there are none.
  ///
  /// - Parameters:
  ///   - urls: The base URLs of the servers that receive the certificate.
  ///   - environment: The environment. Default: that of the process.
  /// - Throws: `CommandLineError` for a file that cannot be read or used.
  func transport(
    to urls: [String], environment: [String: String] = ProcessInfo.processInfo.environment
  ) throws(CommandLineError) -> (any Transport)? {
    if isEmpty { return nil }
    if key != nil {
      guard let certificate else { throw CommandLineError("--cert-key goes with --cert") }
      if Self.isPKCS12(certificate) {
        throw CommandLineError("a PKCS#12 file has its key in it; leave --cert-key out")
      }
    }
    var configuration = TransportConfiguration()
    if let authorities {
      guard FileManager.default.isReadableFile(atPath: authorities) else {
        throw CommandLineError("--cacert: \(authorities.printable) cannot be read; check that it is there")
      }
      configuration.certificateAuthorities = .file(URL(fileURLWithPath: authorities))
    }
    if let certificate {
      let hosts = urls.compactMap { AbsoluteURL($0) }.filter { $0.scheme == "https" }.map(\.authority)
      guard !hosts.isEmpty else {
        throw CommandLineError("--cert needs a server that is called by https, which asks for the certificate")
      }
      let password = environment[Self.passwordVariable].map { Secret($0) }
      do throws(ClientCertificateError) {
        configuration.clientCertificates = [try Self.read(certificate, key: key, password, hosts)]
      } catch {
        throw CommandLineError(
          "--cert: \(error)" + (password == nil ? "; a password is taken from \(Self.passwordVariable)" : ""))
      }
    }
    return DefaultTransport.make(configuration: configuration)
  }

  private static func read(
    _ certificate: String, key: String?, _ password: Secret?, _ hosts: [String]
  ) throws(ClientCertificateError) -> ClientCertificate {
    let file = URL(fileURLWithPath: certificate)
    if isPKCS12(certificate) {
      return try ClientCertificate(pkcs12: file, password: password ?? "", hosts: hosts)
    }
    return try ClientCertificate(
      pem: file, key: key.map { URL(fileURLWithPath: $0) }, password: password, hosts: hosts)
  }

  private static func isPKCS12(_ path: String) -> Bool {
    ["p12", "pfx"].contains(URL(fileURLWithPath: path).pathExtension.lowercased())
  }
}
