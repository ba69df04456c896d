import CallsignHTTP
import Foundation

/// A login that has begun: the person decides on the provider's page, and comes back with a redirect.
///
/// It holds the `state` and the verifier that tie the redirect to this login, and shows neither.
public final class OAuth2Authorization: Sendable {
  /// What the person is to open, in a browser or, if ``opensApp``, in the provider's app.
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
  /// - Returns: What is in the store now.
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

extension OAuth2Authorization: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The type's name alone: even the URL is tied to this login.
  public var description: String { "OAuth2Authorization(\(Secret.redacted))" }
  /// The same as ``description``.
  public var debugDescription: String { description }
  /// A mirror without children.
  public var customMirror: Mirror { Mirror(self, children: EmptyCollection<Mirror.Child>()) }
}
