import CallsignHTTP

/// Keeps tokens between runs: ``MemoryTokenStore``, a file, the keychain, or an app's own.
///
/// An app's own store needs the first four functions. One that several processes share should offer
/// ``lock(_:)`` as well, so that only one of them refreshes an expired token.
public protocol TokenStore: Sendable {
  /// The token that is kept under a key; `nil` when there is none.
  func load(_ key: TokenKey) async throws(TokenStoreError) -> StoredToken?

  /// Keeps a token in place of the one that may be there. When it returns, the token survives the end of the process
  /// and, where the store is on disk, a loss of power; until then the one before it does.
  func save(_ token: StoredToken, for key: TokenKey) async throws(TokenStoreError)

  /// Forgets a token; nothing happens when there is none.
  func delete(_ key: TokenKey) async throws(TokenStoreError)

  /// The keys under which there are tokens, sorted.
  ///
  /// - Parameter service: Only those of this service; `nil` for all.
  func keys(service: String?) async throws(TokenStoreError) -> [TokenKey]

  /// Waits until nobody else, in this process or another, holds the lock of this key, and takes it. Loading and saving
  /// do not need it; it is for those who load, decide, and save.
  func lock(_ key: TokenKey) async throws(TokenStoreError) -> TokenLock
}

extension TokenStore {
  /// A lock that keeps nobody out.
  public func lock(_ key: TokenKey) async throws(TokenStoreError) -> TokenLock { TokenLock {} }
}

/// What a token is kept under.
public struct TokenKey: Sendable, Hashable, Comparable, CustomStringConvertible {
  /// What the token is for; by default the API's host, such as `api.x.com`.
  public var service: String
  /// Whose it is, in the app's own words; `default` where there is but one.
  public var account: String

  /// Makes a key.
  public init(service: String, account: String = "default") {
    self.service = service
    self.account = account
  }

  /// `service/account`
  public var description: String { "\(service)/\(account)".printable }

  /// By service, then by account.
  public static func < (left: TokenKey, right: TokenKey) -> Bool {
    (left.service, left.account) < (right.service, right.account)
  }
}

/// A lock that is held until ``release()``, or until this value is gone.
public final class TokenLock: Sendable {
  private let pending: Locked<(@Sendable () -> Void)?>

  /// - Parameter release: Gives the lock back; called once.
  public init(release: @escaping @Sendable () -> Void) { pending = Locked(release) }

  deinit { release() }

  /// Gives the lock back. Doing so again does nothing.
  public func release() {
    let release = pending.withLock { pending in
      defer { pending = nil }
      return pending
    }
    release?()
  }
}
