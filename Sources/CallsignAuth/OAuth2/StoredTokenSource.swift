import CallsignCore
import CallsignFoundation
import CallsignHTTP
import CallsignTokenStores
import Logging

/// Gives the tokens that a store keeps, and has the provider issue the next.
///
/// ``TokenCache`` reuses a token while it is fresh, a `TokenStore` keeps it, and a ``TokenGrant`` has it issued. However
/// many tasks wait and however many processes share the store, one request reaches the provider.
final class StoredTokenSource: Sendable {
  let store: any TokenStore
  let key: TokenKey
  let grant: any TokenGrant
  let cache = Locked(TokenCache())
  let states = StateFeed<TokenState>()
  private let renewals = SingleFlight<Result<StoredToken, CallError>>()
  private let observation = Locked<TokenObservation?>(nil)
  /// Whether a task tries to store the token that is in memory alone.
  private let isSaving = Locked(false)

  /// A reason why a token is replaced.
  private enum Reason: Sendable {
    /// There is none, it expires soon, or it is not in the store yet.
    case expiring
    /// The API refused it.
    case rejected
    /// The program asks for another.
    case wanted
  }

  /// The waits that another process is given to store the token that it got, where the lease has been lost.
  private static let patience: [Duration] = [
    .milliseconds(50), .milliseconds(150), .milliseconds(300), .milliseconds(600),
  ]

  /// Between two attempts to store a token that the store did not take.
  private static let (firstPause, longestPause) = (Duration.milliseconds(500), Duration.seconds(15))

  init(_ store: any TokenStore, _ key: TokenKey, _ grant: any TokenGrant) {
    self.store = store
    self.key = key
    self.grant = grant
    guard let store = store as? any ObservableTokenStore else { return }
    observation.withLock { observation in
      observation = store.observe(key) { [weak self] change in
        let version: TokenVersion? = if case .saved(let version) = change { version } else { nil }
        self?.cache.withLock { $0.noteChange(to: version) }
      }
    }
  }

  /// A token that is stored and will not expire on its way.
  func token(_ environment: TokenRequestEnvironment) async throws(CallError) -> StoredToken {
    let token = try await checkedToken()
    let now = environment.time.now()
    // A task that renewed it since may have put another in its place.
    if token != nil, let usable = cache.withLock({ $0.usable(now) }) { return usable }
    return try await renewed(token, .expiring, environment)
  }

  /// The token after a refused one; `nil` when the provider was just asked for the same reason, or has no other.
  func token(
    after refused: Secret, _ environment: TokenRequestEnvironment
  ) async throws(CallError) -> StoredToken? {
    _ = try await checkedToken()
    // Twice: a renewal that was under way because the token expires soon, and that was put off, says nothing about the
    // refusal.
    for _ in 0..<2 {
      switch cache.withLock({ $0.recourse(after: refused, environment.time.now()) }) {
      case .other(let token): return token
      case .giveUp: return nil
      case .renewal(let token):
        let next = try await renewed(token, .rejected, environment)
        if next.accessToken != refused { return next }
      }
    }
    return nil
  }

  /// Another token than the one that is there, however good that is.
  func next(_ environment: TokenRequestEnvironment) async throws(CallError) -> StoredToken {
    let token = try await checkedToken()
    let next = try await renewed(token, .wanted, environment)
    // A renewal that was under way because the token expires soon, and that was put off, is not the one that is wanted.
    guard let token, next == token, !grant.isRepeatable else { return next }
    return try await renewed(next, .wanted, environment)
  }

  /// The token in memory, or else in the store; `nil` when there is none.
  func loaded() async throws(TokenStoreError) -> StoredToken? {
    let (known, generation, changes) = cache.withLock { ($0.cached, $0.generation, $0.changes.count) }
    if let known, !known.isStale { return known.token }
    let loaded: VersionedToken?
    do throws(TokenStoreError) {
      loaded = try await store.load(key).flatMap { grant.issues($0.token) ? $0 : nil }
    } catch {
      // What was known serves until the store can be asked again.
      if let known, error.reason != .cancelled { return known.token }
      // One that can be had again is not waited for.
      if grant.isRepeatable, error.reason != .cancelled { return nil }
      throw error
    }
    // The state is told in the same step, so that a login or logout that comes next has the last word.
    return cache.withLock { cache -> StoredToken? in
      let wasKnown = cache.cached != nil
      guard cache.take(loaded, ifStill: generation, since: changes) else { return cache.cached?.token }
      if let token = loaded?.token {
        states.send(grant.refusal(of: token).map(TokenState.lost) ?? .valid(expires: token.expires))
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
    try grant.check(token)
    return token
  }

  /// The token that comes after `stale`. All who wait share one renewal; who stops waiting does not stop it, because
  /// its answer may carry the only refresh token that is good from then on.
  private func renewed(
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
    // Another call may have renewed it since this one looked.
    let (known, logins) = cache.withLock { ($0.cached, $0.endedLogins) }
    if let known, known.isUsable(environment.time.now()), known.token.accessToken != stale?.accessToken {
      return known.token
    }
    do throws(CallError) {
      let token = try await renewUnderLease(stale, reason, environment)
      tell(.valid(expires: token.expires), unlessLoggedInOrOutSince: logins)
      return token
    } catch {
      saveLater(environment)
      let now = environment.time.now()
      guard let stale, reason == .expiring, Self.isPassing(error),
        cache.withLock({ $0.postponeRenewal(of: stale, now) })
      else {
        tell(state(after: error, now), unlessLoggedInOrOutSince: logins)
        throw error
      }
      environment.logger.warning(
        "a token could not be refreshed yet; the one before it still serves",
        metadata: ["token": "\(key)", "error": "\(error)"])
      tell(.valid(expires: stale.expires), unlessLoggedInOrOutSince: logins)
      return stale
    }
  }

  /// Tells how a renewal has ended; where a login or logout has ended since it began, what that has left.
  ///
  /// - Parameter logins: How many had ended when the renewal began.
  private func tell(_ state: TokenState, unlessLoggedInOrOutSince logins: Int) {
    cache.withLock { cache in
      guard cache.endedLogins != logins else { return states.send(state) }
      states.send(cache.cached.map { TokenState.valid(expires: $0.token.expires) } ?? .signedOut)
    }
  }

  /// The state after a renewal that failed.
  private func state(after error: CallError, _ now: Date) -> TokenState {
    let known = cache.withLock { $0.cached }
    if Self.isPassing(error) {
      guard let known else { return .signedOut }
      return known.isUsable(now) ? .valid(expires: known.token.expires) : .expired(error)
    }
    return .lost(error)
  }

  /// Whether a renewal may succeed later.
  private static func isPassing(_ error: CallError) -> Bool {
    switch error {
    case .transport, .rateLimited, .cancelled: true
    case .authorization(let problem): problem.reason == .unavailable
    default: false
    }
  }

  /// Takes the lease, as often as it is lost on the way: somebody else has then been at work, and may have the next token.
  private func renewUnderLease(
    _ stale: StoredToken?, _ reason: Reason, _ environment: TokenRequestEnvironment
  ) async throws(CallError) -> StoredToken {
    var losses = 0
    while true {
      let outcome: StoredToken?
      var refusal: TokenStoreError?
      do throws(CallError) {
        outcome = try await store.withLease(
          key,
          failing: { error in
            refusal = error
            return CallError(error)
          }
        ) { (lease) throws(CallError) in
          try await renew(under: lease, stale, reason, environment)
        }
      } catch {
        guard grant.isRepeatable, let refusal, refusal.reason != .cancelled else { throw error }
        warnOfLoss(refusal, environment)
        let (known, generation) = cache.withLock { ($0.cached, $0.generation) }
        let current = known.map { VersionedToken($0.token, version: $0.version ?? TokenVersion(rawValue: "")) }
        outcome = try await issue(after: current, reason, nil, generation, environment)
      }
      if let outcome { return outcome }
      losses += 1
      guard losses < 3 else {
        throw .authorization(
          AuthorizationError(
            .unavailable,
            advice: "other processes took over the refresh of \(key) again and again; try again later",
            mayPass: true))
      }
    }
  }

  /// Takes over what another process or authenticator has stored, or asks the provider.
  ///
  /// - Returns: `nil` when the lease was lost; what came from the provider is in memory.
  private func renew(
    under lease: TokenLease, _ stale: StoredToken?, _ reason: Reason, _ environment: TokenRequestEnvironment
  ) async throws(CallError) -> StoredToken? {
    let (known, generation) = cache.withLock { ($0.cached, $0.generation) }
    var current = try await stored(under: lease)
    var over = known?.unsavedOver
    if over != nil, let current, current.token.isRefused, current.token.login == known?.token.login {
      // Another process has noted that the token before is spent: by this one, which is not in the store yet.
      over = .version(current.version)
    }
    if let known, let over, over.isMet(by: current?.version) {
      let saved = try await save(known.token, replacing: over, lease, generation, environment)
      guard let saved else { return nil }
      current = VersionedToken(known.token, version: saved)
    } else if current == nil, !grant.isRepeatable {
      cache.withLock { $0.forget(ifStill: generation) }
      try grant.check(nil)
    }
    let now = environment.time.now()
    if let current, current.token.accessToken != stale?.accessToken || known?.unsavedOver != nil {
      cache.withLock { $0.adopt(current.token, version: current.version, ifStill: generation, now) }
      if current.token.expires.map({ $0 > now }) ?? true { return current.token }
    }
    return try await issue(after: current, reason, lease, generation, environment)
  }

  /// Asks the provider for the next token and stores it.
  ///
  /// - Parameter lease: `nil` keeps a token that can be had again in memory alone.
  private func issue(
    after current: VersionedToken?, _ reason: Reason, _ lease: TokenLease?, _ generation: Int,
    _ environment: TokenRequestEnvironment
  ) async throws(CallError) -> StoredToken? {
    states.send(.refreshing)
    let asked = environment.time.now()
    // Where the one before still serves, a failure can wait.
    let isUrgent = reason != .expiring || current?.token.expires.map { $0 <= asked } ?? true
    let issued: IssuedToken
    do throws(TokenEndpointError) {
      issued = try await grant.issue(after: current?.token, isUrgent: isUrgent, environment)
    } catch {
      guard let current else { throw grant.callError(error) }
      if case .unexpectedAnswer(_, _, let next?) = error {
        // The access token is of no use, but the refresh token before it is spent: this one must not be lost.
        var rescued = current.token
        rescued.refreshToken = next
        rescued.refused = nil
        rescued.expires = min(asked, rescued.expires ?? asked)
        if try await hold(
          CachedToken(rescued, lifetime: 0, unsavedOver: TokenPrecondition(current)), after: current, lease,
          generation, environment) == nil
        {
          return nil
        }
        throw grant.callError(error)
      }
      guard grant.isSpent(error) else {
        // What the API refuses and nobody can replace is all that there was.
        if reason == .rejected, !grant.canReplace(current.token) {
          await noteRefusal(of: current, lease, generation, environment)
        }
        throw grant.callError(error)
      }
      if let lease, let winner = try await winner(over: current.token, lease, environment) {
        cache.withLock { $0.adopt(winner, version: nil, ifStill: generation, environment.time.now()) }
        return winner
      }
      if grant.isDoubtful(error) {
        grant.noteSpent(current.token)
      } else {
        await noteRefusal(of: current, lease, generation, environment)
      }
      throw grant.callError(error)
    }
    return try await hold(
      CachedToken(
        issued.token, lifetime: issued.lifetime,
        unsavedOver: grant.isRepeatable ? nil : TokenPrecondition(current)),
      after: current, rejected: reason == .rejected ? asked : nil, lease, generation, environment)
  }

  /// Notes in the store, too, that a login is over, so that the next process need not find out. A login that came
  /// meanwhile stays as it is.
  private func noteRefusal(
    of current: VersionedToken, _ lease: TokenLease?, _ generation: Int, _ environment: TokenRequestEnvironment
  ) async {
    grant.noteSpent(current.token)
    guard let lease, !current.token.isRefused else { return }
    var refused = current.token
    refused.refused = refused.renewableSecret
    await note(refused, over: current.version, lease, generation, environment.logger)
  }

  /// Notes that the API takes a token that counted as refused: some endpoints refuse whatever the token is.
  func noteAccepted(_ token: StoredToken, _ logger: Logger) {
    let generation = cache.withLock { $0.generation }
    let wasRefused = grant.refusal(of: token) != nil
    grant.noteAccepted(token)
    if wasRefused {
      cache.withLock { cache in
        // Not where somebody has logged in or out since the answer came.
        if cache.cached?.token.accessToken == token.accessToken { states.send(.valid(expires: token.expires)) }
      }
    }
    guard token.isRefused else { return }
    Task { [self] in
      try? await store.withLease(key) { (lease) throws(TokenStoreError) in
        guard let current = try await store.load(key), current.token.isRefused,
          current.token.accessToken == token.accessToken
        else { return }
        var accepted = current.token
        accepted.refused = nil
        await note(accepted, over: current.version, lease, generation, logger)
      }
    }
  }

  /// Stores a token with another note on it. Where that fails, the next process finds out by itself.
  private func note(
    _ noted: StoredToken, over version: TokenVersion, _ lease: TokenLease, _ generation: Int, _ logger: Logger
  ) async {
    do throws(TokenStoreError) {
      let version = try await store.save(noted, replacing: .version(version), under: lease)
      cache.withLock { cache in
        if cache.generation == generation { cache.cached?.note(noted, version: version) }
      }
    } catch {
      logger.info(
        "it could not be stored whether a token is still accepted",
        metadata: ["token": "\(key)", "error": "\(error)"])
    }
  }

  /// Keeps a new token in memory, and then in the store.
  ///
  /// - Parameter rejected: When the next was asked for because the API had refused the one before; `nil` otherwise.
  /// - Returns: `nil` when the lease was lost, or a login or logout has overtaken the renewal.
  private func hold(
    _ next: CachedToken, after current: VersionedToken?, rejected: Date? = nil, _ lease: TokenLease?,
    _ generation: Int, _ environment: TokenRequestEnvironment
  ) async throws(CallError) -> StoredToken? {
    // What cannot be read may be there, and is of no use.
    let expected: TokenPrecondition = current == nil && grant.isRepeatable ? .any : TokenPrecondition(current)
    let isStillWanted = cache.withLock { cache in
      guard cache.generation == generation else { return false }
      if let rejected {
        cache.noteRejection(rejected, inVain: next.token.accessToken == current?.token.accessToken)
      }
      cache.cached = next
      return true
    }
    guard isStillWanted || grant.isRepeatable else {
      // The login or logout may still wait for this lease. Until it has stored its own result, the next token takes the
      // place of the one that is spent, and where that fails, the spent one is not sent again.
      let saved = try? await save(next.token, replacing: expected, lease, generation, environment)
      if saved == nil, let current { grant.noteSpent(current.token) }
      return nil
    }
    guard try await save(next.token, replacing: expected, lease, generation, environment) != nil else { return nil }
    return next.token
  }

  /// Stores a new token. One that cannot be had again is not used before that has succeeded.
  ///
  /// - Returns: `nil` when the lease was lost, or another token has come into the store.
  private func save(
    _ token: StoredToken, replacing expected: TokenPrecondition, _ lease: TokenLease?, _ generation: Int,
    _ environment: TokenRequestEnvironment
  ) async throws(CallError) -> TokenVersion? {
    guard let lease else { return TokenVersion(rawValue: "") }
    let version: TokenVersion
    do throws(TokenStoreError) { version = try await store.save(token, replacing: expected, under: lease) } catch {
      if grant.isRepeatable {
        warnOfLoss(error, environment)
        return TokenVersion(rawValue: "")
      }
      if error.reason == .leaseLost || error.reason == .conflict { return nil }
      environment.logger.critical(
        "a refreshed token could not be kept; calls wait for it, and if the process ends now, the login is lost",
        metadata: ["token": "\(key)", "error": "\(error)"])
      throw .authorization(
        AuthorizationError(
          .unavailable,
          advice: """
            the refreshed token could not be kept and is in memory alone; \(error.advice); then call again, before the \
            process ends
            """, mayPass: error.mayPass))
    }
    cache.withLock { cache in
      guard cache.generation == generation else { return }
      cache.cached?.unsavedOver = nil
      cache.cached?.version = version
    }
    return version
  }

  /// Says that a token which can be had again is in memory alone.
  private func warnOfLoss(_ error: TokenStoreError, _ environment: TokenRequestEnvironment) {
    environment.logger.warning(
      "a token could not be stored; the next process asks for another",
      metadata: ["token": "\(key)", "error": "\(error)"])
  }

  /// Tries to store the token that is in memory alone until the store takes it, whether anybody calls meanwhile or not:
  /// until then no other process can refresh, and with this process the login would be lost.
  private func saveLater(_ environment: TokenRequestEnvironment) {
    guard cache.withLock({ $0.unsaved }) != nil else { return }
    let isFirst = isSaving.withLock { isSaving in
      defer { isSaving = true }
      return !isSaving
    }
    guard isFirst else { return }
    // Holds on to this source: who drops it has not given the login up.
    Task {
      var pause = Self.firstPause
      repeat {
        // By the real clock, so that a clock of a test's own cannot make it ask without end.
        try? await Task.sleep(for: pause)
        pause = min(pause * 2, Self.longestPause)
        _ = try? await renewed(nil, .expiring, environment)
      } while cache.withLock { $0.unsaved } != nil
      isSaving.withLock { $0 = false }
      // One that came in between found a task at work.
      saveLater(environment)
    }
  }

  /// The token that another process has stored, whose refresh came first and made ours invalid. It may take a moment to
  /// get there.
  private func winner(
    over loser: StoredToken, _ lease: TokenLease, _ environment: TokenRequestEnvironment
  ) async throws(CallError) -> StoredToken? {
    for pause in [.zero] + Self.patience {
      do throws(CancellationError) {
        if pause > .zero { try await environment.time.sleep(for: pause) }
      } catch { throw .cancelled }
      guard let stored = try await stored(under: lease)?.token else { return nil }
      if stored.accessToken != loser.accessToken { return stored }
    }
    return nil
  }

  private func stored(under lease: TokenLease) async throws(CallError) -> VersionedToken? {
    let loaded: VersionedToken?
    do throws(TokenStoreError) { loaded = try await store.load(key) } catch {
      guard grant.isRepeatable, error.reason != .cancelled else { throw CallError(error) }
      return nil
    }
    return loaded.flatMap { grant.issues($0.token) ? $0 : nil }
  }
}
