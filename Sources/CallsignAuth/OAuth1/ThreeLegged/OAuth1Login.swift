import Callsign
import CallsignHTTP
import Foundation

/// Logs a person in by OAuth 1.0a in three steps (RFC 5849 §2): the app asks for a request token, the person allows it
/// on the provider's page, the app exchanges the request token for the person's.
///
/// ```swift
/// let login = OAuth1Login(.x, consumerKey: "…", consumerSecret: "…")
/// let authorization = try await login.begin(.pin)
/// print("Open \(authorization.url) and type in the PIN:")
/// let token = try await authorization.complete(pin: readLine() ?? "")
/// let client = Client(auth: OAuth1(consumerKey: "…", consumerSecret: "…", token: token))
/// ```
public struct OAuth1Login: Sendable {
  private let client: OAuth1TokenClient

  /// Prepares logins.
  ///
  /// - Parameters:
  ///   - provider: Whose accounts.
  ///   - consumerKey: The app's identifier; X calls it API key.
  ///   - consumerSecret: The app's secret.
  ///   - configuration: Transport, timeouts, hosts, logging.
  public init(
    _ provider: OAuth1Provider, consumerKey: String, consumerSecret: Secret,
    configuration: ClientConfiguration = ClientConfiguration()
  ) {
    client = OAuth1TokenClient(
      provider: provider, consumerKey: consumerKey, consumerSecret: consumerSecret, configuration: configuration)
  }

  /// Asks for a request token and says which page the person has to open. ``ClientConfiguration/hosts`` leads the person,
  /// too, where it leads requests.
  ///
  /// - Parameters:
  ///   - callback: How the login comes back to the app.
  ///   - options: What to ask of the page.
  /// - Throws: ``LoginError``: ``LoginError/invalidSetup(_:)`` for what the provider has not, or a callback that it does
  ///   not accept; ``LoginError/callbackNotConfirmed``; ``LoginError/unexpectedAnswer(_:_:)``; ``LoginError/call(_:)``.
  public func begin(
    _ callback: OAuth1Callback, options: OAuth1AuthorizationOptions = OAuth1AuthorizationOptions()
  ) async throws(LoginError) -> OAuth1Authorization {
    let page = try pageURL(callback, options)
    let destination: CallbackURL?
    let callbackText: String
    switch callback {
    case .pin: (destination, callbackText) = (nil, "oob")
    case .url(let text):
      guard let url = CallbackURL(text), !text.contains("#") else {
        throw .invalidSetup("the callback is not a URL, or has a fragment; give one such as myapp://login")
      }
      (destination, callbackText) = (url, text)
    }
    let answer: RawResponse
    do throws(LoginError) {
      answer = try await client.post(
        "oauth/request_token", to: client.provider.requestTokenURL,
        protocolParameters: [("oauth_callback", callbackText)],
        form: options.accessType.map { [("x_auth_access_type", $0.rawValue)] } ?? [])
    } catch { throw Self.explained(error) }
    let token = try OAuth1TokenClient.token(of: answer)
    guard token.fields["oauth_callback_confirmed"] == "true" else { throw .callbackNotConfirmed }
    guard let url = URL(string: Self.authorizationURL(page, token: token, options)) else {
      throw .invalidSetup("the provider's page is not a URL; correct it in the OAuth1Provider")
    }
    return OAuth1Authorization(url: url, requestToken: token, callback: destination, client: client)
  }

  private func pageURL(
    _ callback: OAuth1Callback, _ options: OAuth1AuthorizationOptions
  ) throws(LoginError) -> AbsoluteURL {
    let text: String
    switch options.page {
    case .authorize: text = client.provider.authorizeURL
    case .authenticate:
      guard let url = client.provider.authenticateURL else {
        throw .invalidSetup("the provider has no authenticate page; use the authorize page")
      }
      guard callback != .pin else {
        throw .invalidSetup("only the authorize page shows a PIN; use it, or give a callback URL")
      }
      text = url
    }
    guard let page = AbsoluteURL(text), !page.hasUserInformation, let url = client.configuration.hosts.resolve(page),
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

  /// X's code 415: the callback is not one that the app has registered.
  private static func explained(_ error: LoginError) -> LoginError {
    guard error.refusal?.has(code: 415) == true else { return error }
    return .invalidSetup(
      "the provider does not accept this callback; register it for the app, exactly as given here, or use a PIN")
  }
}

extension OAuth1Login: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The type's name alone.
  public var description: String { "OAuth1Login(\(Secret.redacted))" }
  /// The type's name alone.
  public var debugDescription: String { description }
  /// A mirror without children.
  public var customMirror: Mirror { Mirror(self, children: EmptyCollection<Mirror.Child>()) }
}
