import Foundation

/// What binds an authorization code to the client that asked for it (RFC 7636).
struct CodeChallenge: Sendable {
  enum Method: String, Sendable {
    case plain
    case s256 = "S256"
  }

  var value: String
  var method: Method

  /// Whether a challenge or a verifier has the form of §4.1 and §4.2: 43 to 128 unreserved characters.
  static func isWellFormed(_ text: String) -> Bool {
    (43...128).contains(text.utf8.count) && text.utf8.allSatisfy(PercentEncoding.isUnreserved)
  }

  func matches(verifier: String) -> Bool {
    guard Self.isWellFormed(verifier) else { return false }
    let transformed =
      switch method {
      case .plain: verifier
      case .s256:
        Data(SHA256Digest.of(Array(verifier.utf8))).base64EncodedString()
          .replacingOccurrences(of: "+", with: "-").replacingOccurrences(of: "/", with: "_")
          .replacingOccurrences(of: "=", with: "")
      }
    return ConstantTime.equal(Array(transformed.utf8), Array(value.utf8))
  }
}
