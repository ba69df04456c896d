import CallsignHTTP
import CallsignSupport

/// A store that loses everything when the process ends. For tests, and for programs that log in each time.
public final class MemoryTokenStore: ListableTokenStore {
  private struct State {
    var tokens: [TokenKey: VersionedToken]
    /// The number of tokens that have been saved, which makes versions.
    var count = 0
  }

  /// Different for each value, also for those that were there before.
  public let place: String
  private let state: Locked<State>
  private let leases = MemoryLeases()
  private static let made = Locked(0)

  /// Creates a store.
  ///
  /// - Parameter tokens: The initial tokens.
  public init(_ tokens: [TokenKey: StoredToken] = [:]) {
    let number = Self.made.withLock { made in
      made += 1
      return made
    }
    place = "memory \(ProcessInfo.processInfo.processIdentifier)/\(number)"
    state = Locked(State(tokens: tokens.mapValues { VersionedToken($0, version: TokenVersion(rawValue: "0")) }))
  }

  /// The token that is kept under a key.
  public func load(_ key: TokenKey) async throws(TokenStoreError) -> VersionedToken? {
    state.withLock { $0.tokens[key] }
  }

  /// Waits until no other task holds the lease of this key. Tasks get it in the order of their requests.
  public func lease(_ key: TokenKey, lasting duration: Duration) async throws(TokenStoreError) -> TokenLease {
    try await leases.lease(key, lasting: duration)
  }

  /// Keeps a token.
  ///
  /// - Throws: ``TokenStoreError``: ``TokenStoreError/Reason/leaseLost`` or ``TokenStoreError/Reason/conflict``.
  public func save(
    _ token: StoredToken, replacing expected: TokenPrecondition, under lease: TokenLease
  ) async throws(TokenStoreError) -> TokenVersion {
    try leases.guarding(lease) { () throws(TokenStoreError) in
      try state.withLock { state throws(TokenStoreError) in
        guard expected.isMet(by: state.tokens[lease.key]?.version) else { throw .conflict(lease.key) }
        state.count += 1
        let version = TokenVersion(rawValue: String(state.count))
        state.tokens[lease.key] = VersionedToken(token, version: version)
        return version
      }
    }
  }

  /// Forgets a token.
  ///
  /// - Throws: ``TokenStoreError``: ``TokenStoreError/Reason/leaseLost`` or ``TokenStoreError/Reason/conflict``.
  public func delete(_ expected: TokenPrecondition, under lease: TokenLease) async throws(TokenStoreError) {
    try leases.guarding(lease) { () throws(TokenStoreError) in
      try state.withLock { state throws(TokenStoreError) in
        guard expected.isMet(by: state.tokens[lease.key]?.version) else { throw .conflict(lease.key) }
        state.tokens[lease.key] = nil
      }
    }
  }

  /// The keys that have tokens, sorted.
  ///
  /// - Throws: Nothing.
  public func keys(service: String?) async throws(TokenStoreError) -> [TokenKey] {
    state.withLock { $0.tokens.keys.filter { $0.isOf(service: service) } }.sorted()
  }
}
