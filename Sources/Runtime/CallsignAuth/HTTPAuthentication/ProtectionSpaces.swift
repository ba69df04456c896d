import CallsignHTTP
import CallsignSupport

/// The parts of servers that have asked for a digest, with the latest challenge of each (RFC 7616 §3.3, `domain`).
struct ProtectionSpaces: Sendable {
  /// One protection space.
  struct Space: Sendable {
    /// Scheme, host and port.
    let origin: String
    /// Its paths; everything that begins with one of them belongs to it.
    let paths: [String]
    var challenge: DigestChallenge
    var session: DigestSession
    /// The number of times that the challenge's nonce has been used.
    var nonceCount: UInt32 = 0
    /// The nonces of earlier challenges, and the number of times that each has been used.
    private var earlier: [(nonce: String, count: UInt32)] = []
    /// More are not kept, so that a server cannot fill the memory.
    private static let earlierLimit = 64
    /// Whether calls other than the one that got the challenge may use its nonce. Until the server has responded to that one,
    /// they would take the nonce away from it where each is good for one request.
    var isShared = false
    /// Whether the server has taken these credentials since it last refused them.
    var isProven = false

    init(origin: String, paths: [String], challenge: DigestChallenge, session: DigestSession) {
      self.origin = origin
      self.paths = paths
      self.challenge = challenge
      self.session = session
    }

    /// Goes on with another challenge.
    mutating func replace(_ challenge: DigestChallenge, _ session: DigestSession) {
      earlier.append((self.challenge.nonce, nonceCount))
      if earlier.count > Self.earlierLimit { earlier.removeFirst() }
      (self.challenge, self.session, nonceCount, isShared) = (challenge, session, 0, false)
    }

    /// Counts a use of a nonce.
    ///
    /// - Returns: The number of times that it has been used, this one included.
    mutating func use(_ nonce: String) -> UInt32 {
      if nonce == challenge.nonce {
        nonceCount &+= 1
        return nonceCount
      }
      guard let index = earlier.lastIndex(where: { $0.nonce == nonce }) else { return 1 }
      earlier[index].count &+= 1
      return earlier[index].count
    }

    /// The length of the part of a URL's path that names this space; `nil` when it lies elsewhere.
    func depth(of url: AbsoluteURL) -> Int? {
      guard origin == url.origin else { return nil }
      return paths.filter { url.path.hasPrefix($0) }.map(\.count).max()
    }
  }

  private var spaces: [Space] = []
  /// The maximum number: a server that names a different realm for every path would fill the memory.
  private static let limit = 256

  /// The index of the space that contains a URL: the deepest, and of equal ones the newest.
  private func index(of url: AbsoluteURL) -> Int? {
    var best: (index: Int, depth: Int)?
    for (index, space) in spaces.enumerated() {
      if let depth = space.depth(of: url), depth >= best?.depth ?? 0 { best = (index, depth) }
    }
    return best?.index
  }

  /// The space that contains a URL; setting it changes that space.
  subscript(url: AbsoluteURL) -> Space? {
    get { index(of: url).map { spaces[$0] } }
    set {
      guard let index = index(of: url), let newValue else { return }
      spaces[index] = newValue
    }
  }

  /// Notes a challenge: the one that the realm's responses go by from now on.
  mutating func add(_ challenge: DigestChallenge, from url: AbsoluteURL, session: DigestSession) {
    if let index = index(of: url), spaces[index].challenge.realm == challenge.realm {
      spaces[index].replace(challenge, session)
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
    // Where the server contradicts itself, the URL that it responded to at counts.
    if !paths.contains(where: { url.path.hasPrefix($0) }) {
      let isFirst = challenge.domain.isEmpty && self[url] == nil
      paths.append(isFirst ? "/" : url.folder)
    }
    return paths
  }
}
