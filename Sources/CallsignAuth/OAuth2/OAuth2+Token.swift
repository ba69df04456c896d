import Callsign
import Foundation

extension OAuth2 {
  /// Refreshed so long before it expires, in seconds; a short-lived token at a quarter of its life.
  private static let margin: TimeInterval = 60
  /// A token that is refused again so soon after a refresh, in seconds, is not refused for its age.
  private static let rejectionPause: TimeInterval = 10

  /// The token in memory, or else in the store; `nil` when nobody is logged in.
  func loaded() async throws(TokenStoreError) -> StoredToken? {
    let (known, generation) = state.withLock { ($0.token, $0.generation) }
    if let known { return known }
    guard let stored = try await store.load(key), stored.kind == .oauth2 else { return nil }
    return state.withLock { state in
      // A login or logout meanwhile knows better.
      guard state.generation == generation, state.token == nil else { return state.token }
      state.token = stored
      return stored
    }
  }

  /// The token in memory, or else in the store.
  func loaded(orThrow environment: TokenRequestEnvironment) async throws(CallError) -> StoredToken {
    let token: StoredToken?
    do throws(TokenStoreError) { token = try await loaded() } catch { throw Self.unavailable(error) }
    guard let token else { throw Self.nobodyLoggedIn }
    guard token.clientID == nil || token.clientID == clientID else {
      throw .authorization(
        AuthorizationError(
          .unavailable,
          advice: "the token of \(key) was issued to another client; log in with this one, or use another account"))
    }
    return token
  }

  /// A token that is in the store and will not expire on its way.
  func usableToken(_ environment: TokenRequestEnvironment) async throws(CallError) -> StoredToken {
    let token = try await loaded(orThrow: environment)
    let now = environment.time.now()
    let isUsable = state.withLock { state in
      guard state.unsavedAfter == nil else { return false }
      guard let expires = token.expires else { return true }
      let margin = min(Self.margin, (state.lifetime ?? .infinity) / 4)
      if now < expires - margin { return true }
      // Good for a while yet, and the provider was just asked in vain.
      return now < expires && state.nextRefresh.map { now < $0 } ?? false
    }
    return isUsable ? token : try await refreshed(token, .expiring, environment)
  }

  /// Whether a rejection may lead to a refresh: not over and over.
  func mayRefreshAfterRejection(_ now: Date) -> Bool {
    state.withLock { state in
      state.rejectionRefreshed.map { abs(now.timeIntervalSince($0)) >= Self.rejectionPause } ?? true
    }
  }

  /// Whether somebody is logged in: there is a token that is good, or that can be refreshed.
  ///
  /// - Throws: ``TokenStoreError`` when the store cannot be read.
  public var isAuthorized: Bool {
    get async throws(TokenStoreError) {
      let token: StoredToken?
      if state.withLock({ $0.unsavedAfter != nil }) {
        token = state.withLock { $0.token }
      } else {
        token = try await store.load(key)
      }
      guard let token, token.kind == .oauth2, token.clientID == nil || token.clientID == clientID else { return false }
      if let refreshToken = token.refreshToken {
        return state.withLock { $0.refusedRefreshToken } != refreshToken
      }
      return token.expires.map { $0 > Date() } ?? true
    }
  }

  static var nobodyLoggedIn: CallError {
    .authorization(
      AuthorizationError(.unavailable, advice: "nobody is logged in; begin a login with OAuth2.beginLogin"))
  }

  static func unavailable(_ error: TokenStoreError) -> CallError {
    if error.reason == .cancelled { return .cancelled }
    return .authorization(AuthorizationError(.unavailable, advice: "the token cannot be read: \(error.advice)"))
  }
}
