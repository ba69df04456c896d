import CallsignHTTP
import CallsignSupport

/// Keeps tokens between runs: ``MemoryTokenStore``, ``FileTokenStore``, the keychain, or an app's own, such as a table of a
/// database that a fleet shares.
///
/// Whoever changes a token holds the key's lease: one holder at a time, in this process or another. A lease has an end, so
/// that a holder that hangs keeps nobody out for good, and it is a fence: who lost it to somebody else cannot save.
/// Besides, a token is saved only in place of the version that its saver has seen.
///
/// An app's own store keeps bytes (``StoredToken/encoded()``) and a version beside them, and for each key at most one
/// lease. There is no default for any of it: a store that cannot keep others out must not seem to.
///
/// A holder that is slow loses its lease while its request for the next token may be under way. So it announces the request
/// first (``TokenLease/announceRequest(using:lasting:)``), and the next holder finds that as
/// ``TokenLease/pendingRequest``. A store that does not keep announcements renews the lease in their place.
public protocol TokenStore: Sendable {
  /// Tells where the tokens are: two values have the same text exactly if they give the same tokens. It goes into
  /// ``OAuth2/identity``, by which responses and rate limits of different people are kept apart. It must be no secret.
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
