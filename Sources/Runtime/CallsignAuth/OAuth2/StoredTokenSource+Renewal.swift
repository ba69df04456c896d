import Callsign
import CallsignHTTP
import CallsignSupport
import Logging

// The steps of a renewal:
//
//   renewed        lets the tasks of this process share one renewal
//   takeTurn       takes the lease, again if it is lost, and waits while another process asks the provider
//   renew(under:)  adopts another token from the store, or saves the one that only this process has
//   issue          announces in the store that the refresh token is being used up, and asks the provider
//   hold           keeps the next token in memory, then saves it
//   tokenOfWinner  after a refusal, looks for the token of a faster process, or notes that the login is over
//
// A login or logout may happen between any two steps. Then `TokenCache` ignores the outcome of the renewal.

extension StoredTokenSource {
  /// The longest pause between two checks on another process's request.
  private static let longestLook = Duration.seconds(1)

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
  struct Refusal: Sendable {
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
  func renewUnderLease(
    _ stale: StoredToken?, _ reason: Reason, _ environment: TokenRequestEnvironment
  ) async throws(CallError) -> StoredToken {
    // Until the response is stored, other authenticators of this process find the token there that it has used up.
    defer { if cache.withLock({ $0.unsaved }) == nil { Self.underWay.remove(self) } }
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
    if case .unsaved(let known, var replaceable) = look.state {
      if let current, current.token.isRefused, current.token.login == known.token.login {
        // Another process has noted that the previous token is spent. Our own token spent it, and is not in the store
        // yet.
        replaceable = .matching(.version(current.version))
      }
      if let expected = replaceable.precondition(over: current) {
        guard let version = try await save(known.token, replacing: expected, lease, look, environment) else {
          return .lost
        }
        current = VersionedToken(known.token, version: version)
      }
    }
    if current == nil, !grant.isRepeatable {
      let isGone = cache.withLock { $0.apply(.gone, since: look) }
      // Somebody has logged out elsewhere, and could not revoke a token that only this process has.
      if isGone, let unsaved = look.state.unsaved { discard(unsaved, environment) }
      try check(nil)
    }
    let now = environment.time.now()
    if let current, current.token.accessToken != stale?.accessToken || look.state.unsaved != nil {
      adopt(current, since: look, now)
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

  func stored() async throws(CallError) -> VersionedToken? {
    let loaded: VersionedToken?
    do throws(TokenStoreError) { loaded = try await store.load(key) } catch {
      guard grant.isRepeatable, error.reason != .cancelled else { throw CallError(error) }
      return nil
    }
    return loaded.flatMap { grant.issues($0.token) ? $0 : nil }
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
  func pendingRequest(_ lease: TokenLease, of current: VersionedToken) -> PendingTokenRequest? {
    guard !grant.isRepeatable, let request = lease.pendingRequest, request.version == current.version else {
      return nil
    }
    return request
  }

  /// Continues with a token from the store.
  func adopt(_ stored: VersionedToken, since look: TokenCache.Look, _ now: Date) {
    // The age of the token is not known; the remaining time keeps a short-lived token from being renewed at once.
    let lifetime = stored.token.expires.map { $0.timeIntervalSince(now) }
    let found = CachedToken(stored.token, lifetime: lifetime, version: stored.version)
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
}
