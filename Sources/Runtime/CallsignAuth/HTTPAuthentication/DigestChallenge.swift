import CallsignHTTP
import CallsignSupport

/// A challenge of the scheme `Digest` (RFC 7616 §3.3).
struct DigestChallenge: Sendable, Hashable {
  var realm: String
  var nonce: String
  var opaque: String?
  var algorithm: DigestAlgorithm
  /// As the server wrote it; `nil` if it named none, which means MD5.
  var algorithmName: String?
  /// The parts of a request that the server lets the response cover; empty in the older form without `qop` (RFC 2069).
  var protections: Set<DigestProtection>
  /// The credentials were right, and only the nonce was too old.
  var isStale: Bool
  /// The server wants a hash in the username's place.
  var hashesUsername: Bool
  /// The server reads usernames as UTF-8.
  var isUTF8: Bool
  /// The URLs and paths that the challenge is for; empty: the whole server.
  var domain: [String]

  /// `nil` if the challenge is of another scheme, lacks a required part, or demands something unknown.
  init?(_ challenge: HTTPChallenge) {
    guard challenge.scheme == "digest", let realm = challenge["realm"], let nonce = challenge["nonce"] else {
      return nil
    }
    let isAlgorithmNamed = challenge["algorithm"] != nil
    guard let algorithm = isAlgorithmNamed ? DigestAlgorithm(challenge["algorithm"] ?? "") : .default else {
      return nil
    }
    let offers = challenge["qop"]?.split(whereSeparator: { ", \t".contains($0) }).map { $0.lowercased() } ?? []
    protections = Set(offers.compactMap(DigestProtection.init))
    // An unknown kind of protection only must not be mistaken for the older form.
    guard offers.isEmpty || !protections.isEmpty else { return nil }
    self.realm = realm
    self.nonce = nonce
    self.algorithm = algorithm
    algorithmName = challenge["algorithm"]
    opaque = challenge["opaque"]
    isStale = challenge["stale"]?.lowercased() == "true"
    hashesUsername = challenge["userhash"]?.lowercased() == "true"
    isUTF8 = challenge["charset"]?.lowercased() == "utf-8"
    domain = challenge["domain"]?.split(separator: " ").map(String.init) ?? []
  }

  /// The one with the best hash function; of equal ones the server's first.
  static func best(of challenges: [HTTPChallenge]) -> DigestChallenge? {
    challenges.compactMap(DigestChallenge.init).reduce(nil) { best, next in
      guard let best else { return next }
      return next.algorithm.strength > best.algorithm.strength ? next : best
    }
  }
}

/// The part of a request that a response to a challenge covers (RFC 7616 §3.4, `qop`).
enum DigestProtection: String, Sendable, Hashable {
  /// The method and the URL.
  case request = "auth"
  /// The request and its body.
  case requestAndBody = "auth-int"
}

/// The algorithm that hashes a response (RFC 7616 §3.3, `algorithm`).
struct DigestAlgorithm: Sendable, Hashable {
  var function: Digest.Function
  /// The credentials are hashed together with the session's first nonces (`-sess`).
  var isPerSession: Bool

  /// The algorithm if a server names none.
  static let `default` = DigestAlgorithm(function: .md5, isPerSession: false)

  private init(function: Digest.Function, isPerSession: Bool) {
    self.function = function
    self.isPerSession = isPerSession
  }

  /// `nil` for an unknown name.
  init?(_ name: String) {
    switch name.lowercased() {
    case "md5": self.init(function: .md5, isPerSession: false)
    case "md5-sess": self.init(function: .md5, isPerSession: true)
    case "sha-256": self.init(function: .sha256, isPerSession: false)
    case "sha-256-sess": self.init(function: .sha256, isPerSession: true)
    default: return nil
    }
  }

  /// Orders algorithms; more is better.
  var strength: Int { function == .sha256 ? 1 : 0 }

  /// The hash in lower-case hexadecimal digits.
  func hash(_ bytes: some Sequence<UInt8>) throws(CryptographyError) -> String {
    try Digest.hash(bytes, function).hexadecimal
  }

  /// The hash of parts with colons between them.
  func hash(_ parts: String...) throws(CryptographyError) -> String {
    try hash(parts.joined(separator: ":").utf8)
  }
}
