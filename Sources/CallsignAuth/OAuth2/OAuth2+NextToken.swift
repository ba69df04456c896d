import Callsign
import CallsignHTTP
import Foundation

/// With the store's lock held.
extension OAuth2 {
  /// How long another process is given to keep what it won, where the store has no lock.
  private static let patience: [Duration] = [
    .milliseconds(50), .milliseconds(150), .milliseconds(300), .milliseconds(600),
  ]

  /// Asks the provider for the next token and keeps it.
  func ask(
    replacing current: StoredToken, _ reason: RefreshReason, _ generation: Int, _ environment: TokenRequestEnvironment
  ) async throws(CallError) -> StoredToken {
    guard let refreshToken = current.refreshToken else {
      throw .authorization(
        AuthorizationError(
          .refused,
          advice: """
            the access token is not good any more and came without a refresh token; log in again, with the scope \
            offline.access if it is X, to stay logged in
            """))
    }
    if state.withLock({ $0.refusedRefreshToken }) == refreshToken { throw Self.loginExpired }

    let asked = environment.time.now()
    let endpoint = TokenEndpoint(url: provider.tokenURL, client: client, environment: environment)
    let answer: TokenResponse
    do throws(TokenEndpointError) {
      answer = try await endpoint.token([("grant_type", "refresh_token"), ("refresh_token", refreshToken.reveal())])
    } catch {
      guard error.isAboutGrant else { throw error.asCallError }
      if let winner = try await winner(over: current, environment) {
        adopt(winner, generation, environment)
        return winner
      }
      state.withLock { $0.refusedRefreshToken = refreshToken }
      throw error.asCallError
    }

    let received = answer.stored(kind: .oauth2, clientID: clientID, asked: asked, requested: current.scopes)
    // What the answer does not replace stays, also what only a newer version of this library knows.
    var next = current
    next.accessToken = received.accessToken
    next.refreshToken = received.refreshToken ?? refreshToken
    next.expires = received.expires
    next.scopes = received.scopes
    next.clientID = received.clientID
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
  func keep(
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
  func adopt(_ token: StoredToken, _ generation: Int, _ environment: TokenRequestEnvironment) {
    let now = environment.time.now()
    state.withLock { state in
      guard state.generation == generation, state.token != token || state.unsavedAfter != nil else { return }
      // How long it lived before is not known; what is left keeps a short-lived token from being refreshed at once.
      if state.token != token { state.lifetime = token.expires.map { $0.timeIntervalSince(now) } }
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
