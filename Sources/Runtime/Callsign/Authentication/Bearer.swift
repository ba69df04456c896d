import CallsignHTTP
import CallsignSupport
import HTTPTypes

/// Sends bearer tokens (RFC 6750): a fixed one, those that a closure returns, or those of a ``TokenSource``.
///
/// ```swift
/// let given = Client(auth: .bearer("…"))                                // an app's own token
/// let users = Client(auth: .userToken("…", scopes: ["photos.read"]))    // a user's token of OAuth 2.0
/// let fetched = Client(auth: Bearer { try await vault.secret("api-token") })
/// ```
public struct Bearer: Authenticator, TokenSource {
  private let source: any TokenSource
  private let scopes: Set<String>?

  /// The hosts that the tokens are for.
  public let hosts: AllowedHosts
  /// A hash of the token, or the name that the source's user gave it.
  public let identity: CredentialIdentity

  /// Holds a fixed token, which is neither fetched nor refreshed.
  ///
  /// - Parameters:
  ///   - token: The token.
  ///   - scopes: The scopes of a user's OAuth 2.0 token, which is used for endpoints that accept `oauth2(…)`. `nil`,
  ///     the default: it is an app's token, for endpoints that accept `bearer`.
  ///   - hosts: The hosts that it is for.
  public init(_ token: any SecretConvertible, scopes: Set<String>? = nil, hosts: AllowedHosts = .catalogue) {
    let token = Secret(token)
    self.init(
      FixedToken(token: AccessToken(token)), scopes: scopes, hosts: hosts,
      identity: CredentialIdentity("bearer", hashing: [token.reveal()]))
  }

  /// Sends the tokens that a closure returns, such as those of a vault.
  ///
  /// - Parameters:
  ///   - scopes: The scopes of users' tokens; `nil`, the default, for an app's tokens.
  ///   - hosts: The hosts that they are for.
  ///   - identity: Distinguishes these credentials from others. By default it is unique, so that caches and rate limits
  ///     belong only to this value and its copies. If one closure returns the tokens of different users, make a value
  ///     for each user.
  ///   - token: Returns a token that is valid now. It is called for every attempt, and once more after a refusal. If it
  ///     is slow, it should keep the token itself. An error that it throws ends the call; if that is not a
  ///     ``CallError``, only the name of its type is shown.
  public init(
    scopes: Set<String>? = nil, hosts: AllowedHosts = .catalogue, identity: CredentialIdentity? = nil,
    token: @escaping @Sendable () async throws -> Secret
  ) {
    self.init(
      ClosureSource(fetch: token), scopes: scopes, hosts: hosts,
      identity: identity ?? CredentialIdentity("bearer", account: "closure \(UUID().uuidString)"))
  }

  /// Carries the tokens of a source.
  ///
  /// - Parameters:
  ///   - source: Gives the tokens.
  ///   - scopes: For tokens of users, what they permit; `nil`, the default, for an app's.
  ///   - hosts: The hosts that they are for.
  ///   - identity: Tells the credentials from others.
  public init(
    _ source: some TokenSource, scopes: Set<String>? = nil, hosts: AllowedHosts = .catalogue,
    identity: CredentialIdentity
  ) {
    self.source = source
    self.scopes = scopes
    self.hosts = hosts
    self.identity = identity
  }

  /// `bearer` for an app's token, `oauth2` within its scopes for a user's.
  public func satisfies(_ requirement: AuthRequirement) -> Bool {
    guard let scopes else { return requirement.scheme == "bearer" }
    return requirement.scheme == "oauth2" && scopes.isSuperset(of: requirement.scopes)
  }

  /// The source's token.
  public func token(_ context: AuthenticationContext) async throws(CallError) -> AccessToken {
    try await source.token(context)
  }

  /// The source's next token.
  public func token(after refused: Secret, _ context: AuthenticationContext) async throws(CallError) -> AccessToken? {
    try await source.token(after: refused, context)
  }
}

/// Always the same token.
private struct FixedToken: TokenSource {
  let token: AccessToken

  func token(_ context: AuthenticationContext) async throws(CallError) -> AccessToken { token }
}

/// The tokens of a closure.
private struct ClosureSource: TokenSource {
  let fetch: @Sendable () async throws -> Secret

  func token(_ context: AuthenticationContext) async throws(CallError) -> AccessToken { try await fetched() }

  func token(after refused: Secret, _ context: AuthenticationContext) async throws(CallError) -> AccessToken? {
    let next = try await fetched()
    return next.value == refused ? nil : next
  }

  private func fetched() async throws(CallError) -> AccessToken {
    do { return AccessToken(try await fetch()) } catch let error as CallError {
      throw error
    } catch is CancellationError {
      throw .cancelled
    } catch {
      throw .authorization(
        AuthorizationError(
          .unavailable,
          advice:
            "the closure that gives the bearer token failed with \(type(of: error)); check that closure"))
    }
  }
}

/// The scopes that a token permits (RFC 6749 §3.3).
public enum TokenScopes: Sendable, Hashable, ExpressibleByArrayLiteral {
  /// Any that an endpoint may need, as far as this program knows: the API decides.
  case all
  /// These.
  case only(Set<String>)

  /// These.
  public init(arrayLiteral elements: String...) { self = .only(Set(elements)) }

  /// Whether they cover all that is needed.
  func cover(_ needed: [String]) -> Bool {
    switch self {
    case .all: true
    case .only(let scopes): scopes.isSuperset(of: needed)
    }
  }
}

/// An access token of OAuth 2.0 that acts for a user and is simply there: from another program, a test, or a developer's
/// page. It is neither refreshed nor kept; an account that lives on a store is an `OAuth2`.
public struct UserToken: Authenticator, TokenSource {
  /// The scopes that the token permits.
  public let scopes: TokenScopes
  /// When the token expires; `nil` if unknown.
  public let expires: Date?
  /// The hosts that it is for.
  public let hosts: AllowedHosts
  /// A hash of the token.
  public let identity: CredentialIdentity
  private let value: Secret
  private let expiryAdvice: String

  /// Keeps a token.
  ///
  /// - Parameters:
  ///   - token: The token.
  ///   - scopes: The scopes that it permits. Default: all that an endpoint may need.
  ///   - expires: When it stops being accepted: calls after that fail before they are sent. `nil`: the API decides.
  ///   - hosts: The hosts that it is for.
  public init(
    _ token: any SecretConvertible, scopes: TokenScopes = .all, expires: Date? = nil, hosts: AllowedHosts = .catalogue
  ) {
    self.init(
      Secret(token), scopes: scopes, expires: expires, hosts: hosts,
      expiryAdvice: "get a new one from its source")
  }

  /// Keeps a token of a program that has its own way to renew it.
  package init(
    _ token: Secret, scopes: TokenScopes = .all, expires: Date?, hosts: AllowedHosts, expiryAdvice: String
  ) {
    value = token
    self.expiryAdvice = expiryAdvice
    self.scopes = scopes
    self.expires = expires
    self.hosts = hosts
    identity = CredentialIdentity("oauth2", hashing: [token.reveal()])
  }

  /// `oauth2`, within its scopes.
  public func satisfies(_ requirement: AuthRequirement) -> Bool {
    requirement.scheme == "oauth2" && scopes.cover(requirement.scopes)
  }

  /// The token.
  ///
  /// - Throws: ``CallError/authorization(_:)`` when it has expired.
  public func token(_ context: AuthenticationContext) async throws(CallError) -> AccessToken {
    if let expires, expires <= context.time.now() {
      throw .authorization(
        AuthorizationError(.unavailable, advice: "the access token has expired; \(expiryAdvice)"))
    }
    let known: Set<String>? = if case .only(let scopes) = scopes { scopes } else { nil }
    return AccessToken(value, scopes: known, expires: expires)
  }
}

extension UserToken: RedactedStringConvertible {}

extension Authenticator where Self == UserToken {
  /// An access token of OAuth 2.0 that acts for a user and is simply there.
  ///
  /// - Parameters:
  ///   - token: The token.
  ///   - scopes: The scopes that it permits. Default: all that an endpoint may need.
  ///   - hosts: The hosts that it is for.
  public static func userToken(
    _ token: any SecretConvertible, scopes: TokenScopes = .all, hosts: AllowedHosts = .catalogue
  ) -> UserToken { UserToken(token, scopes: scopes, hosts: hosts) }
}

extension Authenticator where Self == Bearer {
  /// A bearer token that is given directly.
  ///
  /// - Parameters:
  ///   - token: The token.
  ///   - scopes: The scopes of a user's OAuth 2.0 token; `nil` for an app's token.
  public static func bearer(_ token: any SecretConvertible, scopes: Set<String>? = nil) -> Bearer {
    Bearer(token, scopes: scopes)
  }
}

extension TransportRequest {
  /// Refuses to put on a request what anyone on its way could read and use.
  package func refuseUnencryptedCredentials(_ what: String) throws(CallError) {
    if url.scheme == "https" || url.isLoopback { return }
    throw .authorization(
      AuthorizationError(
        .insecure(host: url.host),
        advice: "\(what) would travel unencrypted; use an https URL, or a host of this machine for tests"))
  }
}
