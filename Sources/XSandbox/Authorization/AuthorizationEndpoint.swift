/// One of the addresses by which credentials come about or end. They stand outside the API's versions, limits and scopes.
struct AuthorizationEndpoint: Sendable {
  typealias Response = @Sendable (IncomingRequest, inout AuthorizationServer) throws(Problem) -> Answer

  var method: String
  var path: String
  /// Runs while nothing else can touch the credentials.
  var respond: Response

  init(_ method: String, _ path: String, _ respond: @escaping Response) {
    self.method = method
    self.path = path
    self.respond = respond
  }

  /// The key by which faults name it: `POST /oauth/request_token`.
  var key: String { "\(method) \(path)" }

  static let all: [AuthorizationEndpoint] =
    RequestTokenEndpoint.endpoints + AuthorizePage.endpoints + AccessTokenEndpoint.endpoints
    + AccessTokenInvalidation.endpoints + OAuth2AuthorizePage.endpoints + TokenEndpoint.endpoints
    + RevocationEndpoint.endpoints + AppOnlyEndpoints.endpoints

  /// The endpoint that a request is for; `nil` if the path is none of theirs.
  static func find(_ request: IncomingRequest) throws(Problem) -> AuthorizationEndpoint? {
    let here = all.filter { $0.path == request.path }
    if here.isEmpty { return nil }
    guard let endpoint = here.first(where: { $0.method == request.method }) else {
      throw .methodNotAllowed(allowed: here.map(\.method))
    }
    return endpoint
  }
}
