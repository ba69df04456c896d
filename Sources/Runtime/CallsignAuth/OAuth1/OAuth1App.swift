import Callsign
import CallsignHTTP
import CallsignSupport

/// An app that is registered with an OAuth 1.0a provider.
///
/// Logins (RFC 5849 §2), accounts and signatures start here.
///
/// ```swift
/// let app = OAuth1App(provider, key: "…", secret: "…")
/// let login = try await app.pin()
/// print("Open \(login.url) and type in the PIN:")
/// let token = try await login.complete(pin: readLine() ?? "")
///
/// let account = app.account(store: .default)
/// try await account.save(token)
/// let client = Client(auth: account)
/// ```
public struct OAuth1App: Sendable, RedactedStringConvertible {
  /// The provider that the app is registered with.
  public let provider: OAuth1Provider
  /// The app's identifier, `oauth_consumer_key`.
  public let key: String
  let secret: Secret
  var configuration: ClientConfiguration {
    get { settings.value }
    set { settings = Reference(newValue) }
  }
  private var settings: Reference<ClientConfiguration>
  /// The offset of the provider's clock: one request learns it, and all later requests of the app use it.
  let clock = OAuth1Clock()

  /// Describes an app. Nothing is sent.
  ///
  /// - Parameters:
  ///   - provider: The provider that the app is registered with.
  ///   - key: The app's identifier.
  ///   - secret: The app's secret.
  ///   - configuration: Transport, timeouts, hosts and logging of the requests for tokens. Its middleware sees them,
  ///     secrets included.
  public init(
    _ provider: OAuth1Provider, key: String, secret: any SecretConvertible,
    configuration: ClientConfiguration = ClientConfiguration()
  ) {
    self.provider = provider
    self.key = key
    self.secret = Secret(secret)
    settings = Reference(configuration)
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

  /// Begins a login that ends with a redirect. It requests a request token and returns the page for the person to open
  /// (RFC 5849 §2.1, §2.2). ``ClientConfiguration/hosts`` redirects the person's page in the same way as requests.
  ///
  /// - Parameters:
  ///   - url: Where the provider redirects to: a custom scheme of the app such as `myapp://login`, an address of this
  ///     machine, or an address of the app's web site. Most providers require it to be registered.
  ///   - options: The options of the provider's page.
  /// - Throws: ``LoginError``: ``LoginError/invalidSetup(_:)`` for a feature that the provider does not have, or a
  ///   callback that it does not accept; ``LoginError/callbackNotConfirmed``; ``LoginError/unexpectedResponse(_:_:)``;
  ///   ``LoginError/call(_:)``.
  public func callback(
    _ url: String, options: OAuth1AuthorizationOptions = OAuth1AuthorizationOptions()
  ) async throws(LoginError) -> OAuth1Authorization {
    guard let callback = CallbackURL(url), callback.query.isReadable, !url.contains("#") else {
      throw .invalidSetup("the callback is not a URL, or has a fragment; give one such as myapp://login")
    }
    return try await begin(callback: callback, text: url, options)
  }

  /// Names an account whose token is in a store. There need not be a token yet.
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

  /// Signs with a token, or only for the app.
  ///
  /// - Parameters:
  ///   - token: The token of a login; `nil` signs only for the app.
  ///   - hosts: The hosts that the credentials are for; by default the provider's ``OAuth1Provider/hosts``.
  public func credentials(_ token: OAuth1Token? = nil, hosts: AllowedHosts? = nil) -> OAuth1 {
    var credentials = OAuth1(
      consumerKey: key, consumerSecret: secret, token: token?.token.reveal(), tokenSecret: token?.secret,
      signatureMethod: provider.signatureMethod, realm: provider.realm, placement: provider.placement,
      hosts: hosts ?? provider.hosts)
    credentials.clock = clock
    credentials.errorCodes = provider.errorCodes
    return credentials
  }
}

extension OAuth1App {
  private func begin(
    callback: CallbackURL?, text: String, _ options: OAuth1AuthorizationOptions
  ) async throws(LoginError) -> OAuth1Authorization {
    let page = try pageURL(isPIN: callback == nil, options)
    if let problem = CopiedText.problem(["consumer key": key, "consumer secret": secret.reveal()]) {
      throw .invalidSetup(problem)
    }
    var fields = options.requestParameters
    if let scope = options.scope { fields["scope"] = scope }
    let response: RawResponse
    do throws(LoginError) {
      response = try await request(
        "oauth/request_token", at: provider.requestTokenURL, provider.requestTokenMethod,
        protocolParameters: [("oauth_callback", text)],
        fields: FormFields.sorted(fields))
    } catch { throw explained(error) }
    let token = try token(of: response)
    // RFC 5849 §2.1 says `true`; some libraries write it differently.
    guard ["true", "1"].contains(token.fields["oauth_callback_confirmed"]?.lowercased()) else {
      throw .callbackNotConfirmed
    }
    guard let url = URL(string: Self.authorizationURL(page, token: token, options)) else {
      throw .invalidSetup("the provider's page is not a URL; correct it in the OAuth1Provider")
    }
    let content = PendingLogin.OAuth1Content(
      consumerKey: key, token: token.token.reveal(), secret: token.secret.reveal(),
      callback: callback == nil ? nil : text)
    let id: String
    do throws(CryptographyError) { id = try SecureRandom.nonce() } catch { throw .invalidSetup("\(error)") }
    let pending = PendingLogin(id: id, url: url, begun: configuration.time.now(), content: .oauth1(content))
    return OAuth1Authorization(pending, content, callback: callback, app: self)
  }

  /// Continues a login that was begun elsewhere: in another process, or before this app was ended.
  ///
  /// - Parameter pending: The login's ``OAuth1Authorization/pending``. The same app must have begun it.
  /// - Throws: ``LoginError``: ``LoginError/expired``, or ``LoginError/invalidSetup(_:)`` if it is another app's.
  public func resume(_ pending: PendingLogin) throws(LoginError) -> OAuth1Authorization {
    guard case .oauth1(let content) = pending.content, content.consumerKey == key else {
      throw .invalidSetup("the login was started by another app; resume it with the same key")
    }
    guard !pending.isExpired(at: configuration.time.now()) else { throw .expired }
    return OAuth1Authorization(pending, content, callback: content.callback.flatMap { CallbackURL($0) }, app: self)
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
    pairs += FormFields.sorted(options.parameters)
    let query = [page.query ?? "", FormFields.encode(pairs)].filter { !$0.isEmpty }.joined(separator: "&")
    return "\(page.origin)\(page.path)?\(query)"
  }

  /// Adds advice if the callback is not one that the app has registered, or if the app itself is refused.
  private func explained(_ error: LoginError) -> LoginError {
    guard let refusal = error.refusal else { return error }
    if provider.errorCodes.means(refusal, \.callbackRefused) {
      return .invalidSetup(
        "the provider does not accept this callback; register it for the app, exactly as given here, or use a PIN")
    }
    return error
  }
}

/// The options of a login's page.
public struct OAuth1AuthorizationOptions: Sendable, Hashable {
  /// A page that the person sees.
  public enum Page: Sendable, Hashable {
    /// The page that asks every time.
    case authorize
    /// The page that does not ask a person who has allowed the app before. Not for a PIN.
    case authenticate
  }

  /// The page that the person sees. Default: ``Page/authorize``.
  public var page: Page
  /// The rights to request for the token, if the provider has scopes. They are sent as `scope` when the login begins.
  public var scope: String?
  /// Further parameters of the request that begins the login, such as `xoauth_displayname`.
  public var requestParameters: [String: String]
  /// Further query parameters of the page, sorted by name, such as Flickr's `perms`. They must not be secret.
  public var parameters: [String: String]

  /// Creates options; see the properties for the defaults.
  public init(
    page: Page = .authorize, scope: String? = nil, requestParameters: [String: String] = [:],
    parameters: [String: String] = [:]
  ) {
    self.page = page
    self.scope = scope
    self.requestParameters = requestParameters
    self.parameters = parameters
  }
}
