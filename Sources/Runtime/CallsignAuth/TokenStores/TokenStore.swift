import CallsignHTTP
import CallsignSupport

/// Keeps tokens between runs: ``MemoryTokenStore``, ``FileTokenStore``, the keychain, or your own, such as a database
/// table that a fleet shares.
///
/// To change a token, you must hold the key's lease. A lease has one holder at a time, in this process or another. It
/// expires, so a holder that hangs does not block others forever. It is also a fence: a holder that has lost it to
/// somebody else cannot save. In addition, a token is saved only in place of the version that the saver has seen.
///
/// Your own store keeps bytes (``StoredToken/encoded()``) with a version, and at most one lease for each key. None of
/// this has a default, because a store that cannot keep others out must not appear to.
///
/// A slow holder can lose its lease while its request for the next token is under way. So it announces the request
/// first (``TokenLease/announceRequest(using:lasting:)``), and the next holder finds the announcement in
/// ``TokenLease/pendingRequest``. A store that does not keep announcements renews the lease instead.
public protocol TokenStore: Sendable {
  /// Describes where the tokens are: two values have the same text if and only if they give the same tokens. It becomes
  /// part of ``OAuth2/identity``, which keeps the responses and rate limits of different people apart. It must not be
  /// secret.
  var place: String { get }

  /// The token that is stored under a key, and its version; `nil` if there is none. Needs no lease.
  ///
  /// - Throws: ``TokenStoreError``: ``TokenStoreError/Reason/damaged``, ``TokenStoreError/Reason/newerVersion``,
  ///   ``TokenStoreError/Reason/cancelled``, ``TokenStoreError/Reason/system``, or an error specific to the store.
  func load(_ key: TokenKey) async throws(TokenStoreError) -> VersionedToken?

  /// Waits until nobody else holds the lease of this key, and takes it.
  ///
  /// - Parameters:
  ///   - key: The token's key.
  ///   - duration: How long it lasts, unless it is renewed.
  /// - Throws: ``TokenStoreError``: ``TokenStoreError/Reason/lockTimedOut``, ``TokenStoreError/Reason/cancelled``,
  ///   ``TokenStoreError/Reason/system``.
  func lease(_ key: TokenKey, lasting duration: Duration) async throws(TokenStoreError) -> TokenLease

  /// Saves a token under the lease's key. When this returns, the token survives the end of the process and, for a store
  /// on disk, a power failure. Until then, the previous token does.
  ///
  /// Checking and saving are one step: nobody else can save in between.
  ///
  /// - Parameters:
  ///   - token: The token.
  ///   - expected: The token that it replaces.
  ///   - lease: A lease of the key, from ``lease(_:lasting:)``.
  /// - Returns: The version of the saved token.
  /// - Throws: ``TokenStoreError``: ``TokenStoreError/Reason/leaseLost`` if somebody else has held the lease since,
  ///   ``TokenStoreError/Reason/conflict`` if the stored token is not the expected one, and others. Then the previous
  ///   token is still stored.
  func save(
    _ token: StoredToken, replacing expected: TokenPrecondition, under lease: TokenLease
  ) async throws(TokenStoreError) -> TokenVersion

  /// Deletes the token under the lease's key, even if it cannot be read. Nothing happens if there is none and
  /// ``TokenPrecondition/any`` is expected.
  ///
  /// - Throws: The same as ``save(_:replacing:under:)``.
  func delete(_ expected: TokenPrecondition, under lease: TokenLease) async throws(TokenStoreError)
}

/// A store that can list its tokens.
public protocol ListableTokenStore: TokenStore {
  /// The keys that have tokens, sorted.
  ///
  /// - Parameter service: Only those of this service; `nil` for all.
  /// - Throws: ``TokenStoreError`` when they cannot be read.
  func keys(service: String?) async throws(TokenStoreError) -> [TokenKey]
}

extension TokenStore {
  /// The token that is stored under a key, without its version; `nil` if there is none.
  public func token(for key: TokenKey) async throws(TokenStoreError) -> StoredToken? { try await load(key)?.token }

  /// Saves a token in place of any existing one.
  ///
  /// It takes a lease for that.
  ///
  /// - Throws: ``TokenStoreError``. If you already hold the lease, this would wait for yourself: use
  ///   ``save(_:replacing:under:)``.
  public func save(_ token: StoredToken, for key: TokenKey) async throws(TokenStoreError) {
    try await withLease(key) { (lease) throws(TokenStoreError) in
      _ = try await save(token, replacing: .any, under: lease)
    }
  }

  /// Deletes a token, whatever it is. It takes a lease for that. Nothing happens if there is none.
  public func delete(_ key: TokenKey) async throws(TokenStoreError) {
    try await withLease(key) { (lease) throws(TokenStoreError) in try await delete(.any, under: lease) }
  }

  /// Does work while it holds the lease of a key.
  ///
  /// It renews the lease while the work runs, and then returns it.
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
  ///   - duration: How long others wait before they take the lease from a holder that no longer renews it, because its
  ///     process is suspended or cannot reach the store. Default: 30 seconds.
  ///   - work: The work. It begins once the lease is held.
  /// - Throws: ``TokenStoreError`` if the lease is not available, and whatever the work throws.
  public func withLease<Value: Sendable>(
    _ key: TokenKey, lasting duration: Duration = .seconds(30),
    _ work: (TokenLease) async throws(TokenStoreError) -> Value
  ) async throws(TokenStoreError) -> Value {
    try await withLease(key, lasting: duration, failing: { (error: TokenStoreError) in error }, work)
  }

  /// The same for work that throws errors of another type.
  ///
  /// - Parameter failing: Converts an error of the store.
  package func withLease<Value: Sendable, Failure: Error>(
    _ key: TokenKey, lasting duration: Duration = .seconds(30), failing: (TokenStoreError) -> Failure,
    _ work: (TokenLease) async throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    let lease: TokenLease
    do throws(TokenStoreError) { lease = try await self.lease(key, lasting: duration) } catch { throw failing(error) }
    let renewals = Task {
      while (try? await Task.sleep(for: duration / 3)) != nil {
        // A lost lease stays lost, but an unreachable store may be back next time.
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
