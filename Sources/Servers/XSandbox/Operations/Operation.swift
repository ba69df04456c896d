import Foundation

/// An operation that the sandbox implements.
struct Operation: Sendable {
  typealias Handler = @Sendable (RequestContext, inout Database) throws(Problem) -> Response
  typealias Preparation = @Sendable (inout RequestContext, Services) async throws(Problem) -> Void

  /// X's operation ID.
  var name: String
  var method: String
  /// The path with `{placeholders}`, as in X's document.
  var path: String
  /// Which credentials it accepts; `nil` for those in the catalogue.
  var access: Access?
  var query: [QueryParameter] = []
  var body: BodySchema?
  /// Whether the body may also be `multipart/form-data`, with the members of the JSON object as parts.
  var takesParts = false
  /// Whether its response shows the limits of other operations.
  var readsLimits = false
  /// Whether its response is a stream.
  var opensStream = false
  /// Handles a request while no other request can change the database; `nil` if the response is generated from the types.
  var respond: Handler?
  /// Work before `respond` that takes time, such as a request to another server.
  var prepare: Preparation?

  /// The key in limits and faults: `GET /2/users/me`.
  var key: String { "\(method) \(path)" }

  var version: APIVersion { APIVersion(path: path) }
}

extension Operation {
  /// Creates an operation with the catalogue's path, credentials, limits and arguments.
  /// - Parameters:
  ///   - entry: The operation in the catalogue.
  ///   - respond: Handles a request; `nil` if the response is generated from the types.
  init(_ entry: CataloguedOperation, respond: Handler? = nil) {
    self.init(name: entry.name, method: entry.method, path: entry.path, respond: respond)
  }

  /// Creates operations with handlers. The handlers have the catalogue's names.
  static func catalogued(_ handlers: [OperationHandler], in version: APIVersion = .v2) -> [Operation] {
    handlers.compactMap { handler in
      guard let entry = CataloguedOperation.named(handler.name, in: version) else { return nil }
      var operation = Operation(entry, respond: handler.respond)
      operation.prepare = handler.prepare
      return operation
    }
  }
}

/// The handler of an operation in the catalogue. Before macOS 15, functions with typed errors cannot be values in a dictionary, so
/// a table of handlers is a list.
struct OperationHandler: Sendable {
  let name: String
  let respond: Operation.Handler
  let prepare: Operation.Preparation?

  init(_ name: String, _ respond: @escaping Operation.Handler, preparing prepare: Operation.Preparation? = nil) {
    self.name = name
    self.respond = respond
    self.prepare = prepare
  }
}

/// The parts of a sandbox that an operation's preparation can use.
struct Services: Sendable {
  let store: Store
  /// Sends a webhook a challenge for an app, given by its consumer key. Returns the reason why it failed.
  let challenge: @Sendable (_ url: String, _ app: String) async -> String?
}

/// An authenticated and checked request for an operation.
struct RequestContext: Sendable {
  var principal: Principal
  /// The operation's key.
  var operation: String
  var path: [String: String]
  var query: [String: QueryValue]
  /// The JSON body; `.null` for operations without one.
  var body: JSON
  var now: Date
  /// The operation's key and the path's values. A page token is valid only for these.
  var pageScope: String
  /// The `source` of posts.
  var source: String
  /// For v1.1: the values of query and form by name, as sent. Unknown ones are ignored, as on X.
  var parameters: [String: String] = [:]
  /// The file parts of a multipart body, by name.
  var files: [String: Data] = [:]
  /// The connection, for operations that open a stream.
  var stream: StreamConnection?
  /// The URL that the client used to reach the sandbox, such as `http://127.0.0.1:49152`.
  var origin = ""
  /// Fields and expansions that are not in X's document, by parameter.
  var further: [String: Set<String>] = [:]
  /// The names of members in the response.
  var dialect = SandboxDialect.document
  /// The state of the limits by operation, for operations that show it.
  var limits: [String: RateLimiter.Status] = [:]

  /// Returns the user of the principal.
  func authenticatedUser() throws(Problem) -> Identifier {
    guard let user = principal.user else {
      throw .forbidden("You are not permitted to perform this action.")
    }
    return user
  }
}
