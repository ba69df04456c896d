extension AuthorizationServer {
  enum AuthorizationStart: Sendable {
    /// It isn't known to whom this should be told.
    case refused(String)
    /// Back to the client, with an error.
    case returned(String)
    /// A page with this authenticity token.
    case page(String)
  }

  /// Checks an authorization request (RFC 6749 §4.1.1, RFC 7636 §4.3).
  mutating func beginAuthorization(_ form: RequestForm) -> AuthorizationStart {
    guard let clientID = form["client_id"], let app = registry.app(clientID: clientID) else {
      return .refused("client_id is missing, or no app has it.")
    }
    guard let redirectURI = form["redirect_uri"], CallbackAddress.isApproved(redirectURI, for: app.configuration) else {
      return .refused("redirect_uri is missing, or not registered with the app.")
    }
    func back(_ error: String, _ description: String) -> AuthorizationStart {
      var parameters = [(name: "error", value: error), (name: "error_description", value: description)]
      if let state = form["state"] { parameters.append((name: "state", value: state)) }
      return .returned(CallbackAddress.adding(parameters, to: redirectURI))
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
    // X takes shorter plain challenges, and its own examples have them; a client that means it well never sends one.
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

  /// - Returns: where the browser goes; `nil` if the request is unknown, decided or expired.
  mutating func approveAuthorization(_ token: String, user: Identifier) -> String? {
    guard let pending = pendingAuthorization(token) else { return nil }
    registry.authorizationRequests[token] = nil
    let code = generator.secret(length: 90)
    registry.authorizationCodes[code] = AuthorizationCode(
      consumerKey: pending.consumerKey, redirectURI: pending.redirectURI, scopes: pending.scopes,
      challenge: pending.challenge, user: user, expiry: now.addingTimeInterval(configuration.authorizationCodeLifetime))
    return CallbackAddress.adding([("state", pending.state), ("code", code)], to: pending.redirectURI)
  }

  /// - Returns: where the browser goes; `nil` if the request is unknown, decided or expired.
  mutating func denyAuthorization(_ token: String) -> String? {
    guard let pending = pendingAuthorization(token) else { return nil }
    registry.authorizationRequests[token] = nil
    return CallbackAddress.adding([("error", "access_denied"), ("state", pending.state)], to: pending.redirectURI)
  }
}
