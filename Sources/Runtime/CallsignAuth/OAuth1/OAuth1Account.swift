import Callsign
import CallsignHTTP
import CallsignSupport

/// OAuth 1.0a with the token of an account that a ``TokenStore`` keeps; see ``OAuth1App/account(_:store:hosts:)``.
///
/// ```swift
/// let account = app.account(store: store)
/// if try await !account.isAuthorized { try await account.save(try await login.complete(pin: pin)) }
/// let client = Client(auth: account)
/// ```
///
/// The store is asked for every attempt, so that a login or logout by another value, or in another process, takes effect
/// at once. While it cannot be asked, the token that it had last serves.
public struct OAuth1Account: Authenticator {
  /// The token's key in the store.
  public let key: TokenKey
  /// The hosts that the credentials are for.
  public let hosts: AllowedHosts
  /// A hash of the app's key.
  public var appIdentity: CredentialIdentity? { consumer.value.appIdentity }

  private let app: Reference<OAuth1App>
  private let store: any TokenStore
  /// Signs for the app alone.
  private let consumer: Reference<OAuth1>
  private let signing = Locked(Signing())
  private let feed = StateFeed<TokenState>()

  /// The last token, and which look at the store it comes from: of two looks that overlap, the one that began later counts.
  private struct Signing {
    /// The token, with what signs for it.
    var known: (stored: StoredToken, credentials: OAuth1)?
    /// The number of looks and logouts that have begun.
    private var begun = 0
    /// The latest whose result is ``known``.
    private var settled = 0

    /// Begins a look at the store.
    ///
    /// - Returns: Its number.
    mutating func begin() -> Int {
      begun += 1
      return begun
    }

    /// Ends a look at the store.
    ///
    /// - Returns: Whether its result counts: not after one that began later, or after a logout.
    mutating func settle(_ number: Int) -> Bool {
      guard number > settled else { return false }
      settled = number
      return true
    }

    /// The token has been forgotten, whatever looks that are under way have seen.
    mutating func forget() {
      settled = begin()
      known = nil
    }
  }

  init(_ app: OAuth1App, store: any TokenStore, name: String, hosts: AllowedHosts) {
    self.app = Reference(app)
    self.hosts = hosts
    key = TokenKey(service: app.provider.service, scheme: .oauth1, clientID: app.key, account: name)
    self.store = store
    consumer = Reference(app.credentials(hosts: hosts))
  }

  /// The store's place, the key, and the login that the token comes from: it is another one when somebody else has
  /// logged in.
  public var identity: CredentialIdentity {
    CredentialIdentity("oauth1", key, in: store.place, login: signing.withLock { $0.known?.stored.loginMark })
  }

  /// Reads the store, so that ``identity`` is that of the token which is there.
  public func prepare() async {
    // A fault of the store is told when the token is needed.
    _ = try? await stored()
  }

  /// `oauth1`, and `oauth1_consumer`, for which no token is needed.
  public func satisfies(_ requirement: AuthRequirement) -> Bool { consumer.value.satisfies(requirement) }

  /// Signs with the account's token.
  ///
  /// - Throws: ``CallError/authorization(_:)`` when there is none, or it cannot be read.
  public func authenticate(_ request: inout TransportRequest, context: AuthenticationContext) async throws(CallError) {
    if context.requirement?.scheme == "oauth1_consumer" {
      return try await consumer.value.authenticate(&request, context: context)
    }
    try await credentials().authenticate(&request, context: context)
  }

  /// Tries again where the clock was at fault; see ``OAuth1``.
  public func rejected(
    _ rejection: Rejection, context: AuthenticationContext
  ) async throws(CallError) -> RejectionRecovery {
    if app.value.clock.learn(from: rejection, app.value.provider.errorCodes, context.time) { return .tryAgain }
    let error = APIError(rawResponse: rejection.rawResponse)
    if app.value.provider.errorCodes.means(error, \.unknownToken),
      let sent = rejection.request.oauth1Parameter("oauth_token")
    {
      signing.withLock { signing in
        // A response about the token of before says nothing of a login that has come since.
        guard let token = signing.known?.stored.accessToken, sent == PercentEncoding.encode(token.reveal()) else {
          return
        }
        feed.send(.lost(.authorization(AuthorizationError(.refused, advice: "log in again", response: error))))
      }
    }
    return .giveUp
  }

  /// Signs with the token that the store has now.
  ///
  /// - Throws: ``CallError/authorization(_:)`` when there is none, or the store cannot be read.
  package func credentials() async throws(CallError) -> OAuth1 {
    let known: (stored: StoredToken, credentials: OAuth1)?
    do throws(TokenStoreError) { known = try await self.known() } catch {
      if error.reason == .cancelled { throw .cancelled }
      // What was known serves until the store can be asked again.
      if !error.isAboutUnreadableToken, let known = signing.withLock({ $0.known }) { return known.credentials }
      throw .authorization(AuthorizationError(.unavailable, advice: error.advice, mayPass: error.mayPass))
    }
    guard let known else {
      throw .authorization(
        AuthorizationError(
          .unavailable, advice: "the store has no token of this app under \(key); log in, and save what it comes to"))
    }
    return known.credentials
  }

  /// The token that the store has now, if it is one of this app's.
  private func stored() async throws(TokenStoreError) -> StoredToken? { try await known()?.stored }

  /// The same with what signs for it.
  private func known() async throws(TokenStoreError) -> (stored: StoredToken, credentials: OAuth1)? {
    let number = signing.withLock { $0.begin() }
    let loaded = try await store.load(key)?.token
    return signing.withLock { signing -> (stored: StoredToken, credentials: OAuth1)? in
      guard signing.settle(number) else { return signing.known }
      guard let loaded, loaded.clientID == nil || loaded.clientID == app.value.key, let token = OAuth1Token(loaded)
      else {
        signing.known = nil
        feed.send(.signedOut)
        return nil
      }
      if let known = signing.known, known.stored == loaded { return known }
      let known = (stored: loaded, credentials: app.value.credentials(token, hosts: hosts))
      signing.known = known
      if isOver(token) {
        feed.send(.lost(.authorization(AuthorizationError(.refused, advice: "the token has expired; log in again"))))
      } else {
        feed.send(.valid(expires: token.expires))
      }
      return known
    }
  }
}

extension OAuth1Account: RedactedStringConvertible {
  /// The type's name and the key.
  public var description: String { "OAuth1Account(\(key))" }
}

extension OAuth1Account {
  /// Whether there is a token for this account and app that has not expired. Whether the provider still accepts it, only a
  /// call can tell.
  public var isAuthorized: Bool {
    get async throws(TokenStoreError) { try await token().map { !isOver($0) } ?? false }
  }

  /// Whether the time is over that the provider named.
  private func isOver(_ token: OAuth1Token) -> Bool {
    token.expires.map { $0 <= app.value.configuration.time.now() } ?? false
  }

  /// The token; `nil` when there is none, or it is of another kind or was issued to another app.
  ///
  /// - Throws: ``TokenStoreError`` when the store cannot be read.
  public func token() async throws(TokenStoreError) -> OAuth1Token? { try await stored().flatMap(OAuth1Token.init) }

  /// Reads the token anew. OAuth 1.0 renews no token, so there is nothing to ask the provider for: the next one comes from a
  /// login, here or in another process.
  ///
  /// - Throws: ``TokenStoreError`` when the store cannot be read.
  @discardableResult
  public func refresh() async throws(TokenStoreError) -> OAuth1Token? { try await token() }

  /// The states of the login as this value and its copies get to know them, the present one first: there is a token, there
  /// is none, or the API does not accept it any more.
  public var states: AsyncStream<TokenState> {
    let stream = feed.stream()
    Task { await prepare() }
    return stream
  }

  /// Keeps the token of a login, in place of the one that may be there.
  ///
  /// - Throws: ``TokenStoreError`` when the token cannot be kept, or the store cannot be read after it.
  public func save(_ token: OAuth1Token) async throws(TokenStoreError) {
    var stored = token.stored(consumerKey: app.value.key)
    do throws(CryptographyError) { stored.login = try SecureRandom.nonce() } catch {
      throw TokenStoreError(.system, advice: "\(error); check the system's random source")
    }
    let new = stored
    try await store.withLease(key) { (lease) throws(TokenStoreError) in
      _ = try await store.save(new, replacing: .any, under: lease)
    }
    _ = try await self.stored()
  }

  /// Forgets the token. The provider still accepts it; see ``invalidate(configuration:)``.
  ///
  /// - Throws: ``TokenStoreError`` when the token cannot be deleted.
  public func deauthorize() async throws(TokenStoreError) {
    try await store.withLease(key) { (lease) throws(TokenStoreError) in
      try await store.delete(.any, under: lease)
      signing.withLock { signing in
        signing.forget()
        feed.send(.signedOut)
      }
    }
  }

  /// Makes the token invalid at the provider, and forgets it. Nothing happens when there is none.
  ///
  /// - Parameter configuration: Transport, timeouts, hosts, logging; by default the app's.
  /// - Throws: ``LoginError``; then the token is still there, and this can be tried again. That the provider did not know it
  ///   any more is no error.
  public func invalidate(configuration: ClientConfiguration? = nil) async throws(LoginError) {
    guard let url = app.value.provider.invalidateTokenURL else {
      throw .invalidSetup(
        "the provider has no invalidate endpoint; call deauthorize(), and revoke the app in its settings")
    }
    let stored: StoredToken?
    do throws(TokenStoreError) { stored = try await self.stored() } catch { throw LoginError(error) }
    guard let stored, let token = OAuth1Token(stored) else { return }
    var app = app.value
    if let configuration { app.configuration = configuration }
    do throws(LoginError) { _ = try await app.request("oauth/invalidate_token", at: url, token: token) } catch {
      guard app.isForgotten(error) else { throw error }
    }
    do throws(TokenStoreError) {
      try await store.withLease(key) { (lease) throws(TokenStoreError) in
        // Another may have logged in meanwhile; theirs is not to be forgotten.
        guard let loaded = try await store.load(key), loaded.token.accessToken == stored.accessToken else {
          return
        }
        try await store.delete(.version(loaded.version), under: lease)
      }
      _ = try await self.stored()
    } catch { throw LoginError(error) }
  }
}

extension OAuth1App {
  /// Whether a refusal says that the token is not known any more, expired or was made invalid before.
  fileprivate func isForgotten(_ error: LoginError) -> Bool {
    if case .refused(let code, _) = error {
      return ["token_revoked", "token_rejected", "token_expired"].contains(code)
    }
    return error.refusal.map { provider.errorCodes.means($0, \.unknownToken) } ?? false
  }
}
