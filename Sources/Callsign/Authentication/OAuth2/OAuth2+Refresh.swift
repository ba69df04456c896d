import Foundation

extension OAuth2 {
  /// Why a token is to be replaced.
  enum RefreshReason: Sendable {
    /// It expires soon, or has not been kept yet.
    case expiring
    /// The API refused it.
    case rejected
  }

  /// After a refresh that failed and could wait, so long until the next, in seconds.
  private static let pauseAfterFailure: TimeInterval = 15
  /// How long another process is given to keep what it won, where the store has no lock.
  private static let patience: [Duration] = [
    .milliseconds(50), .milliseconds(150), .milliseconds(300), .milliseconds(600),
  ]

  /// The token that comes after `stale`. All who wait share one refresh; who stops waiting does not stop it, because
  /// its answer may carry the only refresh token that is good from then on.
  func refreshed(
    _ stale: StoredToken, _ reason: RefreshReason, _ environment: TokenRequestEnvironment
  ) async throws(CallError) -> StoredToken {
    let result: Result<StoredToken, CallError>
    do throws(CancellationError) {
      result = try await refreshing.value { [self] in
        do throws(CallError) { return .success(try await replace(stale, reason, environment)) } catch {
          return .failure(error)
        }
      }
    } catch { throw .cancelled }
    return try result.get()
  }

  private func replace(
    _ stale: StoredToken, _ reason: RefreshReason, _ environment: TokenRequestEnvironment
  ) async throws(CallError) -> StoredToken {
    do throws(CallError) {
      let lock: TokenLock
      do throws(TokenStoreError) { lock = try await store.lock(key) } catch { throw Self.unavailable(error) }
      defer { lock.release() }
      return try await replaceLocked(stale, reason, environment)
    } catch {
      let isPassing =
        switch error {
        case .transport, .rateLimited: true
        case .authorization(let problem): problem.reason == .unavailable
        default: false
        }
      let now = environment.time.now()
      guard isPassing, reason == .expiring, state.withLock({ $0.unsavedAfter == nil && $0.token == stale }),
        let expires = stale.expires, now < expires
      else { throw error }
      environment.logger.warning(
        "a token could not be refreshed yet; the one before it still serves",
        metadata: ["token": "\(key)", "error": "\(error)"])
      state.withLock { $0.nextRefresh = now + Self.pauseAfterFailure }
      return stale
    }
  }

  /// With the store's lock held: takes over what another process or authenticator has won, or asks the provider.
  private func replaceLocked(
    _ stale: StoredToken, _ reason: RefreshReason, _ environment: TokenRequestEnvironment
  ) async throws(CallError) -> StoredToken {
    let (known, unsavedAfter, generation) = state.withLock { ($0.token, $0.unsavedAfter, $0.generation) }
    let stored: StoredToken?
    do throws(TokenStoreError) { stored = try await store.load(key) } catch { throw Self.unavailable(error) }
    guard let stored, stored.kind == .oauth2 else {
      state.withLock { $0.forget(ifStill: generation) }
      throw Self.nobodyLoggedIn
    }

    var current = stored
    if let unsavedAfter, let known, stored.accessToken == unsavedAfter {
      try await keep(known, after: unsavedAfter, generation, environment)
      current = known
    }
    let now = environment.time.now()
    if current.accessToken != stale.accessToken || unsavedAfter != nil {
      adopt(current, generation)
      if current.expires.map({ $0 > now }) ?? true { return current }
    }
    return try await ask(replacing: current, reason, generation, environment)
  }

  /// Asks the provider for the next token and keeps it.
  private func ask(
    replacing current: StoredToken, _ reason: RefreshReason, _ generation: Int, _ environment: TokenRequestEnvironment
  ) async throws(CallError) -> StoredToken {
    guard let refreshToken = current.refreshToken else {
      throw .authorization(
        AuthorizationError(
          .refused,
          advice: """
            the access token has expired and came without a refresh token; log in again, with the scope \
            offline.access if it is X, to stay logged in
            """))
    }
    if state.withLock({ $0.refusedRefreshToken }) == refreshToken { throw Self.loginExpired }

    let asked = environment.time.now()
    let endpoint = TokenEndpoint(url: provider.tokenURL, client: client, environment: environment)
    let answer: TokenAnswer
    do throws(TokenEndpointError) {
      answer = try await endpoint.token([("grant_type", "refresh_token"), ("refresh_token", refreshToken.reveal())])
    } catch {
      guard error.isAboutGrant else { throw error.asCallError }
      if let winner = try await winner(over: current, environment) {
        adopt(winner, generation)
        return winner
      }
      state.withLock { $0.refusedRefreshToken = refreshToken }
      throw error.asCallError
    }

    var next = answer.stored(kind: .oauth2, clientID: clientID, asked: asked, requested: current.scopes)
    next.refreshToken = next.refreshToken ?? refreshToken
    next.userID = current.userID
    next.username = current.username
    let isStillWanted = state.withLock { state in
      guard state.generation == generation else { return false }
      state.token = next
      state.lifetime = answer.lifetime
      state.unsavedAfter = current.accessToken
      state.nextRefresh = nil
      if reason == .rejected { state.rejectionRefreshed = asked }
      return true
    }
    guard isStillWanted else { throw Self.nobodyLoggedIn }
    try await keep(next, after: current.accessToken, generation, environment)
    return next
  }

  /// Puts a new token into the store. Until that has succeeded, nothing uses it.
  private func keep(
    _ token: StoredToken, after replaced: Secret, _ generation: Int, _ environment: TokenRequestEnvironment
  ) async throws(CallError) {
    do throws(TokenStoreError) { try await store.save(token, for: key) } catch {
      environment.logger.critical(
        "a refreshed token could not be kept; calls wait for it, and if the process ends now, the login is lost",
        metadata: ["token": "\(key)", "error": "\(error)"])
      throw .authorization(
        AuthorizationError(
          .unavailable,
          advice: """
            the refreshed token could not be kept and is in memory alone; \(error.advice); then call again, before the \
            process ends
            """))
    }
    state.withLock { if $0.generation == generation { $0.unsavedAfter = nil } }
  }

  /// What another process has put into the store, whose refresh came first and made ours invalid. It may take a moment
  /// to get there.
  private func winner(
    over loser: StoredToken, _ environment: TokenRequestEnvironment
  ) async throws(CallError) -> StoredToken? {
    for pause in [.zero] + Self.patience {
      do throws(CancellationError) {
        if pause > .zero { try await environment.time.sleep(for: pause) }
      } catch { throw .cancelled }
      let stored: StoredToken?
      do throws(TokenStoreError) { stored = try await store.load(key) } catch { throw Self.unavailable(error) }
      guard let stored, stored.kind == .oauth2 else { return nil }
      if stored.accessToken != loser.accessToken { return stored }
    }
    return nil
  }

  /// Takes over a token that the store has.
  private func adopt(_ token: StoredToken, _ generation: Int) {
    state.withLock { state in
      guard state.generation == generation, state.token != token || state.unsavedAfter != nil else { return }
      state.lifetime = state.token == token ? state.lifetime : nil
      state.token = token
      state.unsavedAfter = nil
      state.nextRefresh = nil
    }
  }

  private static var loginExpired: CallError {
    .authorization(
      AuthorizationError(.refused, advice: "the refresh token is not accepted any more; log in again"))
  }
}

extension OAuth2State {
  /// Nobody is logged in any more, unless somebody has logged in since.
  mutating func forget(ifStill generation: Int) {
    guard self.generation == generation else { return }
    token = nil
    unsavedAfter = nil
  }
}
