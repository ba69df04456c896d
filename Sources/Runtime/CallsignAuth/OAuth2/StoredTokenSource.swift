import Callsign
import CallsignHTTP
import CallsignSupport
import Logging

/// Gives the tokens that a store keeps, and has the provider issue the next one.
///
/// ``TokenCache`` reuses a token while it is fresh, a `TokenStore` keeps it, and a ``TokenGrant`` obtains it. However
/// many tasks wait and however many processes share the store, only one request reaches the provider.
///
/// The steps of a renewal are in `StoredTokenSource+Renewal.swift`.
final class StoredTokenSource: Sendable {
  let store: any TokenStore
  let key: TokenKey
  let grant: any TokenGrant
  /// Revokes tokens at the provider; `nil` if the provider does not do that.
  let revocation: TokenRevocation?
  let cache = Locked(TokenCache())
  let states = StateFeed<TokenState>()
  private let renewals = SingleFlight<Result<StoredToken, CallError>>()
  private let observation = Locked<TokenObservation?>(nil)
  /// The refresh token of a response that was rejected, and the one that was sent for it. It is not stored. It is tried
  /// next, because the previous one may be spent.
  let spare = Locked<(refreshToken: Secret, sent: Secret)?>(nil)
  /// Whether a task is trying to store a token that is only in memory.
  let isSaving = Locked(false)

  /// A reason to replace a token.
  enum Reason: Sendable {
    /// There is none, it expires soon, or it is not in the store yet.
    case expiring
    /// The API refused it.
    case rejected
    /// The program asks for another.
    case wanted
  }

  /// The lease under which this source last announced a request.
  let announced = Locked<String?>(nil)
  /// The requests of this process that are under way, or whose response is not in the store yet. They are known even if
  /// the store does not keep announcements.
  static let underWay = RequestsUnderWay()

  init(_ store: any TokenStore, _ key: TokenKey, _ grant: any TokenGrant, _ revocation: TokenRevocation? = nil) {
    self.store = store
    self.key = key
    self.grant = grant
    self.revocation = revocation
    guard let store = store as? any ObservableTokenStore else { return }
    observation.withLock { observation in
      observation = store.observe(key) { [weak self] change in
        let version: TokenVersion? = if case .saved(let version) = change { version } else { nil }
        self?.cache.withLock { $0.announce(version) }
      }
    }
  }

  deinit { Self.underWay.remove(self) }

  /// A token that is stored and will not expire on its way.
  func token(_ environment: TokenRequestEnvironment) async throws(CallError) -> StoredToken {
    let token = try await checkedToken()
    let now = environment.time.now()
    // Another task may have replaced it since.
    if token != nil, let usable = cache.withLock({ $0.usable(now) }) { return usable }
    return try await renewed(token, .expiring, environment)
  }

  /// The token after a refused one; `nil` if the provider was just asked for the same reason, or has no other.
  func token(
    after refused: Secret, _ environment: TokenRequestEnvironment
  ) async throws(CallError) -> StoredToken? {
    _ = try await checkedToken()
    // Twice: a renewal that was already under way because the token expires soon may have been postponed. Its result
    // does not answer the refusal.
    for _ in 0..<2 {
      let now = environment.time.now()
      switch cache.withLock({ $0.recourse(after: refused, now) }) {
      case .other(let token): return token
      case .giveUp: return nil
      case .renewal(let token):
        let next = try await renewed(token, .rejected, environment)
        if next.accessToken != refused { return next }
      }
    }
    return nil
  }

  /// Another token than the current one, however good that is.
  func next(_ environment: TokenRequestEnvironment) async throws(CallError) -> StoredToken {
    let token = try await checkedToken()
    let next = try await renewed(token, .wanted, environment)
    // A renewal that was already under way because the token expires soon may have been postponed. Then it is not the
    // wanted one.
    guard let token, next == token, !grant.isRepeatable else { return next }
    return try await renewed(next, .wanted, environment)
  }

  /// The token in memory, else in the store; `nil` if there is none.
  func loaded() async throws(TokenStoreError) -> StoredToken? {
    let look = cache.withLock { $0.look }
    let known = look.state.token?.token
    if let known, !look.state.mustBeRead { return known }
    let loaded: VersionedToken?
    do throws(TokenStoreError) {
      loaded = try await store.load(key).flatMap { grant.issues($0.token) ? $0 : nil }
    } catch {
      // The known token is used until the store can be read again.
      if let known, error.reason != .cancelled { return known }
      // A token that can be fetched again need not wait for the store.
      if grant.isRepeatable, error.reason != .cancelled { return nil }
      throw error
    }
    // The state is published in the same step, so that a later login or logout has the last word.
    return cache.withLock { cache -> StoredToken? in
      let wasKnown = cache.token != nil
      guard cache.read(loaded, since: look) else { return cache.token }
      if let token = loaded?.token {
        states.send(cache.isOver(token) ? .lost(Self.loginIsOver(token)) : .valid(expires: token.expires))
      } else if wasKnown {
        states.send(.signedOut)
      } else {
        states.sendFirst(.signedOut)
      }
      return loaded?.token
    }
  }

  private func checkedToken() async throws(CallError) -> StoredToken? {
    let token: StoredToken?
    do throws(TokenStoreError) { token = try await loaded() } catch { throw CallError(error) }
    if !grant.isRepeatable { try check(token) }
    return token
  }

  /// Refuses to continue without a login, or with another client's.
  func check(_ token: StoredToken?) throws(CallError) {
    guard let token else {
      throw Self.unavailable("nobody is logged in; start a login with OAuth2.beginLogin")
    }
    guard token.clientID == nil || token.clientID == key.clientID else {
      throw Self.unavailable(
        "the token of \(key) was issued to another client; log in with this one, or use another account")
    }
  }

  /// Whether the provider no longer accepts a token, as far as this process or the store knows.
  func isOver(_ token: StoredToken) -> Bool { cache.withLock { $0.isOver(token) } }

  /// The error of a call after the provider or the API has permanently refused a login.
  static func loginIsOver(_ token: StoredToken) -> CallError {
    let name = token.refreshToken == nil ? "access" : "refresh"
    let error = CallError.authorization(
      AuthorizationError(.refused, advice: "the \(name) token is not accepted any more; log in again"))
    guard token.isRefused, let holder = token.lostWith else { return error }
    return lost(with: holder, error)
  }

  /// The error of a call after the provider refused a refresh token whose last use left nobody with a response.
  static func lost(with holder: String, _ error: CallError) -> CallError {
    guard case .authorization(var problem) = error, problem.reason == .refused else { return error }
    problem.advice = """
      the refresh token was used by \(holder.printable), which has not stored the response: it was ended, stood still or was \
      cut off for too long; log in again
      """
    problem.lostWith = holder
    return .authorization(problem)
  }

  static func unavailable(_ advice: String, mayPass: Bool = false) -> CallError {
    .authorization(AuthorizationError(.unavailable, advice: advice, mayPass: mayPass))
  }

  /// The token that comes after `stale`. All waiting tasks share one renewal. A task that stops waiting does not stop
  /// the renewal, because its response may carry the only refresh token that is valid from then on.
  func renewed(
    _ stale: StoredToken?, _ reason: Reason, _ environment: TokenRequestEnvironment
  ) async throws(CallError) -> StoredToken {
    let result: Result<StoredToken, CallError>
    do throws(CancellationError) {
      result = try await renewals.value { [self] in
        do throws(CallError) { return .success(try await renew(stale, reason, environment)) } catch {
          return .failure(error)
        }
      }
    } catch { throw .cancelled }
    return try result.get()
  }

  private func renew(
    _ stale: StoredToken?, _ reason: Reason, _ environment: TokenRequestEnvironment
  ) async throws(CallError) -> StoredToken {
    // Another call may have renewed it since this one checked.
    let now = environment.time.now()
    let (look, usable) = cache.withLock { ($0.look, $0.usable(now)) }
    if let usable, usable.accessToken != stale?.accessToken { return usable }
    do throws(CallError) {
      let token = try await renewUnderLease(stale, reason, environment)
      tell(.valid(expires: token.expires), unlessLoggedInOrOutSince: look)
      return token
    } catch {
      saveLater(environment)
      let now = environment.time.now()
      guard let stale, reason == .expiring, Self.isPassing(error),
        cache.withLock({ $0.postponeRenewal(of: stale, now) })
      else {
        tell(state(after: error, now), unlessLoggedInOrOutSince: look)
        throw error
      }
      environment.logger.warning(
        "a token could not be refreshed yet; the one before it still serves",
        metadata: ["token": "\(key)", "error": "\(error)"])
      tell(.valid(expires: stale.expires), unlessLoggedInOrOutSince: look)
      return stale
    }
  }

  /// Publishes how a renewal ended.
  ///
  /// If a login or logout has ended since it began, publishes the state after that instead.
  ///
  /// - Parameter look: The knowledge at the start of the renewal.
  private func tell(_ state: TokenState, unlessLoggedInOrOutSince look: TokenCache.Look) {
    cache.withLock { cache in
      guard cache.hasLoggedInOrOut(since: look) else { return states.send(state) }
      states.send(cache.token.map { TokenState.valid(expires: $0.expires) } ?? .signedOut)
    }
  }

  /// The state after a renewal that failed.
  private func state(after error: CallError, _ now: Date) -> TokenState {
    guard Self.isPassing(error) else { return .lost(error) }
    let (token, usable) = cache.withLock { ($0.token, $0.usable(now)) }
    guard token != nil else { return .signedOut }
    return usable.map { .valid(expires: $0.expires) } ?? .expired(error)
  }

  /// Whether a renewal may succeed later.
  private static func isPassing(_ error: CallError) -> Bool {
    switch error {
    case .transport, .rateLimited, .cancelled: true
    case .authorization(let problem): problem.reason == .unavailable
    default: false
    }
  }
}
