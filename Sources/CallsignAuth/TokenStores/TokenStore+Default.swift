import Foundation

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
