import CallsignHTTP
import Foundation

/// A login that has begun: a page for the person, and what is needed to go on when they come back. It is good for one
/// token.
///
/// After a failure on the way to the provider, or a wrong PIN, it can be tried again; a redirect that belongs to another
/// login changes nothing. All else ends it.
public final class OAuth1Authorization: Sendable {
  /// The page to open in a browser. It carries the request token and the chosen options, and no secret.
  public let url: URL

  private enum State {
    case open
    case exchanging
    case completed
    case denied
    case cancelled
  }

  private let requestToken: OAuth1Token
  /// `nil` for a PIN.
  private let callback: CallbackURL?
  private let app: OAuth1App
  private let state = Locked(State.open)

  init(url: URL, requestToken: OAuth1Token, callback: CallbackURL?, app: OAuth1App) {
    self.url = url
    self.requestToken = requestToken
    self.callback = callback
    self.app = app
  }

  /// Exchanges the request token for the person's, with what the redirect to the callback URL brings.
  ///
  /// - Parameter redirect: The whole URL that the provider redirected to.
  /// - Throws: ``LoginError``: ``LoginError/foreignRedirect`` when it does not lead to the callback URL,
  ///   ``LoginError/stateMismatch`` when it is about another request token, ``LoginError/denied``,
  ///   ``LoginError/cancelled``, ``LoginError/alreadyUsed``, or why the request failed.
  public func complete(redirect: String) async throws(LoginError) -> OAuth1Token {
    guard let callback else {
      throw .invalidSetup("this login ends with a PIN; call complete(pin:), or begin with a callback URL")
    }
    try requireOpen()
    guard let answer = CallbackURL(redirect), callback.isAnswered(by: answer) else { throw .foreignRedirect }
    if let denied = answer.query.value("denied") {
      guard Secret(denied) == requestToken.token else { throw .stateMismatch }
      try move(to: .denied)
      throw .denied
    }
    guard let token = answer.query.value("oauth_token"), Secret(token) == requestToken.token else {
      throw .stateMismatch
    }
    if let problem = OAuth1Problem(answer.query) {
      let error = problem.loginError
      if case .denied = error { try move(to: .denied) }
      throw error
    }
    guard let verifier = answer.query.value("oauth_verifier"), !verifier.isEmpty else {
      throw .unexpectedAnswer("the redirect has no oauth_verifier", nil)
    }
    return try await exchange(verifier)
  }

  /// The same as ``complete(redirect:)-(String)``.
  public func complete(redirect: URL) async throws(LoginError) -> OAuth1Token {
    try await complete(redirect: redirect.absoluteString)
  }

  /// Exchanges the request token for the person's, with the PIN that the provider showed.
  ///
  /// - Parameter pin: The text that the person typed in; white space round it does not matter.
  /// - Throws: ``LoginError``: ``LoginError/wrongPIN(_:)``, after which another can be tried;
  ///   ``LoginError/cancelled``, ``LoginError/alreadyUsed``, or why the request failed.
  public func complete(pin: String) async throws(LoginError) -> OAuth1Token {
    guard callback == nil else {
      throw .invalidSetup("this login ends with a redirect; call complete(redirect:), or begin with a PIN")
    }
    let pin = pin.trimmingCharacters(in: .whitespacesAndNewlines)
    guard !pin.isEmpty else { throw .invalidSetup("the PIN is empty; ask for it again") }
    do throws(LoginError) { return try await exchange(pin) } catch {
      // Refused for the clock or the rate, it says nothing of the PIN.
      guard let refusal = error.refusal, [400, 401, 403].contains(refusal.status.code),
        !refusal.has(code: 135), !refusal.has(code: 88)
      else { throw error }
      throw .wrongPIN(refusal)
    }
  }

  /// Gives the login up, because the person closed the page. To complete it afterwards is ``LoginError/cancelled``.
  public func cancel() {
    state.withLock { if $0 == .open || $0 == .exchanging { $0 = .cancelled } }
  }

  private func exchange(_ verifier: String) async throws(LoginError) -> OAuth1Token {
    try move(to: .exchanging)
    do throws(LoginError) {
      let answer = try await app.post(
        "oauth/access_token", to: app.provider.accessTokenURL, token: requestToken,
        protocolParameters: [("oauth_verifier", verifier)])
      let token = try OAuth1Token(answer: answer)
      // The person may have closed the page meanwhile, and must not find themselves logged in.
      let isWanted = state.withLock { state in
        guard state == .exchanging else { return false }
        state = .completed
        return true
      }
      guard isWanted else { throw LoginError.cancelled }
      return token
    } catch {
      state.withLock { if $0 == .exchanging { $0 = .open } }
      throw error
    }
  }

  private func requireOpen() throws(LoginError) {
    try state.withLock { (state) throws(LoginError) in try Self.require(state) }
  }

  private func move(to next: State) throws(LoginError) {
    try state.withLock { (state) throws(LoginError) in
      try Self.require(state)
      state = next
    }
  }

  private static func require(_ state: State) throws(LoginError) {
    switch state {
    case .open: return
    case .exchanging, .completed: throw .alreadyUsed
    case .denied: throw .denied
    case .cancelled: throw .cancelled
    }
  }
}

extension OAuth1Authorization: RedactedStringConvertible {}
