import Callsign
import CallsignHTTP
import CallsignSupport

/// A login that has begun: a page for the person, and the data needed to continue when they come back. It provides one token.
/// ``pending`` is the whole login as a value, which another process can continue with.
///
/// You can try again after a failure on the way to the provider, or after a wrong PIN; a redirect that belongs to
/// another login changes nothing. Everything else ends the login. Once the exchange is under way, it continues even if
/// the task is cancelled, because the request token can be used only once. To get its result, complete the login again.
public final class OAuth1Authorization: Sendable {
  /// All that the login needs, to be completed elsewhere; see ``OAuth1App/resume(_:)``.
  public let pending: PendingLogin
  /// The page to open in a browser. It carries the request token and the chosen options, and no secret.
  public var url: URL { pending.url }

  /// An exchange in progress. A caller that begins to wait just after it has ended still gets its result.
  private typealias Exchange = Task<Result<OAuth1Token, LoginError>, Never>

  private enum State {
    case open
    /// `isAbandoned` is whether the task that began the exchange no longer waits.
    case exchanging(Exchange, isAbandoned: Bool)
    /// The exchange has ended, and nobody has its token yet. `isAbandoned` is whether the task that began it no longer waits, so
    /// that another task may have the token.
    case undelivered(OAuth1Token, isAbandoned: Bool)
    case completed
    case denied
    case cancelled
  }

  private let requestToken: OAuth1Token
  /// `nil` for a PIN.
  private let callback: CallbackURL?
  private let app: OAuth1App
  private let state = Locked(State.open)

  init(_ pending: PendingLogin, _ content: PendingLogin.OAuth1Content, callback: CallbackURL?, app: OAuth1App) {
    self.pending = pending
    requestToken = OAuth1Token(token: Secret(content.token), secret: Secret(content.secret))
    self.callback = callback
    self.app = app
  }

  /// Exchanges the request token for the person's token, with the parameters of the redirect to the callback URL.
  ///
  /// - Parameter redirect: The whole URL that the provider redirected to.
  /// - Throws: ``LoginError``: ``LoginError/foreignRedirect`` when it does not lead to the callback URL,
  ///   ``LoginError/stateMismatch`` when it is about another request token, ``LoginError/denied``,
  ///   ``LoginError/cancelled``, ``LoginError/alreadyUsed``, or why the request failed.
  public func complete(redirect: String) async throws(LoginError) -> OAuth1Token {
    guard let callback else {
      throw .invalidSetup("this login ends with a PIN; call complete(pin:), or begin with a callback URL")
    }
    try requireUnfinished()
    guard let response = CallbackURL(redirect), callback.isCompleted(by: response) else { throw .foreignRedirect }
    if let denied = response.query.value("denied") {
      guard Secret(denied) == requestToken.token else { throw .stateMismatch }
      try deny()
      throw .denied
    }
    guard let token = response.query.value("oauth_token"), Secret(token) == requestToken.token else {
      throw .stateMismatch
    }
    if let problem = OAuth1Problem(response.query) {
      let error = problem.loginError
      if case .denied = error { try deny() }
      throw error
    }
    guard let verifier = response.query.value("oauth_verifier"), !verifier.isEmpty else {
      throw .unexpectedResponse("the redirect has no oauth_verifier", nil)
    }
    return try await exchange(verifier)
  }

  /// The same as ``complete(redirect:)-(String)``.
  public func complete(redirect: URL) async throws(LoginError) -> OAuth1Token {
    try await complete(redirect: redirect.absoluteString)
  }

  /// Exchanges the request token for the person's, with the PIN that the provider showed.
  ///
  /// - Parameter pin: The text that the person typed in; white space around it does not matter.
  /// - Throws: ``LoginError``: ``LoginError/wrongPIN(_:)``, after which you can try another one; ``LoginError/wrongConsumer(_:)``
  ///   if the provider does not accept the app's key or secret; ``LoginError/cancelled``, ``LoginError/alreadyUsed``, or the reason
  ///   why the request failed.
  public func complete(pin: String) async throws(LoginError) -> OAuth1Token {
    guard callback == nil else {
      throw .invalidSetup("this login ends with a redirect; call complete(redirect:), or begin with a PIN")
    }
    let pin = pin.trimmingWhitespace()
    guard !pin.isEmpty else { throw .invalidSetup("the PIN is empty; ask for it again") }
    do throws(LoginError) { return try await exchange(pin) } catch { throw explained(error) }
  }

  /// Whether a redirect is a response to this login: it leads to its callback URL and names its request token. Nothing
  /// changes.
  public func isCompleted(by redirect: URL) -> Bool {
    guard let callback, let response = CallbackURL(redirect.absoluteString), callback.isCompleted(by: response),
      let token = response.query.value("oauth_token") ?? response.query.value("denied")
    else { return false }
    return Secret(token) == requestToken.token
  }

  /// Gives the login up, because the person closed the page. To complete it afterwards is ``LoginError/cancelled``.
  public func cancel() {
    state.withLock { state in
      switch state {
      case .open, .exchanging: state = .cancelled
      default: break
      }
    }
  }

  /// Adds to a refusal whether it is about the PIN. A refusal because of the clock, the rate or the app is not.
  private func explained(_ error: LoginError) -> LoginError {
    if case .refused("verifier_invalid", _) = error { return error }
    guard let refusal = error.refusal, [400, 401, 403].contains(refusal.status.code) else { return error }
    let codes = app.provider.errorCodes
    if codes.means(refusal, \.timestampRefused) || codes.means(refusal, \.rateLimited) { return error }
    // Where it states problems, their words count: the rest may quote the request.
    let text =
      (refusal.problems.isEmpty
      ? String(decoding: refusal.body.prefix(4096), as: UTF8.self)
      : refusal.problems.flatMap { [$0.title, $0.detail] }.compactMap { $0 }.joined(separator: " ")).lowercased()
    if text.contains("verifier") { return .wrongPIN(refusal) }
    let isAboutConsumer =
      codes.means(refusal, \.consumerRefused) || text.contains("signature") || text.contains("consumer")
    return isAboutConsumer ? .wrongConsumer(refusal) : .wrongPIN(refusal)
  }

  private func exchange(_ verifier: String) async throws(LoginError) -> OAuth1Token {
    let exchange: Exchange
    switch try entry(verifier) {
    case .delivered(let token): return token
    case .waits(let begun): exchange = begun
    }
    let result: Result<OAuth1Token, LoginError>
    do throws(CancellationError) {
      result = try await exchange.cancellableValue()
    } catch {
      state.withLock { state in
        switch state {
        case .exchanging(exchange, _): state = .exchanging(exchange, isAbandoned: true)
        case .undelivered(let token, _): state = .undelivered(token, isAbandoned: true)
        default: break
        }
      }
      throw .cancelled
    }
    let token = try result.get()
    state.withLock { if case .undelivered = $0 { $0 = .completed } }
    return token
  }

  private enum Entry {
    /// The exchange is under way.
    case waits(Exchange)
    case delivered(OAuth1Token)
  }

  /// Begins the exchange, joins the one whose task went away, or takes its token.
  private func entry(_ verifier: String) throws(LoginError) -> Entry {
    let isCancelled = Task.isCancelled
    return try state.withLock { state throws(LoginError) in
      switch state {
      case .open:
        if isCancelled { throw .cancelled }
        guard CompletedLogins.insert(pending.id, begun: pending.begun, now: app.configuration.time.now()) else {
          throw .alreadyUsed
        }
        // A separate task, which continues even if this one was just cancelled, because the login is used up.
        let exchange = Exchange { [self] in await finish(verifier) }
        state = .exchanging(exchange, isAbandoned: false)
        return .waits(exchange)
      case .exchanging(let exchange, isAbandoned: true):
        state = .exchanging(exchange, isAbandoned: false)
        return .waits(exchange)
      case .undelivered(let token, isAbandoned: true):
        state = .completed
        return .delivered(token)
      default:
        throw Self.error(of: state)
      }
    }
  }

  /// Exchanges the request token, and notes the end.
  private func finish(_ verifier: String) async -> Result<OAuth1Token, LoginError> {
    let result: Result<OAuth1Token, LoginError>
    do throws(LoginError) {
      let response = try await app.request(
        "oauth/access_token", at: app.provider.accessTokenURL, app.provider.accessTokenMethod, token: requestToken,
        protocolParameters: [("oauth_verifier", verifier)])
      result = .success(try app.token(of: response))
    } catch { result = .failure(error) }
    return state.withLock { state in
      // The person may have closed the page in the meantime, and must not find themselves logged in.
      guard case .exchanging(_, let isAbandoned) = state else { return .failure(.cancelled) }
      if case .success(let token) = result {
        state = .undelivered(token, isAbandoned: isAbandoned)
      } else {
        CompletedLogins.remove(pending.id)
        state = .open
      }
      return result
    }
  }

  private func requireUnfinished() throws(LoginError) {
    try state.withLock { (state) throws(LoginError) in
      switch state {
      case .open, .exchanging(_, isAbandoned: true), .undelivered(_, isAbandoned: true): return
      default: throw Self.error(of: state)
      }
    }
  }

  private func deny() throws(LoginError) {
    try state.withLock { (state) throws(LoginError) in
      guard case .open = state else { throw Self.error(of: state) }
      state = .denied
    }
  }

  /// The error that says why nothing can be begun in a state.
  private static func error(of state: State) -> LoginError {
    switch state {
    case .denied: .denied
    case .cancelled: .cancelled
    case .open, .exchanging, .undelivered, .completed: .alreadyUsed
    }
  }
}

extension OAuth1Authorization: RedactedStringConvertible {}
