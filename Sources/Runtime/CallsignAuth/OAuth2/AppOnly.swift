import Callsign
import CallsignHTTP
import CallsignSupport
import HTTPTypes

/// An app's bearer token, fetched for its consumer key and secret: the client credentials grant of RFC 6749 §4.4, which
/// some providers call application-only authentication.
///
/// ```swift
/// let provider = AppOnly.Provider(tokenURL: "https://api.example/token")
/// let app = AppOnly(consumerKey: "…", consumerSecret: "…", provider: provider)
/// let client = Client(auth: .appOnly(app))
/// ```
///
/// The token is fetched once, however many calls wait for it, and kept in the store. If the API refuses it, another is
/// fetched, once. For a token that you already have, use ``Bearer``.
public final class AppOnly: Authenticator, TokenSource {
  /// A provider of tokens for apps.
  public struct Provider: Sendable, Hashable {
    /// The URL that issues tokens.
    public var tokenURL: String
    /// The URL that invalidates tokens; `nil` if the provider has none.
    public var invalidateURL: String?
    /// The hosts that its tokens are for.
    public var hosts: AllowedHosts
    /// The provider's own error codes that a login must recognize.
    public var errorCodes: LoginErrorCodes
    /// The service of the token's key in a ``TokenStore``; `nil`, the default, stands for the host of ``tokenURL``. If
    /// one host has several tenants that differ only in the path, give each a service.
    public var service: String?
    /// The scheme of the catalogue that its tokens are for: `bearer`, the default, or `oauth2` for an API whose operations
    /// name scopes that an app can have by itself.
    public var scheme: String
    /// The scopes to ask for (RFC 6749 §3.3); none, the default, leaves the choice to the provider.
    public var scopes: [OAuth2Scope]

    /// Describes a provider.
    ///
    /// - Parameters:
    ///   - tokenURL: The URL that issues tokens.
    ///   - invalidateURL: The URL that invalidates them.
    ///   - hosts: The hosts that its tokens are for; by default those of the called API's catalogue.
    ///   - errorCodes: The provider's own error codes that a login must recognize.
    ///   - service: The service that its tokens are stored under; by default the host of `tokenURL`.
    ///   - scheme: The scheme of the catalogue that its tokens are for.
    ///   - scopes: The scopes to ask for.
    public init(
      tokenURL: String, invalidateURL: String? = nil, hosts: AllowedHosts = .catalogue,
      errorCodes: LoginErrorCodes = LoginErrorCodes(), service: String? = nil, scheme: String = "bearer",
      scopes: [OAuth2Scope] = []
    ) {
      self.tokenURL = tokenURL
      self.invalidateURL = invalidateURL
      self.hosts = hosts
      self.errorCodes = errorCodes
      self.service = service
      self.scheme = scheme
      self.scopes = scopes
    }
  }

  /// The app's key.
  public let consumerKey: String
  /// The key of the token in the store.
  public let key: TokenKey
  /// The hosts that the token is for.
  public let hosts: AllowedHosts
  /// The app's key.
  public let identity: CredentialIdentity
  /// A hash of the app's key.
  public let appIdentity: CredentialIdentity?

  private let provider: Provider
  private let client: TokenClient
  private let tokens: StoredTokenSource

  /// Keeps key and secret.
  ///
  /// - Parameters:
  ///   - consumerKey: The app's key.
  ///   - consumerSecret: Its secret.
  ///   - store: Keeps the token. By default, each process fetches it again.
  ///   - provider: Where the tokens come from.
  ///   - hosts: The hosts that they are for; by default the provider's.
  public init(
    consumerKey: String, consumerSecret: any SecretConvertible, store: some TokenStore = MemoryTokenStore(),
    provider: Provider,
    hosts: AllowedHosts? = nil
  ) {
    self.consumerKey = consumerKey
    appIdentity = .app(consumerKey)
    self.provider = provider
    self.hosts = hosts ?? provider.hosts
    client = TokenClient(id: consumerKey, secret: Secret(consumerSecret))
    let service = provider.service ?? AbsoluteURL(provider.tokenURL)?.authority ?? provider.tokenURL
    key = TokenKey(service: service, scheme: .bearer, clientID: consumerKey)
    // The same app has another token in another store.
    identity = CredentialIdentity("bearer", account: key.description)
    tokens = StoredTokenSource(
      store, key,
      ClientCredentialsGrant(client: client, url: provider.tokenURL, scopes: provider.scopes.map(\.rawValue)))
  }

  /// Reads the store if no token is known yet, so that ``satisfies(_:)`` knows the scopes.
  public func prepare() async {
    // An error of the store is reported when the token is needed.
    if provider.scheme == "oauth2" { _ = try? await tokens.loaded() }
  }

  /// The provider's ``Provider/scheme``; with `oauth2`, within the scopes that were granted, as far as they are known.
  public func satisfies(_ requirement: AuthRequirement) -> Bool {
    guard requirement.scheme == provider.scheme else { return false }
    guard let granted = tokens.cache.withLock({ $0.token?.scopes }) else { return true }
    return granted.isSuperset(of: requirement.scopes)
  }

  /// The token, fetched if there is none.
  ///
  /// If the store cannot be read or written, it counts as empty: the token stays in memory, and a warning is logged.
  ///
  /// - Throws: ``CallError/authorization(_:)`` if key and secret are refused, ``CallError/transport(_:)`` if the
  ///   provider cannot be reached.
  public func token(_ context: AuthenticationContext) async throws(CallError) -> AccessToken {
    AccessToken(try await tokens.token(TokenRequestEnvironment(context)))
  }

  /// Fetches a different token after the API has refused one, unless that was already done after the request was sent.
  ///
  /// - Returns: `nil` if the provider gives the same token again, as some do until it is invalidated. Then the token is
  ///   not the problem.
  /// - Throws: The errors of ``token(_:)``.
  public func token(after refused: Secret, _ context: AuthenticationContext) async throws(CallError) -> AccessToken? {
    try await tokens.token(after: refused, TokenRequestEnvironment(context)).map(AccessToken.init)
  }

  /// Learns from each response whether the API accepts the token.
  public func received(_ head: HTTPResponse, to request: TransportRequest, context: AuthenticationContext) {
    _ = tokens.cache.withLock { $0.noteResponse(head.status, to: request) }
  }

  /// The token, for use outside a client.
  ///
  /// It is fetched if there is no valid one.
  ///
  /// - Parameter configuration: The transport for the request, and the hosts that base URLs are redirected to.
  /// - Throws: The errors of ``token(_:)``.
  public func token(
    configuration: ClientConfiguration = ClientConfiguration()
  ) async throws(CallError) -> AccessToken {
    AccessToken(try await tokens.token(TokenRequestEnvironment(configuration)))
  }

  /// Fetches another token, however good the present one is. Some providers give the same token until it is
  /// invalidated.
  ///
  /// - Parameter configuration: The transport for the request, and the hosts that base URLs are redirected to.
  /// - Throws: The errors of ``token(_:)``.
  @discardableResult
  public func refresh(
    configuration: ClientConfiguration = ClientConfiguration()
  ) async throws(CallError) -> AccessToken {
    AccessToken(try await tokens.next(TokenRequestEnvironment(configuration)))
  }

  /// The states of the token as this value learns of them, the present one first.
  public var states: AsyncStream<TokenState> {
    let stream = tokens.states.stream()
    Task { _ = try? await tokens.loaded() }
    return stream
  }

  /// Invalidates the token, so that nobody can use it any more. The next call fetches another one. Nothing happens if
  /// there is no token. A stored token that cannot be read is deleted, but only a token in memory can be invalidated.
  ///
  /// - Parameters:
  ///   - owner: For providers that require the app owner's signature, as X's documentation says: an ``OAuth1`` of the
  ///     app's key with the owner's access token. By default, the request carries consumer key and secret.
  ///   - configuration: The transport for the request, and the hosts that base URLs are redirected to.
  /// - Throws: ``LoginError``. The token is then kept, and you can try again. It is not an error if the provider no
  ///   longer knows the token.
  public func invalidate(
    owner: (any Authenticator)? = nil, configuration: ClientConfiguration = ClientConfiguration()
  ) async throws(LoginError) {
    let environment = TokenRequestEnvironment(configuration)
    let store = tokens.store
    try await store.withLease(key, failing: { (error: TokenStoreError) in LoginError(error) }) {
      (lease) throws(LoginError) in
      var stored: VersionedToken?
      var isUnreadable = false
      do throws(TokenStoreError) { stored = try await store.load(key) } catch {
        guard error.isAboutUnreadableToken else { throw LoginError(error) }
        isUnreadable = true
      }
      let token = stored?.token ?? tokens.cache.withLock { $0.token }
      guard token != nil || isUnreadable else { return }
      if let token { try await invalidateAtProvider(token, signedBy: owner, environment) }
      // Delete it from the store first: a call that finds none in memory would take it from there again.
      do throws(TokenStoreError) { try await store.delete(.any, under: lease) } catch { throw LoginError(error) }
      tokens.cache.withLock { $0.endLogin(.gone) }
      tokens.states.send(.signedOut)
    }
  }

  private func invalidateAtProvider(
    _ token: StoredToken, signedBy owner: (any Authenticator)?, _ environment: TokenRequestEnvironment
  ) async throws(LoginError) {
    guard let url = provider.invalidateURL else { return }
    let context = AuthenticationContext(
      endpoint: "oauth2/invalidate_token", requirement: nil, attempt: 1, transport: environment.transport,
      hosts: environment.hosts, time: environment.time, logger: environment.logger)
    // Without `map`: before macOS 15, a function with a typed error cannot be a generic argument.
    let signer: TokenEndpoint.Signer? = if let owner { Self.signer(owner, context) } else { nil }
    do throws(TokenEndpointError) {
      _ = try await TokenEndpoint(url: url, client: client, environment: environment).post(
        [("access_token", token.accessToken.reveal())], signedBy: signer)
    } catch {
      // A token that the provider no longer knows counts as invalidated.
      if error.isAboutForgottenToken { return }
      if case .call(.api(let response)) = error, provider.errorCodes.means(response, \.unknownToken) { return }
      throw error.asLoginError
    }
  }

  private static func signer(_ owner: any Authenticator, _ context: AuthenticationContext) -> TokenEndpoint.Signer {
    { (request: inout TransportRequest) async throws(CallError) in
      try await owner.authenticate(&request, context: context)
    }
  }
}

extension AppOnly: RedactedStringConvertible {
  /// The type's name and the app's key.
  public var description: String { "AppOnly(\(key), \(Secret.redacted))" }
}

extension Authenticator where Self == AppOnly {
  /// An app's bearer token, fetched for its consumer key and secret.
  public static func appOnly(_ credentials: AppOnly) -> AppOnly { credentials }
}
