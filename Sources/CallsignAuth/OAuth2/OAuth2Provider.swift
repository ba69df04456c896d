import CallsignHTTP

/// Where a provider's OAuth 2.0 endpoints are.
///
/// ```swift
/// let provider = OAuth2Provider(
///   authorizeURL: "https://id.example/authorize", tokenURL: "https://id.example/token",
///   revokeURL: "https://id.example/revoke")
/// ```
public struct OAuth2Provider: Sendable, Hashable {
  /// How a confidential client proves who it is (RFC 6749 §2.3.1).
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
    /// What is opened in place of the authorize URL, with the same parameters.
    public var startURL: String

    /// Describes an app.
    ///
    /// - Parameters:
    ///   - probeURL: Such as `twitter://`.
    ///   - startURL: What is opened in place of the authorize URL.
    public init(probeURL: String, startURL: String) {
      self.probeURL = probeURL
      self.startURL = startURL
    }
  }

  /// The page on which the person decides (RFC 6749 §3.1).
  public var authorizeURL: String
  /// Where codes and refresh tokens are exchanged (RFC 6749 §3.2).
  public var tokenURL: String
  /// Where tokens are revoked (RFC 7009); `nil` where the provider has no such place.
  public var revokeURL: String?
  /// The provider's identifier, against which `iss` of a redirect is checked (RFC 9207); `nil` where it has none.
  public var issuer: String?
  /// Default: HTTP Basic.
  public var clientAuthentication: ClientAuthentication
  /// The provider's app, where there is one.
  public var appLink: AppLink?
  /// The hosts that its tokens are for. Default: those of the called API's catalogue.
  public var hosts: AllowedHosts

  /// Describes a provider; see the properties.
  public init(
    authorizeURL: String, tokenURL: String, revokeURL: String? = nil, issuer: String? = nil,
    clientAuthentication: ClientAuthentication = .basic, appLink: AppLink? = nil,
    hosts: AllowedHosts = .catalogue
  ) {
    self.authorizeURL = authorizeURL
    self.tokenURL = tokenURL
    self.revokeURL = revokeURL
    self.issuer = issuer
    self.clientAuthentication = clientAuthentication
    self.appLink = appLink
    self.hosts = hosts
  }

  /// X: <https://docs.x.com/fundamentals/authentication/oauth-2-0/user-access-token>
  ///
  /// Its app link: <https://docs.x.com/fundamentals/authentication/oauth-2-0/ios>
  public static let x = OAuth2Provider(
    authorizeURL: "https://x.com/i/oauth2/authorize", tokenURL: "https://api.x.com/2/oauth2/token",
    revokeURL: "https://api.x.com/2/oauth2/revoke",
    appLink: AppLink(probeURL: "twitter://", startURL: "https://x.com/i/oauth2_start_flow"), hosts: .x)

  /// What tokens are kept under: the token endpoint's host.
  var service: String { AbsoluteURL(tokenURL)?.authority ?? tokenURL }
}
