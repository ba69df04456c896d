#if canImport(Security) && canImport(CryptoKit)
  import Foundation
  import Security

  /// The keychain's items that hold tokens: generic passwords whose service begins with ``servicePrefix``, so that an
  /// app's own password for the same service is another item.
  struct KeychainItems: Sendable {
    let accessGroup: String?

    private static let servicePrefix = "callsign:"

    func data(for key: TokenKey) throws(TokenStoreError) -> Data? {
      var query = query(for: key)
      query[kSecReturnData] = true
      query[kSecMatchLimit] = kSecMatchLimitOne
      var result: CFTypeRef?
      let status = SecItemCopyMatching(query as CFDictionary, &result)
      if status == errSecItemNotFound { return nil }
      guard status == errSecSuccess else { throw .keychain("read", status) }
      guard let data = result as? Data else { throw .damaged("is no data") }
      return data
    }

    func set(_ data: Data, for key: TokenKey) throws(TokenStoreError) {
      let attributes: [CFString: Any] = [
        kSecValueData: data, kSecAttrAccessible: kSecAttrAccessibleAfterFirstUnlock,
      ]
      // An update of an item that is there, before adding one, leaves no moment without a token. Another process may add
      // it in between; then it is there to be updated.
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
        guard let service = item[kSecAttrService as String] as? String, service.hasPrefix(Self.servicePrefix),
          let account = item[kSecAttrAccount as String] as? String
        else { return nil }
        return TokenKey(service: String(service.dropFirst(Self.servicePrefix.count)), account: account)
      }
    }

    private var base: [CFString: Any] {
      var query: [CFString: Any] = [kSecClass: kSecClassGenericPassword, kSecUseDataProtectionKeychain: true]
      if let accessGroup { query[kSecAttrAccessGroup] = accessGroup }
      return query
    }

    private func query(for key: TokenKey) -> [CFString: Any] {
      var query = base
      query[kSecAttrService] = Self.servicePrefix + key.service
      query[kSecAttrAccount] = key.account
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
