import CallsignSupport

/// `/oauth2/token` and `/oauth2/invalidate_token`: issue and revoke the app's bearer token for its consumer key and secret.
enum AppOnlyEndpoints {
  static let endpoints = [
    AuthorizationEndpoint("POST", "/oauth2/token", token),
    AuthorizationEndpoint("POST", "/oauth2/invalidate_token", invalidate),
  ]

  private static func token(
    _ request: IncomingRequest, _ server: inout AuthorizationServer
  ) throws(Problem) -> Response {
    let app = try app(of: request, server)
    // Some clients send it in the query.
    guard let grantType = RequestForm(request, includingQuery: true)["grant_type"] else {
      throw .v1(403, 170, "Missing required parameter: grant_type")
    }
    guard grantType == "client_credentials" else {
      throw .v1(400, 44, "grant_type parameter is invalid.").explained("it must be client_credentials")
    }
    // As on X, the token stays the same until it is invalidated.
    let valid = server.registry.bearerTokens.first {
      $0.value.consumerKey == app.consumerKey && $0.value.user == nil && !$0.value.isRevoked
    }
    let token = valid?.key ?? server.makeBearerToken()
    if valid == nil { server.registry.bearerTokens[token] = .init(consumerKey: app.consumerKey) }
    server.counts.bearerTokens += 1
    var response = Response(json: ["token_type": "bearer", "access_token": .string(token)])
    response.forbidCaching()
    return response
  }

  private static func invalidate(
    _ request: IncomingRequest, _ server: inout AuthorizationServer
  ) throws(Problem) -> Response {
    let consumerKey = try consumerKey(of: request, &server)
    guard let sent = RequestForm(request, includingQuery: true)["access_token"] else {
      throw .v1(403, 170, "Missing required parameter: access_token")
    }
    // Clients percent-encode the token again, because X shows it encoded.
    let token = server.registry.bearerTokens[sent] == nil ? sent.removingPercentEncoding ?? sent : sent
    guard let grant = server.registry.bearerTokens[token], !grant.isRevoked else {
      throw .v1(401, 89, "Invalid or expired token.")
    }
    guard grant.user == nil, grant.consumerKey == consumerKey else {
      throw .v1(403, 348, "Client application is not permitted to invalidate this token.")
    }
    server.registry.bearerTokens[token]?.isRevoked = true
    return Response(json: ["access_token": .string(token)])
  }

  /// X's documentation requires a signature with the token of the app's owner. The sandbox does not know which user owns an app, so
  /// any user can sign. Many clients send Basic credentials.
  private static func consumerKey(
    of request: IncomingRequest, _ server: inout AuthorizationServer
  ) throws(Problem) -> String {
    if BasicCredentials(request) != nil { return try app(of: request, server).consumerKey }
    return try server.verify(request, signedBy: .accessToken).consumerKey
  }

  private static func app(
    of request: IncomingRequest, _ server: AuthorizationServer
  ) throws(Problem) -> SandboxApp {
    guard let credentials = BasicCredentials(request), let app = server.registry.apps[credentials.name]?.app,
      ConstantTime.equal(app.consumerSecret, credentials.password)
    else {
      throw .v1(403, 99, "Unable to verify your credentials").explained(
        "the Authorization header must be Basic with consumer key and secret, each percent-encoded")
    }
    return app
  }
}
