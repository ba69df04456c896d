import Foundation

/// `/i/oauth2/authorize`, and `/i/oauth2_start_flow`, which opens the same page on a phone.
enum OAuth2AuthorizePage {
  static let endpoints = ["/i/oauth2/authorize", "/i/oauth2_start_flow"].flatMap { path in
    [
      AuthorizationEndpoint("GET", path) { (request, server) throws(Problem) in show(request, &server) },
      AuthorizationEndpoint("POST", path) { (request, server) throws(Problem) in decide(request, &server) },
    ]
  }

  private static func show(_ request: IncomingRequest, _ server: inout AuthorizationServer) -> Response {
    switch server.beginAuthorization(RequestForm(request, includingQuery: true)) {
    case .refused(let reason): refusal(reason)
    case .returned(let address): Response(redirectTo: address)
    case .page(let token):
      page(request, token, server)?.response ?? refusal("The request has expired.")
    }
  }

  private static func decide(_ request: IncomingRequest, _ server: inout AuthorizationServer) -> Response {
    let submission = LoginPage.Submission(RequestForm(request))
    let token = submission.authenticityToken
    guard let page = page(request, token, server) else {
      return refusal("This form is not from the login page, was sent before, or has expired.")
    }
    if submission.isCancelled { return response(server.denyAuthorization(token)) }
    guard let account = server.account(of: submission, on: page) else {
      return page.responseToFailedLogin(username: submission.username)
    }
    return response(server.approveAuthorization(token, user: account.id))
  }

  private static func page(
    _ request: IncomingRequest, _ token: String, _ server: AuthorizationServer
  ) -> LoginPage? {
    guard let pending = server.pendingAuthorization(token), let app = server.registry.apps[pending.consumerKey] else {
      return nil
    }
    return LoginPage(
      appName: app.configuration.name,
      rights: pending.scopes.map { LoginPage.Right(text: Scopes.words($0), scope: $0) },
      action: request.path, callback: pending.redirectURI, authenticityToken: token,
      accounts: server.accountsToChoose(for: request))
  }

  private static func response(_ address: String?) -> Response {
    address.map(Response.init(redirectTo:)) ?? refusal("The request has expired.")
  }

  /// An error page. RFC 6749 §4.1.2.1 forbids a redirect to a URL that may not belong to the client.
  private static func refusal(_ reason: String) -> Response {
    Response(
      status: 400,
      page: HTML.message(
        title: "Something went wrong",
        "You weren't able to give access to the App. Go back and try logging in again. (\(reason))"))
  }
}

extension AuthorizationServer {
  enum AuthorizationStart: Sendable {
    /// An error page, because the client's URL is unknown.
    case refused(String)
    /// A redirect to the client with an error.
    case returned(String)
    /// A login page with this authenticity token.
    case page(String)
  }

  /// Checks an authorization request (RFC 6749 §4.1.1, RFC 7636 §4.3).
  mutating func beginAuthorization(_ form: RequestForm) -> AuthorizationStart {
    guard let clientID = form["client_id"], let app = registry.app(clientID: clientID) else {
      return .refused("client_id is missing, or no app has it.")
    }
    guard let redirectURI = form["redirect_uri"], CallbackURL.isApproved(redirectURI, for: app.configuration) else {
      return .refused("redirect_uri is missing, or not registered with the app.")
    }
    func back(_ error: String, _ description: String) -> AuthorizationStart {
      var parameters = [(name: "error", value: error), (name: "error_description", value: description)]
      if let state = form["state"] { parameters.append((name: "state", value: state)) }
      return .returned(CallbackURL.adding(parameters, to: redirectURI))
    }
    guard form["response_type"] == "code" else {
      return form["response_type"] == nil
        ? back("invalid_request", "response_type is missing; it must be code.")
        : back("unsupported_response_type", "response_type must be code.")
    }
    guard let state = form["state"], state.utf8.count <= 500 else {
      return back("invalid_request", "state is missing, or longer than 500 characters.")
    }
    let scopes = Scopes.parse(form["scope"] ?? "")
    guard !scopes.isEmpty else { return back("invalid_scope", "scope is missing.") }
    let unknown = scopes.filter { !Scopes.all.contains($0) }
    guard unknown.isEmpty else { return back("invalid_scope", "Unknown: \(unknown.joined(separator: " ")).") }
    guard let method = CodeChallenge.Method(rawValue: form["code_challenge_method"] ?? "plain") else {
      return back("invalid_request", "code_challenge_method must be S256 or plain.")
    }
    // X accepts shorter plain challenges, and its own examples use them. RFC 7636 does not allow them.
    guard let challenge = form["code_challenge"], CodeChallenge.isWellFormed(challenge) else {
      return back("invalid_request", "code_challenge is missing, or is not 43 to 128 unreserved characters.")
    }
    let token = generator.secret(length: 40)
    registry.authorizationRequests[token] = AuthorizationRequest(
      consumerKey: app.app.consumerKey, redirectURI: redirectURI, scopes: scopes, state: state,
      challenge: CodeChallenge(value: challenge, method: method),
      expiry: now.addingTimeInterval(configuration.requestTokenLifetime))
    return .page(token)
  }

  func pendingAuthorization(_ token: String) -> AuthorizationRequest? {
    guard let pending = registry.authorizationRequests[token], pending.expiry > now else { return nil }
    return pending
  }

  /// - Returns: The URL that the browser goes to; `nil` if the request is unknown, decided or expired.
  mutating func approveAuthorization(_ token: String, user: Identifier) -> String? {
    guard let pending = pendingAuthorization(token) else { return nil }
    registry.authorizationRequests[token] = nil
    let code = generator.secret(length: 90)
    registry.authorizationCodes[code] = AuthorizationCode(
      consumerKey: pending.consumerKey, redirectURI: pending.redirectURI, scopes: pending.scopes,
      challenge: pending.challenge, user: user, expiry: now.addingTimeInterval(configuration.authorizationCodeLifetime))
    return CallbackURL.adding([("state", pending.state), ("code", code)], to: pending.redirectURI)
  }

  /// - Returns: The URL that the browser goes to; `nil` if the request is unknown, decided or expired.
  mutating func denyAuthorization(_ token: String) -> String? {
    guard let pending = pendingAuthorization(token) else { return nil }
    registry.authorizationRequests[token] = nil
    return CallbackURL.adding([("error", "access_denied"), ("state", pending.state)], to: pending.redirectURI)
  }
}
