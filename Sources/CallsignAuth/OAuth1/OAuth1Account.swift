import Callsign
import CallsignHTTP

/// OAuth 1.0a with the token of an account that a ``TokenStore`` keeps; see ``OAuth1App/account(_:store:hosts:)``.
///
/// ```swift
/// let account = app.account(store: store)
/// if try await !account.isAuthorized { try await account.save(try await login.complete(pin: pin)) }
/// let client = Client(auth: account)
/// ```
///
/// The store is asked for every attempt, so that a login or logout by another value, or in another process, takes effect
/// at once.
public struct OAuth1Account: Authenticator {
  /// The token's key in the store.
  public let key: TokenKey
  /// The hosts that the credentials are for.
  public let hosts: AllowedHosts
  /// The key, which is no secret.
  public let identity: CredentialIdentity
  /// A hash of the app's key.
  public var appIdentity: CredentialIdentity? { consumer.appIdentity }

  private let app: OAuth1App
  private let store: any TokenStore
  /// Signs for the app alone.
  private let consumer: OAuth1
  /// The last token, with what signs for it.
  private let signing = Locked<(token: OAuth1Token, credentials: OAuth1)?>(nil)

  init(_ app: OAuth1App, store: any TokenStore, name: String, hosts: AllowedHosts) {
    self.app = app
    self.store = store
    self.hosts = hosts
    key = TokenKey(service: app.provider.service, account: name)
    identity = CredentialIdentity("oauth1", account: key.description)
    consumer = app.credentials(hosts: hosts)
  }

  /// `oauth1`, and `oauth1_consumer`, for which no token is needed.
  public func satisfies(_ requirement: AuthRequirement) -> Bool { consumer.satisfies(requirement) }

  /// Signs with the account's token.
  ///
  /// - Throws: ``CallError/authorization(_:)`` when there is none, or the store cannot be read.
  public func authenticate(_ request: inout TransportRequest, context: AuthenticationContext) async throws(CallError) {
    if context.requirement?.scheme == "oauth1_consumer" {
      return try await consumer.authenticate(&request, context: context)
    }
    let token: OAuth1Token?
    do throws(TokenStoreError) { token = try await self.token() } catch {
      throw .authorization(AuthorizationError(.unavailable, advice: error.advice))
    }
    guard let token else {
      throw .authorization(
        AuthorizationError(
          .unavailable, advice: "the store has no token of this app under \(key); log in, and save what it comes to"))
    }
    try await credentials(token).authenticate(&request, context: context)
  }

  /// Tries again where the clock was at fault; see ``OAuth1``.
  public func rejected(
    _ rejection: Rejection, context: AuthenticationContext
  ) async throws(CallError) -> RejectionRecovery {
    app.clock.learn(from: rejection, context.time) ? .tryAgain : .giveUp
  }

  private func credentials(_ token: OAuth1Token) -> OAuth1 {
    if let known = signing.withLock({ $0 }), known.token == token { return known.credentials }
    let credentials = app.credentials(token, hosts: hosts)
    signing.withLock { $0 = (token, credentials) }
    return credentials
  }
}

extension OAuth1Account: RedactedStringConvertible {
  /// The type's name and the key.
  public var description: String { "OAuth1Account(\(key))" }
}

extension OAuth1Account {
  /// Whether there is a token for this account and app. Whether the provider still accepts it, only a call can tell.
  public var isAuthorized: Bool {
    get async throws(TokenStoreError) { try await token() != nil }
  }

  /// The token; `nil` when there is none, or it is of another kind or was issued to another app.
  public func token() async throws(TokenStoreError) -> OAuth1Token? {
    guard let stored = try await store.load(key), stored.clientID == nil || stored.clientID == app.key else {
      return nil
    }
    return OAuth1Token(stored)
  }

  /// Keeps the token of a login, in place of the one that may be there.
  public func save(_ token: OAuth1Token) async throws(TokenStoreError) {
    try await store.save(token.stored(consumerKey: app.key), for: key)
  }

  /// Forgets the token. The provider still accepts it; see ``invalidate(configuration:)``.
  public func deauthorize() async throws(TokenStoreError) {
    signing.withLock { $0 = nil }
    try await store.delete(key)
  }

  /// Makes the token invalid at the provider, and forgets it. Nothing happens when there is none.
  ///
  /// - Parameter configuration: Transport, timeouts, hosts, logging; by default the app's.
  /// - Throws: ``LoginError``; then the token is still there. That the provider did not know it any more is no error.
  public func invalidate(configuration: ClientConfiguration? = nil) async throws(LoginError) {
    guard let url = app.provider.invalidateTokenURL else {
      throw .invalidSetup(
        "the provider has no invalidate endpoint; call deauthorize(), and revoke the app in its settings")
    }
    let token: OAuth1Token?
    do throws(TokenStoreError) { token = try await self.token() } catch { throw .store(error) }
    guard let token else { return }
    var app = app
    if let configuration { app.configuration = configuration }
    do throws(LoginError) { _ = try await app.post("oauth/invalidate_token", to: url, token: token) } catch {
      // Code 89: expired or made invalid before.
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
