import Callsign
import CallsignHTTP
import CallsignSupport
import HTTPTypes

/// OAuth 2.0 for a person: logs them in by authorization code with PKCE, keeps the token in a ``TokenStore``, refreshes
/// it before it expires and after it is refused, and gives it back (RFC 6749, 7009, 7636, 8252, 9700).
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
/// However many calls wait and however many processes share the store, one refresh reaches the provider, and the new
/// token is in the store before any call uses it.
public final class OAuth2: Authenticator, TokenSource {
  /// The client's identifier.
  public let clientID: String
  /// The provider of the tokens.
  public let provider: OAuth2Provider
  /// The key under which the store keeps the token.
  public let key: TokenKey
  /// The hosts that the token is for.
  public let hosts: AllowedHosts
  /// A hash of the client's identifier.
  public let appIdentity: CredentialIdentity?

  let store: any TokenStore
  let client: TokenClient
  let tokens: StoredTokenSource
  /// Tokens that were forgotten in this process, and that the provider could not be told about yet.
  private static let unrevoked = Locked(UnrevokedTokens())

  /// Describes a client of a provider; its token is what the store has.
  ///
  /// - Parameters:
  ///   - clientID: The client's identifier.
  ///   - clientSecret: The secret of a confidential client, such as a server. An app that is given to people has none.
  ///   - store: Keeps the token.
  ///   - account: Whose token it is, in the app's own words, where there are several.
  ///   - provider: Whose tokens these are.
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
    client = TokenClient(
      id: clientID, secret: clientSecret.map { Secret($0) }, authentication: provider.clientAuthentication)
    key = TokenKey(service: provider.tokenService, scheme: .oauth2, clientID: clientID, account: account)
    tokens = StoredTokenSource(
      store, key,
      RefreshTokenGrant(client: client, url: provider.tokenURL, timeLimit: provider.refreshTimeout))
  }

  /// The store's place, the token's key, and the login that the token comes from: it stays when the token is refreshed, and
  /// is another one when somebody else has logged in.
  public var identity: CredentialIdentity {
    let token = tokens.cache.withLock { $0.token }
    return CredentialIdentity("oauth2", key, in: store.place, login: token?.loginMark)
  }

  /// The same client for another account of the same store.
  ///
  /// ```swift
  /// let bob = client.with(auth: oauth2.account("bob"))
  /// ```
  public func account(_ account: String) -> OAuth2 {
    OAuth2(
      clientID: clientID, clientSecret: client.secret, store: store, account: account, provider: provider, hosts: hosts)
  }

  /// Reads the store, once there is a token in it, so that ``satisfies(_:)`` knows its scopes.
  public func prepare() async {
    // What is wrong with the store is said when the token is needed.
    _ = try? await tokens.loaded()
  }

  /// `oauth2`, within the scopes that were granted; all of them as long as they are not known.
  public func satisfies(_ requirement: AuthRequirement) -> Bool {
    guard requirement.scheme == "oauth2" else { return false }
    guard let granted = tokens.cache.withLock({ $0.token?.scopes }) else { return true }
    return granted.isSuperset(of: requirement.scopes)
  }

  /// The token, after a refresh where it is about to expire.
  ///
  /// - Throws: ``CallError/authorization(_:)`` when nobody is logged in, the login is no longer accepted, or the token
  ///   cannot be kept; ``CallError/transport(_:)`` when a refresh is needed and the provider cannot be reached.
  public func token(_ context: AuthenticationContext) async throws(CallError) -> AccessToken {
    AccessToken(try await tokens.token(TokenRequestEnvironment(context)))
  }

  /// Refreshes a token that the API has refused, unless that has been done already since the request was sent.
  ///
  /// - Returns: `nil` when the token was refreshed just before and the API has not accepted since what it had refused, so
  ///   that the token is not what is wrong.
  /// - Throws: The errors of ``token(_:)``.
  public func token(after refused: Secret, _ context: AuthenticationContext) async throws(CallError) -> AccessToken? {
    try await tokens.token(after: refused, TokenRequestEnvironment(context)).map(AccessToken.init)
  }

  /// Learns from each response whether the API takes the token.
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

// The token for others than a client's calls, and the login's state.
extension OAuth2 {
  /// The token, for something else than a client to carry: valid now, refreshed where it is about to expire.
  ///
  /// - Parameter configuration: The transport for the request, and where base URLs really lead.
  /// - Throws: ``CallError/authorization(_:)`` when nobody is logged in, the login is no longer accepted, or the token
  ///   cannot be kept; ``CallError/transport(_:)`` when a refresh is needed and the provider cannot be reached.
  public func token(
    configuration: ClientConfiguration = ClientConfiguration()
  ) async throws(CallError) -> AccessToken {
    AccessToken(try await tokens.token(TokenRequestEnvironment(configuration)))
  }

  /// Refreshes the token, however good it is, and keeps the next one. Whoever else waits for one gets the same.
  ///
  /// - Parameter configuration: The transport for the request, and where base URLs really lead.
  /// - Throws: The errors of ``token(configuration:)``.
  @discardableResult
  public func refresh(
    configuration: ClientConfiguration = ClientConfiguration()
  ) async throws(CallError) -> AccessToken {
    AccessToken(try await tokens.next(TokenRequestEnvironment(configuration)))
  }

  /// The states of the login as this value gets to know them, the present one first: each reader gets all from then on.
  ///
  /// A change by another process is noticed with the next call, or when the token is due.
  public var states: AsyncStream<TokenState> {
    let stream = tokens.states.stream()
    Task { await prepare() }
    return stream
  }

  /// Whether somebody is logged in: there is a token that is good, or that can be refreshed. A login that was refused for
  /// good, here or in another process, is none.
  ///
  /// - Throws: ``TokenStoreError`` when the store cannot be read.
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
  /// Logs out: forgets the tokens and revokes refresh and access token at the provider (RFC 7009).
  ///
  /// The token is forgotten here in any case. One that the store cannot read is revoked only where this value knows it.
  /// Tokens that the provider does not know any more count as revoked. Without a login nothing happens.
  ///
  /// - Parameter configuration: The transport for the requests, and where base URLs really lead.
  /// - Throws: ``LoginError`` when the provider could not be told, which leaves the token good until it expires, or the
  ///   store could not be changed. Calling it again tries again, also the revocation: on this value, or on another of the
  ///   same app, account and store in this process, which remembers the last 1,000 tokens that could not be revoked. After a
  ///   restart nothing knows them any more.
  public func deauthorize(configuration: ClientConfiguration = ClientConfiguration()) async throws(LoginError) {
    do throws(TokenStoreError) {
      let token = try await store.withLease(key) { (lease) throws(TokenStoreError) -> StoredToken? in
        let (known, unsaved) = tokens.cache.withLock { cache -> (StoredToken?, StoredToken?) in
          cache.beginLogin()
          return (cache.token, cache.unsaved)
        }
        let stored: StoredToken?
        var isUnreadable = false
        do throws(TokenStoreError) { stored = try await store.load(key)?.token } catch {
          guard error.isAboutUnreadableToken else { throw error }
          isUnreadable = true
          // Forgotten all the same; the one in memory can still be revoked.
          stored = known
        }
        // Forgotten first: if this process ends now, nobody is left logged in by mistake.
        if stored != nil || isUnreadable { try await store.delete(.any, under: lease) }
        // Under the lease, so that a login that comes next has the last word.
        tokens.cache.withLock { $0.endLogin(.gone) }
        tokens.states.send(.signedOut)
        return unsaved ?? stored
      }
      if let token, token.kind == .oauth2, let owner = unrevokedOwner {
        Self.unrevoked.withLock { $0.add(token, of: owner) }
      }
    } catch { throw LoginError(error) }
    try await revoke(TokenRequestEnvironment(configuration))
  }

  /// The owner of the tokens that are to be revoked; `nil` where the provider revokes none.
  private var unrevokedOwner: UnrevokedTokens.Owner? {
    provider.revokeURL.map { UnrevokedTokens.Owner(place: store.place, key: key, revokeURL: $0) }
  }

  /// Gives back the tokens that were forgotten here.
  private func revoke(_ environment: TokenRequestEnvironment) async throws(LoginError) {
    guard let owner = unrevokedOwner else { return }
    let tokens = Self.unrevoked.withLock { $0.take(of: owner) }
    let endpoint = TokenEndpoint(url: owner.revokeURL, client: client, environment: environment)
    var failure: LoginError?
    for token in tokens {
      guard let problem = await revoke(token, at: endpoint) else { continue }
      failure = failure ?? problem
      Self.unrevoked.withLock { $0.add(token, of: owner) }
    }
    if let failure { throw failure }
  }

  /// Gives both tokens back, and says what went wrong first.
  private func revoke(_ token: StoredToken, at endpoint: TokenEndpoint) async -> LoginError? {
    var failure: LoginError?
    // The refresh token first: with it gone, the other is good for hours at most.
    for (secret, hint) in [(token.refreshToken, "refresh_token"), (token.accessToken, "access_token")] {
      guard let secret else { continue }
      do throws(TokenEndpointError) {
        _ = try await endpoint.post([("token", secret.reveal()), ("token_type_hint", hint)])
      } catch {
        // Access tokens it need not revoke at all (RFC 7009 §2.2.1): without the refresh token they end by themselves.
        if case .refused("unsupported_token_type", _, _) = error, hint == "access_token", token.refreshToken != nil {
          continue
        }
        // What the provider does not know any more needs no revoking.
        if !error.isAboutForgottenToken { failure = failure ?? error.asLoginError }
      }
    }
    return failure
  }
}
