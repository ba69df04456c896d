import Callsign
import CallsignHTTP
import Foundation
import HTTPTypes

/// An app's bearer token, had for its consumer key and secret (X's application-only authentication, which is the client
/// credentials grant of RFC 6749 §4.4).
///
/// ```swift
/// let x = XAPI(auth: .appOnly(AppOnly(consumerKey: "…", consumerSecret: "…")))
/// ```
///
/// The token is asked for once, however many calls wait for it, and kept in the store. When the API refuses it, another
/// is asked for, once. A token that is there already is a ``Bearer``.
///
/// <https://docs.x.com/fundamentals/authentication/oauth-2-0/application-only>
public final class AppOnly: Authenticator {
  /// Where the tokens come from.
  public struct Provider: Sendable, Hashable {
    /// Where a token is asked for.
    public var tokenURL: String
    /// Where it is given back; `nil` where there is no such place.
    public var invalidateURL: String?
    /// The hosts that its tokens are for.
    public var hosts: AllowedHosts

    /// Describes a provider.
    ///
    /// - Parameters:
    ///   - tokenURL: Where a token is asked for.
    ///   - invalidateURL: Where it is given back.
    ///   - hosts: The hosts that its tokens are for; by default those of the called API's catalogue.
    public init(tokenURL: String, invalidateURL: String? = nil, hosts: AllowedHosts = .catalogue) {
      self.tokenURL = tokenURL
      self.invalidateURL = invalidateURL
      self.hosts = hosts
    }

    /// X.
    public static let x = Provider(
      tokenURL: "https://api.x.com/oauth2/token", invalidateURL: "https://api.x.com/oauth2/invalidate_token", hosts: .x)
  }

  /// The app's key.
  public let consumerKey: String
  /// Where the token is kept.
  public let key: TokenKey
  /// The hosts that the token is for.
  public let hosts: AllowedHosts
  /// The app's key.
  public let identity: CredentialIdentity

  let provider: Provider
  let store: any TokenStore
  let client: TokenClient
  let state = Locked(State())
  let fetching = SingleFlight<Result<StoredToken, CallError>>()

  struct State {
    /// The token that serves; `nil` as long as none was read or fetched.
    var token: StoredToken?
    /// When the provider gave, for a token that the API had refused, the same again.
    var fetchedInVain: Date?
  }
  /// After that, so long until the next attempt, in seconds.
  private static let pauseAfterVain: TimeInterval = 60

  /// Keeps key and secret.
  ///
  /// - Parameters:
  ///   - consumerKey: The app's key; X calls it API key.
  ///   - consumerSecret: Its secret.
  ///   - store: Keeps the token. By default it is fetched anew by each process.
  ///   - provider: Where the tokens come from; X unless another is given.
  ///   - hosts: The hosts that they are for; by default the provider's.
  public init(
    consumerKey: String, consumerSecret: Secret, store: some TokenStore = MemoryTokenStore(), provider: Provider = .x,
    hosts: AllowedHosts? = nil
  ) {
    self.consumerKey = consumerKey
    self.provider = provider
    self.store = store
    self.hosts = hosts ?? provider.hosts
    client = TokenClient(id: consumerKey, secret: consumerSecret)
    key = TokenKey(
      service: AbsoluteURL(provider.tokenURL)?.authority ?? provider.tokenURL, account: "app:\(consumerKey)")
    identity = CredentialIdentity("bearer", account: key.description)
  }

  /// `bearer`.
  public func satisfies(_ requirement: AuthRequirement) -> Bool { requirement.scheme == "bearer" }

  /// Sets `Authorization: Bearer …`, after fetching a token where there is none.
  ///
  /// - Throws: ``CallError/authorization(_:)`` when key and secret are refused or the token cannot be kept,
  ///   ``CallError/transport(_:)`` when the provider cannot be reached.
  public func authenticate(_ request: inout TransportRequest, context: AuthenticationContext) async throws(CallError) {
    try request.refuseUnencryptedCredentials("a bearer token")
    let environment = TokenRequestEnvironment(context)
    let current = state.withLock { $0.token }
    let isFresh = current?.isFresh(environment.time.now()) ?? false
    let token =
      if let current, isFresh { current } else { try await fetched(replacing: current?.accessToken, environment) }
    request.head.headerFields[.authorization] = "Bearer \(token.accessToken.reveal())"
  }

  /// After a 401, fetches another token unless that has been done already since the request was sent.
  ///
  /// - Throws: What ``authenticate(_:context:)`` throws.
  public func rejected(
    _ rejection: Rejection, context: AuthenticationContext
  ) async throws(CallError) -> RejectionRecovery {
    guard let refused = rejection.refusedBearerToken else { return .giveUp }
    let (current, fetchedInVain) = state.withLock { ($0.token, $0.fetchedInVain) }
    if let current, current.accessToken != refused { return .tryAgain }
    let now = context.time.now()
    if let fetchedInVain, abs(now.timeIntervalSince(fetchedInVain)) < Self.pauseAfterVain { return .giveUp }
    let next = try await fetched(replacing: refused, TokenRequestEnvironment(context))
    guard next.accessToken == refused else { return .tryAgain }
    // X gives the same token until it is invalidated: then it is not the token that is wrong.
    state.withLock { $0.fetchedInVain = now }
    return .giveUp
  }
}

extension StoredToken {
  /// Whether an app's token will not expire on its way, within half a minute.
  func isFresh(_ now: Date) -> Bool { expires.map { now < $0 - 30 } ?? true }
}

extension AppOnly: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The type's name and the app's key.
  public var description: String { "AppOnly(\(key), \(Secret.redacted))" }
  /// The same as ``description``.
  public var debugDescription: String { description }
  /// A mirror without children.
  public var customMirror: Mirror { Mirror(self, children: EmptyCollection<Mirror.Child>()) }
}

extension Authenticator where Self == AppOnly {
  /// An app's bearer token, had for its consumer key and secret.
  public static func appOnly(_ credentials: AppOnly) -> AppOnly { credentials }
}
