import Callsign
import CallsignHTTP
import CallsignSupport
import Logging

// The steps after the provider refuses a refresh token, and after the API accepts a token that it had refused.

extension StoredTokenSource {
  /// How long to wait for another process to store its token, after the provider refused ours.
  private static let patience: [Duration] = [
    .milliseconds(50), .milliseconds(150), .milliseconds(300), .milliseconds(600), .milliseconds(900),
  ]

  /// The token that another process has stored in the meantime, after the provider refused the previous one. If there
  /// is none, the login is over.
  func tokenOfWinner(
    after refusal: Refusal, _ environment: TokenRequestEnvironment
  ) async throws(CallError) -> StoredToken {
    let current = refusal.token
    // The new login since then may be a different person's.
    if cache.withLock({ $0.hasLoggedInOrOut(since: refusal.look) }) { throw grant.callError(refusal.error) }
    if let winner = try await winner(over: current.token, environment) {
      adopt(winner, since: refusal.look, environment.time.now())
      return winner.token
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

  /// The token of another process, whose refresh came first and made ours invalid. That process may need a moment to
  /// store it, and needs the lease for that.
  private func winner(
    over loser: StoredToken, _ environment: TokenRequestEnvironment
  ) async throws(CallError) -> VersionedToken? {
    for pause in [.zero] + Self.patience {
      do throws(CancellationError) {
        if pause > .zero { try await environment.time.sleep(for: pause) }
      } catch { throw .cancelled }
      guard let stored = try await stored() else { return nil }
      if stored.token.accessToken != loser.accessToken { return stored }
    }
    return nil
  }

  /// The same under a new lease.
  ///
  /// - Returns: The token of another process, if it arrived at the last moment.
  private func noteRefusal(
    of current: VersionedToken, lostWith holder: String?, _ refusal: Refusal, _ environment: TokenRequestEnvironment
  ) async -> StoredToken? {
    let winner: VersionedToken?
    do throws(TokenStoreError) {
      winner = try await store.withLease(key) { (lease) throws(TokenStoreError) -> VersionedToken? in
        if let stored = try await store.load(key), grant.issues(stored.token), stored.version != current.version,
          stored.token.accessToken != current.token.accessToken
        {
          return stored
        }
        await noteRefusal(of: current, lostWith: holder, lease, refusal.look, environment)
        return nil
      }
    } catch {
      // The next process finds out for itself.
      cache.withLock { $0.noteSpent(current.token) }
      winner = nil
    }
    if let winner { adopt(winner, since: refusal.look, environment.time.now()) }
    return winner?.token
  }

  /// Notes in the store as well that a login is over, so that the next process need not find out. A newer login stays
  /// as it is.
  func noteRefusal(
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
}
