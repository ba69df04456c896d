import CallsignFoundation
import CallsignHTTP

/// Keeps tokens between runs: ``MemoryTokenStore``, ``FileTokenStore``, the keychain, or an app's own, such as a table of a
/// database that a fleet shares.
///
/// Whoever changes a token holds the key's lease: one holder at a time, in this process or another. A lease has an end, so
/// that a holder that hangs keeps nobody out for good, and it is a fence: who lost it to somebody else cannot save.
/// Besides, a token is saved only in place of the version that its saver has seen.
///
/// An app's own store keeps bytes (``StoredToken/encoded()``) and a version beside them, and for each key at most one
/// lease. There is no default for any of it: a store that cannot keep others out must not seem to.
public protocol TokenStore: Sendable {
  /// Tells where the tokens are: two values have the same text exactly if they give the same tokens. It goes into
  /// ``OAuth2/identity``, by which answers and rate limits of different people are kept apart. It must be no secret.
  var place: String { get }

  /// The token that is kept under a key, and its version; `nil` when there is none. Needs no lease.
  ///
  /// - Throws: ``TokenStoreError``: ``TokenStoreError/Reason/damaged``, ``TokenStoreError/Reason/newerVersion``,
  ///   ``TokenStoreError/Reason/cancelled``, ``TokenStoreError/Reason/system``, and others of the store's own.
  func load(_ key: TokenKey) async throws(TokenStoreError) -> VersionedToken?

  /// Waits until nobody else has the lease of this key, and takes it.
  ///
  /// - Parameters:
  ///   - key: The token's key.
  ///   - duration: How long it lasts, unless it is renewed.
  /// - Throws: ``TokenStoreError``: ``TokenStoreError/Reason/lockTimedOut``, ``TokenStoreError/Reason/cancelled``,
  ///   ``TokenStoreError/Reason/system``.
  func lease(_ key: TokenKey, lasting duration: Duration) async throws(TokenStoreError) -> TokenLease

  /// Keeps a token under the lease's key. When it returns, the token survives the end of the process and, where the store
  /// is on disk, a loss of power; until then the one before it does.
  ///
  /// Checking and saving are one step: nobody else's save comes in between.
  ///
  /// - Parameters:
  ///   - token: The token.
  ///   - expected: The token that it replaces.
  ///   - lease: A lease of the key, as ``lease(_:lasting:)`` gave it.
  /// - Returns: The version of the token that is there now.
  /// - Throws: ``TokenStoreError``: ``TokenStoreError/Reason/leaseLost`` when somebody else has had the lease since,
  ///   ``TokenStoreError/Reason/conflict`` when another token is there than expected, and others. Then the token before
  ///   it is still there.
  func save(
    _ token: StoredToken, replacing expected: TokenPrecondition, under lease: TokenLease
  ) async throws(TokenStoreError) -> TokenVersion

  /// Forgets the token under the lease's key, also one that cannot be read. Nothing happens when there is none and
  /// ``TokenPrecondition/any`` is expected.
  ///
  /// - Throws: The same as ``save(_:replacing:under:)``.
  func delete(_ expected: TokenPrecondition, under lease: TokenLease) async throws(TokenStoreError)
}

/// A store that can tell which tokens it has.
public protocol ListableTokenStore: TokenStore {
  /// The keys under which there are tokens, sorted.
  ///
  /// - Parameter service: Only those of this service; `nil` for all.
  /// - Throws: ``TokenStoreError`` when they cannot be read.
  func keys(service: String?) async throws(TokenStoreError) -> [TokenKey]
}

/// A store that tells a process what others change.
///
/// Notifications save time, and nothing rests on them: one that is lost costs a request with a token that is no longer
/// accepted.
public protocol ObservableTokenStore: TokenStore {
  /// Calls a closure after each change of a key's token, also by this process, until the observation is given up.
  ///
  /// - Parameter onChange: Called on any thread, one call at a time; it must be quick.
  func observe(_ key: TokenKey, onChange: @escaping @Sendable (TokenChange) -> Void) -> TokenObservation
}

/// A change of a stored token.
public enum TokenChange: Sendable, Hashable {
  /// This version is there now.
  case saved(TokenVersion)
  /// There is none any more.
  case deleted
  /// Changes may have been missed.
  case unknown
}

/// An observation of a token, until it is dropped.
public final class TokenObservation: Sendable {
  private let end: @Sendable () -> Void

  /// Describes an observation that has begun.
  ///
  /// - Parameter end: Ends it; called once.
  public init(end: @escaping @Sendable () -> Void) { self.end = end }

  deinit { end() }
}

/// A token, and which of those that were kept under its key it is.
public struct VersionedToken: Sendable, Equatable {
  /// The token.
  public var token: StoredToken
  /// Its version.
  public var version: TokenVersion

  /// Makes a pair.
  public init(_ token: StoredToken, version: TokenVersion) {
    self.token = token
    self.version = version
  }
}

extension VersionedToken: RedactedStringConvertible {}

/// A store's mark of one state of a token, such as a number or a hash. It means something only to the store, and only for
/// its key: two tokens that differ have different marks.
public struct TokenVersion: RawRepresentable, Sendable, Hashable {
  /// The mark.
  public let rawValue: String

  /// Wraps a mark.
  public init(rawValue: String) { self.rawValue = rawValue }
}

/// The condition on which a store saves or deletes.
public enum TokenPrecondition: Sendable, Hashable {
  /// Whatever is there, also what cannot be read. For a login, which replaces what was before.
  case any
  /// There is no token.
  case absent
  /// The token of that version is there.
  case version(TokenVersion)

  /// Expects what a load has found.
  public init(_ loaded: VersionedToken?) { self = loaded.map { .version($0.version) } ?? .absent }

  /// Whether it holds.
  ///
  /// - Parameter current: The version that is there; `nil` when there is no token.
  public func isMet(by current: TokenVersion?) -> Bool {
    switch self {
    case .any: true
    case .absent: current == nil
    case .version(let version): current == version
    }
  }
}

/// The name of a token in a store: whose it is, for which service, by which scheme and client. Programs with different
/// clients, and logins of different kinds, so have different tokens even in a store that they share.
public struct TokenKey: Sendable, Hashable, Comparable, CustomStringConvertible {
  /// The service that the token is for; by default the API's host, such as `api.example.com`.
  public var service: String
  /// The kind of token; `nil` in an app's own keys that have none.
  public var scheme: StoredToken.Kind?
  /// The client or consumer key that it was issued to, which is no secret; `nil` in an app's own keys
  /// that have none.
  public var clientID: String?
  /// The account whose token it is, in the app's own words; `default` where there is but one.
  public var account: String

  /// Makes a key.
  ///
  /// - Parameters:
  ///   - service: The service that the token is for.
  ///   - scheme: The kind of token.
  ///   - clientID: The client or consumer key that it was issued to.
  ///   - account: Whose it is.
  public init(service: String, scheme: StoredToken.Kind, clientID: String, account: String = "default") {
    self.service = service
    self.scheme = scheme
    self.clientID = clientID
    self.account = account
  }

  /// Makes a key without scheme and client, for tokens that an app keeps itself.
  ///
  /// - Parameters:
  ///   - service: The service that the token is for.
  ///   - account: Whose it is.
  public init(service: String, account: String = "default") {
    self.service = service
    self.account = account
  }

  /// `service/account (scheme, client id)`
  public var description: String {
    let kind = scheme.map { " (\($0.rawValue), client \(clientID ?? ""))" } ?? ""
    return "\(service)/\(account)\(kind)".printable
  }

  /// By service, account, scheme and client.
  public static func < (left: TokenKey, right: TokenKey) -> Bool {
    func parts(_ key: TokenKey) -> [String] {
      [key.service, key.account, key.scheme?.rawValue ?? "", key.clientID ?? ""]
    }
    return parts(left).lexicographicallyPrecedes(parts(right))
  }
}

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

extension TokenStore {
  /// The token that is kept under a key, without its version; `nil` when there is none.
  public func token(for key: TokenKey) async throws(TokenStoreError) -> StoredToken? { try await load(key)?.token }

  /// Keeps a token in place of whatever may be there, under a lease of its own.
  ///
  /// - Throws: ``TokenStoreError``. Whoever holds the lease already waits for themselves: use
  ///   ``save(_:replacing:under:)``.
  public func save(_ token: StoredToken, for key: TokenKey) async throws(TokenStoreError) {
    try await withLease(key) { (lease) throws(TokenStoreError) in
      _ = try await save(token, replacing: .any, under: lease)
    }
  }

  /// Forgets a token, whatever it is, under a lease of its own; nothing happens when there is none.
  public func delete(_ key: TokenKey) async throws(TokenStoreError) {
    try await withLease(key) { (lease) throws(TokenStoreError) in try await delete(.any, under: lease) }
  }

  /// Does work with the lease of a key, renews it as long as the work takes, and gives it back.
  ///
  /// ```swift
  /// try await store.withLease(key) { lease in
  ///   let loaded = try await store.load(key)
  ///   // … decide, ask somebody, make the next token
  ///   _ = try await store.save(next, replacing: TokenPrecondition(loaded), under: lease)
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - duration: How long others wait before they take the lease of a holder that does not renew it any more, because
  ///     its process stands still or cannot reach the store. Default: 30 seconds.
  ///   - work: Done once the lease is there.
  /// - Throws: ``TokenStoreError`` when there is no lease, and what the work throws.
  public func withLease<Value: Sendable>(
    _ key: TokenKey, lasting duration: Duration = .seconds(30),
    _ work: (TokenLease) async throws(TokenStoreError) -> Value
  ) async throws(TokenStoreError) -> Value {
    try await withLease(key, lasting: duration, failing: { (error: TokenStoreError) in error }, work)
  }

  /// The same for work that throws errors of another type.
  ///
  /// - Parameter failing: The error for one of the store's.
  package func withLease<Value: Sendable, Failure: Error>(
    _ key: TokenKey, lasting duration: Duration = .seconds(30), failing: (TokenStoreError) -> Failure,
    _ work: (TokenLease) async throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    let lease: TokenLease
    do throws(TokenStoreError) { lease = try await self.lease(key, lasting: duration) } catch { throw failing(error) }
    let renewals = Task {
      while (try? await Task.sleep(for: duration / 3)) != nil {
        // Lost, it stays lost; unreachable, the store may be back next time.
        do throws(TokenStoreError) { try await lease.renew(for: duration) } catch {
          if error.reason == .leaseLost { return }
        }
      }
    }
    do throws(Failure) {
      let value = try await work(lease)
      renewals.cancel()
      await lease.release()
      return value
    } catch {
      renewals.cancel()
      await lease.release()
      throw error
    }
  }
}
