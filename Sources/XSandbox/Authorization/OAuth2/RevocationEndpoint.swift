/// `POST /2/oauth2/revoke` (RFC 7009).
enum RevocationEndpoint {
  static let endpoints = [
    AuthorizationEndpoint("POST", "/2/oauth2/revoke") { (request, server) throws(Problem) in
      do throws(OAuth2Error) { return try respond(request, &server) } catch { return error.answer }
    }
  ]

  private static func respond(
    _ request: IncomingRequest, _ server: inout AuthorizationServer
  ) throws(OAuth2Error) -> Answer {
    let form = RequestForm(request)
    guard let token = form["token"] else { throw .missing("token") }
    let client = try ClientAuthentication.client(of: request, form, server)
    // §2.2: a token that isn't there is revoked enough; one of another client must not be touched.
    if let grant = server.registry.refreshTokens[token], grant.consumerKey == client.app.consumerKey {
      server.registry.revoke(login: grant.login)
    } else if let grant = server.registry.bearerTokens[token], grant.consumerKey == client.app.consumerKey {
      server.registry.bearerTokens[token]?.isRevoked = true
    }
    var answer = Answer(json: ["revoked": true])
    answer.forbidCaching()
    return answer
  }
}
