import CallsignHTTP
import Foundation

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

/// The name of a token in a store.
public struct TokenKey: Sendable, Hashable, Comparable, CustomStringConvertible {
  /// The service that the token is for; by default the API's host, such as `api.example.com`.
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

/// Why a token could not be kept, read or deleted.
public struct TokenStoreError: Error, Sendable, Hashable {
  /// The kind of problem.
  public enum Reason: Sendable, Hashable {
    /// Others can read or write the file or folder.
    case readableByOthers
    /// The file or folder belongs to somebody else, is a symbolic link, or is something other than a file or folder.
    case unsafePlace
    /// The stored bytes are no token, or are damaged.
    case damaged
    /// The stored token was written by a newer version of this library.
    case newerVersion
    /// Another process held the lock for too long.
    case lockTimedOut
    /// The system refused, or the disk is full; the advice has its words.
    case system
    /// The task was cancelled while it waited.
    case cancelled
  }

  /// The kind of problem.
  public var reason: Reason
  /// How to go on, in one sentence. It may name a path, never a token.
  public var advice: String

  /// States a problem.
  public init(_ reason: Reason, advice: String) {
    self.reason = reason
    self.advice = advice
  }
}

extension TokenStoreError: CustomStringConvertible, LocalizedError {
  /// The same as ``advice``, in one line.
  public var description: String { advice }
  /// The same as ``description``.
  public var errorDescription: String? { description }
  /// The same as ``advice``.
  public var recoverySuggestion: String? { advice }
}

/// A store that forgets everything when the process ends. For tests, and for those who log in anew each time.
public final class MemoryTokenStore: TokenStore {
  private let tokens: Locked<[TokenKey: StoredToken]>
  private let turns = KeyedAsyncLock<TokenKey>()

  /// Makes a store.
  ///
  /// - Parameter tokens: The tokens that are there from the start.
  public init(_ tokens: [TokenKey: StoredToken] = [:]) { self.tokens = Locked(tokens) }

  /// The token that is kept under a key.
  public func load(_ key: TokenKey) async throws(TokenStoreError) -> StoredToken? { tokens.withLock { $0[key] } }

  /// Keeps a token.
  public func save(_ token: StoredToken, for key: TokenKey) async throws(TokenStoreError) {
    tokens.withLock { $0[key] = token }
  }

  /// Forgets a token.
  public func delete(_ key: TokenKey) async throws(TokenStoreError) {
    tokens.withLock { _ = $0.removeValue(forKey: key) }
  }

  /// The keys under which there are tokens, sorted.
  public func keys(service: String?) async throws(TokenStoreError) -> [TokenKey] {
    tokens.withLock { $0.keys.filter { service == nil || $0.service == service } }.sorted()
  }

  /// Waits until no other task holds the lock of this key.
  public func lock(_ key: TokenKey) async throws(TokenStoreError) -> TokenLock {
    do { try await turns.wait(for: key) } catch {
      throw TokenStoreError(.cancelled, advice: "the task was cancelled while it waited for another to finish")
    }
    return TokenLock { [turns] in turns.finish(key) }
  }
}
