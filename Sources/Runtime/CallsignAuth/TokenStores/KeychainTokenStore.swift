import CallsignHTTP
import CallsignSupport

#if canImport(Security) && canImport(CryptoKit)
  import Security

  /// Keeps tokens in the keychain of Apple's systems, as generic passwords of this device. They can be read once the
  /// device has been unlocked after a start, so that background work finds them too. They stay on this device: they are
  /// not in backups, and not on the person's other devices.
  ///
  /// On macOS this is the data protection keychain, which only signed apps can use; for a command-line tool without
  /// entitlements, use ``FileTokenStore``.
  ///
  /// Without an access group, the system looks for an item in all groups that the app may use, and saves a new one in
  /// the first. If your app also has a store with an access group, use different accounts in the two.
  ///
  /// These systems no longer have the account store (`ACAccountStore`). Instead, log in with ``OAuth2``, and share the
  /// tokens among your apps with an access group.
  public struct KeychainTokenStore: ListableTokenStore {
    private let items: KeychainItems
    private let sharedLeases: FileLeases?
    private let queue: DispatchQueue
    private static let ownLeases = MemoryLeases()

    /// Creates a store for this process only. Nothing is read or written before the first call.
    public init() {
      items = KeychainItems(accessGroup: nil)
      queue = DispatchQueue(label: "callsign.keychain")
      sharedLeases = nil
    }

    /// Makes a store that an app and its extensions share. Nothing is read or written before the first call.
    ///
    /// - Parameters:
    ///   - accessGroup: The keychain access group to keep tokens in.
    ///   - leaseFolder: A folder of an app group's container. The processes that share the access group use it to exclude each
    ///     other while one of them refreshes, so all of them have to name the same folder. A file there is locked during a refresh,
    ///     and iOS ends an app that it suspends at that time (`0xDEAD10CC`): ask for time in the background, with
    ///     `UIApplication.beginBackgroundTask` or `ProcessInfo.performExpiringActivity`, for calls that continue there.
    ///   - lockTimeLimit: How long ``lease(_:lasting:)`` waits for one holder; a minute by default.
    public init(accessGroup: String, leaseFolder: URL, lockTimeLimit: Duration = .seconds(60)) {
      items = KeychainItems(accessGroup: accessGroup)
      queue = DispatchQueue(label: "callsign.keychain")
      sharedLeases = FileLeases(folder: leaseFolder.standardizedFileURL.path, timeLimit: lockTimeLimit, queue: queue)
    }

    /// The access group's name.
    public var place: String { "keychain \(items.accessGroup ?? "")" }

    /// The token that is kept under a key.
    ///
    /// - Throws: ``TokenStoreError``: ``TokenStoreError/Reason/system`` before the device was unlocked first,
    ///   ``TokenStoreError/Reason/damaged``, ``TokenStoreError/Reason/newerVersion``.
    public func load(_ key: TokenKey) async throws(TokenStoreError) -> VersionedToken? {
      let bytes = try await queue.run { () throws(TokenStoreError) in try items.data(for: key) }
      guard let bytes else { return nil }
      return VersionedToken(try StoredToken(encoded: bytes), version: try TokenEntry.version(of: bytes))
    }

    /// Keeps a token.
    ///
    /// - Throws: ``TokenStoreError``, as ``TokenStore/save(_:replacing:under:)`` says.
    public func save(
      _ token: StoredToken, replacing expected: TokenPrecondition, under lease: TokenLease
    ) async throws(TokenStoreError) -> TokenVersion {
      let bytes = try token.encoded()
      let version = try TokenEntry.version(of: bytes)
      let key = lease.key
      try await guarding(lease) { () throws(TokenStoreError) in
        try items.require(expected, of: key)
        try items.set(bytes, for: key)
      }
      return version
    }

    /// Forgets a token.
    ///
    /// - Throws: ``TokenStoreError``, as ``TokenStore/delete(_:under:)`` says.
    public func delete(_ expected: TokenPrecondition, under lease: TokenLease) async throws(TokenStoreError) {
      let key = lease.key
      try await guarding(lease) { () throws(TokenStoreError) in
        try items.require(expected, of: key)
        try items.remove(key)
      }
    }

    private func guarding(
      _ lease: TokenLease, _ work: @escaping @Sendable () throws(TokenStoreError) -> Void
    ) async throws(TokenStoreError) {
      if let sharedLeases {
        return try await sharedLeases.guarding(lease, TokenFileName.base(of: lease.key)) {
          (folder) throws(TokenStoreError) in try work()
        }
      }
      try await queue.run { () throws(TokenStoreError) in try Self.ownLeases.guarding(lease, work) }
    }

    /// The keys that have tokens, sorted. Other passwords of the app are left out.
    ///
    /// - Throws: ``TokenStoreError`` with ``TokenStoreError/Reason/system`` if the keychain cannot be read.
    public func keys(service: String?) async throws(TokenStoreError) -> [TokenKey] {
      let keys = try await queue.run { () throws(TokenStoreError) in try items.keys() }
      return keys.filter { $0.isOf(service: service) }.sorted()
    }

    /// Waits until no other task, or in an access group no other process, holds the lease of this key.
    public func lease(_ key: TokenKey, lasting duration: Duration) async throws(TokenStoreError) -> TokenLease {
      guard let sharedLeases else { return try await Self.ownLeases.lease(key, lasting: duration) }
      return try await sharedLeases.lease(key, TokenFileName.base(of: key), lasting: duration)
    }
  }
#endif

#if canImport(Security) && canImport(CryptoKit)
  import Foundation
  import Security

  /// The keychain's items that hold tokens: generic passwords whose service begins with ``servicePrefix``, so that an
  /// app's own password for the same service is another item.
  struct KeychainItems: Sendable {
    let accessGroup: String?

    private static let servicePrefix = "callsign:"
    /// For keys with scheme and client, whose account is made of the parts as file names are.
    private static let partsPrefix = "callsign-parts:"

    func data(for key: TokenKey) throws(TokenStoreError) -> Data? {
      var query = query(for: key)
      query[kSecReturnData] = true
      query[kSecMatchLimit] = kSecMatchLimitOne
      var result: CFTypeRef?
      let status = SecItemCopyMatching(query as CFDictionary, &result)
      if status == errSecItemNotFound { return nil }
      guard status == errSecSuccess else { throw .keychain("read", status) }
      guard let data = result as? Data else { throw .damaged("is not data") }
      return data
    }

    func set(_ data: Data, for key: TokenKey) throws(TokenStoreError) {
      let attributes: [CFString: Any] = [
        kSecValueData: data, kSecAttrAccessible: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly,
      ]
      // Updating an existing item first, before adding one, never leaves a moment without a token. Another process may
      // add one in between; then it can be updated.
      for _ in 0..<2 {
        let updated = SecItemUpdate(query(for: key) as CFDictionary, attributes as CFDictionary)
        if updated == errSecSuccess { return }
        guard updated == errSecItemNotFound else { throw .keychain("write", updated) }
        let added = SecItemAdd(query(for: key).merging(attributes) { $1 } as CFDictionary, nil)
        if added == errSecSuccess { return }
        guard added == errSecDuplicateItem else { throw .keychain("write", added) }
      }
      throw .keychain("write", errSecDuplicateItem)
    }

    func remove(_ key: TokenKey) throws(TokenStoreError) {
      let status = SecItemDelete(query(for: key) as CFDictionary)
      guard status == errSecSuccess || status == errSecItemNotFound else { throw .keychain("delete", status) }
    }

    func keys() throws(TokenStoreError) -> [TokenKey] {
      var query = base
      query[kSecReturnAttributes] = true
      query[kSecMatchLimit] = kSecMatchLimitAll
      var result: CFTypeRef?
      let status = SecItemCopyMatching(query as CFDictionary, &result)
      if status == errSecItemNotFound { return [] }
      guard status == errSecSuccess else { throw .keychain("list", status) }
      let items = result as? [[String: Any]] ?? []
      return items.compactMap { item in
        guard let service = item[kSecAttrService as String] as? String,
          let account = item[kSecAttrAccount as String] as? String
        else { return nil }
        if service.hasPrefix(Self.partsPrefix) { return TokenFileName.key(ofParts: account) }
        guard service.hasPrefix(Self.servicePrefix) else { return nil }
        return TokenKey(service: String(service.dropFirst(Self.servicePrefix.count)), account: account)
      }
    }

    /// Refuses to continue if the store has another token than expected.
    func require(_ expected: TokenPrecondition, of key: TokenKey) throws(TokenStoreError) {
      if expected == .any { return }
      let bytes = try data(for: key)
      let version: TokenVersion? = if let bytes { try TokenEntry.version(of: bytes) } else { nil }
      guard expected.isMet(by: version) else { throw .conflict(key) }
    }

    private var base: [CFString: Any] {
      var query: [CFString: Any] = [kSecClass: kSecClassGenericPassword, kSecUseDataProtectionKeychain: true]
      if let accessGroup { query[kSecAttrAccessGroup] = accessGroup }
      return query
    }

    private func query(for key: TokenKey) -> [CFString: Any] {
      var query = base
      if key.scheme == nil {
        query[kSecAttrService] = Self.servicePrefix + key.service
        query[kSecAttrAccount] = key.account
      } else {
        query[kSecAttrService] = Self.partsPrefix + key.service
        query[kSecAttrAccount] = TokenFileName.text(of: key)
      }
      return query
    }
  }

  extension TokenStoreError {
    fileprivate static func keychain(_ what: String, _ status: OSStatus) -> TokenStoreError {
      let advice =
        switch status {
        case errSecInteractionNotAllowed: "wait until the device has been unlocked once since it started"
        case errSecMissingEntitlement:
          "sign the app with a keychain access group, or use FileTokenStore in a command-line tool"
        case errSecUserCanceled, errSecAuthFailed: "ask the person to allow it"
        default: "look the code up in the Security framework's result codes, and check the app's entitlements"
        }
      let words = SecCopyErrorMessageString(status, nil).map { "\($0 as String), " } ?? ""
      return TokenStoreError(
        .system, advice: "cannot \(what) the token in the keychain (\(words)code \(status)); \(advice)".printable)
    }
  }
#endif

#if canImport(Security) && canImport(CryptoKit)
  extension TokenStore where Self == KeychainTokenStore {
    /// The system's own place for tokens: the keychain on Apple's systems, files that only this user can read elsewhere.
    public static var `default`: KeychainTokenStore { KeychainTokenStore() }
  }
#else
  extension TokenStore where Self == FileTokenStore {
    /// The system's own place for tokens: the keychain on Apple's systems, files that only this user can read elsewhere.
    public static var `default`: FileTokenStore { FileTokenStore() }
  }
#endif

extension TokenStore where Self == FileTokenStore {
  /// Files that only this user can read.
  ///
  /// - Parameter folder: Where; ``FileTokenStore/defaultFolder`` by default.
  public static func file(_ folder: URL = FileTokenStore.defaultFolder) -> FileTokenStore {
    FileTokenStore(folder: folder)
  }
}

extension TokenStore where Self == MemoryTokenStore {
  /// A store that forgets everything when the process ends.
  public static var memory: MemoryTokenStore { MemoryTokenStore() }
}
