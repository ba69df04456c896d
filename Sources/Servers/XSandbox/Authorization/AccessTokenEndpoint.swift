import CallsignSupport

/// `POST /oauth/access_token`: issues an access token for a verifier, for a password (xAuth), or for another app (reverse auth).
enum AccessTokenEndpoint {
  static let endpoints = [AuthorizationEndpoint("POST", "/oauth/access_token", respond)]

  private static func respond(
    _ request: IncomingRequest, _ server: inout AuthorizationServer
  ) throws(Problem) -> Response {
    let form = RequestForm(request)
    if form["x_reverse_auth_target"] != nil || form["x_reverse_auth_parameters"] != nil {
      return try ReverseAuthentication.finish(request, form, &server)
    }
    if let mode = form["x_auth_mode"] {
      guard mode == "client_auth" else {
        throw .v1(400, 44, "x_auth_mode parameter is invalid.").explained("x_auth_mode is `\(mode)`")
      }
      return try exchangePassword(request, form, &server)
    }
    return try exchangeVerifier(request, &server)
  }

  private static func exchangeVerifier(
    _ request: IncomingRequest, _ server: inout AuthorizationServer
  ) throws(Problem) -> Response {
    let verified = try server.verify(request, signedBy: .requestToken)
    guard let grant = server.registry.requestTokens[verified.token] else { throw .unauthorized }
    guard case .approved(let user, let verifier) = grant.decision else {
      throw refusal("not_authorized", "No user has let the app act for them with this request token.")
    }
    let given = verified.parameters["oauth_verifier"] ?? ""
    guard ConstantTime.equal(verifier, given) else {
      throw refusal(
        "verifier_invalid",
        given.isEmpty ? "`oauth_verifier` is missing." : "It is not the one that the user was given.")
    }
    server.registry.requestTokens[verified.token] = nil
    return response(user, consumerKey: grant.consumerKey, permission: grant.permission, &server)
  }

  /// Exchanges a user name and a password for a token (xAuth).
  private static func exchangePassword(
    _ request: IncomingRequest, _ form: RequestForm, _ server: inout AuthorizationServer
  ) throws(Problem) -> Response {
    let verified = try server.verify(request, signedBy: .none)
    guard let app = server.registry.apps[verified.consumerKey] else { throw .unauthorized }
    guard app.configuration.isEntitledToXAuth else { throw .notEntitledToXAuth }
    guard let username = form["x_auth_username"] else { throw .missingParameter("x_auth_username") }
    guard let password = form["x_auth_password"] else { throw .missingParameter("x_auth_password") }
    guard let account = server.account(username: username, password: password) else {
      throw .v1(401, 32, "Invalid user name or password").explained("password_rejected")
    }
    return response(
      account.id, consumerKey: verified.consumerKey, permission: app.configuration.permission, &server)
  }

  /// The form with an access token, which ends each exchange.
  static func response(
    _ user: Identifier, consumerKey: String, permission: SandboxPermission, _ server: inout AuthorizationServer
  ) -> Response {
    let token = server.accessToken(for: user, consumerKey: consumerKey, permission: permission)
    return Response(form: [
      ("oauth_token", token.token), ("oauth_token_secret", token.secret), ("user_id", String(user)),
      ("screen_name", server.registry.account(of: user)?.username ?? ""),
    ])
  }

  private static func refusal(_ reason: String, _ detail: String) -> Problem {
    Problem.v1(401, 32, "Error processing your OAuth request: Invalid oauth_verifier parameter")
      .explained(reason, ["detail": .string(detail)])
  }
}

extension Problem {
  static let notEntitledToXAuth = v1(403, 87, "Client is not permitted to perform this action.")
    .explained("the app is not entitled to xAuth; set `isEntitledToXAuth` in its configuration")
}

/// `POST /1.1/oauth/invalidate_token`: revokes the access token that signed the request.
enum AccessTokenInvalidation {
  static let endpoints = [
    AuthorizationEndpoint("POST", "/1.1/oauth/invalidate_token.json", respond),
    AuthorizationEndpoint("POST", "/1.1/oauth/invalidate_token", respond),
  ]

  private static func respond(
    _ request: IncomingRequest, _ server: inout AuthorizationServer
  ) throws(Problem) -> Response {
    let verified = try server.verify(request, signedBy: .accessToken)
    server.registry.accessTokens[verified.token]?.isRevoked = true
    return Response(json: ["access_token": .string(verified.token)])
  }
}
