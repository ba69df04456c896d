/// The facts about an endpoint in the form that the runtime uses, both for generated code and for dynamic calls.
package struct EndpointFacts: Sendable {
  /// The scheme, host and path prefix, with the defaults of the variables.
  package let baseURL: String
  /// `oauth1 | oauth2(list.write tweet.read)`
  package let auth: String
  /// Whether the call can be sent again if its response was lost.
  package let isRepeatable: Bool
  /// The format of a body made of parameters; `nil` if there is no body, or one parameter is the whole body.
  package let body: BodyFormat?
  /// The maximum number of minutes that a stream can resend, if it can.
  package let backfillLimit: Int?
  /// The header field for the idempotency key.
  package let idempotencyField: String?
  /// The facts that few endpoints have, one line each, in the runtime's notation.
  package let details: [String]

  /// Collects the facts about an endpoint of an API.
  package init(_ endpoint: Endpoint, of api: API, _ models: ModelTable) {
    baseURL = api.host(of: endpoint)?.template ?? ""
    var auth = ""
    for requirement in endpoint.auth {
      if !auth.isEmpty { auth += " | " }
      auth += Self.text(requirement)
      for other in requirement.others { auth += " + " + Self.text(other) }
    }
    self.auth = auth
    idempotencyField = endpoint.idempotencyField(of: api)
    // RFC 9110 §9.2.2: methods that are idempotent.
    let isIdempotent = endpoint.isSafe || endpoint.method == "PUT" || endpoint.method == "DELETE"
    isRepeatable = endpoint.isRepeatable ?? (isIdempotent || idempotencyField != nil)
    var hasWhole = false
    var hasFields = false
    for parameter in endpoint.parameters {
      switch parameter.place {
      case .body: hasWhole = true
      case .field: hasFields = true
      case .path, .query, .header, .cookie: break
      }
    }
    body = hasWhole ? nil : endpoint.body ?? (hasFields ? .json : nil)
    backfillLimit = endpoint.stream.flatMap { _ in endpoint.backfill }.flatMap { backfill in
      endpoint.parameters.first { $0.name == backfill.parameter }
    }.flatMap { models.resolved($0.type).constraints.maximum }.flatMap { Int($0) }
    var lines: [String] = []
    if let type = endpoint.contentType { lines.append("content " + type) }
    // A server that offers several formats responds with JSON.
    if endpoint.returnsAnyContent {
      lines.append("accept application/json, */*;q=0.8")
    } else if let type = endpoint.accept {
      lines.append("accept " + type)
    }
    if let field = idempotencyField { lines.append("idempotency " + field) }
    if let end = endpoint.streamEnd { lines.append("end " + end) }
    if endpoint.hasWholeEvents { lines.append("whole") }
    lines += endpoint.parameters.compactMap { $0.defaultLine(of: endpoint, models) }
    details = lines
  }

  private static func text(_ requirement: AuthRequirement) -> String {
    requirement.scopes.isEmpty
      ? requirement.scheme : requirement.scheme + "(" + requirement.scopes.joined(separator: " ") + ")"
  }
}

extension Endpoint {
  /// The supported methods: those of RFC 9110 and RFC 5789, QUERY (draft-ietf-httpbis-safe-method-w-body), and others from the
  /// registry (RFC 9110 §16.1) that APIs use.
  package static let methods = [
    "GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "QUERY", "COPY", "LINK", "LOCK", "MKCOL", "MOVE",
    "PROPFIND", "PROPPATCH", "PURGE", "REPORT", "SEARCH", "UNLINK", "UNLOCK",
  ]

  /// Whether a call with this method sends parameters in a JSON body unless they say otherwise.
  package static func hasBodyByDefault(_ method: String) -> Bool { ["POST", "PUT", "PATCH", "QUERY"].contains(method) }

  /// Whether the method changes nothing (RFC 9110 §9.2.1).
  package var isSafe: Bool {
    ["GET", "HEAD", "OPTIONS", "TRACE", "QUERY", "PROPFIND", "REPORT", "SEARCH"].contains(method)
  }

  /// The status of a successful response if the catalogue has none (RFC 9110 §15.3): 202 for an operation that continues, 204
  /// without content, otherwise 200.
  package var usualStatus: Int {
    if poll != nil { return 202 }
    return returns == nil && method != "HEAD" ? 204 : 200
  }

  /// The header field for the idempotency key: the endpoint's field or, for calls that could not be repeated otherwise, the API's
  /// field.
  func idempotencyField(of api: API) -> String? {
    let field = idempotencyKey ?? (["POST", "PATCH"].contains(method) ? api.everyCall.idempotencyKey : nil)
    return field.flatMap { $0.isEmpty ? nil : $0 }
  }
}
