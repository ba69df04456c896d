import Callsign
import CallsignHTTP
import Foundation

/// A username and a password, and where they have been refused.
struct UsernamePassword: Sendable {
  /// In composed form, so that equal names are equal bytes (RFC 7617 §2.1, RFC 8265 §3.4).
  let username: String
  let password: Secret
  /// Scheme, host and port of the servers that refused them.
  var refusedOrigins: Set<String> = []

  init(_ username: String, _ password: Secret) {
    self.username = username.precomposedStringWithCanonicalMapping
    self.password = Secret(password.reveal().precomposedStringWithCanonicalMapping)
  }

  /// Known to this process alone: with it, a hash of a password that is easy to guess gives nothing away.
  private static let salt = (try? SecureRandom.nonce()) ?? UUID().uuidString

  func identity(_ scheme: String) -> CredentialIdentity {
    CredentialIdentity(scheme, hashing: [Self.salt, username, password.reveal()])
  }

  /// Refuses to send what a server is known to refuse: it would at best fail again, at worst lock the account.
  func check(for origin: String) throws(CallError) {
    let hasControl = (username + password.reveal()).unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F }
    if hasControl {
      throw .authorization(
        AuthorizationError(
          .unavailable, advice: "the username or password has a line break or another control character; remove it"))
    }
    guard refusedOrigins.contains(origin) else { return }
    throw .authorization(
      AuthorizationError(
        .refused,
        advice: """
          \(origin.printable) has refused this username and password, and they are not sent again; ask for others and \
          pass them to replace(username:password:)
          """))
  }
}

extension UsernamePassword: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// `‹redacted›`
  var description: String { Secret.redacted }
  /// `‹redacted›`
  var debugDescription: String { Secret.redacted }
  /// A mirror without children.
  var customMirror: Mirror { Mirror(self, children: EmptyCollection<Mirror.Child>()) }
}

extension AbsoluteURL {
  /// The path up to its last slash.
  var folder: String { path.lastIndex(of: "/").map { String(path[...$0]) } ?? "/" }
}
