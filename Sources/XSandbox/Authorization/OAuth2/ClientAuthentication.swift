/// Finds out which client asks (RFC 6749 §2.3 and §3.2.1): confidential ones by Basic, public ones by `client_id` in the body.
enum ClientAuthentication {
  static func client(
    of request: IncomingRequest, _ form: RequestForm, _ server: AuthorizationServer
  ) throws(OAuth2Error) -> CredentialRegistry.RegisteredApp {
    guard request.header("Authorization") == nil else {
      return try confidentialClient(of: request, form, server)
    }
    if form["client_secret"] != nil { throw .invalidClient("client_secret_in_body") }
    guard let id = form["client_id"] else { throw .missing("client_id") }
    guard let app = server.registry.app(clientID: id) else { throw .invalidClient("client_unknown") }
    guard app.app.clientSecret == nil else { throw .invalidClient("authorization_header_absent") }
    return app
  }

  private static func confidentialClient(
    of request: IncomingRequest, _ form: RequestForm, _ server: AuthorizationServer
  ) throws(OAuth2Error) -> CredentialRegistry.RegisteredApp {
    guard let credentials = BasicCredentials(request) else { throw .invalidClient("authorization_header_malformed") }
    guard let app = server.registry.app(clientID: credentials.name) else { throw .invalidClient("client_unknown") }
    guard let secret = app.app.clientSecret else { throw .invalidClient("client_is_public") }
    guard ConstantTime.equal(Array(secret.utf8), Array(credentials.password.utf8)) else {
      throw .invalidClient("client_secret_wrong")
    }
    if let id = form["client_id"], id != credentials.name { throw .invalidClient("client_id_differs") }
    return app
  }
}
