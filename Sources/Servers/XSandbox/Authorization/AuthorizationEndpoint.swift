import Foundation

/// An endpoint that issues or revokes credentials. Scopes and rate limits do not apply to it.
struct AuthorizationEndpoint: Sendable {
  typealias Handler = @Sendable (IncomingRequest, inout AuthorizationServer) throws(Problem) -> Response

  var method: String
  var path: String
  /// Handles a request while no other request can change the credentials.
  var respond: Handler

  init(_ method: String, _ path: String, _ respond: @escaping Handler) {
    self.method = method
    self.path = path
    self.respond = respond
  }

  /// The key in the names of faults: `POST /oauth/request_token`.
  var key: String { "\(method) \(path)" }

  static let all: [AuthorizationEndpoint] =
    RequestTokenEndpoint.endpoints + OAuth1AuthorizePage.endpoints + AccessTokenEndpoint.endpoints
    + AccessTokenInvalidation.endpoints + OAuth2AuthorizePage.endpoints + OAuth2TokenEndpoint.endpoints
    + OAuth2RevocationEndpoint.endpoints + AppOnlyEndpoints.endpoints

  /// Returns the endpoint for a request, or `nil` if no endpoint has its path.
  static func find(_ request: IncomingRequest) throws(Problem) -> AuthorizationEndpoint? {
    let candidates = all.filter { $0.path == request.path }
    if candidates.isEmpty { return nil }
    guard let endpoint = candidates.first(where: { $0.method == request.method }) else {
      throw .methodNotAllowed(allowed: candidates.map(\.method))
    }
    return endpoint
  }
}

/// The URL that a login returns to: the callback of OAuth 1.0a, the redirect URI of OAuth 2.0.
enum CallbackURL {
  /// Whether an app can send its users to a URL.
  static func isApproved(_ address: String, for app: SandboxAppConfiguration) -> Bool {
    guard let components = URLComponents(string: address), let scheme = components.scheme?.lowercased(),
      components.fragment == nil
    else { return false }
    return app.callbacks.contains { callback in
      if callback.hasSuffix("://") { return callback.lowercased() == scheme + "://" }
      if callback.hasSuffix(":*"), let host = components.host, components.port != nil {
        return callback.dropLast(2).lowercased() == "\(scheme)://\(host)".lowercased()
      }
      return withoutQuery(callback) == withoutQuery(address)
    }
  }

  /// Adds parameters to the query of a URL.
  static func adding(_ parameters: [(name: String, value: String)], to address: String) -> String {
    let separator = address.contains("?") ? (address.hasSuffix("?") || address.hasSuffix("&") ? "" : "&") : "?"
    return address + separator + RequestParameter.form(parameters)
  }

  private static func withoutQuery(_ address: String) -> Substring { address.prefix { $0 != "?" } }
}
