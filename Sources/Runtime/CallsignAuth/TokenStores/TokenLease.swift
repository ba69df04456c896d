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
  /// The request for the next token that another holder has announced, and of whose outcome the store does not know.
  public let pendingRequest: PendingTokenRequest?

  private struct State {
    var end: Date
    var isReleased = false
  }

  private let state: Locked<State>
  private let renewing: @Sendable (Duration) async throws(TokenStoreError) -> Date
  private let announcing: (@Sendable (TokenVersion, Duration) async throws(TokenStoreError) -> Void)?
  private let withdrawing: @Sendable () async -> Void
  private let releasing: @Sendable () async -> Void
  private let abandoning: @Sendable () -> Void

  /// Describes a lease that a store has granted.
  ///
  /// - Parameters:
  ///   - key: The key that it is for.
  ///   - id: The store's mark of it, such as a random text or a number that grows with each lease of the key.
  ///   - end: When it ends.
  ///   - pendingRequest: The request that another holder has announced and neither withdrawn nor replaced, whoever has had
  ///     the lease since.
  ///   - renew: Makes it last so long from now, and returns the new end; throws ``TokenStoreError/Reason/leaseLost`` when
  ///     somebody else has it.
  ///   - announce: Notes that a request which uses up this version of the token may last so long from now, in place of
  ///     what was announced before; throws ``TokenStoreError/Reason/leaseLost`` when somebody else has the lease. The note
  ///     outlives the lease. By default, the lease is renewed for that time, and the request does not wait for that.
  ///   - withdraw: Takes the note back, also after the lease was lost. Does nothing when another one is in its place. By
  ///     default it does nothing.
  ///   - release: Gives it back; called once at most. Does nothing when somebody else has it.
  ///   - abandon: Gives it back where that needs no waiting, when nobody has released it. By default it does nothing.
  public init(
    _ key: TokenKey, id: String, end: Date, pendingRequest: PendingTokenRequest? = nil,
    renew: @escaping @Sendable (Duration) async throws(TokenStoreError) -> Date,
    announce: (@Sendable (TokenVersion, Duration) async throws(TokenStoreError) -> Void)? = nil,
    withdraw: @escaping @Sendable () async -> Void = {},
    release: @escaping @Sendable () async -> Void, abandon: @escaping @Sendable () -> Void = {}
  ) {
    self.key = key
    self.id = id
    self.pendingRequest = pendingRequest
    state = Locked(State(end: end))
    renewing = renew
    announcing = announce
    withdrawing = withdraw
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

  /// Says that a request for the next token is about to be sent, which uses up the one that is there. Whoever takes the
  /// lease after this one has ended finds it as ``pendingRequest``, and waits for the outcome before sending the same token.
  ///
  /// The note ends when another token is saved, when it is withdrawn, or after its time; not with the lease.
  ///
  /// - Parameters:
  ///   - version: The version of the token that the request uses up.
  ///   - duration: How long the request may last from now; zero when it has ended without a response.
  /// - Throws: ``TokenStoreError`` with ``TokenStoreError/Reason/leaseLost`` when it was released or somebody else has it:
  ///   then the request must not be sent.
  public func announceRequest(using version: TokenVersion, lasting duration: Duration) async throws(TokenStoreError) {
    guard !state.withLock({ $0.isReleased }) else { throw .leaseLost(key) }
    if let announcing { return try await announcing(version, duration) }
    // A store that stands still must not keep the request back.
    if duration > .zero { Task { try? await renew(for: duration) } }
  }

  /// Takes back what was announced: the request was not sent, or its outcome is known. Does nothing after another one
  /// was announced.
  public func withdrawRequest() async { await withdrawing() }

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

/// A request for the next token that a holder of a lease has announced, and that may be under way.
public struct PendingTokenRequest: Sendable, Hashable {
  /// The lease under which it was announced.
  public var leaseID: String
  /// The name of the process that sends it, for people.
  public var holder: String
  /// The version of the token that it uses up. Where another one is stored, the request is over.
  public var version: TokenVersion
  /// The time that it may still last; zero where its process is known to have ended, or its response to be lost.
  public var timeLeft: Duration

  /// Describes a request.
  public init(leaseID: String, holder: String, version: TokenVersion, timeLeft: Duration) {
    self.leaseID = leaseID
    self.holder = holder
    self.version = version
    self.timeLeft = timeLeft
  }
}
