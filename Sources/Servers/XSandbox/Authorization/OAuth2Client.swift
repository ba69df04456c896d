import CallsignSupport

/// Client authentication (RFC 6749 §2.3 and §3.2.1): confidential clients use Basic authentication, public ones send `client_id` in
/// the body.
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
    guard let credentials = BasicCredentials(request) else {
      throw .invalidClient("authorization_header_malformed", isChallenged: true)
    }
    guard let app = server.registry.app(clientID: credentials.name) else {
      throw .invalidClient("client_unknown", isChallenged: true)
    }
    guard let secret = app.app.clientSecret else { throw .invalidClient("client_is_public", isChallenged: true) }
    guard ConstantTime.equal(secret, credentials.password) else {
      throw .invalidClient("client_secret_wrong", isChallenged: true)
    }
    if let id = form["client_id"], id != credentials.name {
      throw .invalidClient("client_id_differs", isChallenged: true)
    }
    return app
  }
}

/// A refusal by the token endpoint (RFC 6749 §5.2), with the reason in a member `sandbox`.
struct OAuth2Error: Error, Sendable {
  enum Code: String, Sendable {
    case invalidRequest = "invalid_request"
    case invalidClient = "invalid_client"
    case invalidGrant = "invalid_grant"
    case unsupportedGrantType = "unsupported_grant_type"
    case invalidScope = "invalid_scope"
  }

  var code: Code
  var description: String
  /// The sandbox's explanation.
  var reason: String
  /// Whether the response requests Basic authentication.
  var isChallenged = false

  init(_ code: Code, _ description: String, _ reason: String) {
    self.code = code
    self.description = description
    self.reason = reason
  }

  static func missing(_ parameter: String) -> OAuth2Error {
    OAuth2Error(.invalidRequest, "Missing required parameter [\(parameter)].", "\(parameter)_absent")
  }

  /// The refusal of a code or a refresh token, with the same description for all reasons, as on X.
  static func invalidGrant(_ reason: String) -> OAuth2Error {
    OAuth2Error(.invalidGrant, "Value passed for the authorization code or token was invalid.", reason)
  }

  static func invalidClient(_ reason: String, isChallenged: Bool = false) -> OAuth2Error {
    var error = OAuth2Error(.invalidClient, "Missing valid authorization header", reason)
    error.isChallenged = isChallenged
    return error
  }

  var response: Response {
    var response = Response(
      status: code == .invalidClient ? 401 : 400,
      json: [
        "error": .string(code.rawValue), "error_description": .string(description),
        "sandbox": ["reason": .string(reason)],
      ])
    // §5.2 requires it for clients that used the header.
    if code == .invalidClient, isChallenged { response.set("WWW-Authenticate", "Basic realm=\"X\"") }
    response.forbidCaching()
    return response
  }
}
