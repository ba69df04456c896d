import CallsignHTTP
import HTTPTypes

/// Carries the tokens of a ``TokenSource`` as bearer tokens (RFC 6750), or one that is given directly.
///
/// ```swift
/// let given = Client(auth: .bearer("…"))
/// let fetched = Client(auth: Bearer(source, identity: CredentialIdentity("bearer", account: "vault")))
/// ```
public struct Bearer: Authenticator, TokenSource {
  private let source: any TokenSource
  private let scopes: Set<String>?

  /// The hosts that the tokens are for.
  public let hosts: AllowedHosts
  /// A hash of the token, or the name that the source's user gave it.
  public let identity: CredentialIdentity

  /// Keeps a token, which is neither fetched nor refreshed.
  ///
  /// - Parameters:
  ///   - token: The token.
  ///   - scopes: For an OAuth 2.0 token of a user, what it permits, so that it serves endpoints that accept
  ///     `oauth2(…)`. `nil`, the default: it is an app's token and serves endpoints that accept `bearer`.
  ///   - hosts: The hosts that it is for.
  public init(_ token: Secret, scopes: Set<String>? = nil, hosts: AllowedHosts = .catalogue) {
    self.init(
      FixedToken(token: AccessToken(token)), scopes: scopes, hosts: hosts,
      identity: CredentialIdentity("bearer", hashing: [token.reveal()]))
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

extension Authenticator where Self == Bearer {
  /// A bearer token that is given directly.
  ///
  /// - Parameters:
  ///   - token: The token.
  ///   - scopes: The scopes of a user's OAuth 2.0 token; `nil` for an app's token.
  public static func bearer(_ token: String, scopes: Set<String>? = nil) -> Bearer {
    Bearer(Secret(token), scopes: scopes)
  }
}

extension TransportRequest {
  /// Refuses to put on a request what anyone on its way could read and use.
  package func refuseUnencryptedCredentials(_ what: String) throws(CallError) {
    let url = AbsoluteURL("\(head.scheme ?? "")://\(head.authority ?? "")")
    if url?.scheme == "https" || url?.isLoopback == true { return }
    throw .authorization(
      AuthorizationError(
        .insecure(host: url?.host ?? ""),
        advice: "\(what) would travel unencrypted; use an https URL, or a host of this machine for tests"))
  }
}
