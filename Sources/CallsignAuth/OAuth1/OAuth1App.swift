import Callsign
import CallsignHTTP
import Foundation

/// An app at a provider of OAuth 1.0a, from which logins (RFC 5849 §2), accounts and signatures begin.
///
/// ```swift
/// let app = OAuth1App(.flickr, key: "…", secret: "…")
/// let login = try await app.pin()
/// print("Open \(login.url) and type in the PIN:")
/// let token = try await login.complete(pin: readLine() ?? "")
///
/// let account = app.account(store: .default)
/// try await account.save(token)
/// let client = Client(auth: account)
/// ```
public struct OAuth1App: Sendable, RedactedStringConvertible {
  /// Where the app is registered.
  public let provider: OAuth1Provider
  /// The app's identifier, `oauth_consumer_key`.
  public let key: String
  let secret: Secret
  var configuration: ClientConfiguration
  /// How far the provider's clock is off: learned by one request, used by all that follow, whatever of the app's they
  /// belong to.
  let clock = OAuth1Clock()

  /// Describes an app. Nothing is sent.
  ///
  /// - Parameters:
  ///   - provider: Where the app is registered.
  ///   - key: The app's identifier.
  ///   - secret: The app's secret.
  ///   - configuration: Transport, timeouts, hosts and logging of the requests for tokens. Its middleware sees them,
  ///     secrets included.
  public init(
    _ provider: OAuth1Provider, key: String, secret: Secret, configuration: ClientConfiguration = ClientConfiguration()
  ) {
    self.provider = provider
    self.key = key
    self.secret = secret
    self.configuration = configuration
  }

  /// Begins a login that ends with a PIN, which the provider shows and the person types in (`oob`).
  ///
  /// - Parameter options: The options of the provider's page.
  /// - Throws: ``LoginError``, as ``callback(_:options:)`` does.
  public func pin(
    options: OAuth1AuthorizationOptions = OAuth1AuthorizationOptions()
  ) async throws(LoginError) -> OAuth1Authorization {
    try await begin(callback: nil, text: "oob", options)
  }

  /// Begins a login that ends with a redirect: asks for a request token and says which page the person has to open
  /// (RFC 5849 §2.1, §2.2). ``ClientConfiguration/hosts`` leads the person, too, where it leads requests.
  ///
  /// - Parameters:
  ///   - url: Where the provider redirects to: a scheme of the app's own such as `myapp://login`, an address of this
  ///     machine, or one of the app's web site. Most providers want it registered.
  ///   - options: The options of the provider's page.
  /// - Throws: ``LoginError``: ``LoginError/invalidSetup(_:)`` for what the provider has not, or a callback that it does
  ///   not accept; ``LoginError/callbackNotConfirmed``; ``LoginError/unexpectedAnswer(_:_:)``; ``LoginError/call(_:)``.
  public func callback(
    _ url: String, options: OAuth1AuthorizationOptions = OAuth1AuthorizationOptions()
  ) async throws(LoginError) -> OAuth1Authorization {
    guard let callback = CallbackURL(url), !url.contains("#") else {
      throw .invalidSetup("the callback is not a URL, or has a fragment; give one such as myapp://login")
    }
    return try await begin(callback: callback, text: url, options)
  }

  /// Names an account of which a store keeps the token. It need not have one yet.
  ///
  /// - Parameters:
  ///   - name: The account's name in the store, in the app's own words.
  ///   - store: Keeps the token.
  ///   - hosts: The hosts that the credentials are for; by default the provider's ``OAuth1Provider/hosts``.
  public func account(
    _ name: String = "default", store: some TokenStore, hosts: AllowedHosts? = nil
  ) -> OAuth1Account {
    OAuth1Account(self, store: store, name: name, hosts: hosts ?? provider.hosts)
  }

  /// Signs with a token, or for the app alone.
  ///
  /// - Parameters:
  ///   - token: The token of a login; `nil` signs for the app alone.
  ///   - hosts: The hosts that the credentials are for; by default the provider's ``OAuth1Provider/hosts``.
  public func credentials(_ token: OAuth1Token? = nil, hosts: AllowedHosts? = nil) -> OAuth1 {
    var credentials = OAuth1(
      consumerKey: key, consumerSecret: secret, token: token?.token.reveal(), tokenSecret: token?.secret,
      signatureMethod: provider.signatureMethod, realm: provider.realm, placement: provider.placement,
      hosts: hosts ?? provider.hosts)
    credentials.clock = clock
    return credentials
  }
}

extension OAuth1App {
  private func begin(
    callback: CallbackURL?, text: String, _ options: OAuth1AuthorizationOptions
  ) async throws(LoginError) -> OAuth1Authorization {
    let page = try pageURL(isPIN: callback == nil, options)
    let answer: RawResponse
    do throws(LoginError) {
      answer = try await post(
        "oauth/request_token", to: provider.requestTokenURL, protocolParameters: [("oauth_callback", text)],
        form: options.accessType.map { [("x_auth_access_type", $0.rawValue)] } ?? [])
    } catch { throw Self.explained(error) }
    let token = try OAuth1Token(answer: answer)
    guard token.fields["oauth_callback_confirmed"] == "true" else { throw .callbackNotConfirmed }
    guard let url = URL(string: Self.authorizationURL(page, token: token, options)) else {
      throw .invalidSetup("the provider's page is not a URL; correct it in the OAuth1Provider")
    }
    return OAuth1Authorization(url: url, requestToken: token, callback: callback, app: self)
  }

  private func pageURL(
    isPIN: Bool, _ options: OAuth1AuthorizationOptions
  ) throws(LoginError) -> AbsoluteURL {
    let text: String
    switch options.page {
    case .authorize: text = provider.authorizeURL
    case .authenticate:
      guard let url = provider.authenticateURL else {
        throw .invalidSetup("the provider has no authenticate page; use the authorize page")
      }
      guard !isPIN else {
        throw .invalidSetup("only the authorize page shows a PIN; use it, or give a callback URL")
      }
      text = url
    }
    guard let page = AbsoluteURL(text), !page.hasUserInformation, let url = configuration.hosts.resolve(page),
      url.scheme == "https" || url.isLoopback
    else { throw .invalidSetup("the provider's page is not an https URL; correct it in the OAuth1Provider") }
    return url
  }

  /// The page's URL with the token and the chosen options, and nothing else.
  private static func authorizationURL(
    _ page: AbsoluteURL, token: OAuth1Token, _ options: OAuth1AuthorizationOptions
  ) -> String {
    var pairs = [(name: "oauth_token", value: token.token.reveal())]
    if options.forcesLogin { pairs.append(("force_login", "true")) }
    if let screenName = options.screenName { pairs.append(("screen_name", screenName)) }
    pairs += options.parameters.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    let query = [page.query ?? "", FormFields.encode(pairs)].filter { !$0.isEmpty }.joined(separator: "&")
    return "\(page.origin)\(page.path)?\(query)"
  }

  /// Code 415: the callback is not one that the app has registered.
  private static func explained(_ error: LoginError) -> LoginError {
    guard error.refusal?.has(code: 415) == true else { return error }
    return .invalidSetup(
      "the provider does not accept this callback; register it for the app, exactly as given here, or use a PIN")
  }
}

/// The options of a login's page.
public struct OAuth1AuthorizationOptions: Sendable, Hashable {
  /// Which page the person gets.
  public enum Page: Sendable, Hashable {
    /// The one that asks every time.
    case authorize
    /// The one that asks nothing of a person who has allowed the app before. Not for a PIN.
    case authenticate
  }

  /// How much the token is to permit (`x_auth_access_type`).
  public enum AccessType: String, Sendable, Hashable {
    case read
    case write
  }

  /// Which page the person gets. Default: ``Page/authorize``.
  public var page: Page
  /// Whether the person has to log in even if the browser knows them (`force_login`).
  public var forcesLogin: Bool
  /// The name that the login page is filled in with (`screen_name`).
  public var screenName: String?
  /// Less than the app is registered for (`x_auth_access_type`); `nil` asks for all of it.
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
