import CallsignHTTP

/// A provider of OAuth 2.0: its endpoints and its own rules.
///
/// ```swift
/// let provider = OAuth2Provider(
///   authorizeURL: "https://id.example/authorize", tokenURL: "https://id.example/token",
///   revokeURL: "https://id.example/revoke")
/// ```
public struct OAuth2Provider: Sendable, Hashable {
  /// A way for a confidential client to prove who it is (RFC 6749 §2.3.1).
  public enum ClientAuthentication: Sendable, Hashable {
    /// HTTP Basic, which every provider must take.
    case basic
    /// `client_id` and `client_secret` in the body, for providers that take nothing else.
    case body
  }

  /// An app of the provider's that can ask the person in place of a web page.
  public struct AppLink: Sendable, Hashable {
    /// A URL of the app's own scheme, by which one can tell whether it is installed.
    public var probeURL: String
    /// The URL to open in place of the authorize URL, with the same parameters.
    public var startURL: String

    /// Describes an app.
    ///
    /// - Parameters:
    ///   - probeURL: A URL of the app's own scheme, such as `photos://`.
    ///   - startURL: The URL to open in place of the authorize URL.
    public init(probeURL: String, startURL: String) {
      self.probeURL = probeURL
      self.startURL = startURL
    }
  }

  /// The way in which a provider takes tokens of OAuth 1.0a in exchange for its own (RFC 8693).
  public struct OAuth1Exchange: Sendable, Hashable {
    /// The kind by which such tokens are sent, `subject_token_type`.
    public var kind: OAuth2SubjectToken.Kind
    /// The name of the parameter with the token's secret; `nil` where the provider wants none.
    public var secretParameter: String?

    /// Describes an exchange.
    ///
    /// - Parameters:
    ///   - kind: The kind by which such tokens are sent.
    ///   - secretParameter: The name of the parameter with the token's secret; `nil` where the provider wants none. Default:
    ///     `oauth_token_secret`.
    public init(kind: OAuth2SubjectToken.Kind, secretParameter: String? = "oauth_token_secret") {
      self.kind = kind
      self.secretParameter = secretParameter
    }
  }

  /// The page on which the person decides (RFC 6749 §3.1).
  public var authorizeURL: String
  /// The URL at which codes and refresh tokens are exchanged (RFC 6749 §3.2).
  public var tokenURL: String
  /// The URL at which tokens are revoked (RFC 7009); `nil` where the provider has none.
  public var revokeURL: String?
  /// The provider's identifier, against which `iss` of a redirect is checked (RFC 9207); `nil` where it has none.
  public var issuer: String?
  /// Whether every redirect of the provider's names it by `iss`, as one does that says
  /// `authorization_response_iss_parameter_supported`: then a redirect without is refused (RFC 9207 §2.4). Default: no.
  public var promisesIssuer: Bool
  /// Default: HTTP Basic.
  public var clientAuthentication: ClientAuthentication
  /// The provider's app, where there is one.
  public var appLink: AppLink?
  /// The hosts that its tokens are for. Default: those of the called API's catalogue.
  public var hosts: AllowedHosts
  /// The service of its tokens' keys in a ``TokenStore``; `nil`, the default, stands for the host of ``tokenURL``.
  ///
  /// Where one host has several tenants that are told apart by the path, such as the realms of Keycloak, give each a service
  /// of its own: otherwise the same client's tokens of two tenants take each other's place.
  public var service: String?
  /// The way in which it takes tokens of OAuth 1.0a in exchange; `nil`, the default: it takes none.
  public var oauth1Exchange: OAuth1Exchange?
  /// The longest that a refresh may take, with its repetitions. Default: three minutes, since a late response may carry the
  /// only refresh token that is good from then on.
  ///
  /// A process that takes over from one which has ended or stands still waits up to a quarter longer for that one's
  /// response, before it sends the same refresh token. All processes that share a store should have the same.
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

  /// Describes a provider without a page, where people log in by name and password: ``OAuth2/logIn(username:password:scopes:configuration:)``.
  ///
  /// - Parameters:
  ///   - tokenURL: The URL at which a name and a password are exchanged for a token, as the API's document has it.
  ///   - server: The base URL of the server, for a token URL that is relative to it.
  ///   - clientAuthentication: The way for a confidential client to prove who it is. Default: HTTP Basic.
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

  /// A URL of a document, which may be relative to its server (OpenAPI 3.1 §4.6); as it is where it cannot be resolved. The
  /// server's path counts as that of a folder.
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
