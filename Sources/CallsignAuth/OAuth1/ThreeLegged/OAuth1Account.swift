import Callsign
import CallsignHTTP

/// OAuth 1.0a with the token of an account that a ``TokenStore`` keeps.
///
/// ```swift
/// let account = OAuth1Account(.x, consumerKey: "…", consumerSecret: "…", store: store)
/// if try await !account.isAuthorized { try await account.save(try await authorization.complete(pin: pin)) }
/// let client = Client(auth: account)
/// ```
///
/// The store is asked for every attempt, so that a login or logout by another value, or in another process, takes effect
/// at once.
public struct OAuth1Account: Authenticator {
  /// What the token is kept under.
  public let key: TokenKey
  /// The hosts that the credentials are for.
  public let hosts: AllowedHosts
  /// The key, which is no secret.
  public let identity: CredentialIdentity

  let provider: OAuth1Provider
  let consumerKey: String
  let consumerSecret: Secret
  let store: any TokenStore
  let clock: OAuth1Clock
  /// Signs for the app alone.
  private let consumer: OAuth1
  /// The last token, with what signs for it.
  let signing = Locked<(token: OAuth1Token, credentials: OAuth1)?>(nil)

  /// Names an account, which need not have a token yet.
  ///
  /// - Parameters:
  ///   - provider: Whose account.
  ///   - consumerKey: The app's identifier.
  ///   - consumerSecret: The app's secret.
  ///   - store: What keeps the token.
  ///   - account: The account's name in the store, in the app's own words.
  ///   - hosts: The hosts that the credentials are for; by default the provider's ``OAuth1Provider/hosts``.
  public init(
    _ provider: OAuth1Provider, consumerKey: String, consumerSecret: Secret, store: any TokenStore,
    account: String = "default", hosts: AllowedHosts? = nil
  ) {
    let hosts = hosts ?? provider.hosts
    self.provider = provider
    self.consumerKey = consumerKey
    self.consumerSecret = consumerSecret
    self.store = store
    self.hosts = hosts
    key = TokenKey(service: provider.service, account: account)
    identity = CredentialIdentity("oauth1", account: key.description)
    consumer = OAuth1(
      consumerKey: consumerKey, consumerSecret: consumerSecret, signatureMethod: provider.signatureMethod,
      realm: provider.realm, placement: provider.placement, hosts: hosts)
    clock = consumer.clock
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
    clock.learn(from: rejection, context.time) ? .tryAgain : .giveUp
  }

  private func credentials(_ token: OAuth1Token) -> OAuth1 {
    if let known = signing.withLock({ $0 }), known.token == token { return known.credentials }
    var credentials = OAuth1(
      consumerKey: consumerKey, consumerSecret: consumerSecret, token: token, signatureMethod: provider.signatureMethod,
      realm: provider.realm, placement: provider.placement, hosts: hosts)
    credentials.clock = clock
    signing.withLock { [credentials] in $0 = (token, credentials) }
    return credentials
  }
}

extension OAuth1Account: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The type's name and the key.
  public var description: String { "OAuth1Account(\(key))" }
  /// The same as ``description``.
  public var debugDescription: String { description }
  /// A mirror without children.
  public var customMirror: Mirror { Mirror(self, children: EmptyCollection<Mirror.Child>()) }
}
