import Callsign
import CallsignHTTP
import CallsignSupport

/// Storing: the place of one token in a store. Its errors are those of a call that needs the token.
struct TokenVault: Sendable {
  let store: any TokenStore
  let key: TokenKey
  /// The key under which versions before 0.2 kept the token, which several clients and schemes shared.
  let formerKey: TokenKey?
  /// Whether a token that is there is one of this client.
  let isOwn: @Sendable (StoredToken) -> Bool

  /// - Parameters:
  ///   - store: Keeps the token.
  ///   - key: The token's key.
  ///   - formerKey: Where it may be from before.
  ///   - isOwn: Whether a token under the former key is one of this client.
  init(
    store: any TokenStore, key: TokenKey, formerKey: TokenKey? = nil, isOwn: @escaping @Sendable (StoredToken) -> Bool
  ) {
    self.store = store
    self.key = key
    self.formerKey = formerKey
    self.isOwn = isOwn
  }

  /// The token, moved from its former key where it is still there.
  func load() async throws(TokenStoreError) -> VersionedToken? {
    if let loaded = try await store.load(key) { return loaded }
    return try await moved()
  }

  /// The same for whoever holds the lease.
  func load(under lease: TokenLease) async throws(TokenStoreError) -> VersionedToken? {
    if let loaded = try await store.load(key) { return loaded }
    return try await moved(under: lease)
  }

  private func moved() async throws(TokenStoreError) -> VersionedToken? {
    guard try await isAtFormerKey() else { return nil }
    return try await store.withLease(key) { (lease) throws(TokenStoreError) in
      if let loaded = try await store.load(key) { return loaded }
      return try await moved(under: lease)
    }
  }

  /// Whether this client's token is still kept as versions before 0.2 did. One that cannot be read is nobody's: it must not
  /// keep all clients of that time from logging in.
  private func isAtFormerKey() async throws(TokenStoreError) -> Bool {
    guard let formerKey else { return false }
    do throws(TokenStoreError) { return try await store.load(formerKey).map { isOwn($0.token) } ?? false } catch {
      guard error.isAboutUnreadableToken else { throw error }
      return false
    }
  }

  private func moved(under lease: TokenLease) async throws(TokenStoreError) -> VersionedToken? {
    guard try await isAtFormerKey(), let formerKey else { return nil }
    return try await store.withLease(formerKey) { (formerLease) throws(TokenStoreError) in
      guard let former = try await store.load(formerKey), isOwn(former.token) else { return nil }
      // Saved before it is deleted: whenever this process ends, the token is in one place at least.
      let version = try await store.save(former.token, replacing: .absent, under: lease)
      try await store.delete(.version(former.version), under: formerLease)
      return VersionedToken(former.token, version: version)
    }
  }

  /// Puts a login's token in place of the one that may be there, also one that cannot be read.
  func keep(_ token: StoredToken, under lease: TokenLease) async throws(TokenStoreError) -> TokenVersion {
    // The one from before must not come back when this one is deleted.
    if (try? await isAtFormerKey()) == true { _ = try? await moved(under: lease) }
    return try await store.save(token, replacing: .any, under: lease)
  }
}

extension CredentialIdentity {
  /// Names an app by a hash of its identifier that is the same in all processes, so that they can share the app's limits;
  /// `nil` where the system's policy forbids the hash function. Identifiers are no secrets, but long ones are not guessed.
  static func app(_ identifier: String) -> CredentialIdentity? {
    (try? Digest.hash("callsign app \(identifier)".utf8, .sha256)).map {
      CredentialIdentity("app", account: $0.prefix(16).hexadecimal)
    }
  }

  /// Names credentials by the login whose token a store keeps: another store, and another login under the same key, are
  /// others. Two processes that share a store name them alike.
  package init(_ scheme: String, _ key: TokenKey, in place: String, login: String?) {
    let mark = (try? Digest.hash(place.utf8, .sha256).prefix(6).hexadecimal) ?? "-"
    self.init(scheme, account: "\(key) \(mark)/\(login ?? "")")
  }
}

extension StoredToken {
  /// Tells the login that the token comes from apart from others under the same key.
  var loginMark: String? { login ?? userID }
}

extension CallError {
  /// The error of a call that needs a token which the store does not give.
  package init(_ error: TokenStoreError) {
    self =
      error.reason == .cancelled
      ? .cancelled
      : .authorization(
        AuthorizationError(
          .unavailable, advice: "the token cannot be read: \(error.advice)", mayPass: error.mayPass))
  }
}
