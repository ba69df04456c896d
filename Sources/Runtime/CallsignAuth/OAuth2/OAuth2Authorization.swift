import Callsign
import CallsignHTTP
import CallsignSupport

/// A login that has begun: the person decides on the provider's page, and comes back with a redirect.
///
/// It contains the `state` and the verifier that tie the redirect to this login, and prints neither. ``pending`` is the
/// whole login as a value, which another process can continue with.
public final class OAuth2Authorization: Sendable {
  /// Everything needed to complete the login elsewhere; see ``OAuth2/resume(_:configuration:)``.
  public let pending: PendingLogin
  /// The page for the person to open, in a browser or, if ``opensApp``, in the provider's app.
  public var url: URL { pending.url }
  /// Whether ``url`` is for the provider's app. Such a URL must be opened with the system, not in a web view.
  public var opensApp: Bool { content.browserURL != nil }
  /// The page for a browser, even if ``url`` is for the provider's app.
  public var browserURL: URL { content.browserURL ?? pending.url }
  /// The redirect URI of this login.
  public var redirectURI: String { redirect.text }

  let redirect: RedirectURI
  private let content: PendingLogin.OAuth2Content
  private let oauth2: OAuth2
  private let environment: TokenRequestEnvironment
  private let progress = Locked(Progress.waiting)

  /// An exchange that is under way. A caller that begins to wait just after it has ended still gets its result.
  private typealias Exchange = Task<Result<StoredToken, LoginError>, Never>

  private enum Progress {
    case waiting
    /// The code is being exchanged. `isAbandoned` is whether the task that began it no longer waits.
    case exchanging(Exchange, redirect: String, isAbandoned: Bool)
    /// The exchange has ended, and nobody has its result yet. `isAbandoned` is whether the task that began it no longer
    /// waits, so that another task may have the result.
    case undelivered(Exchange, redirect: String, Result<StoredToken, LoginError>, isAbandoned: Bool)
    case responded
    case cancelled
  }

  init(
    _ pending: PendingLogin, _ content: PendingLogin.OAuth2Content, redirect: RedirectURI, oauth2: OAuth2,
    environment: TokenRequestEnvironment
  ) {
    self.pending = pending
    self.content = content
    self.redirect = redirect
    self.oauth2 = oauth2
    self.environment = environment
  }

  /// Exchanges the redirect's code for a token and saves it in the store.
  ///
  /// A redirect that does not belong to this login leaves the login open for the right one. Any other redirect can be
  /// used once. Once the code has been sent, the exchange continues even if the task is cancelled, because the code can
  /// be used only once. To get the result, call this again with the same redirect.
  ///
  /// - Parameter url: The URL that the provider redirected the person to.
  /// - Returns: The token that is now in the store.
  /// - Throws: ``LoginError``: ``LoginError/foreignRedirect`` and ``LoginError/stateMismatch`` for redirects that
  ///   belong elsewhere, ``LoginError/denied`` and ``LoginError/refused(code:description:)`` for the provider's errors,
  ///   ``LoginError/codeRefused(description:)`` if the code was used before or is for another login,
  ///   ``LoginError/notKept(_:_:)`` with the token if the store failed, ``LoginError/alreadyUsed`` and
  ///   ``LoginError/cancelled`` after the end of this login or of the task, and others.
  @discardableResult
  public func complete(redirect url: URL) async throws(LoginError) -> StoredToken {
    let text = url.absoluteString
    let exchange: Exchange
    switch try entry(text) {
    case .delivered(let result): return try result.get()
    case .joins(let begun): exchange = begun
    case .begins:
      if Task.isCancelled { throw .cancelled }
      exchange = try begin(text)
    }
    let result: Result<StoredToken, LoginError>
    do throws(CancellationError) {
      result = try await exchange.cancellableValue()
    } catch {
      progress.withLock { progress in
        switch progress {
        case .exchanging(exchange, _, _): progress = .exchanging(exchange, redirect: text, isAbandoned: true)
        case .undelivered(exchange, _, let result, _):
          progress = .undelivered(exchange, redirect: text, result, isAbandoned: true)
        default: break
        }
      }
      throw .cancelled
    }
    progress.withLock { if case .undelivered(exchange, _, _, _) = $0 { $0 = .responded } }
    return try result.get()
  }

  private enum Entry {
    case begins
    /// The exchange is under way, and no task waits for it.
    case joins(Exchange)
    case delivered(Result<StoredToken, LoginError>)
  }

  private func entry(_ redirect: String) throws(LoginError) -> Entry {
    try progress.withLock { progress throws(LoginError) in
      switch progress {
      case .undelivered(_, redirect, let result, isAbandoned: true):
        progress = .responded
        return .delivered(result)
      case .exchanging(let exchange, redirect, isAbandoned: true):
        progress = .exchanging(exchange, redirect: redirect, isAbandoned: false)
        return .joins(exchange)
      default:
        try Self.check(progress)
        return .begins
      }
    }
  }

  /// Ends the login. A later redirect is refused with ``LoginError/cancelled``.
  public func cancel() {
    progress.withLock { if case .waiting = $0 { $0 = .cancelled } }
  }

  /// Whether a redirect is a response to this login: it leads to the login's redirect URI and has its `state`. This
  /// does not check the rest of the redirect, and changes nothing.
  public func isCompleted(by redirect: URL) -> Bool {
    guard let parameters = self.redirect.parameters(of: redirect.absoluteString), let state = try? parameters["state"]
    else { return false }
    return Secret(state) == Secret(content.state)
  }

  /// Exchanges the code, saves the token, and notes the end.
  private func finish(_ code: String) async -> Result<StoredToken, LoginError> {
    let result: Result<StoredToken, LoginError>
    do throws(LoginError) { result = .success(try await token(for: code)) } catch { result = .failure(error) }
    progress.withLock { progress in
      guard case .exchanging(let exchange, let redirect, let isAbandoned) = progress else { return }
      if case .failure(.call(.transport(let failure))) = result, failure.delivery == .notSent {
        // The code can still be used.
        CompletedLogins.remove(pending.id)
        progress = .waiting
      } else {
        progress = .undelivered(exchange, redirect: redirect, result, isAbandoned: isAbandoned)
      }
    }
    return result
  }

  private func token(for code: String) async throws(LoginError) -> StoredToken {
    let asked = environment.time.now()
    let response: TokenResponse
    do throws(TokenEndpointError) {
      response = try await endpoint.token(
        [
          ("grant_type", "authorization_code"), ("code", code), ("redirect_uri", redirect.text),
          ("code_verifier", content.verifier),
        ], attempts: 3)
    } catch {
      if case .refused("invalid_grant", let description, _) = error { throw .codeRefused(description: description) }
      throw error.asLoginError
    }
    var token = response.stored(
      kind: .oauth2, clientID: oauth2.clientID, asked: asked,
      requested: content.scopes.isEmpty ? nil : Set(content.scopes))
    token.login = pending.id
    try await oauth2.keep(loggedIn: token, lifetime: response.lifetime)
    return token
  }

  private var endpoint: TokenEndpoint {
    TokenEndpoint(url: oauth2.provider.tokenURL, client: oauth2.client, environment: environment)
  }

  /// Begins to exchange the code of a redirect, if the redirect belongs to this login and is not an error. This uses
  /// the login up.
  private func begin(_ redirect: String) throws(LoginError) -> Exchange {
    guard let parameters = self.redirect.parameters(of: redirect) else { throw .foreignRedirect }
    guard let state = try parameters["state"], Secret(state) == Secret(content.state) else { throw .stateMismatch }
    // The response of another provider: its code must not be sent to this one (RFC 9207 §2.4).
    if let issuer = try parameters["iss"] {
      guard oauth2.provider.issuer.map({ $0 == issuer }) ?? true else { throw .stateMismatch }
    } else if oauth2.provider.promisesIssuer {
      throw .stateMismatch
    }
    let error = try parameters["error"]
    // For display: a refusal does not depend on it.
    let description = try? parameters["error_description"]
    let code = try parameters["code"]
    let exchange = try progress.withLock { progress throws(LoginError) -> Exchange? in
      try Self.check(progress)
      guard CompletedLogins.insert(pending.id, begun: pending.begun, now: environment.time.now()) else {
        throw .alreadyUsed
      }
      guard let code, error == nil else {
        progress = .responded
        return nil
      }
      // A separate task, which continues even if this one was just cancelled, because the login is used up.
      let exchange = Exchange { [self] in await finish(code) }
      progress = .exchanging(exchange, redirect: redirect, isAbandoned: false)
      return exchange
    }
    if let error {
      if error == "access_denied" { throw .denied }
      let hidden = RedactedTexts([content.state, content.verifier, code ?? ""], mark: Secret.redacted)
      throw .refused(
        code: String(hidden.removed(from: error).printable.prefix(80)),
        description: description.map { String(hidden.removed(from: $0).printable.prefix(300)) })
    }
    guard let exchange else {
      throw .unexpectedResponse("the redirect has neither code nor error; start the login again", nil)
    }
    return exchange
  }

  private static func check(_ progress: Progress) throws(LoginError) {
    switch progress {
    case .waiting: return
    case .exchanging, .undelivered, .responded: throw .alreadyUsed
    case .cancelled: throw .cancelled
    }
  }
}

extension OAuth2Authorization: RedactedStringConvertible {}

extension OAuth2 {
  /// Begins a login: creates the URL for the person to open. Nothing is sent.
  ///
  /// ```swift
  /// let login = try oauth2.beginLogin(scopes: ["photos.read", .offlineAccess], redirectURI: "myapp://login")
  /// // … open login.url; the app is called with the redirect
  /// try await login.complete(redirect: redirect)
  /// ```
  ///
  /// - Parameters:
  ///   - scopes: The scopes to ask for. Some providers give a refresh token only with ``OAuth2Scope/offlineAccess``.
  ///   - redirectURI: Where the provider redirects the person to, exactly as registered: a custom scheme of the app, an
  ///     https URL, or loopback (RFC 8252).
  ///   - parameters: Further parameters that the provider accepts, such as `prompt`.
  ///   - configuration: The transport for the requests, and the hosts that base URLs are redirected to.
  ///   - canOpen: Whether this device can open a URL, used to find the provider's app; on iOS
  ///     `UIApplication.shared.canOpenURL`. By default it can open none, and the login takes place on the web page.
  /// - Throws: ``LoginError/invalidSetup(_:)``.
  public func beginLogin(
    scopes: [OAuth2Scope], redirectURI: String, parameters: [String: String] = [:],
    configuration: ClientConfiguration = ClientConfiguration(), canOpen: (URL) -> Bool = { _ in false }
  ) throws(LoginError) -> OAuth2Authorization {
    let redirect = try RedirectURI(checking: redirectURI)
    try checkClient(asking: scopes)
    let (id, verifier, state): (String, String, String)
    do throws(CryptographyError) {
      id = try SecureRandom.nonce()
      verifier = try SecureRandom.bytes(32).base64URL
      state = try SecureRandom.bytes(32).base64URL
    } catch { throw .invalidSetup("\(error)") }

    var fields = [
      ("response_type", "code"), ("client_id", clientID), ("redirect_uri", redirectURI),
      ("scope", scopes.map(\.rawValue).joined(separator: " ")), ("state", state),
      ("code_challenge", try Self.challenge(verifier)), ("code_challenge_method", "S256"),
    ]
    for (name, value) in FormFields.sorted(parameters) {
      guard !fields.contains(where: { $0.0 == name }) else {
        throw .invalidSetup("\(name) is set by the login itself; leave it out of the parameters")
      }
      fields.append((name, value))
    }
    if scopes.isEmpty { fields.removeAll { $0.0 == "scope" } }

    let appURL = provider.appLink.flatMap { link in
      // The app calls back only with a custom scheme, which web pages and loopback listeners do not have.
      redirect.scheme != "http" && redirect.scheme != "https" && URL(string: link.probeURL).map(canOpen) == true
        ? link.startURL : nil
    }
    let page = try Self.url(provider.authorizeURL, fields, hosts: configuration.hosts)
    let url = try appURL.map { (appURL) throws(LoginError) in try Self.url(appURL, fields, hosts: configuration.hosts) }
    let content = PendingLogin.OAuth2Content(
      clientID: clientID, service: key.service, account: key.account, state: state, verifier: verifier,
      redirectURI: redirectURI, scopes: scopes.map(\.rawValue), browserURL: url == nil ? nil : page)
    let pending = PendingLogin(
      id: id, url: url ?? page, begun: configuration.time.now(), content: .oauth2(content))
    return OAuth2Authorization(
      pending, content, redirect: redirect, oauth2: self, environment: TokenRequestEnvironment(configuration))
  }

  /// Continues a login that was begun elsewhere: in another process, or before this app was ended.
  ///
  /// - Parameters:
  ///   - pending: The login's ``OAuth2Authorization/pending``. The same client must have begun it, for the same
  ///     account.
  ///   - configuration: The transport for the requests, and the hosts that base URLs are redirected to.
  /// - Throws: ``LoginError``: ``LoginError/expired``, or ``LoginError/invalidSetup(_:)`` if it is another client's.
  public func resume(
    _ pending: PendingLogin, configuration: ClientConfiguration = ClientConfiguration()
  ) throws(LoginError) -> OAuth2Authorization {
    guard case .oauth2(let content) = pending.content,
      TokenKey(service: content.service, scheme: .oauth2, clientID: content.clientID, account: content.account) == key
    else {
      throw .invalidSetup(
        "the login was started by another client or for another account; resume it with the same client id and account"
      )
    }
    guard !pending.isExpired(at: configuration.time.now()) else { throw .expired }
    return OAuth2Authorization(
      pending, content, redirect: try RedirectURI(checking: content.redirectURI), oauth2: self,
      environment: TokenRequestEnvironment(configuration))
  }

  /// Refuses a client and scopes that no provider would accept.
  func checkClient(asking scopes: [OAuth2Scope]) throws(LoginError) {
    guard !clientID.isEmpty else { throw .invalidSetup("the client's identifier is empty; the provider issues it") }
    try checkCopies(asking: scopes)
  }

  /// Checks the same except for the identifier itself, which some logins do not need.
  func checkCopies(asking scopes: [OAuth2Scope]) throws(LoginError) {
    if let problem = client.copyingProblem { throw .invalidSetup(problem) }
    if let wrong = scopes.first(where: { !$0.isValid }) {
      throw .invalidSetup("a scope is one word without quotation marks, and \(wrong) is not")
    }
  }

  /// `S256` of RFC 7636 §4.2.
  static func challenge(_ verifier: String) throws(LoginError) -> String {
    do throws(CryptographyError) { return try Digest.hash(verifier.utf8, .sha256).base64URL } catch {
      throw .invalidSetup("\(error)")
    }
  }

  private static func url(_ base: String, _ fields: [(String, String)], hosts: BaseURLOverrides) throws(LoginError)
    -> URL
  {
    let query = FormFields.encode(fields.map { (name: $0.0, value: $0.1) })
    guard let meant = AbsoluteURL(base), var address = hosts.resolve(meant) else {
      throw .invalidSetup("the provider's authorize URL is not absolute; write it with https:// and host")
    }
    guard address.scheme == "https" || address.isLoopback else {
      throw .invalidSetup("the provider's authorize URL is unencrypted; use https (RFC 6749 §3.1)")
    }
    // RFC 6749 §3.1: parameters must not appear twice, and somebody else's state could be the one that counts.
    if let name = fields.first(where: { address.hasQueryParameter($0.0) })?.0 {
      throw .invalidSetup("\(name) is set by the login itself; leave it out of the provider's authorize URL")
    }
    address.query = [address.query, query].compactMap { $0 }.filter { !$0.isEmpty }.joined(separator: "&")
    guard let url = URL(string: address.origin + address.target) else {
      throw .invalidSetup("the provider's authorize URL cannot be read; write it percent-encoded")
    }
    return url
  }
}
