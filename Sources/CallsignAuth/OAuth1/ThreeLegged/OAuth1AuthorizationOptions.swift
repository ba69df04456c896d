/// How a login of OAuth 1.0a comes back to the app (`oauth_callback`, RFC 5849 §2.1).
public enum OAuth1Callback: Sendable, Hashable {
  /// By a redirect to this URL: a scheme of the app's own such as `myapp://login`, an address of this machine, or one
  /// of the app's web site. Most providers want it registered.
  case url(String)
  /// By a PIN that the provider shows and the person types in (`oob`).
  case pin
}

/// What a login asks of the provider's page.
public struct OAuth1AuthorizationOptions: Sendable, Hashable {
  /// Which page the person gets.
  public enum Page: Sendable, Hashable {
    /// The one that asks every time.
    case authorize
    /// The one that asks nothing of a person who has allowed the app before ("Sign in with X"). Not for a PIN.
    case authenticate
  }

  /// What the token is to permit (X's `x_auth_access_type`).
  public enum AccessType: String, Sendable, Hashable {
    case read
    case write
  }

  /// Which page the person gets. Default: ``Page/authorize``.
  public var page: Page
  /// Whether the person has to log in even if the browser knows them (X's `force_login`).
  public var forcesLogin: Bool
  /// The name that the login page is filled in with (X's `screen_name`).
  public var screenName: String?
  /// Less than the app is registered for (X's `x_auth_access_type`); `nil` asks for all of it.
  public var accessType: AccessType?
  /// Further query parameters of the page, sorted by name, such as Flickr's `perms`. They must be no secrets.
  public var parameters: [String: String]

  /// Chooses; see the properties for the defaults.
  public init(
    page: Page = .authorize, forcesLogin: Bool = false, screenName: String? = nil, accessType: AccessType? = nil,
    parameters: [String: String] = [:]
  ) {
    self.page = page
    self.forcesLogin = forcesLogin
    self.screenName = screenName
    self.accessType = accessType
    self.parameters = parameters
  }
}
