import Callsign
import CallsignHTTP
import Foundation

/// Gives the tokens that a store keeps, and has the provider issue the next.
///
/// It is made of three parts: ``TokenCache`` reuses a token while it is fresh, ``TokenVault`` stores it, a
/// ``TokenGrant`` has it issued. However many tasks wait and however many processes share the store, one request
/// reaches the provider.
final class StoredTokenSource: Sendable {
  let vault: TokenVault
  let grant: any TokenGrant
  let cache = Locked(TokenCache())
  private let renewals = SingleFlight<Result<StoredToken, CallError>>()

  /// Why a token is replaced.
  private enum Reason: Sendable {
    /// There is none, it expires soon, or it is not in the store yet.
    case expiring
    /// The API refused it.
    case rejected
  }

  /// How long another process is given to store the token that it got, where the store has no lock.
  private static let patience: [Duration] = [
    .milliseconds(50), .milliseconds(150), .milliseconds(300), .milliseconds(600),
  ]

  init(_ vault: TokenVault, _ grant: any TokenGrant) {
    self.vault = vault
    self.grant = grant
  }

  /// A token that is stored and will not expire on its way.
  func token(_ environment: TokenRequestEnvironment) async throws(CallError) -> StoredToken {
    let token = try await checkedToken()
    if let token, cache.withLock({ $0.cached?.isUsable(environment.time.now()) == true }) { return token }
    return try await renewed(token, .expiring, environment)
  }

  /// The token after a refused one; `nil` when the provider was just asked for the same reason, or has no other.
  func token(
    after refused: Secret, _ environment: TokenRequestEnvironment
  ) async throws(CallError) -> StoredToken? {
    let token = try await checkedToken()
    if let token, token.accessToken != refused { return token }
    guard cache.withLock({ $0.mayRenewAfterRejection(environment.time.now()) }) else { return nil }
    let next = try await renewed(token, .rejected, environment)
    return next.accessToken == refused ? nil : next
  }

  /// The token in memory, or else in the store; `nil` when there is none.
  func loaded() async throws(TokenStoreError) -> StoredToken? {
    let (known, generation) = cache.withLock { ($0.cached?.token, $0.generation) }
    if let known { return known }
    guard let stored = try await vault.store.load(vault.key), grant.issues(stored) else { return nil }
    return cache.withLock { cache in
      // A login or logout meanwhile knows better.
      guard cache.generation == generation, cache.cached == nil else { return cache.cached?.token }
      cache.cached = CachedToken(stored, lifetime: nil)
      return stored
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
    let known = cache.withLock { $0.cached }
    if let known, known.isUsable(environment.time.now()), known.token.accessToken != stale?.accessToken {
      return known.token
    }
    do throws(CallError) {
      let lock = try await vault.lock()
      defer { lock.release() }
      return try await renewLocked(stale, reason, environment)
    } catch {
      let now = environment.time.now()
      guard let stale, reason == .expiring, Self.isPassing(error),
        cache.withLock({ $0.postponeRenewal(of: stale, now) })
      else { throw error }
      environment.logger.warning(
        "a token could not be refreshed yet; the one before it still serves",
        metadata: ["token": "\(vault.key)", "error": "\(error)"])
      return stale
    }
  }

  /// Whether a renewal may succeed later.
  private static func isPassing(_ error: CallError) -> Bool {
    switch error {
    case .transport, .rateLimited: true
    case .authorization(let problem): problem.reason == .unavailable
    default: false
    }
  }

  /// With the store's lock held: takes over what another process or authenticator has stored, or asks the provider.
  private func renewLocked(
    _ stale: StoredToken?, _ reason: Reason, _ environment: TokenRequestEnvironment
  ) async throws(CallError) -> StoredToken {
    let (known, generation) = cache.withLock { ($0.cached, $0.generation) }
    var current = try await stored()
    if current == nil, !grant.isRepeatable {
      cache.withLock { $0.forget(ifStill: generation) }
      try grant.check(nil)
    }
    if let known, let replaced = known.unsavedAfter, current?.accessToken == replaced {
      try await save(known.token, generation, environment)
      current = known.token
    }
    let now = environment.time.now()
    if let current, current.accessToken != stale?.accessToken || known?.unsavedAfter != nil {
      cache.withLock { $0.adopt(current, ifStill: generation, now) }
      if current.expires.map({ $0 > now }) ?? true { return current }
    }
    return try await issue(after: current, reason, generation, environment)
  }

  /// Asks the provider for the next token and stores it.
  private func issue(
    after current: StoredToken?, _ reason: Reason, _ generation: Int, _ environment: TokenRequestEnvironment
  ) async throws(CallError) -> StoredToken {
    let asked = environment.time.now()
    let issued: IssuedToken
    do throws(TokenEndpointError) { issued = try await grant.issue(after: current, environment) } catch {
      guard let current, grant.isSpent(error) else { throw grant.callError(error) }
      if let winner = try await winner(over: current, environment) {
        cache.withLock { $0.adopt(winner, ifStill: generation, environment.time.now()) }
        return winner
      }
      grant.noteSpent(current)
      throw grant.callError(error)
    }
    let next = CachedToken(
      issued.token, lifetime: issued.lifetime, unsavedAfter: grant.isRepeatable ? nil : current?.accessToken)
    let isStillWanted = cache.withLock { cache in
      guard cache.generation == generation else { return false }
      cache.cached = next
      if reason == .rejected {
        cache.noteRejection(asked, inVain: next.token.accessToken == current?.accessToken)
      }
      return true
    }
    if !isStillWanted { try grant.check(nil) }
    try await save(next.token, generation, environment)
    return next.token
  }

  /// Stores a new token. One that cannot be had again is not used before that has succeeded.
  private func save(
    _ token: StoredToken, _ generation: Int, _ environment: TokenRequestEnvironment
  ) async throws(CallError) {
    do throws(TokenStoreError) { try await vault.store.save(token, for: vault.key) } catch {
      if grant.isRepeatable {
        environment.logger.warning(
          "a token could not be stored; the next process asks for another",
          metadata: ["token": "\(vault.key)", "error": "\(error)"])
        return
      }
      environment.logger.critical(
        "a refreshed token could not be kept; calls wait for it, and if the process ends now, the login is lost",
        metadata: ["token": "\(vault.key)", "error": "\(error)"])
      throw .authorization(
        AuthorizationError(
          .unavailable,
          advice: """
            the refreshed token could not be kept and is in memory alone; \(error.advice); then call again, before the \
            process ends
            """))
    }
    cache.withLock { if $0.generation == generation { $0.cached?.unsavedAfter = nil } }
  }

  /// The token that another process has stored, whose refresh came first and made ours invalid. It may take a moment to
  /// get there.
  private func winner(
    over loser: StoredToken, _ environment: TokenRequestEnvironment
  ) async throws(CallError) -> StoredToken? {
    for pause in [.zero] + Self.patience {
      do throws(CancellationError) {
        if pause > .zero { try await environment.time.sleep(for: pause) }
      } catch { throw .cancelled }
      guard let stored = try await stored() else { return nil }
      if stored.accessToken != loser.accessToken { return stored }
    }
    return nil
  }

  private func stored() async throws(CallError) -> StoredToken? {
    guard let stored = try await vault.load(), grant.issues(stored) else { return nil }
    return stored
  }
}

/// Reuse: a token in memory, and how long it serves.
struct CachedToken: Sendable {
  let token: StoredToken
  /// From then on it is renewed before it is used; `nil` when it does not expire.
  var renewal: Date?
  /// The token in the store that this one is to replace; `nil` when the store has this one. Until then it is not used.
  var unsavedAfter: Secret?

  /// Renewed so long before it expires, in seconds; a short-lived token at a quarter of its life.
  private static let margin: TimeInterval = 60

  /// - Parameter lifetime: How many seconds the token had left when it came to this process; `nil` when it was there
  ///   from the start.
  init(_ token: StoredToken, lifetime: TimeInterval?, unsavedAfter: Secret? = nil) {
    self.token = token
    self.unsavedAfter = unsavedAfter
    renewal = token.expires.map { $0 - min(Self.margin, max(0, lifetime ?? .infinity) / 4) }
  }

  func isUsable(_ now: Date) -> Bool { unsavedAfter == nil && (renewal.map { now < $0 } ?? true) }
}

/// Reuse: the token that serves, and what must not be forgotten when it changes.
struct TokenCache: Sendable {
  /// `nil` as long as the store was not read or holds none.
  var cached: CachedToken?
  /// Counts logins and logouts, so that a renewal that they overtook is not kept.
  private(set) var generation = 0
  /// When a rejection has last led to a renewal, and for how long, in seconds, another may not.
  private var rejection: (date: Date, pause: TimeInterval)?

  /// After a renewal that failed and could wait, so long until the next, in seconds.
  private static let pauseAfterFailure: TimeInterval = 15

  /// Forgets the token, unless somebody has logged in or out since.
  mutating func forget(ifStill generation: Int) {
    if self.generation == generation { cached = nil }
  }

  /// A login or logout begins: renewals that are under way come too late.
  mutating func startGeneration() { generation += 1 }

  /// A login or logout has ended; what was known of the token before does not count any more.
  mutating func startGeneration(with token: CachedToken?) {
    startGeneration()
    cached = token
    rejection = nil
  }

  /// Takes over a token that the store has.
  mutating func adopt(_ token: StoredToken, ifStill generation: Int, _ now: Date) {
    guard self.generation == generation else { return }
    if cached?.token == token {
      cached?.unsavedAfter = nil
    } else {
      // How long it lived before is not known; what is left keeps a short-lived token from being renewed at once.
      cached = CachedToken(token, lifetime: token.expires.map { $0.timeIntervalSince(now) })
    }
  }

  /// Lets a token serve for a while that could not be renewed, if it is the stored one and has not expired.
  mutating func postponeRenewal(of stale: StoredToken, _ now: Date) -> Bool {
    guard let known = cached, known.token == stale, known.unsavedAfter == nil, let expires = stale.expires,
      now < expires
    else { return false }
    cached?.renewal = min(now + Self.pauseAfterFailure, expires)
    return true
  }

  /// A token that is refused again so soon after a renewal is not refused for its age.
  mutating func noteRejection(_ date: Date, inVain: Bool) { rejection = (date, inVain ? 60 : 10) }

  func mayRenewAfterRejection(_ now: Date) -> Bool {
    rejection.map { abs(now.timeIntervalSince($0.date)) >= $0.pause } ?? true
  }
}

/// Storing: the place of one token in a store. Its errors are those of a call that needs the token.
struct TokenVault: Sendable {
  let store: any TokenStore
  let key: TokenKey

  func load() async throws(CallError) -> StoredToken? {
    do throws(TokenStoreError) { return try await store.load(key) } catch { throw CallError(error) }
  }

  func lock() async throws(CallError) -> TokenLock {
    do throws(TokenStoreError) { return try await store.lock(key) } catch { throw CallError(error) }
  }
}

extension CallError {
  fileprivate init(_ error: TokenStoreError) {
    self =
      error.reason == .cancelled
      ? .cancelled
      : .authorization(AuthorizationError(.unavailable, advice: "the token cannot be read: \(error.advice)"))
  }
}
