import Callsign

extension OAuth1Account {
  /// Whether there is a token for this account and app. Whether the provider still accepts it, only a call can tell.
  public var isAuthorized: Bool {
    get async throws(TokenStoreError) { try await token() != nil }
  }

  /// The token; `nil` when there is none, or it is of another kind or was issued to another app.
  public func token() async throws(TokenStoreError) -> OAuth1Token? {
    guard let stored = try await store.load(key), stored.clientID == nil || stored.clientID == consumerKey else {
      return nil
    }
    return OAuth1Token(stored)
  }

  /// Keeps the token that a login came to, in place of the one that may be there.
  public func save(_ token: OAuth1Token) async throws(TokenStoreError) {
    try await store.save(token.stored(consumerKey: consumerKey), for: key)
  }

  /// Forgets the token. The provider still accepts it; see ``invalidate(configuration:)``.
  public func deauthorize() async throws(TokenStoreError) {
    signing.withLock { $0 = nil }
    try await store.delete(key)
  }

  /// Makes the token invalid at the provider, and forgets it. Nothing happens when there is none.
  ///
  /// - Parameter configuration: Transport, timeouts, hosts, logging.
  /// - Throws: ``LoginError``; then the token is still there. That the provider did not know it any more is no error.
  public func invalidate(configuration: ClientConfiguration = ClientConfiguration()) async throws(LoginError) {
    guard let url = provider.invalidateTokenURL else {
      throw .invalidSetup(
        "the provider has no invalidate endpoint; call deauthorize(), and revoke the app in its settings")
    }
    let token: OAuth1Token?
    do throws(TokenStoreError) { token = try await self.token() } catch { throw .store(error) }
    guard let token else { return }
    let client = OAuth1TokenClient(
      provider: provider, consumerKey: consumerKey, consumerSecret: consumerSecret, configuration: configuration,
      clock: clock)
    do throws(LoginError) { _ = try await client.post("oauth/invalidate_token", to: url, token: token) } catch {
      // X's code 89: expired or made invalid before.
      guard error.refusal?.has(code: 89) == true else { throw error }
    }
    do throws(TokenStoreError) {
      // Another may have logged in meanwhile; theirs is not to be forgotten.
      let lock = try await store.lock(key)
      defer { lock.release() }
      if try await self.token() == token { try await deauthorize() }
    } catch { throw .store(error) }
  }
}
