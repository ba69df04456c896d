import CallsignHTTP

/// An OAuth 2.0 provider: its endpoints and its specific rules.
///
/// ```swift
/// let provider = OAuth2Provider(
///   authorizeURL: "https://id.example/authorize", tokenURL: "https://id.example/token",
///   revokeURL: "https://id.example/revoke")
/// ```
public struct OAuth2Provider: Sendable, Hashable {
  /// A way for a confidential client to prove who it is (RFC 6749 §2.3.1).
  public enum ClientAuthentication: Sendable, Hashable {
    /// HTTP Basic, which every provider must accept.
    case basic
    /// `client_id` and `client_secret` in the body, for providers that accept nothing else.
    case body
  }

  /// An app of the provider that can ask the person instead of a web page.
  public struct AppLink: Sendable, Hashable {
    /// A URL with the app's own scheme, used to check whether the app is installed.
    public var probeURL: String
    /// The URL to open in place of the authorize URL, with the same parameters.
    public var startURL: String

    /// Describes an app.
    ///
    /// - Parameters:
    ///   - probeURL: A URL with the app's own scheme, such as `photos://`.
    ///   - startURL: The URL to open in place of the authorize URL.
    public init(probeURL: String, startURL: String) {
      self.probeURL = probeURL
      self.startURL = startURL
    }
  }

  /// How a provider exchanges OAuth 1.0a tokens for its own (RFC 8693).
  public struct OAuth1Exchange: Sendable, Hashable {
    /// The token type that the exchange sends as `subject_token_type`.
    public var kind: OAuth2SubjectToken.Kind
    /// The name of the parameter with the token's secret; `nil` if the provider wants none.
    public var secretParameter: String?

    /// Describes an exchange.
    ///
    /// - Parameters:
    ///   - kind: The token type that the exchange sends.
    ///   - secretParameter: The name of the parameter with the token's secret; `nil` if the provider wants none.
    ///     Default: `oauth_token_secret`.
    public init(kind: OAuth2SubjectToken.Kind, secretParameter: String? = "oauth_token_secret") {
      self.kind = kind
      self.secretParameter = secretParameter
    }
  }

  /// The page where the person decides (RFC 6749 §3.1).
  public var authorizeURL: String
  /// The URL that exchanges codes and refresh tokens (RFC 6749 §3.2).
  public var tokenURL: String
  /// The URL that revokes tokens (RFC 7009); `nil` if the provider has none.
  public var revokeURL: String?
  /// The provider's identifier, which must match the `iss` of a redirect (RFC 9207); `nil` if it has none.
  public var issuer: String?
  /// Whether all redirects of the provider contain `iss`, as its metadata promises with
  /// `authorization_response_iss_parameter_supported`. If so, a redirect without it is refused (RFC 9207 §2.4).
  /// Default: no.
  public var promisesIssuer: Bool
  /// How a confidential client proves its identity. Default: HTTP Basic.
  public var clientAuthentication: ClientAuthentication
  /// The provider's app, if there is one.
  public var appLink: AppLink?
  /// The hosts that its tokens are for. Default: those of the called API's catalogue.
  public var hosts: AllowedHosts
  /// The service of its tokens' keys in a ``TokenStore``; `nil`, the default, stands for the host of ``tokenURL``.
  ///
  /// If one host has several tenants that differ only in the path, such as the realms of Keycloak, give each a
  /// different service. Otherwise the same client's tokens for two tenants overwrite each other.
  public var service: String?
  /// How the provider exchanges OAuth 1.0a tokens; `nil`, the default, if it does not.
  public var oauth1Exchange: OAuth1Exchange?
  /// The longest time for a refresh, including retries. Default: three minutes, because a late response may carry the
  /// only refresh token that is valid from then on.
  ///
  /// A process that takes over from one which has ended or is suspended waits up to a quarter longer for that one's
  /// response, before it sends the same refresh token. Use the same value in all processes that share a store.
  public var refreshTimeout: Duration

  /// Describes a provider; see the properties.
  public init(
    authorizeURL: String, tokenURL: String, revokeURL: String? = nil, issuer: String? = nil,
    promisesIssuer: Bool = false, clientAuthentication: ClientAuthentication = .basic, appLink: AppLink? = nil,
    hosts: AllowedHosts = .catalogue, service: String? = nil, oauth1Exchange: OAuth1Exchange? = nil,
    refreshTimeout: Duration = .seconds(180)
  ) {
    self.authorizeURL = authorizeURL
    self.tokenURL = tokenURL
    self.revokeURL = revokeURL
    self.issuer = issuer
    self.promisesIssuer = promisesIssuer
    self.clientAuthentication = clientAuthentication
    self.appLink = appLink
    self.hosts = hosts
    self.service = service
    self.oauth1Exchange = oauth1Exchange
    self.refreshTimeout = refreshTimeout
  }

  /// Describes a provider without a web page, where people log in with a name and a password:
  /// ``OAuth2/logIn(username:password:scopes:configuration:)``.
  ///
  /// - Parameters:
  ///   - tokenURL: The URL that exchanges a name and a password for a token, as it is in the API's document.
  ///   - server: The base URL of the server, for a relative token URL.
  ///   - clientAuthentication: How a confidential client proves its identity. Default: HTTP Basic.
  ///   - hosts: The hosts that its tokens are for. Default: those of the called API's catalogue.
  ///   - service: The service of its tokens' keys in a ``TokenStore``; `nil`, the default, stands for the host.
  public init(
    tokenURL: String, relativeTo server: String, clientAuthentication: ClientAuthentication = .basic,
    hosts: AllowedHosts = .catalogue, service: String? = nil
  ) {
    self.init(
      authorizeURL: "", tokenURL: Self.absolute(tokenURL, at: server), clientAuthentication: clientAuthentication,
      hosts: hosts, service: service)
  }

  /// A URL from a document, which may be relative to its server (OpenAPI 3.1 §4.6). It stays as it is if it cannot be
  /// resolved. The server's path counts as that of a folder.
  package static func absolute(_ url: String, at server: String) -> String {
    guard AbsoluteURL(url) == nil, var base = AbsoluteURL(server) else { return url }
    if !base.path.hasSuffix("/") { base.path += "/" }
    base.query = nil
    return base.resolving(url)?.text ?? url
  }

  /// The service of the tokens' key in a store.
  var tokenService: String { service ?? AbsoluteURL(tokenURL)?.authority ?? tokenURL }
}

/// A scope: one thing that a token of OAuth 2.0 permits (RFC 6749 §3.3), written as a string literal.
///
/// ```swift
/// let scopes: [OAuth2Scope] = ["photos.read", .offlineAccess]
/// ```
public struct OAuth2Scope: RawRepresentable, Sendable, Hashable, ExpressibleByStringLiteral, CustomStringConvertible {
  /// As it is sent.
  public let rawValue: String

  /// Names a scope as it is sent.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Names a scope as it is sent.
  public init(stringLiteral value: String) { self.init(rawValue: value) }

  /// As it is sent.
  public var description: String { rawValue.printable }

  /// Visible characters other than quotation mark and backslash (RFC 6749 §3.3).
  var isValid: Bool {
    !rawValue.isEmpty
      && rawValue.utf8.allSatisfy {
        (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\")
      }
  }
}

extension OAuth2Scope {
  /// A refresh token, so that the login lasts beyond the first access token: `offline.access`, as some providers call it.
  public static let offlineAccess: Self = "offline.access"
}
