import Callsign
import CallsignHTTP
import Foundation
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
  /// Whose tokens these are.
  public let provider: OAuth2Provider
  /// Where the token is kept.
  public let key: TokenKey
  /// The hosts that the token is for.
  public let hosts: AllowedHosts
  /// The token's key, which stays when it is refreshed.
  public let identity: CredentialIdentity
  /// A hash of the client's identifier.
  public let appIdentity: CredentialIdentity?

  let store: any TokenStore
  let client: TokenClient
  let tokens: StoredTokenSource
  let grant: RefreshTokenGrant

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
    clientID: String, clientSecret: Secret? = nil, store: some TokenStore, account: String = "default",
    provider: OAuth2Provider, hosts: AllowedHosts? = nil
  ) {
    self.clientID = clientID
    appIdentity = .app(clientID)
    self.provider = provider
    self.hosts = hosts ?? provider.hosts
    self.store = store
    client = TokenClient(id: clientID, secret: clientSecret, authentication: provider.clientAuthentication)
    key = TokenKey(service: provider.service, account: account)
    grant = RefreshTokenGrant(client, at: provider.tokenURL, key: key)
    tokens = StoredTokenSource(TokenVault(store: store, key: key), grant)
    // Tokens in memory are nobody else's, so the same words may mean somebody else in another store.
    let place = (store as? MemoryTokenStore).map { " \(ObjectIdentifier($0).hashValue)" } ?? ""
    identity = CredentialIdentity("oauth2", account: key.description + place)
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
    guard let granted = tokens.cache.withLock({ $0.cached?.token.scopes }) else { return true }
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
  /// - Returns: `nil` when the token was refreshed just before, so that its age is not what is wrong.
  /// - Throws: The errors of ``token(_:)``.
  public func token(after refused: Secret, _ context: AuthenticationContext) async throws(CallError) -> AccessToken? {
    try await tokens.token(after: refused, TokenRequestEnvironment(context)).map(AccessToken.init)
  }

  /// Whether somebody is logged in: there is a token that is good, or that can be refreshed.
  ///
  /// - Throws: ``TokenStoreError`` when the store cannot be read.
  public var isAuthorized: Bool {
    get async throws(TokenStoreError) {
      let unsaved = tokens.cache.withLock { $0.cached?.unsavedAfter == nil ? nil : $0.cached?.token }
      let token = if let unsaved { unsaved } else { try await store.load(key) }
      guard let token, token.kind == .oauth2, token.clientID == nil || token.clientID == clientID else { return false }
      if let refreshToken = token.refreshToken { return grant.accepts(refreshToken) }
      return token.expires.map { $0 > Date() } ?? true
    }
  }
}

extension AccessToken {
  /// The part of a stored token that requests carry.
  init(_ stored: StoredToken) { self.init(stored.accessToken, scopes: stored.scopes) }
}

extension OAuth2: RedactedStringConvertible {
  /// The type's name and the token's key.
  public var description: String { "OAuth2(\(key), \(Secret.redacted))" }
}

extension Authenticator where Self == OAuth2 {
  /// OAuth 2.0 for a person.
  public static func oauth2(_ credentials: OAuth2) -> OAuth2 { credentials }
}

extension OAuth2 {
  /// Logs out: revokes refresh and access token at the provider (RFC 7009) and forgets them.
  ///
  /// The token is forgotten here in any case. Without a login nothing happens.
  ///
  /// - Parameter configuration: The transport for the requests, and where base URLs really lead.
  /// - Throws: ``LoginError`` when the provider could not be told, which leaves the token good until it expires, or the
  ///   store could not be changed.
  public func deauthorize(configuration: ClientConfiguration = ClientConfiguration()) async throws(LoginError) {
    let failure: LoginError?
    do throws(TokenStoreError) {
      let lock = try await store.lock(key)
      defer { lock.release() }
      let unsaved = tokens.cache.withLock { cache in
        cache.startGeneration()
        return cache.cached?.unsavedAfter == nil ? nil : cache.cached?.token
      }
      let stored = try await store.load(key)
      guard let token = unsaved ?? stored else {
        tokens.cache.withLock { $0.cached = nil }
        return
      }
      // Forgotten first: if this process ends now, nobody is left logged in by mistake.
      try await store.delete(key)
      tokens.cache.withLock { $0.startGeneration(with: nil) }
      grant.forgetRefusal()
      failure = await revoke(token, TokenRequestEnvironment(configuration))
    } catch { throw error.reason == .cancelled ? .cancelled : .store(error) }
    if let failure { throw failure }
  }

  /// Gives both tokens back, and says what went wrong first.
  private func revoke(_ token: StoredToken, _ environment: TokenRequestEnvironment) async -> LoginError? {
    guard let url = provider.revokeURL, token.kind == .oauth2 else { return nil }
    let endpoint = TokenEndpoint(url: url, client: client, environment: environment)
    var failure: LoginError?
    // The refresh token first: with it gone, the other is good for hours at most.
    for (secret, hint) in [(token.refreshToken, "refresh_token"), (token.accessToken, "access_token")] {
      guard let secret else { continue }
      do throws(TokenEndpointError) {
        _ = try await endpoint.post([("token", secret.reveal()), ("token_type_hint", hint)])
      } catch {
        // What the provider does not know any more needs no revoking.
        if case .refused(let code, _, _) = error, code == "invalid_token" || code == "invalid_grant" { continue }
        failure = failure ?? error.asLoginError
      }
    }
    return failure
  }
}
