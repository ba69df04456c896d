import Foundation

/// An operation that the sandbox implements.
struct Operation: Sendable {
  typealias Handler = @Sendable (RequestContext, inout Database) throws(Problem) -> Response

  /// X's operation id.
  var name: String
  var method: String
  /// The path with `{placeholders}`, as in X's document.
  var path: String
  var access: Access
  var query: [QueryParameter] = []
  var body: BodySchema?
  /// Whether the body may also be `multipart/form-data`, with the members of the JSON object as parts.
  var takesParts = false
  /// Whether its response shows the limits of other operations.
  var readsLimits = false
  /// Whether its response is a stream.
  var opensStream = false
  /// Handles a request while no other can change the database.
  var respond: Handler

  /// The key in limits and faults: `GET /2/users/me`.
  var key: String { "\(method) \(path)" }

  var version: APIVersion { APIVersion(path: path) }
}

/// An authenticated and checked request, as an operation gets it.
struct RequestContext: Sendable {
  var principal: Principal
  /// The operation's key.
  var operation: String
  var path: [String: String]
  var query: [String: QueryValue]
  /// The JSON body; `.null` for operations without one.
  var body: JSON
  var now: Date
  /// The operation's key and the path's values: a page token is valid for these only.
  var pageScope: String
  /// The source of posts.
  var source: String
  /// v1.1: the values of query and form by name, as they were sent. Unknown ones are ignored, as at X.
  var parameters: [String: String] = [:]
  /// The file parts of a multipart body, by name.
  var files: [String: Data] = [:]
  /// The connection, for operations that open a stream.
  var stream: StreamConnection?
  /// The state of the limits by operation, for operations that show them.
  var limits: [String: RateLimiter.Status] = [:]

  /// Returns the user of the principal.
  func authenticatedUser() throws(Problem) -> Identifier {
    guard let user = principal.user else {
      throw .forbidden("You are not permitted to perform this action.")
    }
    return user
  }
}
