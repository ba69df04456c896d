/// `POST /1.1/oauth/invalidate_token`: the end of the access token that signs the call.
enum AccessTokenInvalidation {
  static let endpoints = [
    AuthorizationEndpoint("POST", "/1.1/oauth/invalidate_token.json", respond),
    AuthorizationEndpoint("POST", "/1.1/oauth/invalidate_token", respond),
  ]

  @Sendable private static func respond(
    _ request: IncomingRequest, _ server: inout AuthorizationServer
  ) throws(Problem) -> Answer {
    let verified = try server.verify(request, signedBy: .accessToken)
    server.registry.accessTokens[verified.token]?.isRevoked = true
    return Answer(json: ["access_token": .string(verified.token)])
  }
}
