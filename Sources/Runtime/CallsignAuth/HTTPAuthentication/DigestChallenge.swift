import CallsignHTTP
import CallsignSupport

/// A challenge of the scheme `Digest` (RFC 7616 §3.3).
struct DigestChallenge: Sendable, Hashable {
  var realm: String
  var nonce: String
  var opaque: String?
  var algorithm: DigestAlgorithm
  /// As the server wrote it; `nil` where it named none, which means MD5.
  var algorithmName: String?
  /// The parts of a request that the server lets the answer cover; empty in the older form without `qop` (RFC 2069).
  var protections: Set<DigestProtection>
  /// The credentials were right, and only the nonce was too old.
  var isStale: Bool
  /// The server wants a hash in the username's place.
  var hashesUsername: Bool
  /// The server reads usernames as UTF-8.
  var isUTF8: Bool
  /// The URLs and paths that the challenge is for; empty: the whole server.
  var domain: [String]

  /// `nil` when the challenge is of another scheme, lacks what it must have, or demands what is not known here.
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

/// The part of a request that an answer to a challenge covers (RFC 7616 §3.4, `qop`).
enum DigestProtection: String, Sendable, Hashable {
  /// The method and the URL.
  case request = "auth"
  /// The body as well.
  case requestAndBody = "auth-int"
}

/// The algorithm by which an answer is hashed (RFC 7616 §3.3, `algorithm`).
struct DigestAlgorithm: Sendable, Hashable {
  var function: Digest.Function
  /// The credentials are hashed together with the session's first nonces (`-sess`).
  var isPerSession: Bool

  /// The algorithm where a server names none.
  static let `default` = DigestAlgorithm(function: .md5, isPerSession: false)

  private init(function: Digest.Function, isPerSession: Bool) {
    self.function = function
    self.isPerSession = isPerSession
  }

  /// `nil` for a name that is not known.
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

/// The answer to a challenge, for one request (RFC 7616 §3.4).
struct DigestAuthorization {
  let challenge: DigestChallenge
  let session: DigestSession
  let username: String
  /// The number of times that the nonce has been used, this time included.
  let nonceCount: UInt32
  let cnonce: String
  let method: String
  /// The request's target as it is sent.
  let uri: String
  /// `nil` in the older form without `qop`.
  let protection: DigestProtection?
  /// The hash of the body, for an answer that covers it.
  let bodyHash: String?

  /// `00000001`: eight hexadecimal digits.
  private var count: String {
    let digits = String(nonceCount, radix: 16)
    return String(repeating: "0", count: 8 - digits.count) + digits
  }

  /// `response` (RFC 7616 §3.4.1).
  func response() throws(CryptographyError) -> String {
    let algorithm = challenge.algorithm
    var request = "\(method):\(uri)"
    if let bodyHash { request += ":\(bodyHash)" }
    let requestHash = try algorithm.hash(request)
    guard let protection else { return try algorithm.hash(session.key, challenge.nonce, requestHash) }
    return try algorithm.hash(session.key, challenge.nonce, count, cnonce, protection.rawValue, requestHash)
  }

  /// The value of the `Authorization` field.
  ///
  /// - Throws: ``CryptographyError`` where a hash function is forbidden.
  /// - Returns: `nil` when the realm, a nonce or the name has a control character in it.
  func authorization() throws(CryptographyError) -> String? {
    var fields: [(name: String, value: String?)] = []
    if challenge.hashesUsername {
      fields.append(("username", try challenge.algorithm.hash(username, challenge.realm).httpQuoted))
    } else if challenge.isUTF8, !username.utf8.allSatisfy({ $0 < 0x80 }) {
      // RFC 8187, which marks the encoding; only a server that says UTF-8 is sure to read it.
      fields.append(("username*", "UTF-8''" + PercentEncoding.encode(username)))
    } else {
      fields.append(("username", username.httpQuoted))
    }
    fields.append(("realm", challenge.realm.httpQuoted))
    fields.append(("uri", uri.httpQuoted))
    if let name = challenge.algorithmName { fields.append(("algorithm", name)) }
    fields.append(("nonce", challenge.nonce.httpQuoted))
    if let protection {
      fields += [("nc", count), ("cnonce", cnonce.httpQuoted), ("qop", protection.rawValue)]
    } else if challenge.algorithm.isPerSession {
      fields.append(("cnonce", cnonce.httpQuoted))
    }
    fields.append(("response", try response().httpQuoted))
    if let opaque = challenge.opaque { fields.append(("opaque", opaque.httpQuoted)) }
    if challenge.hashesUsername { fields.append(("userhash", "true")) }

    var parts: [String] = []
    for (name, value) in fields {
      guard let value else { return nil }
      parts.append("\(name)=\(value)")
    }
    return "Digest " + parts.joined(separator: ", ")
  }
}

/// The hashed credentials of a realm, made once for a challenge (RFC 7616 §3.4.2).
struct DigestSession: Sendable {
  /// `H(A1)`: who has it can answer every challenge of the realm.
  let key: String
  /// The client's nonce that went into the key; all answers of the session repeat it, since some servers work the key
  /// out anew each time. `nil` where it plays no part.
  let cnonce: String?

  init(_ challenge: DigestChallenge, _ credentials: UsernamePassword, cnonce: String) throws(CryptographyError) {
    let algorithm = challenge.algorithm
    let key = try algorithm.hash(credentials.username, challenge.realm, credentials.password.reveal())
    self.key = algorithm.isPerSession ? try algorithm.hash(key, challenge.nonce, cnonce) : key
    self.cnonce = algorithm.isPerSession ? cnonce : nil
  }
}

extension DigestSession: RedactedStringConvertible {}

/// The parts of servers that have asked for a digest, with what they asked for last (RFC 7616 §3.3, `domain`).
struct ProtectionSpaces: Sendable {
  /// One protection space.
  struct Space: Sendable {
    /// Scheme, host and port.
    let origin: String
    /// The paths that it consists of, and all that begins with them.
    let paths: [String]
    var challenge: DigestChallenge
    var session: DigestSession
    /// The number of times that the challenge's nonce has been used.
    var nonceCount: UInt32 = 0
    /// Whether the server has taken these credentials since it last refused them.
    var isProven = false

    /// The length of the part of a URL's path that names this space; `nil` when it lies elsewhere.
    func depth(of url: AbsoluteURL) -> Int? {
      guard origin == url.origin else { return nil }
      return paths.filter { url.path.hasPrefix($0) }.map(\.count).max()
    }
  }

  private var spaces: [Space] = []
  /// More are not kept: a server that names a realm of its own for every path would fill the memory.
  private static let limit = 256

  /// The index of the space in which a URL lies: the deepest, and of equal ones the newest.
  private func index(of url: AbsoluteURL) -> Int? {
    var best: (index: Int, depth: Int)?
    for (index, space) in spaces.enumerated() {
      if let depth = space.depth(of: url), depth >= best?.depth ?? 0 { best = (index, depth) }
    }
    return best?.index
  }

  /// The space in which a URL lies; setting it changes that one.
  subscript(url: AbsoluteURL) -> Space? {
    get { index(of: url).map { spaces[$0] } }
    set {
      guard let index = index(of: url), let newValue else { return }
      spaces[index] = newValue
    }
  }

  /// Notes a challenge: the one that the realm's answers go by from now on.
  mutating func add(_ challenge: DigestChallenge, from url: AbsoluteURL, session: DigestSession) {
    if let index = index(of: url), spaces[index].challenge.realm == challenge.realm {
      spaces[index].challenge = challenge
      spaces[index].session = session
      spaces[index].nonceCount = 0
      return
    }
    if spaces.count >= Self.limit { spaces.removeFirst() }
    spaces.append(Space(origin: url.origin, paths: paths(challenge, url), challenge: challenge, session: session))
  }

  private func paths(_ challenge: DigestChallenge, _ url: AbsoluteURL) -> [String] {
    var paths = challenge.domain.compactMap { place in
      if place.hasPrefix("/") { return place }
      // Another server of the same space may ask for itself.
      guard let other = AbsoluteURL(place), other.origin == url.origin else { return nil }
      return other.path.isEmpty ? "/" : other.path
    }
    // Where the server contradicts itself, the URL that it answered at counts.
    if !paths.contains(where: { url.path.hasPrefix($0) }) {
      let isFirst = challenge.domain.isEmpty && self[url] == nil
      paths.append(isFirst ? "/" : url.folder)
    }
    return paths
  }
}
