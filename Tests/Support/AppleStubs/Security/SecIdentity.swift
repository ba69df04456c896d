// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import Foundation
// On Apple's systems Foundation itself has `URLCredential`.
@_exported import FoundationNetworking

public final class SecIdentity {}
public final class SecCertificate {}

public let kSecImportExportPassphrase: CFString = ""
public let kSecImportToMemoryOnly: CFString = ""
public let kSecImportItemIdentity: CFString = ""
public let kSecImportItemCertChain: CFString = ""

public let errSecDecode: OSStatus = -26275
public let errSecPkcs12VerifyFailure: OSStatus = -25264
public let errSecUnsupportedFormat: OSStatus = -25256
public let errSecUnknownFormat: OSStatus = -25257

public func SecIdentityGetTypeID() -> CFTypeID { 0 }

public func SecPKCS12Import(
  _ data: CFData, _ options: CFDictionary, _ items: UnsafeMutablePointer<CFArray?>
) -> OSStatus { 0 }

extension URLCredential {
  public convenience init(identity: SecIdentity, certificates: [Any]?, persistence: URLCredential.Persistence) {
    self.init(user: "", password: "", persistence: persistence)
  }
}
