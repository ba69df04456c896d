import Callsign
import CallsignHTTP
import Foundation

/// A login that has begun: the person decides on the provider's page, and comes back with a redirect.
///
/// It holds the `state` and the verifier that tie the redirect to this login, and shows neither.
public final class OAuth2Authorization: Sendable {
  /// The page for the person to open, in a browser or, if ``opensApp``, in the provider's app.
  public let url: URL
  /// Whether ``url`` is for the provider's app, which is opened by the system and not in a web view.
  public let opensApp: Bool
  /// The redirect URI of this login.
  public var redirectURI: String { redirect.text }

  let redirect: RedirectURI
  private let oauth2: OAuth2
  private let scopes: Set<String>
  private let verifier: Secret
  private let state: Secret
  private let environment: TokenRequestEnvironment
  private let progress = Locked(Progress.waiting)

  private enum Progress {
    case waiting
    case answered
    case cancelled
  }

  init(
    url: URL, opensApp: Bool, oauth2: OAuth2, redirect: RedirectURI, scopes: Set<String>, verifier: Secret,
    state: Secret, environment: TokenRequestEnvironment
  ) {
    self.url = url
    self.opensApp = opensApp
    self.oauth2 = oauth2
    self.redirect = redirect
    self.scopes = scopes
    self.verifier = verifier
    self.state = state
    self.environment = environment
  }

  /// Exchanges the redirect's code for a token and keeps it in the store.
  ///
  /// A redirect that is not this login's leaves it open for the right one. Any other can be used once.
  ///
  /// - Parameter redirect: The URL with which the provider sent the person back.
  /// - Returns: The token that is in the store now.
  /// - Throws: ``LoginError``:
  ///   ``LoginError/foreignRedirect`` and ``LoginError/stateMismatch`` for redirects that belong elsewhere,
  ///   ``LoginError/denied`` and ``LoginError/refused(code:description:)`` for the provider's errors,
  ///   ``LoginError/codeRefused(description:)`` when the code was used before or is for another login,
  ///   ``LoginError/alreadyUsed`` and ``LoginError/cancelled`` after the end of this login, and others.
  @discardableResult
  public func complete(redirect url: URL) async throws(LoginError) -> StoredToken {
    try progress.withLock { progress throws(LoginError) in try Self.check(progress) }
    let code = try code(of: url.absoluteString)
    let asked = environment.time.now()
    let answer: TokenResponse
    do throws(TokenEndpointError) {
      answer = try await endpoint.token([
        ("grant_type", "authorization_code"), ("code", code), ("redirect_uri", redirect.text),
        ("code_verifier", verifier.reveal()),
      ])
    } catch {
      if case .call(.transport(let failure)) = error, failure.delivery == .notSent {
        // The code is as good as before.
        progress.withLock { if $0 == .answered { $0 = .waiting } }
      }
      if case .refused("invalid_grant", let description, _) = error { throw .codeRefused(description: description) }
      throw error.asLoginError
    }
    let token = answer.stored(kind: .oauth2, clientID: oauth2.clientID, asked: asked, requested: scopes)
    do throws(TokenStoreError) { try await oauth2.keep(loggedIn: token, lifetime: answer.lifetime) } catch {
      throw error.reason == .cancelled ? .cancelled : .store(error)
    }
    return token
  }

  /// Ends the login: a redirect that comes later is refused with ``LoginError/cancelled``.
  public func cancel() {
    progress.withLock { if $0 == .waiting { $0 = .cancelled } }
  }

  private var endpoint: TokenEndpoint {
    TokenEndpoint(url: oauth2.provider.tokenURL, client: oauth2.client, environment: environment)
  }

  /// The code that a redirect carries, if it belongs to this login and is no error. Uses the login up.
  private func code(of redirect: String) throws(LoginError) -> String {
    guard let parameters = self.redirect.parameters(of: redirect) else { throw .foreignRedirect }
    guard let state = try parameters["state"], Secret(state) == self.state else { throw .stateMismatch }
    if let expected = oauth2.provider.issuer, let issuer = try parameters["iss"], issuer != expected {
      // Another provider's answer: its code must not be sent to this one (RFC 9207 §2.4).
      throw .stateMismatch
    }
    let error = try parameters["error"]
    let description = try parameters["error_description"]
    let code = try parameters["code"]
    try progress.withLock { progress throws(LoginError) in
      try Self.check(progress)
      progress = .answered
    }
    if let error {
      if error == "access_denied" { throw .denied }
      throw .refused(
        code: String(error.printable.prefix(80)), description: description.map { String($0.printable.prefix(300)) })
    }
    guard let code else {
      throw .unexpectedAnswer("the redirect has neither code nor error; begin the login again", nil)
    }
    return code
  }

  private static func check(_ progress: Progress) throws(LoginError) {
    switch progress {
    case .waiting: return
    case .answered: throw .alreadyUsed
    case .cancelled: throw .cancelled
    }
  }
}

extension OAuth2Authorization: RedactedStringConvertible {}

extension OAuth2 {
  /// Begins a login: makes the URL that the person is to open. Nothing is sent.
  ///
  /// ```swift
  /// let login = try oauth2.beginLogin(scopes: ["photos.read", .offlineAccess], redirectURI: "myapp://login")
  /// // … open login.url; the app is called with the redirect
  /// try await login.complete(redirect: redirect)
  /// ```
  ///
  /// - Parameters:
  ///   - scopes: The scopes to ask for. Some providers give a refresh token only with ``OAuth2Scope/offlineAccess``.
  ///   - redirectURI: Where the provider sends the person back to, exactly as registered: a scheme of the app's own, an
  ///     https URL, or loopback (RFC 8252).
  ///   - parameters: Further parameters that the provider takes, such as `prompt`.
  ///   - configuration: The transport for the requests, and where base URLs really lead.
  ///   - canOpen: Whether this device can open a URL, by which the provider's app is found; on iOS
  ///     `UIApplication.shared.canOpenURL`. By default it can open none, and the login is in the web page.
  /// - Throws: ``LoginError/invalidSetup(_:)``.
  public func beginLogin(
    scopes: [OAuth2Scope], redirectURI: String, parameters: [String: String] = [:],
    configuration: ClientConfiguration = ClientConfiguration(), canOpen: (URL) -> Bool = { _ in false }
  ) throws(LoginError) -> OAuth2Authorization {
    let redirect = try RedirectURI(checking: redirectURI)
    guard !clientID.isEmpty else { throw .invalidSetup("the client's identifier is empty; the provider issues it") }
    if let wrong = scopes.first(where: { !$0.isValid }) {
      throw .invalidSetup("a scope is one word without quotation marks, and \(wrong) is not")
    }
    let (verifier, state): (String, String)
    do throws(CryptographyError) {
      verifier = try SecureRandom.bytes(32).base64URL
      state = try SecureRandom.bytes(32).base64URL
    } catch { throw .invalidSetup("\(error)") }

    var fields = [
      ("response_type", "code"), ("client_id", clientID), ("redirect_uri", redirectURI),
      ("scope", scopes.map(\.rawValue).joined(separator: " ")), ("state", state),
      ("code_challenge", try Self.challenge(verifier)), ("code_challenge_method", "S256"),
    ]
    for (name, value) in parameters.sorted(by: { $0.key < $1.key }) {
      guard !fields.contains(where: { $0.0 == name }) else {
        throw .invalidSetup("\(name) is set by the login itself; leave it out of the parameters")
      }
      fields.append((name, value))
    }
    if scopes.isEmpty { fields.removeAll { $0.0 == "scope" } }

    let appURL = provider.appLink.flatMap { link in
      // The app calls back by the scheme alone, which web pages and loopback listeners have not.
      redirect.scheme != "http" && redirect.scheme != "https" && URL(string: link.probeURL).map(canOpen) == true
        ? link.startURL : nil
    }
    let url = try Self.url(appURL ?? provider.authorizeURL, fields, hosts: configuration.hosts)
    return OAuth2Authorization(
      url: url, opensApp: appURL != nil, oauth2: self, redirect: redirect, scopes: Set(scopes.map(\.rawValue)),
      verifier: Secret(verifier), state: Secret(state), environment: TokenRequestEnvironment(configuration))
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
    address.query = [address.query, query].compactMap { $0 }.filter { !$0.isEmpty }.joined(separator: "&")
    guard let url = URL(string: address.origin + address.target) else {
      throw .invalidSetup("the provider's authorize URL cannot be read; write it percent-encoded")
    }
    return url
  }

  /// Keeps the token of a login in place of the one that may be there.
  func keep(loggedIn token: StoredToken, lifetime: TimeInterval?) async throws(TokenStoreError) {
    let lock = try await store.lock(key)
    defer { lock.release() }
    tokens.cache.withLock { $0.startGeneration() }
    try await store.save(token, for: key)
    tokens.cache.withLock { $0.startGeneration(with: CachedToken(token, lifetime: lifetime)) }
    grant.forgetRefusal()
  }
}

#if canImport(UIKit) && !os(watchOS)
  import UIKit

  extension OAuth2 {
    /// Begins a login in the provider's app where that is installed, and otherwise in its web page. The scheme of
    /// ``OAuth2Provider/AppLink/probeURL`` has to be among `LSApplicationQueriesSchemes` in `Info.plist`.
    ///
    /// ```swift
    /// let login = try oauth2.beginLogin(inAppFor: ["photos.read"], redirectURI: "myapp://login")
    /// if login.opensApp {
    ///   try await login.openInApp()          // and complete(redirect:) with the URL that the scene is given
    /// } else {
    ///   try await login.present(over: window)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - scopes: The scopes to ask for.
    ///   - redirectURI: A URL of a scheme of the app's own, as registered.
    ///   - configuration: The transport for the requests, and where base URLs really lead.
    /// - Throws: ``LoginError/invalidSetup(_:)``.
    @MainActor
    @available(iOSApplicationExtension, unavailable)
    @available(tvOSApplicationExtension, unavailable)
    @available(visionOSApplicationExtension, unavailable)
    public func beginLogin(
      inAppFor scopes: [OAuth2Scope], redirectURI: String, configuration: ClientConfiguration = ClientConfiguration()
    ) throws(LoginError) -> OAuth2Authorization {
      try beginLogin(scopes: scopes, redirectURI: redirectURI, configuration: configuration) {
        UIApplication.shared.canOpenURL($0)
      }
    }
  }

  extension OAuth2Authorization {
    /// Leaves for the provider's app, or for the browser. The person comes back by the redirect URI, with which the
    /// system calls this app.
    ///
    /// - Throws: ``LoginError/invalidSetup(_:)`` when nothing can open the URL.
    @MainActor
    @available(iOSApplicationExtension, unavailable)
    @available(tvOSApplicationExtension, unavailable)
    @available(visionOSApplicationExtension, unavailable)
    public func openInApp() async throws(LoginError) {
      guard await UIApplication.shared.open(url) else {
        throw .invalidSetup("neither app nor browser can be opened; begin a login in the web page")
      }
    }
  }
#endif

#if canImport(AuthenticationServices) && !os(tvOS) && !os(watchOS)
  import AuthenticationServices

  extension OAuth2Authorization {
    /// Shows the page in the system's own web session, and completes the login.
    ///
    /// - Parameters:
    ///   - anchor: The window over which the page appears.
    ///   - prefersEphemeralSession: Whether the page starts without the browser's cookies.
    /// - Returns: The token that is in the store now.
    /// - Throws: ``LoginError``; see ``complete(redirect:)``.
    @MainActor @discardableResult
    public func present(
      over anchor: ASPresentationAnchor, prefersEphemeralSession: Bool = false
    ) async throws(LoginError) -> StoredToken {
      guard !opensApp else {
        throw .invalidSetup("this login is for the provider's app; open it with openInApp(), or begin one without")
      }
      let redirect = try await WebAuthentication.redirect(
        from: url, to: redirectURI, anchor: anchor, prefersEphemeralSession: prefersEphemeralSession)
      return try await complete(redirect: redirect)
    }
  }
#endif
