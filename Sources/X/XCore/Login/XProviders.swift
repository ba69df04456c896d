import Callsign
import CallsignAuth
import CallsignHTTP

extension AllowedHosts {
  /// The hosts of X's API, all below `x.com` and `twitter.com`.
  public static let x: AllowedHosts = ["*.x.com", "*.twitter.com"]
}

extension OAuth1Provider {
  /// X (docs.x.com, "OAuth 1.0a", "API reference").
  public static let x = OAuth1Provider(
    requestTokenURL: "https://api.x.com/oauth/request_token", authorizeURL: "https://api.x.com/oauth/authorize",
    accessTokenURL: "https://api.x.com/oauth/access_token", authenticateURL: "https://api.x.com/oauth/authenticate",
    invalidateTokenURL: "https://api.x.com/1.1/oauth/invalidate_token", errorCodes: .x, conventions: .x,
    hosts: .x)
}

extension LoginErrorCodes {
  /// X's codes for logins and signatures (docs.x.com, "Error codes").
  public static let x = LoginErrorCodes(
    timestampRefused: [135], unknownToken: [89], rateLimited: [88], callbackRefused: [415],
    consumerRefused: [32, 99, 215])
}

extension OAuth1AuthorizationOptions {
  /// The access that the token will permit (`x_auth_access_type`).
  public enum AccessType: String, Sendable, Hashable {
    /// Only reading.
    case read
    /// Reading and writing.
    case write
  }

  /// Whether the user has to log in even if the browser already knows them (X's `force_login`). Default: no.
  public var forcesLogin: Bool {
    get { parameters["force_login"] == "true" }
    set { parameters["force_login"] = newValue ? "true" : nil }
  }

  /// The username that the login page is filled in with (X's `screen_name`).
  public var screenName: String? {
    get { parameters["screen_name"] }
    set { parameters["screen_name"] = newValue }
  }

  /// Less access than the app is registered for (X's `x_auth_access_type`); `nil` requests all of it.
  public var accessType: AccessType? {
    get { requestParameters["x_auth_access_type"].flatMap(AccessType.init) }
    set { requestParameters["x_auth_access_type"] = newValue?.rawValue }
  }

  /// Sets X's options; see the properties for the defaults.
  public static func x(
    page: Page = .authorize, forcesLogin: Bool = false, screenName: String? = nil, accessType: AccessType? = nil,
    parameters: [String: String] = [:]
  ) -> Self {
    var options = Self(page: page, parameters: parameters)
    options.forcesLogin = forcesLogin
    options.screenName = screenName
    options.accessType = accessType
    return options
  }
}

extension OAuth2Provider {
  /// X: <https://docs.x.com/fundamentals/authentication/oauth-2-0/user-access-token>
  ///
  /// Its app link: <https://docs.x.com/fundamentals/authentication/oauth-2-0/ios>
  ///
  /// Its exchange of OAuth 1.0a tokens:
  /// <https://docs.x.com/fundamentals/authentication/oauth-2-0/oauth-1-0a-token-exchange>. The exchanged tokens stay
  /// valid. If you exchange a token again, you get new tokens, and the ones from the previous exchange for this user
  /// stop working. An app may make 10,000 exchanges from one address within 15 minutes.
  public static let x = OAuth2Provider(
    authorizeURL: "https://x.com/i/oauth2/authorize", tokenURL: "https://api.x.com/2/oauth2/token",
    revokeURL: "https://api.x.com/2/oauth2/revoke",
    appLink: AppLink(probeURL: "twitter://", startURL: "https://x.com/i/oauth2_start_flow"), hosts: .x,
    oauth1Exchange: OAuth1Exchange(kind: "urn:x:params:oauth:token-type:oauth1_token"))
}

extension AppOnly.Provider {
  /// X: <https://docs.x.com/fundamentals/authentication/oauth-2-0/application-only>
  public static let x = AppOnly.Provider(
    tokenURL: "https://api.x.com/oauth2/token", invalidateURL: "https://api.x.com/oauth2/invalidate_token", hosts: .x,
    errorCodes: .x)
}

extension OAuth2 {
  /// Makes an X client; its token is the one in the store.
  ///
  /// - Parameters:
  ///   - clientID: The client's identifier; X calls it OAuth 2.0 client ID.
  ///   - clientSecret: The secret of a confidential client, such as a server. An app that you give to people has none.
  ///   - store: Keeps the token.
  ///   - account: A name of your choice for the account that the token belongs to, if there are several.
  ///   - hosts: The hosts that the token is for. Default: X's.
  public convenience init(
    clientID: String, clientSecret: (any SecretConvertible)? = nil, store: some TokenStore, account: String = "default",
    hosts: AllowedHosts? = nil
  ) {
    self.init(
      clientID: clientID, clientSecret: clientSecret, store: store, account: account, provider: .x, hosts: hosts)
  }
}

extension AppOnly {
  /// Keeps the key and secret of an X app.
  ///
  /// - Parameters:
  ///   - consumerKey: The app's key; X calls it API key.
  ///   - consumerSecret: Its secret.
  ///   - store: Keeps the token. By default each process fetches it again.
  ///   - hosts: The hosts that the token is for. Default: X's.
  public convenience init(
    consumerKey: String, consumerSecret: any SecretConvertible, store: some TokenStore = MemoryTokenStore(),
    hosts: AllowedHosts? = nil
  ) {
    self.init(consumerKey: consumerKey, consumerSecret: consumerSecret, store: store, provider: .x, hosts: hosts)
  }
}
