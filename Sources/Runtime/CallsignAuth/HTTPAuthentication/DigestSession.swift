import CallsignHTTP
import CallsignSupport

/// The hashed credentials of a realm, made once for a challenge (RFC 7616 §3.4.2).
struct DigestSession: Sendable {
  /// `H(A1)`. Anyone who has it can respond to every challenge of the realm.
  let key: String
  /// The client's nonce that went into the key; all responses of the session repeat it, since some servers work the key
  /// out again each time. `nil` if it is not used.
  let cnonce: String?

  init(_ challenge: DigestChallenge, _ credentials: UsernamePassword, cnonce: String) throws(CryptographyError) {
    let algorithm = challenge.algorithm
    let key = try algorithm.hash(credentials.username, challenge.realm, credentials.password.reveal())
    self.key = algorithm.isPerSession ? try algorithm.hash(key, challenge.nonce, cnonce) : key
    self.cnonce = algorithm.isPerSession ? cnonce : nil
  }
}

extension DigestSession: RedactedStringConvertible {}
