import Callsign
import CallsignHTTP
import Foundation
import HTTPTypes

/// OAuth 2.0 for a person: logs them in by authorization code with PKCE, keeps the token in a ``TokenStore``, refreshes
/// it before it expires and after it is refused, and gives it back (RFC 6749, 7009, 7636, 8252, 9700).
///
/// ```swift
/// let oauth2 = OAuth2(clientID: "…", store: .default)
/// let x = XAPI(auth: .oauth2(oauth2))                     // goes on where the last run ended
///
/// if try await !oauth2.isAuthorized {
///   let login = try oauth2.beginLogin(scopes: [.tweetRead, .usersRead, .offlineAccess], redirectURI: "myapp://login")
///   // … open login.url; the app is called with the redirect
///   try await login.complete(redirect: redirect)
/// }
/// ```
///
/// However many calls wait and however many processes share the store, one refresh reaches the provider, and the new
/// token is in the store before any call uses it.
public final class OAuth2: Authenticator {
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

  let store: any TokenStore
  let client: TokenClient
  /// What is known of the token.
  let state = Locked(OAuth2State())
  let refreshing = SingleFlight<Result<StoredToken, CallError>>()

  /// Describes a client of a provider; its token is what the store has.
  ///
  /// - Parameters:
  ///   - clientID: The client's identifier; X calls it OAuth 2.0 client ID.
  ///   - clientSecret: The secret of a confidential client, such as a server. An app that is given to people has none.
  ///   - store: Keeps the token.
  ///   - account: Whose token it is, in the app's own words, where there are several.
  ///   - provider: Whose tokens these are; X unless another is given.
  ///   - hosts: The hosts that the token is for; by default the provider's ``OAuth2Provider/hosts``.
  public init(
    clientID: String, clientSecret: Secret? = nil, store: some TokenStore, account: String = "default",
    provider: OAuth2Provider = .x, hosts: AllowedHosts? = nil
  ) {
    self.clientID = clientID
    self.provider = provider
    self.hosts = hosts ?? provider.hosts
    self.store = store
    client = TokenClient(id: clientID, secret: clientSecret, authentication: provider.clientAuthentication)
    key = TokenKey(service: provider.service, account: account)
    // Tokens in memory are nobody else's, so the same words may mean somebody else in another store.
    let place = (store as? MemoryTokenStore).map { " \(ObjectIdentifier($0).hashValue)" } ?? ""
    identity = CredentialIdentity("oauth2", account: key.description + place)
  }

  /// The same client for another account of the same store.
  ///
  /// ```swift
  /// let bob = x.with(auth: oauth2.account("bob"))
  /// ```
  public func account(_ account: String) -> OAuth2 {
    OAuth2(
      clientID: clientID, clientSecret: client.secret, store: store, account: account, provider: provider, hosts: hosts)
  }

  /// Reads the store, once there is a token in it, so that ``satisfies(_:)`` knows its scopes.
  public func prepare() async {
    // What is wrong with the store is said when the token is needed.
    _ = try? await loaded()
  }

  /// `oauth2`, within the scopes that were granted; all of them as long as they are not known.
  public func satisfies(_ requirement: AuthRequirement) -> Bool {
    guard requirement.scheme == "oauth2" else { return false }
    guard let granted = state.withLock({ $0.token?.scopes }) else { return true }
    return granted.isSuperset(of: requirement.scopes)
  }

  /// Sets `Authorization: Bearer …`, after a refresh where the token is about to expire.
  ///
  /// - Throws: ``CallError/authorization(_:)`` when nobody is logged in, the login is no longer accepted, a scope is
  ///   missing, or the token cannot be kept; ``CallError/transport(_:)`` when a refresh is needed and the provider
  ///   cannot be reached.
  public func authenticate(_ request: inout TransportRequest, context: AuthenticationContext) async throws(CallError) {
    try request.refuseUnencryptedCredentials("an access token")
    let token = try await usableToken(TokenRequestEnvironment(context))
    let missing = token.scopes.map { Set(context.requirement?.scopes ?? []).subtracting($0).sorted() } ?? []
    guard missing.isEmpty else {
      throw .authorization(
        AuthorizationError(
          .missingScopes(missing),
          advice: """
            the login lacks the scopes \(missing.joined(separator: ", ").printable); ask for them too and log in again
            """))
    }
    request.head.headerFields[.authorization] = "Bearer \(token.accessToken.reveal())"
  }

  /// After a 401, refreshes the token unless that has been done already since the request was sent.
  ///
  /// - Throws: What ``authenticate(_:context:)`` throws.
  public func rejected(
    _ rejection: Rejection, context: AuthenticationContext
  ) async throws(CallError) -> RejectionRecovery {
    guard let refused = rejection.refusedBearerToken else { return .giveUp }
    let environment = TokenRequestEnvironment(context)
    let token = try await loaded(orThrow: environment)
    if token.accessToken != refused { return .tryAgain }
    guard mayRefreshAfterRejection(environment.time.now()) else { return .giveUp }
    return try await refreshed(token, .rejected, environment).accessToken == refused ? .giveUp : .tryAgain
  }
}

/// What a process knows of a token.
struct OAuth2State {
  /// The token; `nil` as long as the store was not read or holds none.
  var token: StoredToken?
  /// How many seconds the token had left when it came to this process; `nil` when it was there from the start.
  var lifetime: TimeInterval?
  /// What the token that could not be kept is to replace in the store; `nil` when the store has the token.
  var unsavedAfter: Secret?
  /// A refresh token that the provider no longer accepts.
  var refusedRefreshToken: Secret?
  /// After a refresh has failed that can wait: when to try again.
  var nextRefresh: Date?
  /// When a rejection has last led to a refresh.
  var rejectionRefreshed: Date?
  /// Counts logins and logouts, so that a refresh that they overtook is not kept.
  var generation = 0
}

extension OAuth2: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The type's name and the token's key.
  public var description: String { "OAuth2(\(key), \(Secret.redacted))" }
  /// The same as ``description``.
  public var debugDescription: String { description }
  /// A mirror without children.
  public var customMirror: Mirror { Mirror(self, children: EmptyCollection<Mirror.Child>()) }
}

extension Authenticator where Self == OAuth2 {
  /// OAuth 2.0 for a person.
  public static func oauth2(_ credentials: OAuth2) -> OAuth2 { credentials }
}
