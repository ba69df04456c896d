import CallsignHTTP

/// A store that forgets everything when the process ends. For tests, and for those who log in anew each time.
public final class MemoryTokenStore: TokenStore {
  private let tokens: Locked<[TokenKey: StoredToken]>
  private let turns = KeyedAsyncLock<TokenKey>()

  /// Makes a store.
  ///
  /// - Parameter tokens: What is there from the start.
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
