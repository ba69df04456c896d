import Callsign
import CallsignHTTP
import CallsignSupport

extension OAuth2 {
  /// Saves tokens that another library or program got for this client, as if the person had just logged in.
  ///
  /// They replace any existing ones.
  ///
  /// ```swift
  /// try await oauth2.save(
  ///   StoredToken(kind: .oauth2, accessToken: access, refreshToken: refresh, expires: expiry, scopes: ["photos.read"]))
  /// ```
  ///
  /// Nothing is sent. Without ``StoredToken/expires``, the access token is used until it is refused, and is then
  /// refreshed. If you only have the refresh token, use any text as the access token, with an expiry in the past: the
  /// token is refreshed before it is used. This sets the client's identifier and the login's mark.
  ///
  /// The previous owner of the tokens must not refresh them any more: many providers accept a refresh token only once.
  ///
  /// - Parameter token: The tokens, of the kind ``StoredToken/Kind/oauth2``.
  /// - Throws: ``LoginError``: ``LoginError/invalidSetup(_:)`` for tokens of another kind or client, and for texts that
  ///   were not copied correctly; ``LoginError/store(_:)``. Then nothing has changed.
  public func save(_ token: StoredToken) async throws(LoginError) {
    guard token.kind == .oauth2 else {
      throw .invalidSetup(
        "the token's kind is \(token.kind.rawValue); give a person's token of OAuth 2.0, which is of the kind oauth2")
    }
    guard token.clientID == nil || token.clientID == clientID else {
      throw .invalidSetup(
        "the token was issued to another client; save it by an OAuth2 of that client, or log in with this one")
    }
    let (access, refresh) = (token.accessToken, token.refreshToken)
    if let problem = CopiedText.problem(["access token": access.reveal(), "refresh token": refresh?.reveal()]) {
      throw .invalidSetup(problem)
    }
    guard !access.isEmpty, access.isVisible else {
      throw .invalidSetup("the access token is empty, or has characters that no token has; copy it again")
    }
    guard refresh?.isEmpty != true else {
      throw .invalidSetup("the refresh token is empty; copy it again, or leave it out")
    }
    var kept = token
    kept.clientID = clientID
    kept.login = try Self.makeLoginMark()
    kept.refused = nil
    kept.lostWith = nil
    let login = kept
    tokens.cache.withLock { $0.beginLogin() }
    do throws(TokenStoreError) {
      try await store.withLease(key) { (lease) throws(TokenStoreError) in
        _ = try await store.save(login, replacing: .any, under: lease)
        begin(CachedToken(login, lifetime: login.expires.map { $0.timeIntervalSince(Date()) }), over: nil)
      }
    } catch { throw LoginError(error) }
  }

  /// Keeps the token of a login in place of the one that may be there.
  ///
  /// - Parameters:
  ///   - token: The token.
  ///   - lifetime: How many seconds it has left; `nil` when the provider does not say.
  ///   - lease: The key's lease, of who holds it already.
  /// - Throws: ``LoginError/notKept(_:_:)``; then it is in memory, and kept before it is used, unless the lease was lost
  ///   or somebody else logs in or out before that.
  func keep(
    loggedIn token: StoredToken, lifetime: TimeInterval?, under lease: TokenLease? = nil
  ) async throws(LoginError) {
    tokens.cache.withLock { $0.beginLogin() }
    let failure: TokenStoreError?
    if let lease {
      failure = await begin(token, lifetime, under: lease)
    } else {
      do throws(TokenStoreError) {
        failure = try await store.withLease(key) { (lease) throws(TokenStoreError) -> TokenStoreError? in
          await begin(token, lifetime, under: lease)
        }
      } catch {
        begin(CachedToken(token, lifetime: lifetime), over: await replaceable())
        failure = error
      }
    }
    if let failure { throw .notKept(token, failure) }
  }

  /// Saves the token of a new login and continues with it, both under the lease, so that no logout can come in between.
  ///
  /// - Returns: Why the store did not accept it; the token is then only in memory.
  private func begin(
    _ token: StoredToken, _ lifetime: TimeInterval?, under lease: TokenLease
  ) async -> TokenStoreError? {
    do throws(TokenStoreError) { _ = try await store.save(token, replacing: .any, under: lease) } catch {
      // Somebody else has logged in or out since.
      guard error.reason != .leaseLost else { return error }
      begin(CachedToken(token, lifetime: lifetime), over: await replaceable())
      return error
    }
    begin(CachedToken(token, lifetime: lifetime), over: nil)
    return nil
  }

  /// The stored token that a login may replace later, if it cannot be saved now.
  private func replaceable() async -> TokenCache.Replaceable {
    do throws(TokenStoreError) {
      guard let stored = try await store.load(key) else { return .matching(.absent) }
      return .ofLogin(stored.token.loginMark)
    } catch {
      // It is not known, or it cannot be read and is useless.
      return .matching(.any)
    }
  }

  /// Goes on with the token of a new login.
  ///
  /// - Parameter replaceable: The token that it may replace in the store; `nil` when the store has it.
  private func begin(_ login: CachedToken, over replaceable: TokenCache.Replaceable?) {
    tokens.cache.withLock { $0.endLogin(.issued(login, over: replaceable)) }
    tokens.states.send(.valid(expires: login.token.expires))
  }

  /// A random mark for a login.
  static func makeLoginMark() throws(LoginError) -> String {
    do throws(CryptographyError) { return try SecureRandom.nonce() } catch { throw .invalidSetup("\(error)") }
  }
}
