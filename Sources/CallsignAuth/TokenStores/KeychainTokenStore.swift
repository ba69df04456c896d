import CallsignHTTP

#if canImport(Security) && canImport(CryptoKit)
  import Foundation
  import Security

  /// Keeps tokens in the keychain of Apple's systems, as generic passwords of this device that can be read once it has
  /// been unlocked after a start, so that work in the background finds them too.
  ///
  /// On macOS it is the data protection keychain, which is open to signed apps alone: a command-line tool without
  /// entitlements uses ``FileTokenStore``.
  ///
  /// The account store that these systems once had (`ACAccountStore`) keeps no accounts of X any more. What it was for
  /// is done by logging in with ``OAuth2`` and sharing the tokens among one's own apps by an access group.
  public struct KeychainTokenStore: TokenStore {
    private let items: KeychainItems
    private let lockFolder: URL?
    private let lockTimeLimit: Duration
    private let queue = DispatchQueue(label: "callsign.keychain")
    private static let turns = KeyedAsyncLock<TokenKey>()

    /// Makes a store. Nothing is read or written before the first call.
    ///
    /// - Parameters:
    ///   - accessGroup: The keychain access group to keep tokens in, which an app and its extensions share; by default
    ///     the app's own.
    ///   - lockFolder: A folder of an app group's container, where the processes that share the access group lock each
    ///     other out of ``lock(_:)``. `nil`, the default: only the tasks of this process do.
    ///   - lockTimeLimit: How long ``lock(_:)`` waits for other processes; a minute by default.
    public init(accessGroup: String? = nil, lockFolder: URL? = nil, lockTimeLimit: Duration = .seconds(60)) {
      items = KeychainItems(accessGroup: accessGroup)
      self.lockFolder = lockFolder
      self.lockTimeLimit = lockTimeLimit
    }

    /// The token that is kept under a key.
    ///
    /// - Throws: ``TokenStoreError``: ``TokenStoreError/Reason/system`` before the device was unlocked first,
    ///   ``TokenStoreError/Reason/damaged``, ``TokenStoreError/Reason/newerVersion``.
    public func load(_ key: TokenKey) async throws(TokenStoreError) -> StoredToken? {
      let bytes = try await queue.run { () throws(TokenStoreError) in try items.data(for: key) }
      guard let bytes else { return nil }
      return try StoredToken(encoded: bytes)
    }

    /// Keeps a token.
    public func save(_ token: StoredToken, for key: TokenKey) async throws(TokenStoreError) {
      let bytes = try token.encoded()
      try await queue.run { () throws(TokenStoreError) in try items.set(bytes, for: key) }
    }

    /// Forgets a token.
    public func delete(_ key: TokenKey) async throws(TokenStoreError) {
      try await queue.run { () throws(TokenStoreError) in try items.remove(key) }
    }

    /// The keys under which there are tokens, sorted. Other passwords of the app are left out.
    public func keys(service: String?) async throws(TokenStoreError) -> [TokenKey] {
      let keys = try await queue.run { () throws(TokenStoreError) in try items.keys() }
      return keys.filter { service == nil || $0.service == service }.sorted()
    }

    /// Waits until no other task holds the lock of this key, and with a `lockFolder` no other process.
    public func lock(_ key: TokenKey) async throws(TokenStoreError) -> TokenLock {
      if let lockFolder {
        let name = try TokenFileName.base(of: key) + TokenFileName.lockSuffix
        let path = lockFolder.standardizedFileURL.path
        return try await FileLock(folder: path, name: name, timeLimit: lockTimeLimit).acquire(on: queue)
      }
      do { try await Self.turns.wait(for: key) } catch { throw .cancelledWait }
      return TokenLock { Self.turns.finish(key) }
    }
  }
#endif
