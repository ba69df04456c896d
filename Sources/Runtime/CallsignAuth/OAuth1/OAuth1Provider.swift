import Callsign
import CallsignHTTP

/// An OAuth 1.0a provider: its URLs (RFC 5849 §2) and its specific rules.
///
/// Logins of the original OAuth 1.0, before revision A, have no verifier, so another person could complete them. A
/// provider that supports only those cannot be used: ``LoginError/callbackNotConfirmed``.
///
/// ```swift
/// // Flickr, whose authorize page wants the parameter `perms`, which is `read`, `write` or `delete`.
/// let flickr = OAuth1Provider(
///   requestTokenURL: "https://www.flickr.com/services/oauth/request_token",
///   authorizeURL: "https://www.flickr.com/services/oauth/authorize",
///   accessTokenURL: "https://www.flickr.com/services/oauth/access_token", hosts: ["*.flickr.com"])
/// let login = try await OAuth1App(flickr, key: "…", secret: "…").pin(options: .init(parameters: ["perms": "read"]))
/// ```
public struct OAuth1Provider: Sendable {
  /// The service of its tokens' keys in a ``TokenStore``; by default the host of ``accessTokenURL``.
  public var service: String
  /// The URL that issues temporary credentials (RFC 5849 §2.1).
  public var requestTokenURL: String
  /// The page where the person allows the app (RFC 5849 §2.2).
  public var authorizeURL: String
  /// The page that does not ask a person who has allowed the app before; `nil` if the provider has none.
  public var authenticateURL: String?
  /// The URL that issues the token (RFC 5849 §2.3).
  public var accessTokenURL: String
  /// The URL that invalidates a token; `nil` if the provider has none.
  public var invalidateTokenURL: String?
  /// How the requests are signed.
  public var signatureMethod: OAuth1SignatureMethod
  /// The part of these requests that carries the protocol parameters.
  public var placement: OAuth1Placement
  /// The protection realm that these requests name.
  public var realm: String?
  /// The method of the request for temporary credentials. Default: `POST`, as RFC 5849 recommends; some providers
  /// accept only `GET`.
  public var requestTokenMethod: TokenRequestMethod
  /// The method of the request for the token. Default: `POST`, as RFC 5849 recommends.
  public var accessTokenMethod: TokenRequestMethod
  /// The provider's own error codes that logins and signatures must recognize. Default: none.
  public var errorCodes: LoginErrorCodes
  /// The conventions of its error responses. Default: those of most APIs.
  public var conventions: any APIConventions
  /// The hosts that its tokens are for. Default: those of the called API's catalogue.
  public var hosts: AllowedHosts

  /// A method of the requests for temporary credentials and for the token.
  public enum TokenRequestMethod: Sendable, Hashable {
    /// Further parameters travel in the query.
    case get
    /// Further parameters travel in a form.
    case post
  }

  /// Describes a provider.
  ///
  /// - Parameters:
  ///   - requestTokenURL: The URL that issues temporary credentials. This and the other URLs must be https, or on this
  ///     machine.
  ///   - authorizeURL: The page where the person allows the app.
  ///   - accessTokenURL: The URL that issues the token.
  ///   - authenticateURL: The page for people who have allowed the app before.
  ///   - invalidateTokenURL: The URL that invalidates a token.
  ///   - signatureMethod: How the requests are signed.
  ///   - placement: Where the protocol parameters travel.
  ///   - realm: The protection realm to name.
  ///   - requestTokenMethod: The method of the request for temporary credentials.
  ///   - accessTokenMethod: The method of the request for the token.
  ///   - errorCodes: The provider's own error codes that logins must recognize.
  ///   - conventions: How its responses state errors; by default as most APIs do.
  ///   - service: The service that its tokens are stored under; by default the host of `accessTokenURL`.
  ///   - hosts: The hosts that its tokens are for; by default those of the called API's catalogue.
  public init(
    requestTokenURL: String, authorizeURL: String, accessTokenURL: String, authenticateURL: String? = nil,
    invalidateTokenURL: String? = nil, signatureMethod: OAuth1SignatureMethod = .hmacSHA1,
    placement: OAuth1Placement = .header, realm: String? = nil,
    requestTokenMethod: TokenRequestMethod = .post, accessTokenMethod: TokenRequestMethod = .post,
    errorCodes: LoginErrorCodes = LoginErrorCodes(), conventions: any APIConventions = .standard,
    service: String? = nil, hosts: AllowedHosts = .catalogue
  ) {
    self.service = service ?? AbsoluteURL(accessTokenURL)?.authority ?? accessTokenURL
    self.requestTokenURL = requestTokenURL
    self.authorizeURL = authorizeURL
    self.authenticateURL = authenticateURL
    self.accessTokenURL = accessTokenURL
    self.invalidateTokenURL = invalidateTokenURL
    self.signatureMethod = signatureMethod
    self.placement = placement
    self.realm = realm
    self.requestTokenMethod = requestTokenMethod
    self.accessTokenMethod = accessTokenMethod
    self.errorCodes = errorCodes
    self.conventions = conventions
    self.hosts = hosts
  }
}
