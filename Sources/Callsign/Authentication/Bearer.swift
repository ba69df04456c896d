import CallsignHTTP
import HTTPTypes

/// A bearer token that is given directly (RFC 6750), such as X's app-only token. It is neither fetched nor refreshed.
public struct Bearer: Authenticator {
  private let token: Secret
  private let scopes: Set<String>?

  /// The hosts that the token is for.
  public let hosts: AllowedHosts
  /// A hash of the token.
  public let identity: CredentialIdentity

  /// Keeps a token.
  ///
  /// - Parameters:
  ///   - token: The token.
  ///   - scopes: For an OAuth 2.0 token of a user, what it permits, so that it serves endpoints that accept
  ///     `oauth2(…)`. `nil`, the default: it is an app's token and serves endpoints that accept `bearer`.
  ///   - hosts: The hosts that it is for.
  public init(_ token: Secret, scopes: Set<String>? = nil, hosts: AllowedHosts = .catalogue) {
    self.token = token
    self.scopes = scopes
    self.hosts = hosts
    identity = CredentialIdentity("bearer", hashing: [token.reveal()])
  }

  /// `bearer` for an app's token, `oauth2` within its scopes for a user's.
  public func satisfies(_ requirement: AuthRequirement) -> Bool {
    guard let scopes else { return requirement.scheme == "bearer" }
    return requirement.scheme == "oauth2" && scopes.isSuperset(of: requirement.scopes)
  }

  /// Sets `Authorization: Bearer …`.
  ///
  /// - Throws: ``CallError/authorization(_:)`` when the request would travel unencrypted to another machine
  ///   (RFC 6750 §5.3), or the token is no token.
  public func authenticate(_ request: inout TransportRequest, context: AuthenticationContext) async throws(CallError) {
    let text = token.reveal()
    guard !text.isEmpty, text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
      throw .authorization(
        AuthorizationError(
          .unavailable, advice: "the bearer token is empty or has a space or line break in it; copy it again"))
    }
    try request.refuseUnencryptedCredentials("a bearer token")
    request.head.headerFields[.authorization] = "Bearer \(text)"
  }
}

extension Authenticator where Self == Bearer {
  /// A bearer token that is given directly.
  ///
  /// - Parameters:
  ///   - token: The token.
  ///   - scopes: What an OAuth 2.0 token of a user permits; `nil` for an app's token.
  public static func bearer(_ token: String, scopes: Set<String>? = nil) -> Bearer {
    Bearer(Secret(token), scopes: scopes)
  }
}

extension Rejection {
  /// The bearer token that a 401 refuses; `nil` for any other rejection.
  package var refusedBearerToken: Secret? {
    guard answer.status == .unauthorized, let field = request.head.headerFields[.authorization],
      field.hasPrefix("Bearer ")
    else { return nil }
    return Secret(String(field.dropFirst(7)))
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
