import Foundation

/// `POST /oauth/request_token`: the first step of a login and of reverse auth.
enum RequestTokenEndpoint {
  static let endpoints = [AuthorizationEndpoint("POST", "/oauth/request_token", respond)]

  private static func respond(
    _ request: IncomingRequest, _ server: inout AuthorizationServer
  ) throws(Problem) -> Response {
    let verified = try server.verify(request, signedBy: .none)
    guard let app = server.registry.apps[verified.consumerKey] else { throw .unauthorized }
    let form = RequestForm(request, includingQuery: true)
    switch form["x_auth_mode"] {
    case "reverse_auth": return try ReverseAuthentication.begin(request, app, &server)
    case let mode?: throw .v1(400, 44, "x_auth_mode parameter is invalid.").explained("x_auth_mode is `\(mode)`")
    case nil: break
    }
    guard let callback = verified.parameters["oauth_callback"], !callback.isEmpty else {
      throw Problem.v1(401, 32, "Could not authenticate you.").explained(
        "callback_absent", ["detail": "`oauth_callback` must be there; `oob` asks for a PIN."])
    }
    guard callback == "oob" || CallbackURL.isApproved(callback, for: app.configuration) else {
      throw .callbackNotApproved(callback)
    }
    let permission = try permission(form["x_auth_access_type"], app.configuration)
    let token = server.generator.text(length: 27)
    let grant = RequestToken(
      secret: server.generator.secret(length: 32), consumerKey: verified.consumerKey, callback: callback,
      permission: permission, expiry: server.now.addingTimeInterval(server.configuration.requestTokenLifetime),
      authenticityToken: server.generator.secret(length: 40))
    server.registry.requestTokens[token] = grant
    return Response(form: [
      ("oauth_token", token), ("oauth_token_secret", grant.secret), ("oauth_callback_confirmed", "true"),
    ])
  }

  /// `x_auth_access_type` can request fewer rights than the app has, but not more.
  private static func permission(
    _ text: String?, _ app: SandboxAppConfiguration
  ) throws(Problem) -> SandboxPermission {
    switch text {
    case nil: app.permission
    case "read": .read
    case "write": app.permission
    case let other?: throw .v1(400, 44, "x_auth_access_type parameter is invalid.").explained("it is `\(other)`")
    }
  }
}

extension Problem {
  static func callbackNotApproved(_ address: String) -> Problem {
    v1(
      403, 415,
      "Callback URL not approved for this client application. Approved callback URLs can be adjusted in your "
        + "application settings"
    ).explained("register the address with the app, or use one on loopback", ["callback": .string(address)])
  }
}

extension AuthorizationServer {
  /// The result of a user's decision.
  enum Decision: Sendable {
    /// The browser goes to this URL.
    case redirect(String)
    /// The user reads the PIN and types it into the app.
    case pin(String)
    /// The user refused, and the app has no callback that could report it.
    case refusedWithoutCallback
  }

  /// Returns a request token that has not been decided yet.
  func pendingRequestToken(_ token: String) -> RequestToken? {
    guard let grant = registry.requestTokens[token], grant.expiry > now, case .pending = grant.decision else {
      return nil
    }
    return grant
  }

  /// Approves a request token.
  /// - Returns: `nil` if the token is unknown, used or expired.
  mutating func approve(requestToken token: String, user: Identifier) -> Decision? {
    guard let grant = pendingRequestToken(token) else { return nil }
    let verifier = grant.isOutOfBand ? generator.pin() : generator.secret(length: 32)
    registry.requestTokens[token]?.decision = .approved(user: user, verifier: verifier)
    if grant.isOutOfBand { return .pin(verifier) }
    return .redirect(
      CallbackURL.adding([("oauth_token", token), ("oauth_verifier", verifier)], to: grant.callback))
  }

  /// Denies a request token.
  /// - Returns: `nil` if the token is unknown, used or expired.
  mutating func deny(requestToken token: String) -> Decision? {
    guard let grant = pendingRequestToken(token) else { return nil }
    registry.requestTokens[token]?.decision = .denied
    if grant.isOutOfBand { return .refusedWithoutCallback }
    return .redirect(CallbackURL.adding([("denied", token)], to: grant.callback))
  }
}
