import Callsign
import CallsignHTTP
import CallsignSupport
import HTTPTypes

/// OAuth 2.0 for a person.
///
/// It logs them in by authorization code with PKCE, keeps the token in a ``TokenStore``, refreshes it before it expires
/// and after it is refused, and revokes it (RFC 6749, 7009, 7636, 8252, 9700).
///
/// ```swift
/// let oauth2 = OAuth2(clientID: "…", store: .default, provider: provider)
/// let client = Client(auth: .oauth2(oauth2))                     // goes on where the last run ended
///
/// if try await !oauth2.isAuthorized {
///   let login = try oauth2.beginLogin(scopes: ["photos.read", .offlineAccess], redirectURI: "myapp://login")
///   // … open login.url; the app is called with the redirect
///   try await login.complete(redirect: redirect)
/// }
/// ```
///
/// However many calls wait and however many processes share the store, only one refresh reaches the provider, and the
/// new token is stored before any call uses it.
public final class OAuth2: Authenticator, TokenSource {
  /// The client's identifier.
  public let clientID: String
  /// The provider of the tokens.
  public let provider: OAuth2Provider
  /// The key of the token in the store.
  public let key: TokenKey
  /// The hosts that the token is for.
  public let hosts: AllowedHosts
  /// A hash of the client's identifier.
  public let appIdentity: CredentialIdentity?

  let store: any TokenStore
  let client: TokenClient
  let tokens: StoredTokenSource

  /// Describes a client of a provider; its token is the one in the store.
  ///
  /// - Parameters:
  ///   - clientID: The client's identifier.
  ///   - clientSecret: The secret of a confidential client, such as a server. An app that people install has none.
  ///   - store: Keeps the token.
  ///   - account: The name of the account, in the app's own words, if there are several.
  ///   - provider: The provider of the tokens.
  ///   - hosts: The hosts that the token is for; by default the provider's ``OAuth2Provider/hosts``.
  public init(
    clientID: String, clientSecret: (any SecretConvertible)? = nil, store: some TokenStore, account: String = "default",
    provider: OAuth2Provider, hosts: AllowedHosts? = nil
  ) {
    self.clientID = clientID
    appIdentity = .app(clientID)
    self.provider = provider
    self.hosts = hosts ?? provider.hosts
    self.store = store
    let client = TokenClient(
      id: clientID, secret: clientSecret.map { Secret($0) }, authentication: provider.clientAuthentication)
    let key = TokenKey(service: provider.tokenService, scheme: .oauth2, clientID: clientID, account: account)
    (self.client, self.key) = (client, key)
    let revocation = provider.revokeURL.map { url in
      TokenRevocation(
        owner: UnrevokedTokens.Owner(place: store.place, key: key, revokeURL: url), client: client)
    }
    tokens = StoredTokenSource(
      store, key,
      RefreshTokenGrant(client: client, url: provider.tokenURL, timeLimit: provider.refreshTimeout), revocation)
  }

  /// The store's place, the token's key, and the login that the token comes from. It stays the same when the token is
  /// refreshed, and changes when somebody else logs in.
  public var identity: CredentialIdentity {
    let token = tokens.cache.withLock { $0.token }
    return CredentialIdentity("oauth2", key, in: store.place, login: token?.loginMark)
  }

  /// The same client for another account in the same store.
  ///
  /// ```swift
  /// let bob = client.with(auth: oauth2.account("bob"))
  /// ```
  public func account(_ account: String) -> OAuth2 {
    OAuth2(
      clientID: clientID, clientSecret: client.secret, store: store, account: account, provider: provider, hosts: hosts)
  }

  /// Reads the store if no token is known yet, so that ``satisfies(_:)`` knows the scopes.
  public func prepare() async {
    // An error of the store is reported when the token is needed.
    _ = try? await tokens.loaded()
  }

  /// `oauth2`, within the granted scopes; with any scopes as long as the granted ones are not known.
  public func satisfies(_ requirement: AuthRequirement) -> Bool {
    guard requirement.scheme == "oauth2" else { return false }
    guard let granted = tokens.cache.withLock({ $0.token?.scopes }) else { return true }
    return granted.isSuperset(of: requirement.scopes)
  }

  /// The token, refreshed first if it is about to expire.
  ///
  /// - Throws: ``CallError/authorization(_:)`` if nobody is logged in, if the login is no longer accepted, or if the
  ///   token cannot be saved; ``CallError/transport(_:)`` if a refresh is needed and the provider cannot be reached.
  public func token(_ context: AuthenticationContext) async throws(CallError) -> AccessToken {
    AccessToken(try await tokens.token(TokenRequestEnvironment(context)))
  }

  /// Refreshes a token that the API has refused, unless that was already done after the request was sent.
  ///
  /// - Returns: `nil` if the token was just refreshed and the API has not accepted since then what it had refused. Then
  ///   the token is not the problem.
  /// - Throws: The errors of ``token(_:)``.
  public func token(after refused: Secret, _ context: AuthenticationContext) async throws(CallError) -> AccessToken? {
    try await tokens.token(after: refused, TokenRequestEnvironment(context)).map(AccessToken.init)
  }

  /// Learns from each response whether the API accepts the token.
  public func received(_ head: HTTPResponse, to request: TransportRequest, context: AuthenticationContext) {
    let acceptedAgain = tokens.cache.withLock { $0.noteResponse(head.status, to: request) }
    if let acceptedAgain { tokens.noteAccepted(acceptedAgain, context.logger) }
  }
}

extension AccessToken {
  /// The part of a stored token that requests carry.
  init(_ stored: StoredToken) { self.init(stored.accessToken, scopes: stored.scopes, expires: stored.expires) }
}

extension OAuth2: RedactedStringConvertible {
  /// The type's name and the token's key.
  public var description: String { "OAuth2(\(key), \(Secret.redacted))" }
}

extension Authenticator where Self == OAuth2 {
  /// OAuth 2.0 for a person.
  public static func oauth2(_ credentials: OAuth2) -> OAuth2 { credentials }
}

// The token for use outside a client's calls, and the login's state.
extension OAuth2 {
  /// The token, for use outside a client.
  ///
  /// It is valid now, and refreshed first if it is about to expire.
  ///
  /// - Parameter configuration: The transport for the request, and the hosts that base URLs are redirected to.
  /// - Throws: ``CallError/authorization(_:)`` if nobody is logged in, if the login is no longer accepted, or if the
  ///   token cannot be saved; ``CallError/transport(_:)`` if a refresh is needed and the provider cannot be reached.
  public func token(
    configuration: ClientConfiguration = ClientConfiguration()
  ) async throws(CallError) -> AccessToken {
    AccessToken(try await tokens.token(TokenRequestEnvironment(configuration)))
  }

  /// Refreshes the token, even if it is still valid, and saves the next one. Everything else that waits for a token
  /// gets the same one.
  ///
  /// - Parameter configuration: The transport for the request, and the hosts that base URLs are redirected to.
  /// - Throws: The errors of ``token(configuration:)``.
  @discardableResult
  public func refresh(
    configuration: ClientConfiguration = ClientConfiguration()
  ) async throws(CallError) -> AccessToken {
    AccessToken(try await tokens.next(TokenRequestEnvironment(configuration)))
  }

  /// The states of the login as this value learns of them, the present one first.
  ///
  /// Each reader gets all states from then on.
  ///
  /// A change by another process is noticed with the next call, or when the token is due.
  public var states: AsyncStream<TokenState> {
    let stream = tokens.states.stream()
    Task { await prepare() }
    return stream
  }

  /// Whether somebody is logged in: there is a token that is valid, or that can be refreshed. A login that was
  /// permanently refused, here or in another process, does not count.
  ///
  /// - Throws: ``TokenStoreError`` if the store cannot be read.
  public var isAuthorized: Bool {
    get async throws(TokenStoreError) {
      let unsaved = tokens.cache.withLock { $0.unsaved }
      let token = if let unsaved { unsaved } else { try await store.load(key)?.token }
      guard let token, token.kind == .oauth2, token.clientID == nil || token.clientID == clientID else { return false }
      if tokens.isOver(token) { return false }
      return token.refreshToken != nil || token.expires.map { $0 > Date() } ?? true
    }
  }
}

extension OAuth2 {
  /// Logs out: deletes the tokens, and revokes the refresh and access tokens at the provider (RFC 7009).
  ///
  /// The token is deleted here in any case. A token that the store cannot read is revoked only if this value knows it.
  /// Tokens that the provider no longer knows count as revoked. Nothing happens if nobody is logged in.
  ///
  /// If another process has just refreshed the token and has not stored the new one yet, this process does not know that
  /// one. The other process revokes it when it notices the logout.
  ///
  /// - Parameter configuration: The transport for the requests, and the hosts that base URLs are redirected to.
  /// - Throws: ``LoginError`` if the provider could not be reached, which leaves the token valid until it expires, or
  ///   if the store could not be changed. Call this again to retry, including the revocation. You can call it on this
  ///   value, or on another of the same app, account and store in this process, which remembers the last 1,000 tokens
  ///   that could not be revoked. They are lost when the process ends.
  public func deauthorize(configuration: ClientConfiguration = ClientConfiguration()) async throws(LoginError) {
    do throws(TokenStoreError) {
      let deleted = try await store.withLease(key) { (lease) throws(TokenStoreError) -> [StoredToken] in
        let known = tokens.cache.withLock { cache -> StoredToken? in
          cache.beginLogin()
          return cache.token
        }
        let stored: StoredToken?
        var isUnreadable = false
        do throws(TokenStoreError) { stored = try await store.load(key)?.token } catch {
          guard error.isAboutUnreadableToken else { throw error }
          isUnreadable = true
          // Deleted anyway; the token in memory can still be revoked.
          stored = known
        }
        // Deleted first: if this process ends now, nobody stays logged in by mistake.
        if stored != nil || isUnreadable { try await store.delete(.any, under: lease) }
        // Under the lease, so that a later login has the last word.
        let unsaved = tokens.cache.withLock { cache -> StoredToken? in
          defer { cache.endLogin(.gone) }
          return cache.unsaved
        }
        tokens.states.send(.signedOut)
        // A refreshed token has used up the stored one. A login that could not be saved has not.
        let isSpent = unsaved != nil && stored?.login == unsaved?.login
        return [unsaved, isSpent ? nil : stored].compactMap { $0 }
      }
      for token in deleted where token.kind == .oauth2 { tokens.revocation?.add(token) }
    } catch { throw LoginError(error) }
    try await tokens.revocation?.run(TokenRequestEnvironment(configuration))
  }
}
