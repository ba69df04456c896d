import CallsignHTTP
import CallsignSupport

/// The right to change the token of a key, until its end or until it is released. A store makes it.
///
/// A lease that nobody holds on to is given back where the store can do so at once; otherwise it lasts until its end.
public final class TokenLease: Sendable {
  /// The key that it is for.
  public let key: TokenKey
  /// The store's mark of this lease: the store compares it with the one that it granted last.
  public let id: String

  private struct State {
    var end: Date
    var isReleased = false
  }

  private let state: Locked<State>
  private let renewing: @Sendable (Duration) async throws(TokenStoreError) -> Date
  private let releasing: @Sendable () async -> Void
  private let abandoning: @Sendable () -> Void

  /// Describes a lease that a store has granted.
  ///
  /// - Parameters:
  ///   - key: The key that it is for.
  ///   - id: The store's mark of it, such as a random text or a number that grows with each lease of the key.
  ///   - end: When it ends.
  ///   - renew: Makes it last so long from now, and returns the new end; throws ``TokenStoreError/Reason/leaseLost`` when
  ///     somebody else has it.
  ///   - release: Gives it back; called once at most. Does nothing when somebody else has it.
  ///   - abandon: Gives it back where that needs no waiting, when nobody has released it. By default it does nothing.
  public init(
    _ key: TokenKey, id: String, end: Date,
    renew: @escaping @Sendable (Duration) async throws(TokenStoreError) -> Date,
    release: @escaping @Sendable () async -> Void, abandon: @escaping @Sendable () -> Void = {}
  ) {
    self.key = key
    self.id = id
    state = Locked(State(end: end))
    renewing = renew
    releasing = release
    abandoning = abandon
  }

  deinit { if !state.withLock({ $0.isReleased }) { abandoning() } }

  /// The time at which it ends, by the store's clock. Somebody else may then take it; until somebody does, it can still
  /// be used.
  public var end: Date { state.withLock { $0.end } }

  /// Makes it last longer.
  ///
  /// - Parameter duration: How long from now.
  /// - Throws: ``TokenStoreError`` with ``TokenStoreError/Reason/leaseLost`` when it was released or somebody else has it.
  public func renew(for duration: Duration) async throws(TokenStoreError) {
    guard !state.withLock({ $0.isReleased }) else { throw .leaseLost(key) }
    let end = try await renewing(duration)
    state.withLock { $0.end = end }
  }

  /// Gives it back. When this returns, somebody else can have it. Doing so again does nothing.
  public func release() async {
    let isFirst = state.withLock { state in
      defer { state.isReleased = true }
      return !state.isReleased
    }
    if isFirst { await releasing() }
  }
}

extension TokenLease: RedactedStringConvertible {}
