import CallsignSupport
import Foundation

/// `POST /2/oauth2/token`: issues tokens for an authorization code, a refresh token, or an OAuth 1.0a access token.
enum OAuth2TokenEndpoint {
  static let endpoints = [
    AuthorizationEndpoint("POST", "/2/oauth2/token") { (request, server) throws(Problem) in
      do throws(OAuth2Error) { return try respond(request, &server) } catch {
        if RequestForm(request)["grant_type"] == "refresh_token" { server.counts.refusedRefreshes += 1 }
        return error.response
      }
    }
  ]

  /// RFC 8693 §2.1.
  private static let exchangeGrant = "urn:ietf:params:oauth:grant-type:token-exchange"

  private static func respond(
    _ request: IncomingRequest, _ server: inout AuthorizationServer
  ) throws(OAuth2Error) -> Response {
    guard request.hasFormBody else {
      throw OAuth2Error(
        .invalidRequest, "The body must be application/x-www-form-urlencoded.", "content_type_wrong")
    }
    let form = RequestForm(request)
    guard let grantType = form["grant_type"] else { throw .missing("grant_type") }
    let client = try ClientAuthentication.client(of: request, form, server)
    switch grantType {
    case "authorization_code": return try exchangeCode(form, client, &server)
    case "refresh_token": return try refresh(form, client, request.header("User-Agent"), &server)
    case exchangeGrant: return try exchangeToken(form, client, &server)
    default:
      throw OAuth2Error(
        .unsupportedGrantType, "grant_type must be authorization_code, refresh_token or \(exchangeGrant).",
        "grant_type_unknown")
    }
  }

  private static func exchangeCode(
    _ form: RequestForm, _ client: CredentialRegistry.RegisteredApp, _ server: inout AuthorizationServer
  ) throws(OAuth2Error) -> Response {
    guard let code = form["code"] else { throw .missing("code") }
    guard let redirectURI = form["redirect_uri"] else { throw .missing("redirect_uri") }
    guard let verifier = form["code_verifier"] else { throw .missing("code_verifier") }
    guard let grant = server.registry.authorizationCodes[code], grant.consumerKey == client.app.consumerKey else {
      throw .invalidGrant("code_unknown")
    }
    if let login = grant.login {
      // RFC 6749 §4.1.2: someone else has seen the code.
      server.registry.revoke(login: login)
      throw .invalidGrant("code_used")
    }
    server.registry.lastLogin += 1
    let login = server.registry.lastLogin
    server.registry.authorizationCodes[code]?.login = login
    guard grant.expiry > server.now else { throw .invalidGrant("code_expired") }
    guard grant.redirectURI == redirectURI else { throw .invalidGrant("redirect_uri_differs") }
    guard CodeChallenge.isWellFormed(verifier) else { throw .invalidGrant("code_verifier_malformed") }
    guard grant.challenge.matches(verifier: verifier) else { throw .invalidGrant("code_verifier_wrong") }
    server.counts.codesExchanged += 1
    return tokens(
      user: grant.user, granted: grant.scopes, scopes: grant.scopes, consumerKey: grant.consumerKey, login: login,
      &server)
  }

  private static func refresh(
    _ form: RequestForm, _ client: CredentialRegistry.RegisteredApp, _ userAgent: String?,
    _ server: inout AuthorizationServer
  ) throws(OAuth2Error) -> Response {
    guard let token = form["refresh_token"] else { throw .missing("refresh_token") }
    guard let grant = server.registry.refreshTokens[token], grant.consumerKey == client.app.consumerKey else {
      throw .invalidGrant("refresh_token_unknown")
    }
    if let use = grant.use {
      server.refreshes[grant.user, default: SandboxRefreshes()].note(
        SandboxRefreshes.Reuse(
          date: server.now, userAgent: userAgent,
          use: SandboxRefreshes.Grant(date: use.date, userAgent: use.userAgent)))
      if server.configuration.revokesOnRefreshTokenReuse { server.registry.revoke(login: grant.login) }
      throw .invalidGrant("refresh_token_used")
    }
    guard !grant.isRevoked else { throw .invalidGrant("refresh_token_revoked") }
    guard grant.expiry > server.now else { throw .invalidGrant("refresh_token_expired") }
    let scopes = form["scope"].map(Scopes.parse) ?? grant.scopes
    guard scopes.allSatisfy(grant.scopes.contains) else {
      throw OAuth2Error(.invalidScope, "A refresh cannot ask for more than was granted.", "scope_not_granted")
    }
    let now = server.now
    server.registry.refreshTokens[token]?.use = (now, userAgent)
    server.counts.refreshes += 1
    server.refreshes[grant.user, default: SandboxRefreshes()].note(
      SandboxRefreshes.Grant(date: now, userAgent: userAgent))
    return tokens(
      user: grant.user, granted: grant.scopes, scopes: scopes, consumerKey: grant.consumerKey, login: grant.login,
      &server)
  }

  /// The OAuth 1.0a token stays valid. Another exchange revokes the tokens from the previous one.
  private static func exchangeToken(
    _ form: RequestForm, _ client: CredentialRegistry.RegisteredApp, _ server: inout AuthorizationServer
  ) throws(OAuth2Error) -> Response {
    guard let token = form["subject_token"] else { throw .missing("subject_token") }
    guard let type = form["subject_token_type"] else { throw .missing("subject_token_type") }
    guard type == "urn:x:params:oauth:token-type:oauth1_token" else {
      throw OAuth2Error(
        .invalidRequest, "subject_token_type must be urn:x:params:oauth:token-type:oauth1_token.",
        "subject_token_type_unknown")
    }
    guard let secret = form["oauth_token_secret"] else { throw .missing("oauth_token_secret") }
    guard let grant = server.registry.accessTokens[token] else { throw .invalidGrant("subject_token_unknown") }
    guard grant.consumerKey == client.app.consumerKey else { throw .invalidGrant("subject_token_of_another_app") }
    guard ConstantTime.equal(grant.secret, secret) else { throw .invalidGrant("oauth_token_secret_wrong") }
    guard !grant.isRevoked else { throw .invalidGrant("subject_token_revoked") }
    let permitted = Scopes.exchanged(client.configuration.permission == .read ? .read : grant.permission)
    let asked = form["scope"].map(Scopes.parse) ?? permitted
    guard asked.allSatisfy(permitted.contains) else {
      throw OAuth2Error(
        .invalidScope, "An exchange cannot ask for more than the OAuth 1.0a token permits.", "scope_not_permitted")
    }
    // This scope is always included.
    let scopes = asked.contains(Scopes.offline) ? asked : asked + [Scopes.offline]
    server.registry.revokeExchanges(for: grant.user, consumerKey: grant.consumerKey)
    server.registry.lastLogin += 1
    let login = server.registry.lastLogin
    server.registry.accessTokens[token]?.exchange = login
    server.counts.tokensExchanged += 1
    return tokens(
      user: grant.user, granted: scopes, scopes: scopes, consumerKey: grant.consumerKey, login: login, &server)
  }

  /// - Parameters:
  ///   - granted: The scopes that the user granted. The next refresh can request them again.
  ///   - scopes: The scopes of the access token.
  private static func tokens(
    user: Identifier, granted: [String], scopes: [String], consumerKey: String, login: Int,
    _ server: inout AuthorizationServer
  ) -> Response {
    let lifetime = server.configuration.accessTokenLifetime
    var document: [String: JSON] = [
      "token_type": "bearer", "expires_in": .integer(Int(lifetime)), "scope": .string(scopes.joined(separator: " ")),
      "access_token": .string(
        server.oauth2Token(
          for: user, consumerKey: consumerKey, scopes: Set(scopes), expiry: server.now.addingTimeInterval(lifetime),
          login: login)),
    ]
    if granted.contains(Scopes.offline) {
      let token = server.generator.secret(length: 91)
      server.registry.refreshTokens[token] = RefreshToken(
        consumerKey: consumerKey, user: user, scopes: granted, login: login,
        expiry: server.now.addingTimeInterval(server.configuration.refreshTokenLifetime))
      document["refresh_token"] = .string(token)
    }
    var response = Response(json: .object(document))
    response.forbidCaching()
    return response
  }
}

/// `POST /2/oauth2/revoke` (RFC 7009).
enum OAuth2RevocationEndpoint {
  static let endpoints = [
    AuthorizationEndpoint("POST", "/2/oauth2/revoke") { (request, server) throws(Problem) in
      do throws(OAuth2Error) { return try respond(request, &server) } catch { return error.response }
    }
  ]

  private static func respond(
    _ request: IncomingRequest, _ server: inout AuthorizationServer
  ) throws(OAuth2Error) -> Response {
    let form = RequestForm(request)
    guard let token = form["token"] else { throw .missing("token") }
    let client = try ClientAuthentication.client(of: request, form, server)
    // §2.2: revoking an unknown token succeeds. A token of another client must stay valid.
    if let grant = server.registry.refreshTokens[token], grant.consumerKey == client.app.consumerKey {
      server.registry.revoke(login: grant.login)
    } else if let grant = server.registry.bearerTokens[token], grant.consumerKey == client.app.consumerKey {
      server.registry.bearerTokens[token]?.isRevoked = true
    }
    var response = Response(json: ["revoked": true])
    response.forbidCaching()
    return response
  }
}
