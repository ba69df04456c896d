import Callsign
import CallsignHTTP
import CallsignSupport
import Logging

/// Gives the tokens that a store keeps, and has the provider issue the next one.
///
/// ``TokenCache`` reuses a token while it is fresh, a `TokenStore` keeps it, and a ``TokenGrant`` obtains it. However
/// many tasks wait and however many processes share the store, only one request reaches the provider.
final class StoredTokenSource: Sendable {
  let store: any TokenStore
  let key: TokenKey
  let grant: any TokenGrant
  let cache = Locked(TokenCache())
  let states = StateFeed<TokenState>()
  private let renewals = SingleFlight<Result<StoredToken, CallError>>()
  private let observation = Locked<TokenObservation?>(nil)
  /// The refresh token of a response that was rejected, and the one that was sent for it. It is not stored. It is tried
  /// next, because the previous one may be spent.
  private let spare = Locked<(refreshToken: Secret, sent: Secret)?>(nil)
  /// Whether a task is trying to store a token that is only in memory.
  private let isSaving = Locked(false)

  /// A reason to replace a token.
  private enum Reason: Sendable {
    /// There is none, it expires soon, or it is not in the store yet.
    case expiring
    /// The API refused it.
    case rejected
    /// The program asks for another.
    case wanted
  }

  /// The lease that this source used to announce its last request.
  private let announced = Locked<String?>(nil)
  /// The requests of this process that are under way, or whose response is not in the store yet. They are known even if
  /// the store does not keep announcements.
  private static let underWay = RequestsUnderWay()

  /// How long to wait for another process to store its token, after the provider refused ours.
  private static let patience: [Duration] = [
    .milliseconds(50), .milliseconds(150), .milliseconds(300), .milliseconds(600), .milliseconds(900),
  ]

  /// The longest pause between two checks on another process's request.
  private static let longestLook = Duration.seconds(1)

  /// The pauses between attempts to store a token after the store failed to take it.
  private static let (firstPause, longestPause) = (Duration.milliseconds(500), Duration.seconds(15))

  init(_ store: any TokenStore, _ key: TokenKey, _ grant: any TokenGrant) {
    self.store = store
    self.key = key
    self.grant = grant
    guard let store = store as? any ObservableTokenStore else { return }
    observation.withLock { observation in
      observation = store.observe(key) { [weak self] change in
        let version: TokenVersion? = if case .saved(let version) = change { version } else { nil }
        self?.cache.withLock { $0.announce(version) }
      }
    }
  }

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
  private func check(_ token: StoredToken?) throws(CallError) {
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
  private static func loginIsOver(_ token: StoredToken) -> CallError {
    let name = token.refreshToken == nil ? "access" : "refresh"
    let error = CallError.authorization(
      AuthorizationError(.refused, advice: "the \(name) token is not accepted any more; log in again"))
    guard token.isRefused, let holder = token.lostWith else { return error }
    return lost(with: holder, error)
  }

  /// The error of a call after the provider refused a refresh token whose last use left nobody with a response.
  private static func lost(with holder: String, _ error: CallError) -> CallError {
    guard case .authorization(var problem) = error, problem.reason == .refused else { return error }
    problem.advice = """
      the refresh token was used by \(holder.printable), which has not stored the response: it was ended, stood still or was \
      cut off for too long; log in again
      """
    problem.lostWith = holder
    return .authorization(problem)
  }

  private static func unavailable(_ advice: String, mayPass: Bool = false) -> CallError {
    .authorization(AuthorizationError(.unavailable, advice: advice, mayPass: mayPass))
  }

  /// The token that comes after `stale`. All waiting tasks share one renewal. A task that stops waiting does not stop
  /// the renewal, because its response may carry the only refresh token that is valid from then on.
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

  /// The outcome for a task that had the lease.
  private enum Turn: Sendable {
    case token(StoredToken)
    /// The lease was lost, or somebody has logged in or out; the provider's response is in memory.
    case lost
    /// Another process may have sent the token already, and the outcome is not known yet.
    case pending(PendingTokenRequest)
    /// The provider no longer accepts the token.
    case refused(Refusal)
  }

  /// A refusal of a token that another process may have replaced.
  private struct Refusal: Sendable {
    let token: VersionedToken
    let error: TokenEndpointError
    let lease: TokenLease
    let look: TokenCache.Look
  }

  /// A wait for the outcome of another process's request. The lease is free in the meantime, for that process's
  /// response and for a login.
  private struct Wait: Sendable {
    let leaseID: String
    private(set) var left: Duration
    private var pause = Duration.milliseconds(20)

    init(_ request: PendingTokenRequest) {
      leaseID = request.leaseID
      left = request.timeLeft
    }

    mutating func rest(_ time: any TimeSource) async throws(CallError) {
      let step = min(pause, left)
      do throws(CancellationError) { try await time.sleep(for: step) } catch { throw .cancelled }
      left -= step
      pause = min(pause * 2, StoredTokenSource.longestLook)
    }
  }

  /// Takes the lease, and takes it again whenever it is lost on the way: then somebody else was at work, and may have
  /// the next token.
  private func renewUnderLease(
    _ stale: StoredToken?, _ reason: Reason, _ environment: TokenRequestEnvironment
  ) async throws(CallError) -> StoredToken {
    defer { Self.underWay.remove(self) }
    var losses = 0
    var wait: Wait?
    while true {
      switch try await takeTurn(stale, reason, wait, environment) {
      case .token(let token): return token
      case .lost: losses += 1
      case .pending(let request):
        if wait?.leaseID != request.leaseID {
          environment.logger.notice(
            "another process may be refreshing a token; waiting for its response",
            metadata: ["token": "\(key)", "process": "\(request.holder)", "longest": "\(request.timeLeft)"])
          wait = Wait(request)
        }
        try await wait?.rest(environment.time)
      case .refused(let refusal): return try await tokenOfWinner(after: refusal, environment)
      }
      guard losses < 3 else {
        throw Self.unavailable(
          "other processes took over the refresh of \(key) again and again; try again later", mayPass: true)
      }
    }
  }

  private func takeTurn(
    _ stale: StoredToken?, _ reason: Reason, _ wait: Wait?, _ environment: TokenRequestEnvironment
  ) async throws(CallError) -> Turn {
    var refusal: TokenStoreError?
    do throws(CallError) {
      return try await store.withLease(
        key,
        failing: { error in
          refusal = error
          return CallError(error)
        }
      ) { (lease) throws(CallError) in
        try await renew(under: lease, stale, reason, wait, environment)
      }
    } catch {
      guard grant.isRepeatable, let refusal, refusal.reason != .cancelled else { throw error }
      warnOfLoss(refusal, environment)
      let look = cache.withLock { $0.look }
      let current = look.state.token.map {
        VersionedToken($0.token, version: $0.version ?? TokenVersion(rawValue: ""))
      }
      return try await issue(after: current, reason, nil, look, environment)
    }
  }

  /// Adopts what another process or authenticator has stored, or asks the provider.
  private func renew(
    under lease: TokenLease, _ stale: StoredToken?, _ reason: Reason, _ wait: Wait?,
    _ environment: TokenRequestEnvironment
  ) async throws(CallError) -> Turn {
    let look = cache.withLock { $0.look }
    var current = try await stored()
    var wasUnsaved = false
    if case .unsaved(let known, var expected) = look.state {
      wasUnsaved = true
      if let current, current.token.isRefused, current.token.login == known.token.login {
        // Another process has noted that the previous token is spent. Our own token spent it, and is not in the store
        // yet.
        expected = .version(current.version)
      }
      if expected.isMet(by: current?.version) {
        guard let version = try await save(known.token, replacing: expected, lease, look, environment) else {
          return .lost
        }
        current = VersionedToken(known.token, version: version)
      }
    }
    if current == nil, !grant.isRepeatable {
      cache.withLock { _ = $0.apply(.gone, since: look) }
      try check(nil)
    }
    let now = environment.time.now()
    if let current, current.token.accessToken != stale?.accessToken || wasUnsaved {
      adopt(current.token, version: current.version, since: look, now)
      if current.token.expires.map({ $0 > now }) ?? true { return .token(current.token) }
    }
    if let current, let request = requestOfOthers(lease, using: current), request.timeLeft > .zero,
      wait.map({ $0.leaseID != request.leaseID || $0.left > .zero }) ?? true
    {
      // If the previous token is still valid, nobody has to wait.
      if reason == .expiring, current.token.expires.map({ $0 > now }) ?? true {
        throw Self.unavailable("\(request.holder.printable) is refreshing the token of \(key)", mayPass: true)
      }
      states.send(.refreshing)
      return .pending(request)
    }
    return try await issue(after: current, reason, lease, look, environment)
  }

  /// The request of another process, or of another authenticator in this one, that may be using up a token.
  private func requestOfOthers(_ lease: TokenLease, using current: VersionedToken) -> PendingTokenRequest? {
    if let request = pendingRequest(lease, of: current) {
      return request.leaseID == announced.withLock({ $0 }) ? nil : request
    }
    guard !grant.isRepeatable,
      Self.underWay.contains(current.token.renewableSecret, of: key, in: store.place, not: self)
    else { return nil }
    return PendingTokenRequest(
      leaseID: "", holder: "a task of this process", version: current.version, timeLeft: grant.timeLimit * 1.25)
  }

  /// The request that may be using up a token, or may have used it up, in any process.
  private func pendingRequest(_ lease: TokenLease, of current: VersionedToken) -> PendingTokenRequest? {
    guard !grant.isRepeatable, let request = lease.pendingRequest, request.version == current.version else {
      return nil
    }
    return request
  }

  /// Continues with a token from the store.
  private func adopt(_ token: StoredToken, version: TokenVersion?, since look: TokenCache.Look, _ now: Date) {
    // The age of the token is not known; the remaining time keeps a short-lived token from being renewed at once.
    let found = CachedToken(token, lifetime: token.expires.map { $0.timeIntervalSince(now) }, version: version)
    cache.withLock { _ = $0.apply(.adopted(found), since: look) }
  }

  /// Asks the provider for the next token and stores it.
  ///
  /// - Parameter lease: `nil` keeps a token that can be fetched again in memory only.
  private func issue(
    after current: VersionedToken?, _ reason: Reason, _ lease: TokenLease?, _ look: TokenCache.Look,
    _ environment: TokenRequestEnvironment
  ) async throws(CallError) -> Turn {
    states.send(.refreshing)
    if let token = current?.token, token.refreshToken != nil, cache.withLock({ $0.isSpent(token) }) {
      throw Self.loginIsOver(token)
    }
    guard try await announce(using: current, lease) else { return .lost }
    let asked = environment.time.now()
    // If the previous token is still valid, a failure can wait.
    let isUrgent = reason != .expiring || current?.token.expires.map { $0 <= asked } ?? true
    let issued: IssuedToken
    do throws(TokenEndpointError) {
      issued = try await issue(after: current?.token, isUrgent: isUrgent, environment)
    } catch {
      guard let current else { throw grant.callError(error) }
      if case .unexpectedResponse(_, _, let next?) = error, let sent = current.token.refreshToken {
        spare.withLock { $0 = (next, sent) }
        throw grant.callError(error)
      }
      guard !grant.isRepeatable, error.isAboutGrant, let lease else {
        if let lease, error.isUnanswered || pendingRequest(lease, of: current) != nil {
          // Nobody waits for the response any more. A process whose token is refused later learns that there may have
          // been one.
          try? await lease.announceRequest(using: current.version, lasting: .zero)
        } else {
          await lease?.withdrawRequest()
        }
        // If the API refuses a token that nobody can replace, there is nothing left to try.
        if reason == .rejected, !grant.isRepeatable, current.token.refreshToken == nil {
          await noteRefusal(of: current, lease, look, environment)
        }
        throw grant.callError(error)
      }
      return .refused(Refusal(token: current, error: error, lease: lease, look: look))
    }
    let token = try await hold(
      CachedToken(issued.token, lifetime: issued.lifetime), after: current,
      rejected: reason == .rejected ? asked : nil, lease, look, environment)
    return token.map(Turn.token) ?? .lost
  }

  /// Announces in the store that a refresh token is about to be used up, so that a process which takes over the lease
  /// waits for the response.
  ///
  /// - Returns: Whether the request may be sent: the lease is not lost, and this process has not been suspended since.
  private func announce(using current: VersionedToken?, _ lease: TokenLease?) async throws(CallError) -> Bool {
    guard !grant.isRepeatable, let lease, let current, current.token.refreshToken != nil else { return true }
    let start = SuspendingClock.now
    do throws(TokenStoreError) {
      try await lease.announceRequest(using: current.version, lasting: grant.timeLimit * 1.25)
    } catch {
      guard error.reason == .leaseLost else { throw CallError(error) }
      return false
    }
    announced.withLock { $0 = lease.id }
    Self.underWay.insert(current.token.renewableSecret, of: key, in: store.place, self)
    guard SuspendingClock.now - start >= grant.timeLimit / 8 else { return true }
    await lease.withdrawRequest()
    return false
  }

  /// The token that another process has stored in the meantime, after the provider refused the previous one. If there
  /// is none, the login is over.
  private func tokenOfWinner(
    after refusal: Refusal, _ environment: TokenRequestEnvironment
  ) async throws(CallError) -> StoredToken {
    let current = refusal.token
    // The new login since then may be a different person's.
    if cache.withLock({ $0.hasLoggedInOrOut(since: refusal.look) }) { throw grant.callError(refusal.error) }
    if let winner = try await winner(over: current.token, environment) {
      adopt(winner, version: nil, since: refusal.look, environment.time.now())
      return winner
    }
    let known = current.token.isRefused ? current.token.lostWith : nil
    let holder = known ?? pendingRequest(refusal.lease, of: current)?.holder
    let error = grant.callError(refusal.error)
    if refusal.error.isAboutRequest {
      // Perhaps only this request was wrong, so other processes try for themselves.
      cache.withLock { $0.noteSpent(current.token) }
    } else if let winner = await noteRefusal(of: current, lostWith: holder, refusal, environment) {
      return winner
    }
    await refusal.lease.withdrawRequest()
    throw holder.map { Self.lost(with: $0, error) } ?? error
  }

  /// The same under a new lease.
  ///
  /// - Returns: The token of another process, if it arrived at the last moment.
  private func noteRefusal(
    of current: VersionedToken, lostWith holder: String?, _ refusal: Refusal, _ environment: TokenRequestEnvironment
  ) async -> StoredToken? {
    let winner: StoredToken?
    do throws(TokenStoreError) {
      winner = try await store.withLease(key) { (lease) throws(TokenStoreError) -> StoredToken? in
        if let stored = try await store.load(key), grant.issues(stored.token), stored.version != current.version,
          stored.token.accessToken != current.token.accessToken
        {
          return stored.token
        }
        await noteRefusal(of: current, lostWith: holder, lease, refusal.look, environment)
        return nil
      }
    } catch {
      // The next process finds out for itself.
      cache.withLock { $0.noteSpent(current.token) }
      winner = nil
    }
    if let winner { adopt(winner, version: nil, since: refusal.look, environment.time.now()) }
    return winner
  }

  /// Asks the provider with the refresh token of a rejected response if there is one, else with the stored one.
  private func issue(
    after token: StoredToken?, isUrgent: Bool, _ environment: TokenRequestEnvironment
  ) async throws(TokenEndpointError) -> IssuedToken {
    if var token, let next = spare.withLock({ $0?.sent == token.refreshToken ? $0?.refreshToken : nil }) {
      token.refreshToken = next
      do throws(TokenEndpointError) {
        let issued = try await grant.issue(after: token, isUrgent: isUrgent, environment)
        spare.withLock { $0 = nil }
        return issued
      } catch {
        guard error.isAboutGrant else { throw error }
        spare.withLock { $0 = nil }
      }
    }
    return try await grant.issue(after: token, isUrgent: isUrgent, environment)
  }

  /// Records in the store that a login is over, so that the next process need not find out. A newer login is unchanged.
  private func noteRefusal(
    of current: VersionedToken, lostWith holder: String? = nil, _ lease: TokenLease?, _ look: TokenCache.Look,
    _ environment: TokenRequestEnvironment
  ) async {
    cache.withLock { $0.noteSpent(current.token) }
    guard let lease, !current.token.isRefused else { return }
    var refused = current.token
    refused.refused = refused.renewableSecret
    refused.lostWith = holder
    await note(refused, over: current.version, lease, look, environment.logger)
  }

  /// Notes that the API accepts a token that counted as refused: some endpoints refuse every token.
  func noteAccepted(_ token: StoredToken, _ logger: Logger) {
    let look = cache.withLock { cache in
      let wasOver = cache.isOver(token)
      cache.noteAccepted(token)
      // Not if somebody has logged in or out since the response arrived.
      if wasOver, cache.token?.accessToken == token.accessToken { states.send(.valid(expires: token.expires)) }
      return cache.look
    }
    guard token.isRefused else { return }
    Task { [self] in
      try? await store.withLease(key) { (lease) throws(TokenStoreError) in
        guard let current = try await store.load(key), current.token.isRefused,
          current.token.accessToken == token.accessToken
        else { return }
        var accepted = current.token
        accepted.refused = nil
        accepted.lostWith = nil
        await note(accepted, over: current.version, lease, look, logger)
      }
    }
  }

  /// Stores a token with a different note. If that fails, the next process finds out for itself.
  private func note(
    _ noted: StoredToken, over version: TokenVersion, _ lease: TokenLease, _ look: TokenCache.Look, _ logger: Logger
  ) async {
    do throws(TokenStoreError) {
      let version = try await store.save(noted, replacing: .version(version), under: lease)
      cache.withLock { _ = $0.apply(.noted(noted, version), since: look) }
    } catch {
      logger.info(
        "it could not be stored whether a token is still accepted",
        metadata: ["token": "\(key)", "error": "\(error)"])
    }
  }

  /// Keeps a new token in memory, and then in the store.
  ///
  /// - Parameter rejected: The time of the request, if it was made because the API had refused the previous token;
  ///   `nil` otherwise.
  /// - Returns: `nil` if the lease was lost, or if a login or logout has overtaken the renewal.
  private func hold(
    _ next: CachedToken, after current: VersionedToken?, rejected: Date? = nil, _ lease: TokenLease?,
    _ look: TokenCache.Look, _ environment: TokenRequestEnvironment
  ) async throws(CallError) -> StoredToken? {
    // A token that cannot be read may be stored, and is of no use.
    let expected: TokenPrecondition = current == nil && grant.isRepeatable ? .any : TokenPrecondition(current)
    let isStillWanted = cache.withLock { cache in
      guard cache.apply(.issued(next, over: grant.isRepeatable ? nil : expected), since: look) else { return false }
      if let rejected {
        cache.rejections.noteRenewal(rejected, inVain: next.token.accessToken == current?.token.accessToken)
      }
      return true
    }
    guard isStillWanted || grant.isRepeatable else {
      // The login or logout may still be waiting for this lease. Until it has stored its own result, the next token
      // replaces the spent one. If that fails, the spent one is not sent again.
      let saved = try? await save(next.token, replacing: expected, lease, look, environment)
      if saved == nil, let current { cache.withLock { $0.noteSpent(current.token) } }
      return nil
    }
    guard try await save(next.token, replacing: expected, lease, look, environment) != nil else { return nil }
    return next.token
  }

  /// Stores a new token. A token that cannot be fetched again is not used until it is stored.
  ///
  /// - Returns: `nil` if the lease was lost, or if another token is now in the store.
  private func save(
    _ token: StoredToken, replacing expected: TokenPrecondition, _ lease: TokenLease?, _ look: TokenCache.Look,
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
      // Other processes wait for it as long as they would for a response.
      if case .version(let version) = expected {
        try? await lease.announceRequest(using: version, lasting: grant.timeLimit)
      }
      environment.logger.critical(
        "a refreshed token could not be kept; calls wait for it, and if the process ends now, the login is lost",
        metadata: ["token": "\(key)", "error": "\(error)"])
      throw Self.unavailable(
        """
        the refreshed token could not be stored and is only in memory; \(error.advice); then call again, before the \
        process ends
        """, mayPass: error.mayPass)
    }
    cache.withLock { _ = $0.apply(.saved(version), since: look) }
    return version
  }

  /// Logs that a token which can be fetched again is only in memory.
  private func warnOfLoss(_ error: TokenStoreError, _ environment: TokenRequestEnvironment) {
    environment.logger.warning(
      "a token could not be stored; the next process asks for another",
      metadata: ["token": "\(key)", "error": "\(error)"])
  }

  /// Retries to store the token that is only in memory until the store takes it, whether there are calls in the
  /// meantime or not. Until then no other process can refresh, and the login would be lost together with this process.
  private func saveLater(_ environment: TokenRequestEnvironment) {
    guard cache.withLock({ $0.unsaved }) != nil else { return }
    let isFirst = isSaving.withLock { isSaving in
      defer { isSaving = true }
      return !isSaving
    }
    guard isFirst else { return }
    // The task keeps this source alive: dropping the source does not mean giving up the login.
    Task {
      var pause = Self.firstPause
      repeat {
        // By the real clock, so that a test's clock cannot make it retry without end.
        try? await Task.sleep(for: pause)
        pause = min(pause * 2, Self.longestPause)
        _ = try? await renewed(nil, .expiring, environment)
      } while cache.withLock { $0.unsaved } != nil
      isSaving.withLock { $0 = false }
      // A token that arrived in between found this task still at work, so check once more.
      saveLater(environment)
    }
  }

  /// The token of another process, whose refresh came first and made ours invalid. That process may need a moment to
  /// store it, and needs the lease for that.
  private func winner(
    over loser: StoredToken, _ environment: TokenRequestEnvironment
  ) async throws(CallError) -> StoredToken? {
    for pause in [.zero] + Self.patience {
      do throws(CancellationError) {
        if pause > .zero { try await environment.time.sleep(for: pause) }
      } catch { throw .cancelled }
      guard let stored = try await stored()?.token else { return nil }
      if stored.accessToken != loser.accessToken { return stored }
    }
    return nil
  }

  private func stored() async throws(CallError) -> VersionedToken? {
    let loaded: VersionedToken?
    do throws(TokenStoreError) { loaded = try await store.load(key) } catch {
      guard grant.isRepeatable, error.reason != .cancelled else { throw CallError(error) }
      return nil
    }
    return loaded.flatMap { grant.issues($0.token) ? $0 : nil }
  }
}
