/// One endpoint that the sandbox implements.
struct Operation: Sendable {
  typealias Response = @Sendable (Exchange, inout World) throws(Problem) -> Answer

  /// X's operation id.
  var name: String
  var method: String
  /// As in X's document, with `{placeholders}`.
  var path: String
  var access: Access
  var query: [QueryParameter] = []
  var body: BodySchema?
  /// Whether the body may also be `multipart/form-data`, with the members of the JSON object as parts.
  var takesParts = false
  /// Whether it tells of the limits of other operations.
  var readsLimits = false
  /// Runs while nothing else can touch the world.
  var respond: Response

  /// The key by which limits and faults name it: `GET /2/users/me`.
  var key: String { "\(method) \(path)" }

  var version: APIVersion { APIVersion(path: path) }
}
