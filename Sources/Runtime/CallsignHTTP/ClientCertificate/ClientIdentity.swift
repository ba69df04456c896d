// Sound: the type of the object is checked before the cast.

#if canImport(Security)
  import Foundation
  import Security

  /// A certificate with its key, as Security keeps them. They stay in memory, and out of the keychain if the platform allows it.
  ///
  /// `@unchecked Sendable`: Core Foundation's objects here are never changed after `init`.
  package final class ClientIdentity: @unchecked Sendable {
    private let identity: SecIdentity
    /// The certificates between it and a root.
    private let chain: [SecCertificate]

    package init(pkcs12: Data, password: Secret) throws(ClientCertificateError) {
      var options = [kSecImportExportPassphrase as String: password.reveal() as Any]
      #if os(macOS)
        if #available(macOS 15, *) { options[kSecImportToMemoryOnly as String] = true }
      #endif
      var items: CFArray?
      let status = SecPKCS12Import(pkcs12 as CFData, options as CFDictionary, &items)
      switch status {
      case errSecSuccess: break
      case errSecAuthFailed, errSecPkcs12VerifyFailure: throw .wrongPasswordOrNewEncryption
      case errSecDecode: throw .damaged
      case errSecUnsupportedFormat, errSecUnknownFormat: throw .newEncryption
      default: throw .notTaken(status: Int(status))
      }
      guard let item = (items as? [[String: Any]])?.first,
        let value = item[kSecImportItemIdentity as String] as CFTypeRef?, CFGetTypeID(value) == SecIdentityGetTypeID()
      else { throw .noKey }
      identity = unsafeDowncast(value, to: SecIdentity.self)
      chain = Array((item[kSecImportItemCertChain as String] as? [SecCertificate] ?? []).dropFirst())
    }

    var credential: URLCredential {
      URLCredential(identity: identity, certificates: chain, persistence: .forSession)
    }
  }

  extension ClientCertificate {
    /// The credential that a session shows a server that asks.
    var credential: URLCredential { identity.credential }
  }
#endif
