import CallsignHTTP
import CallsignSupport

/// The right to change the token of a key, until the lease ends or is released. A store creates it.
///
/// A lease that nothing holds any more is released if the store can do so at once; otherwise it lasts until its end.
public final class TokenLease: Sendable {
  /// The key that it is for.
  public let key: TokenKey
  /// The store's identifier for this lease: the store compares it with the last one that it granted.
  public let id: String
  /// The request for the next token that another holder has announced, and whose outcome the store does not know.
  public let pendingRequest: PendingTokenRequest?

  private struct State {
    var end: Date
    var isReleased = false
    /// When the announced request ends, if the store keeps no announcements. The lease lasts until then in place of one.
    var announcedEnd: ContinuousClock.Instant?
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
  ///   - id: The store's identifier for it, such as a random text or a number that grows with each lease of the key.
  ///   - end: When it ends.
  ///   - pendingRequest: The request that an earlier holder announced and that was neither withdrawn nor replaced, even if others
  ///     have held the lease since.
  ///   - renew: Makes it last for a time from now, and returns the new end; throws ``TokenStoreError/Reason/leaseLost``
  ///     if somebody else holds it.
  ///   - announce: Notes that a request which uses up this version of the token may last for a time from now, and
  ///     replaces any earlier announcement; throws ``TokenStoreError/Reason/leaseLost`` if somebody else holds the
  ///     lease. The note outlives the lease. By default, the lease is renewed for that time, and the request does not
  ///     wait for that.
  ///   - withdraw: Withdraws the note, even after the lease was lost. Does nothing if another note has replaced it. By
  ///     default it does nothing.
  ///   - release: Releases the lease; called at most once. Does nothing if somebody else holds it.
  ///   - abandon: Releases the lease if that needs no waiting, when nobody has released it. By default it does nothing.
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

  /// When it ends, by the store's clock. After that, others can take it. Until they do, it can still be used.
  public var end: Date { state.withLock { $0.end } }

  /// Extends the lease.
  ///
  /// - Parameter duration: How long it lasts from now. After ``announceRequest(using:lasting:)`` with a store that keeps no
  ///   announcements, it lasts at least as long as the request may.
  /// - Throws: ``TokenStoreError`` with ``TokenStoreError/Reason/leaseLost`` if it was released or somebody else holds
  ///   it.
  public func renew(for duration: Duration) async throws(TokenStoreError) {
    let (isReleased, announcedEnd) = state.withLock { ($0.isReleased, $0.announcedEnd) }
    guard !isReleased else { throw .leaseLost(key) }
    let end = try await renewing(announcedEnd.map { max(duration, $0 - ContinuousClock.now) } ?? duration)
    state.withLock { $0.end = end }
  }

  /// Announces that a request for the next token is about to be sent, which uses up the current one. The holder of the
  /// next lease finds it as ``pendingRequest``, and waits for the outcome before sending the same token.
  ///
  /// The note ends when another token is saved, when it is withdrawn, or after its time, but not with the lease.
  ///
  /// - Parameters:
  ///   - version: The version of the token that the request uses up.
  ///   - duration: How long the request may last from now; zero if it has ended without a response.
  /// - Throws: ``TokenStoreError`` with ``TokenStoreError/Reason/leaseLost`` if the lease was released or somebody else
  ///   holds it. The request must then not be sent.
  public func announceRequest(using version: TokenVersion, lasting duration: Duration) async throws(TokenStoreError) {
    guard !state.withLock({ $0.isReleased }) else { throw .leaseLost(key) }
    if let announcing { return try await announcing(version, duration) }
    state.withLock { $0.announcedEnd = duration > .zero ? ContinuousClock.now + duration : nil }
    // A store that hangs must not delay the request.
    if duration > .zero { Task { try? await renew(for: duration) } }
  }

  /// Withdraws the announcement: the request was not sent, or its outcome is known. Does nothing after another
  /// announcement.
  public func withdrawRequest() async {
    state.withLock { $0.announcedEnd = nil }
    await withdrawing()
  }

  /// Releases the lease. When this returns, somebody else can take it. Releasing it again does nothing.
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
  /// The lease that was used to announce the request.
  public var leaseID: String
  /// The name of the process that sends it, for display.
  public var holder: String
  /// The version of the token that it uses up. If another version is stored, the request is over.
  public var version: TokenVersion
  /// The time that it may still last; zero if its process is known to have ended, or its response to be lost.
  public var timeLeft: Duration

  /// Describes a request.
  public init(leaseID: String, holder: String, version: TokenVersion, timeLeft: Duration) {
    self.leaseID = leaseID
    self.holder = holder
    self.version = version
    self.timeLeft = timeLeft
  }
}
