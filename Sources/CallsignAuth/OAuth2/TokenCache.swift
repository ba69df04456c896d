import CallsignCore
import CallsignFoundation
import CallsignHTTP
import CallsignTokenStores
import HTTPTypes

/// Reuse: a token in memory, and how long it serves.
struct CachedToken: Sendable {
  private(set) var token: StoredToken
  /// From then on it is renewed before it is used; `nil` when it does not expire.
  var renewal: Date?
  /// The version that it is to replace in the store; `nil` when the store has it. Until then it is not used.
  var unsavedOver: TokenPrecondition?
  /// The store's version of it, where that is known.
  var version: TokenVersion?
  /// Whether somebody has changed what the store has: then the store is asked before it is used.
  var isStale = false

  /// Renewed so long before it expires, in seconds; a short-lived token at a quarter of its life.
  private static let margin: TimeInterval = 60

  /// - Parameter lifetime: How many seconds the token had left when it came to this process; `nil` when it was there
  ///   from the start.
  init(
    _ token: StoredToken, lifetime: TimeInterval?, unsavedOver: TokenPrecondition? = nil, version: TokenVersion? = nil
  ) {
    self.token = token
    self.unsavedOver = unsavedOver
    self.version = version
    renewal = token.expires.map { $0 - min(Self.margin, max(0, token.lifetime ?? lifetime ?? .infinity) / 4) }
  }

  /// It is accepted after all.
  mutating func forgetRefusal() { token.refused = nil }

  /// The same token, with what the store has noted of it meanwhile.
  mutating func note(_ noted: StoredToken, version: TokenVersion) {
    guard unsavedOver == nil, token.accessToken == noted.accessToken, token.refreshToken == noted.refreshToken else {
      return
    }
    token = noted
    self.version = version
  }

  func isUsable(_ now: Date) -> Bool { unsavedOver == nil && (renewal.map { now < $0 } ?? true) }
}

/// Reuse: the token that serves, and what must not be forgotten when it changes.
struct TokenCache: Sendable {
  /// `nil` as long as the store was not read or holds none.
  var cached: CachedToken?
  /// Counts logins and logouts, at their beginning and their end, so that a renewal that they overtook is not kept.
  private(set) var generation = 0
  /// Counts those that have ended.
  private(set) var endedLogins = 0
  /// The number of times that the store has said that its token changed, and the version that it named last.
  private(set) var changes: (count: Int, version: TokenVersion?) = (0, nil)
  /// The time at which a rejection has last led to a renewal, and the seconds for which another may not.
  private var rejection: (date: Date, pause: TimeInterval)?
  /// The first request that was refused with a token, by method and URL.
  private var refusal: (token: Secret, target: String)?

  /// After a renewal that failed and could wait, so long until the next, in seconds.
  private static let pauseAfterFailure: TimeInterval = 15

  /// The token, where it serves now.
  func usable(_ now: Date) -> StoredToken? { cached?.isUsable(now) == true ? cached?.token : nil }

  /// The token that the store does not have yet.
  var unsaved: StoredToken? { cached?.unsavedOver == nil ? nil : cached?.token }

  /// Forgets the token, unless somebody has logged in or out since.
  mutating func forget(ifStill generation: Int) {
    if self.generation == generation { cached = nil }
  }

  /// A login or logout begins: renewals that are under way come too late.
  mutating func startGeneration() { generation += 1 }

  /// A login or logout has ended; what was known of the token before does not count any more.
  mutating func startGeneration(with token: CachedToken?) {
    startGeneration()
    endedLogins += 1
    cached = token
    (rejection, refusal) = (nil, nil)
  }

  /// Somebody has changed the token in the store.
  ///
  /// - Parameter version: The version that is there now; `nil` when that is not known, or none is there.
  mutating func noteChange(to version: TokenVersion?) {
    changes = (changes.count + 1, version)
    guard let known = cached, known.unsavedOver == nil, version == nil || known.version != version else { return }
    cached?.isStale = true
  }

  /// Takes over what a look at the store has found, unless a login, a logout or a refresh meanwhile knows better.
  ///
  /// - Parameters:
  ///   - loaded: What was found.
  ///   - generation: The generation when the look began.
  ///   - count: How often the store had said by then that its token changed.
  /// - Returns: Whether it counts.
  mutating func take(_ loaded: VersionedToken?, ifStill generation: Int, since count: Int) -> Bool {
    guard self.generation == generation, cached?.isStale ?? true else { return false }
    cached = loaded.map { CachedToken($0.token, lifetime: nil, version: $0.version) }
    // Said while the store was being read, it may be news: then the next call reads again.
    if changes.count != count, let loaded, changes.version != loaded.version { cached?.isStale = true }
    return true
  }

  /// Takes over a token that the store has.
  mutating func adopt(_ token: StoredToken, version: TokenVersion?, ifStill generation: Int, _ now: Date) {
    guard self.generation == generation else { return }
    if cached?.token == token {
      cached?.unsavedOver = nil
      if let version { cached?.version = version }
      cached?.isStale = false
    } else {
      // How long it lived before is not known; what is left keeps a short-lived token from being renewed at once.
      cached = CachedToken(token, lifetime: token.expires.map { $0.timeIntervalSince(now) }, version: version)
    }
  }

  /// Lets a token serve for a while that could not be renewed, if it is the stored one and has not expired.
  mutating func postponeRenewal(of stale: StoredToken, _ now: Date) -> Bool {
    guard let known = cached, known.token == stale, known.unsavedOver == nil, let expires = stale.expires,
      now < expires
    else { return false }
    cached?.renewal = min(now + Self.pauseAfterFailure, expires)
    return true
  }

  /// A token that is refused again so soon after a renewal is not refused for its age.
  mutating func noteRejection(_ date: Date, inVain: Bool) { rejection = (date, inVain ? 60 : 10) }

  /// The way on from a token that the API has refused.
  enum Recourse {
    /// Another is there already.
    case other(StoredToken)
    /// A renewal of this token; of `nil`, to wait for the one that is under way.
    case renewal(of: StoredToken?)
    /// The last renewal was just now, and for the same reason.
    case giveUp
  }

  /// The way on, by one look: a renewal that ends meanwhile is seen as a whole or not at all.
  func recourse(after refused: Secret, _ now: Date) -> Recourse {
    if let cached, cached.token.accessToken != refused {
      // One that the store does not have yet is not used.
      return cached.unsavedOver == nil ? .other(cached.token) : .renewal(of: nil)
    }
    let mayRenew = rejection.map { abs(now.timeIntervalSince($0.date)) >= $0.pause } ?? true
    return mayRenew ? .renewal(of: cached?.token) : .giveUp
  }

  /// Notes whether the API takes the token. Where it accepts with the next one the very request that it had refused, the
  /// renewal was what the request lacked, and the next refusal may lead to another at once. That other requests are
  /// accepted says nothing: some endpoints refuse whatever the token is.
  ///
  /// - Returns: The token, where the API takes one that it had refused before and that cannot be renewed.
  mutating func noteResponse(_ status: HTTPResponse.Status, to request: TransportRequest) -> StoredToken? {
    guard status == .unauthorized || status.kind == .successful && (refusal != nil || cached?.token.refused != nil),
      let token = cached?.token, case let current = token.accessToken,
      request.headerFields[.authorization].map({ $0 == "Bearer \(current.reveal())" }) ?? false
    else { return nil }
    let target = "\(request.method.rawValue) \(request.url.text)"
    if status == .unauthorized {
      if refusal?.token != current { refusal = (current, target) }
      return nil
    }
    if let refusal, refusal.token != current, refusal.target == target { (rejection, self.refusal) = (nil, nil) }
    guard token.refreshToken == nil else { return nil }
    // Once is enough, however many answers are on their way.
    cached?.forgetRefusal()
    return token
  }
}
