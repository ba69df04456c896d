import Callsign
import CallsignHTTP
import CallsignSupport
import Logging

// Keeps a new token in memory, then saves it, and tries again while the store fails.

extension StoredTokenSource {
  /// The pauses between attempts to store a token after the store failed to take it.
  private static let (firstPause, longestPause) = (Duration.milliseconds(500), Duration.seconds(15))

  /// Keeps a new token in memory, and then in the store.
  ///
  /// - Parameter rejected: The time of the request, if it was made because the API had refused the previous token;
  ///   `nil` otherwise.
  /// - Returns: `nil` if the lease was lost, or if a login or logout has overtaken the renewal.
  func hold(
    _ next: CachedToken, after current: VersionedToken?, rejected: Date? = nil, _ lease: TokenLease?,
    _ look: TokenCache.Look, _ environment: TokenRequestEnvironment
  ) async throws(CallError) -> StoredToken? {
    // The store may hold an unreadable token, which this one replaces.
    let expected: TokenPrecondition = current == nil && grant.isRepeatable ? .any : TokenPrecondition(current)
    let isStillWanted = cache.withLock { cache in
      let replaceable: TokenCache.Replaceable? = grant.isRepeatable ? nil : .matching(expected)
      guard cache.apply(.issued(next, over: replaceable), since: look) else { return false }
      if let rejected {
        cache.rejections.noteRenewal(rejected, inVain: next.token.accessToken == current?.token.accessToken)
      }
      return true
    }
    guard isStillWanted || grant.isRepeatable else {
      // The login or logout may still be waiting for this lease. Until it has stored its own result, the next token
      // replaces the spent one.
      let saved = try? await save(next.token, replacing: expected, lease, look, environment)
      if saved == nil { keepOvertaken(next, after: current, over: expected, look, environment) }
      return nil
    }
    guard try await save(next.token, replacing: expected, lease, look, environment) != nil else { return nil }
    return next.token
  }

  /// Keeps a new token in memory that could not be stored, until the login or logout that has overtaken it has ended.
  private func keepOvertaken(
    _ next: CachedToken, after current: VersionedToken?, over expected: TokenPrecondition, _ look: TokenCache.Look,
    _ environment: TokenRequestEnvironment
  ) {
    let isLoggedOut = cache.withLock { cache in
      if cache.keep(next, over: .matching(expected), since: look) { return false }
      // The spent token is not sent again.
      if let current { cache.noteSpent(current.token) }
      return cache.state == .empty
    }
    if isLoggedOut { discard(next.token, environment) }
  }

  /// Revokes a token that only this process has, after a logout that did not know it. It does not wait for the provider.
  ///
  /// After another login, the token is only dropped. A login does not revoke the one before either, because some
  /// providers then revoke all tokens of the person and the client.
  func discard(_ token: StoredToken, _ environment: TokenRequestEnvironment) {
    guard let revocation else { return }
    revocation.add(token)
    Task { [key] in
      do throws(LoginError) { try await revocation.run(environment) } catch {
        environment.logger.warning(
          "a token that was refreshed during a logout could not be revoked; log out again to retry",
          metadata: ["token": "\(key)", "error": "\(error)"])
      }
    }
  }

  /// Stores a new token. A token that cannot be fetched again is not used until it is stored.
  ///
  /// - Returns: `nil` if the lease was lost, or if another token is now in the store.
  func save(
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
  func warnOfLoss(_ error: TokenStoreError, _ environment: TokenRequestEnvironment) {
    environment.logger.warning(
      "a token could not be stored; the next process asks for another",
      metadata: ["token": "\(key)", "error": "\(error)"])
  }

  /// Retries to store the token that is only in memory until the store takes it, whether there are calls in the
  /// meantime or not. Until then no other process can refresh, and the login would be lost together with this process.
  func saveLater(_ environment: TokenRequestEnvironment) {
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
}
