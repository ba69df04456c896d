import Foundation

/// Temporary credentials (RFC 5849 §2.1).
struct RequestToken: Sendable {
  var secret: String
  var consumerKey: String
  /// `oob` for a PIN.
  var callback: String
  var permission: Sandbox.Permission
  var expiry: Date
  /// Belongs to the page on which the user decides.
  var authenticityToken: String
  var decision = Decision.pending

  enum Decision: Sendable {
    case pending
    case approved(user: Identifier, verifier: String)
    case denied
  }

  var isOutOfBand: Bool { callback == "oob" }
}
