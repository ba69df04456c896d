import Callsign
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
      adopt(current, generation, environment)
      if current.expires.map({ $0 > now }) ?? true { return current }
    }
    return try await ask(replacing: current, reason, generation, environment)
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
