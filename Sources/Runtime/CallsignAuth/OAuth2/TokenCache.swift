import Callsign
import CallsignHTTP
import CallsignSupport
import HTTPTypes

/// One process's knowledge about the token of a key in a store, in one explicit ``State``.
///
/// Several tasks read the store, refresh, log in and log out at once. Each begins with a ``look``, and passes it on
/// together with its outcome. If a login or logout has begun since then, the outcome is stale and changes nothing.
struct TokenCache: Sendable {
  /// The state of knowledge about the token.
  ///
  /// ```
  ///          read, adopted               announced
  ///   empty ───────────────▶ current ───────────────▶ outdated
  ///                          │     ▲ ◀───────────────
  ///     issued, to be saved  │     │   read, adopted
  ///                          │     │ saved, adopted
  ///                          ▼     │
  ///                          unsaved
  /// ```
  ///
  /// From every state, `issued` leads to `unsaved`, or to `current` if the token need not be saved, and `gone` leads to
  /// `empty`; `outdated` also becomes `empty` if the store is read and has no token. `noted`, `accepted` and
  /// `postponed` change the token, not the state. An event without an arrow from a state changes nothing there.
  ///
  /// An announcement that arrives during a read, an adoption or a save is applied again after it.
  enum State: Sendable, Equatable {
    /// The store was not read yet, or has no token. It is read when a token is needed.
    case empty
    /// This is the token. Calls use it until it is due.
    case current(CachedToken)
    /// Somebody has changed the token in the store. The store is read before this token is used again.
    case outdated(CachedToken)
    /// Only this process has the token. It is saved in place of the one that it may replace before it is used.
    case unsaved(CachedToken, over: Replaceable)
  }

  /// The stored token that an unsaved one may replace. If there is another, somebody else has logged in or out since.
  enum Replaceable: Sendable, Equatable {
    /// The one that meets the condition: a refresh replaces the token that it used up.
    case matching(TokenPrecondition)
    /// The one of the login with this mark: a login replaces the one before, which may be refreshed until then.
    case ofLogin(String?)

    /// The condition for saving; `nil` if another token is stored.
    func precondition(over current: VersionedToken?) -> TokenPrecondition? {
      switch self {
      case .matching(let expected): expected.isMet(by: current?.version) ? expected : nil
      case .ofLogin(let mark): current.flatMap { $0.token.loginMark == mark ? TokenPrecondition.any : nil }
      }
    }
  }

  /// An event that affects the token.
  enum Event: Sendable {
    /// The store was read because nothing certain was known; it has this token, or none.
    case read(CachedToken?)
    /// The store announced a change of its token: to this version, or to one that it does not name.
    case announced(TokenVersion?)
    /// The holder of the lease has found this token in the store.
    case adopted(CachedToken)
    /// The provider has issued this token. It must be saved over another one before it is used, unless that is `nil`.
    case issued(CachedToken, over: Replaceable?)
    /// The store has saved the token.
    case saved(TokenVersion)
    /// The store has the same token, with a different note of whether it is refused.
    case noted(StoredToken, TokenVersion)
    /// The API accepts a token that counted as refused.
    case accepted
    /// The token could not be refreshed, and is used until then.
    case postponed(Date)
    /// The token no longer exists.
    case gone
  }

  /// The state after an event.
  static func next(_ state: State, _ event: Event) -> State {
    switch (state, event) {
    case (_, .gone): .empty
    case (_, .issued(let token, over: nil)): .current(token)
    case (_, .issued(let token, over: let replaceable?)): .unsaved(token, over: replaceable)
    case (_, .adopted(let token)): .current(state.token?.adopting(token) ?? token)
    case (.empty, .read(let token)), (.outdated, .read(let token)): token.map(State.current) ?? .empty
    case (.current(let known), .announced(let version)) where version == nil || version != known.version:
      .outdated(known)
    case (.unsaved(let known, _), .saved(let version)): .current(known.saved(as: version))
    case (.unsaved, .noted), (.unsaved, .postponed): state
    case (_, .saved(let version)): state.mapToken { $0.saved(as: version) }
    case (_, .noted(let token, let version)): state.mapToken { $0.noting(token, version) }
    case (_, .accepted): state.mapToken { $0.accepted() }
    case (_, .postponed(let date)): state.mapToken { $0.renewed(at: date) }
    case (_, .read), (_, .announced): state
    }
  }

  /// A look at the cache. It shows later whether a login or logout has overtaken an event.
  struct Look: Sendable {
    /// The state at that time.
    let state: State
    fileprivate let loginsBegun: Int
    fileprivate let loginsEnded: Int
    fileprivate let announcements: Int
  }

  private(set) var state = State.empty
  /// Counts logins and logouts: `loginsBegun` at their beginning and their end, `loginsEnded` only at their end.
  private var loginsBegun = 0
  private var loginsEnded = 0
  /// Counts the store's announcements, and keeps the version that it named last.
  private var announcements = (count: 0, version: TokenVersion?.none)
  /// The ``StoredToken/renewableSecret`` of a token that the provider has refused to this process.
  private var spent: Secret?
  /// The requests that the API has refused recently.
  var rejections = RejectedRequests()

  /// The pause after a renewal that failed and could wait, in seconds.
  private static let pauseAfterFailure: TimeInterval = 15

  /// The state now, and what has happened up to now.
  var look: Look {
    Look(state: state, loginsBegun: loginsBegun, loginsEnded: loginsEnded, announcements: announcements.count)
  }

  /// The token, whatever its state.
  var token: StoredToken? { state.token?.token }

  /// The token, if it can be used now.
  func usable(_ now: Date) -> StoredToken? { state.isUsable(now) ? token : nil }

  /// The token that the store does not have yet.
  var unsaved: StoredToken? { state.unsaved }

  /// Whether a login or logout has begun or ended since a look.
  func isOvertaken(since look: Look) -> Bool { loginsBegun != look.loginsBegun }

  /// Whether a login or logout has ended since a look.
  func hasLoggedInOrOut(since look: Look) -> Bool { loginsEnded != look.loginsEnded }

  /// Applies the outcome of a task, unless a login or logout has overtaken it.
  ///
  /// - Returns: Whether it counts.
  @discardableResult
  mutating func apply(_ event: Event, since look: Look) -> Bool {
    guard !isOvertaken(since: look) else { return false }
    state = Self.next(state, event)
    switch event {
    case .adopted, .saved: repeatAnnouncement(since: look)
    case .read, .announced, .issued, .noted, .accepted, .postponed, .gone: break
    }
    return true
  }

  /// Applies the result of reading the store without a lease, unless newer knowledge has arrived in the meantime. A
  /// login that has begun but not ended may still fail; until its end, the stored token serves.
  ///
  /// - Returns: Whether it counts.
  mutating func read(_ loaded: VersionedToken?, since look: Look) -> Bool {
    guard !hasLoggedInOrOut(since: look), state.mustBeRead else { return false }
    state = Self.next(state, .read(loaded.map { CachedToken($0.token, lifetime: nil, version: $0.version) }))
    repeatAnnouncement(since: look)
    return true
  }

  /// Keeps a token that the provider issued after a login or logout had begun, unless that has ended. If it fails, this
  /// token is the only one that is good, because it has used up the stored one.
  ///
  /// - Returns: Whether it is kept.
  mutating func keep(_ issued: CachedToken, over replaceable: Replaceable, since look: Look) -> Bool {
    guard !hasLoggedInOrOut(since: look) else { return false }
    state = Self.next(state, .issued(issued, over: replaceable))
    return true
  }

  /// Applies the last announcement again if it came after a look: what was then read or saved may be older than that. The
  /// next call reads the store.
  private mutating func repeatAnnouncement(since look: Look) {
    guard announcements.count != look.announcements else { return }
    state = Self.next(state, .announced(announcements.version))
  }

  /// Applies an announcement of the store.
  mutating func announce(_ version: TokenVersion?) {
    announcements = (announcements.count + 1, version)
    state = Self.next(state, .announced(version))
  }

  /// A login or logout begins: renewals in progress are too late.
  mutating func beginLogin() { loginsBegun += 1 }

  /// A login or logout has ended. Earlier knowledge about the token no longer counts.
  mutating func endLogin(_ event: Event) {
    loginsBegun += 1
    loginsEnded += 1
    state = Self.next(state, event)
    spent = nil
    rejections = RejectedRequests()
  }

  /// Lets a token that could not be renewed be used for a while, if it is the stored one and has not expired.
  mutating func postponeRenewal(of stale: StoredToken, _ now: Date) -> Bool {
    guard unsaved == nil, token == stale, let expires = stale.expires, now < expires else { return false }
    state = Self.next(state, .postponed(min(now + Self.pauseAfterFailure, expires)))
    return true
  }

  /// Whether the provider no longer accepts a token, as far as this process or the store knows.
  func isOver(_ token: StoredToken) -> Bool { token.isRefused || isSpent(token) }

  /// Whether the provider has refused a token to this process. A token that another process has noted as refused is
  /// tried once more, because a provider may have been wrong.
  func isSpent(_ token: StoredToken) -> Bool { spent == token.renewableSecret }

  /// Notes that the provider has refused a token, and that nobody else has the next one either.
  mutating func noteSpent(_ token: StoredToken) { spent = token.renewableSecret }

  /// Notes that a token is accepted after all.
  mutating func noteAccepted(_ token: StoredToken) { if isSpent(token) { spent = nil } }

  /// The next step after the API has refused a token.
  enum Recourse {
    /// Another token already exists.
    case other(StoredToken)
    /// A renewal of this token; of `nil`, to wait for the one that is under way.
    case renewal(of: StoredToken?)
    /// The last renewal was just now, for the same reason.
    case giveUp
  }

  /// The next step, decided in one look: a renewal that ends during the look is seen as a whole or not at all.
  func recourse(after refused: Secret, _ now: Date) -> Recourse {
    if let token, token.accessToken != refused { return unsaved == nil ? .other(token) : .renewal(of: nil) }
    return rejections.mayRenew(now) ? .renewal(of: token) : .giveUp
  }

  /// Notes whether the API accepts the token.
  ///
  /// - Returns: The token, if the API accepts one that it had refused before and that cannot be renewed.
  mutating func noteResponse(_ status: HTTPResponse.Status, to request: TransportRequest) -> StoredToken? {
    guard let token, rejections.note(status, to: request, with: token), token.refreshToken == nil else { return nil }
    // Once is enough, however many responses are on their way.
    state = Self.next(state, .accepted)
    return token
  }
}

extension TokenCache.State {
  /// The token, whatever its state.
  var token: CachedToken? {
    switch self {
    case .empty: nil
    case .current(let token), .outdated(let token), .unsaved(let token, _): token
    }
  }

  /// The token that the store does not have yet.
  var unsaved: StoredToken? { if case .unsaved(let known, _) = self { known.token } else { nil } }

  /// Whether the token serves now.
  func isUsable(_ now: Date) -> Bool {
    switch self {
    case .empty, .unsaved: false
    case .current(let token), .outdated(let token): token.isFresh(now)
    }
  }

  /// Whether the store must be read before a token is used.
  var mustBeRead: Bool {
    switch self {
    case .empty, .outdated: true
    case .current, .unsaved: false
    }
  }

  /// The same state of a changed token.
  fileprivate func mapToken(_ change: (CachedToken) -> CachedToken) -> Self {
    switch self {
    case .empty: .empty
    case .current(let token): .current(change(token))
    case .outdated(let token): .outdated(change(token))
    case .unsaved(let token, let replaceable): .unsaved(change(token), over: replaceable)
    }
  }
}
