import Callsign
import CallsignSupport

extension CredentialIdentity {
  /// Names an app by a hash of its identifier that is the same in all processes, so that they can share the app's limits;
  /// `nil` if the system's policy forbids the hash function. Identifiers are not secret, but long ones cannot be guessed.
  static func app(_ identifier: String) -> CredentialIdentity? {
    (try? Digest.hash("callsign app \(identifier)".utf8, .sha256)).map {
      CredentialIdentity("app", account: $0.prefix(16).hexadecimal)
    }
  }

  /// Names credentials by the login whose token a store keeps: another store, and another login under the same key, are
  /// others. Two processes that share a store name them alike.
  package init(_ scheme: String, _ key: TokenKey, in place: String, login: String?) {
    let mark = (try? Digest.hash(place.utf8, .sha256).prefix(6).hexadecimal) ?? "-"
    self.init(scheme, account: "\(key) \(mark)/\(login ?? "")")
  }
}

extension StoredToken {
  /// Tells the login that the token comes from apart from others under the same key.
  var loginMark: String? { login ?? userID }
}
