import Callsign
import CallsignHTTP
import CallsignSupport

/// Signs with the OAuth 1.0a token of an account in a ``TokenStore``; see ``OAuth1App/account(_:store:hosts:)``.
///
/// ```swift
/// let account = app.account(store: store)
/// if try await !account.isAuthorized { try await account.save(try await login.complete(pin: pin)) }
/// let client = Client(auth: account)
/// ```
///
/// Every attempt reads the store, so that a login or logout by another value, or in another process, takes effect at
/// once. While the store cannot be read, the last known token is used.
public struct OAuth1Account: Authenticator {
  /// The token's key in the store.
  public let key: TokenKey
  /// The hosts that the credentials are for.
  public let hosts: AllowedHosts
  /// A hash of the app's key.
  public var appIdentity: CredentialIdentity? { consumer.value.appIdentity }

  private let app: Reference<OAuth1App>
  private let store: any TokenStore
  /// Signs only for the app.
  private let consumer: Reference<OAuth1>
  private let signing = Locked(Signing())
  private let feed = StateFeed<TokenState>()

  /// The last token, and the read of the store that it comes from. If two reads overlap, the one that began later
  /// counts.
  private struct Signing {
    /// The token, with the value that signs for it.
    var known: (stored: StoredToken, credentials: OAuth1)?
    /// The number of reads, logins and logouts that have begun.
    private var begun = 0
    /// The latest one whose result is ``known``.
    private var settled = 0

    /// Begins a read of the store.
    ///
    /// - Returns: Its number.
    mutating func begin() -> Int {
      begun += 1
      return begun
    }

    /// Ends a read of the store.
    ///
    /// - Returns: Whether its result counts. It does not after a read that began later, or after a login or logout.
    mutating func settle(_ number: Int) -> Bool {
      guard number > settled else { return false }
      settled = number
      return true
    }

    /// Makes the results of the reads under way not count.
    mutating func overtakeReads() { settled = begin() }
  }

  init(_ app: OAuth1App, store: any TokenStore, name: String, hosts: AllowedHosts) {
    self.app = Reference(app)
    self.hosts = hosts
    key = TokenKey(service: app.provider.service, scheme: .oauth1, clientID: app.key, account: name)
    self.store = store
    consumer = Reference(app.credentials(hosts: hosts))
  }

  /// The store's place, the key, and the login that the token comes from. It changes when somebody else logs in.
  public var identity: CredentialIdentity {
    CredentialIdentity("oauth1", key, in: store.place, login: signing.withLock { $0.known?.stored.loginMark })
  }

  /// Reads the store, so that ``identity`` is that of the stored token.
  public func prepare() async {
    // An error of the store is reported when the token is needed.
    _ = try? await stored()
  }

  /// `oauth1`, and `oauth1_consumer`, which needs no token.
  public func satisfies(_ requirement: AuthRequirement) -> Bool { consumer.value.satisfies(requirement) }

  /// Signs with the account's token.
  ///
  /// - Throws: ``CallError/authorization(_:)`` if there is none, or if it cannot be read.
  public func authenticate(_ request: inout TransportRequest, context: AuthenticationContext) async throws(CallError) {
    if context.requirement?.scheme == "oauth1_consumer" {
      return try await consumer.value.authenticate(&request, context: context)
    }
    try await credentials().authenticate(&request, context: context)
  }

  /// Tries again if the clock was at fault; see ``OAuth1``.
  public func rejected(
    _ rejection: Rejection, context: AuthenticationContext
  ) async throws(CallError) -> RejectionRecovery {
    if app.value.clock.learn(from: rejection, app.value.provider.errorCodes, context.time) { return .tryAgain }
    let error = APIError(rawResponse: rejection.rawResponse)
    if app.value.provider.errorCodes.means(error, \.unknownToken),
      let sent = rejection.request.oauth1Parameter("oauth_token")
    {
      signing.withLock { signing in
        // A response about the previous token does not apply to a newer login.
        guard let token = signing.known?.stored.accessToken, sent == PercentEncoding.encode(token.reveal()) else {
          return
        }
        feed.send(.lost(.authorization(AuthorizationError(.refused, advice: "log in again", response: error))))
      }
    }
    return .giveUp
  }

  /// Signs with the currently stored token.
  ///
  /// - Throws: ``CallError/authorization(_:)`` if there is none, or if the store cannot be read.
  package func credentials() async throws(CallError) -> OAuth1 {
    let known: (stored: StoredToken, credentials: OAuth1)?
    do throws(TokenStoreError) { known = try await self.known() } catch {
      if error.reason == .cancelled { throw .cancelled }
      // The known token is used until the store can be read again.
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

  /// The currently stored token, if it was issued to this app.
  private func stored() async throws(TokenStoreError) -> StoredToken? { try await known()?.stored }

  /// The same with the value that signs for it.
  private func known() async throws(TokenStoreError) -> (stored: StoredToken, credentials: OAuth1)? {
    let number = signing.withLock { $0.begin() }
    let loaded = try await store.load(key)?.token
    return signing.withLock { signing in
      if signing.settle(number) { note(loaded, in: &signing) }
      return signing.known
    }
  }

  /// Keeps what is stored as the last known token.
  private func note(_ stored: StoredToken?, in signing: inout Signing) {
    guard let stored, stored.clientID == nil || stored.clientID == app.value.key, let token = OAuth1Token(stored) else {
      signing.known = nil
      feed.send(.signedOut)
      return
    }
    if signing.known?.stored == stored { return }
    signing.known = (stored: stored, credentials: app.value.credentials(token, hosts: hosts))
    if isOver(token) {
      feed.send(.lost(.authorization(AuthorizationError(.refused, advice: "the token has expired; log in again"))))
    } else {
      feed.send(.valid(expires: token.expires))
    }
  }

  /// Keeps what is stored while this value holds the lease, whatever the reads under way have found.
  private func noteChange(_ stored: StoredToken?) {
    signing.withLock { signing in
      signing.overtakeReads()
      note(stored, in: &signing)
    }
  }
}

extension OAuth1Account: RedactedStringConvertible {
  /// The type's name and the key.
  public var description: String { "OAuth1Account(\(key))" }
}

extension OAuth1Account {
  /// Whether there is a token for this account and app that has not expired. Only a call can find out whether the
  /// provider still accepts it.
  public var isAuthorized: Bool {
    get async throws(TokenStoreError) { try await token().map { !isOver($0) } ?? false }
  }

  /// Whether the provider's stated lifetime is over.
  private func isOver(_ token: OAuth1Token) -> Bool {
    token.expires.map { $0 <= app.value.configuration.time.now() } ?? false
  }

  /// The token; `nil` if there is none, if it is of another kind, or if it was issued to another app.
  ///
  /// - Throws: ``TokenStoreError`` if the store cannot be read.
  public func token() async throws(TokenStoreError) -> OAuth1Token? { try await stored().flatMap(OAuth1Token.init) }

  /// Reads the token again. OAuth 1.0 does not renew tokens, so there is nothing to request from the provider: the next
  /// token comes from a login, here or in another process.
  ///
  /// - Throws: ``TokenStoreError`` if the store cannot be read.
  @discardableResult
  public func refresh() async throws(TokenStoreError) -> OAuth1Token? { try await token() }

  /// The states of the login as this value and its copies learn of them, the present one first: there is a token, there
  /// is none, or the API no longer accepts it.
  public var states: AsyncStream<TokenState> {
    let stream = feed.stream()
    Task { await prepare() }
    return stream
  }

  /// Saves the token of a login in place of any existing one.
  ///
  /// - Throws: ``TokenStoreError`` if the token cannot be saved.
  public func save(_ token: OAuth1Token) async throws(TokenStoreError) {
    var stored = token.stored(consumerKey: app.value.key)
    do throws(CryptographyError) { stored.login = try SecureRandom.nonce() } catch {
      throw TokenStoreError(.system, advice: "\(error); check the system's random source")
    }
    let new = stored
    try await store.withLease(key) { (lease) throws(TokenStoreError) in
      _ = try await store.save(new, replacing: .any, under: lease)
      noteChange(new)
    }
  }

  /// Deletes the token. The provider still accepts it; see ``invalidate(configuration:)``.
  ///
  /// - Throws: ``TokenStoreError`` if the token cannot be deleted.
  public func deauthorize() async throws(TokenStoreError) {
    try await store.withLease(key) { (lease) throws(TokenStoreError) in
      try await store.delete(.any, under: lease)
      noteChange(nil)
    }
  }

  /// Invalidates the token at the provider, and deletes it. Nothing happens if there is none.
  ///
  /// - Parameter configuration: Transport, timeouts, hosts, logging; by default the app's.
  /// - Throws: ``LoginError``. The token is then still stored, and you can try again. It is not an error if the
  ///   provider no longer knew the token.
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
        let loaded = try await store.load(key)
        // Somebody else may have logged in in the meantime; their token must not be deleted.
        guard let loaded, loaded.token.accessToken == stored.accessToken else { return noteChange(loaded?.token) }
        try await store.delete(.version(loaded.version), under: lease)
        noteChange(nil)
      }
    } catch { throw LoginError(error) }
  }
}

extension OAuth1App {
  /// Whether a refusal means that the token is unknown, expired or already invalidated.
  fileprivate func isForgotten(_ error: LoginError) -> Bool {
    if case .refused(let code, _) = error {
      return ["token_revoked", "token_rejected", "token_expired"].contains(code)
    }
    return error.refusal.map { provider.errorCodes.means($0, \.unknownToken) } ?? false
  }
}
