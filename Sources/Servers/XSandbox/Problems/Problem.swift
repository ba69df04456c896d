/// A refusal in the form of a problem document (RFC 9457), with X's titles and types.
struct Problem: Error, Sendable {
  var status: Int
  var title: String
  var detail: String
  /// `about:blank`, or one of X's own problem types.
  var type: String = "about:blank"
  /// Further members, such as `errors`.
  var members: [String: JSON] = [:]
  var headers: [HeaderField] = []
  /// The v1.1 code, for refusals by v1.1 operations; `detail` is then the message.
  var code: Int?

  var document: JSON {
    var document = members
    document["title"] = .string(title)
    document["detail"] = .string(detail)
    document["type"] = .string(type)
    document["status"] = .integer(status)
    return .object(document)
  }

  /// Adds a member `sandbox` with an explanation that the real API does not give.
  func explained(_ reason: String, _ details: [String: JSON] = [:]) -> Problem {
    var copy = self
    copy.members["sandbox"] = .object(details.merging(["reason": .string(reason)]) { _, reason in reason })
    return copy
  }

  static let typePrefix = "https://api.x.com/2/problems/"
}

extension Problem {
  static let unauthorized = Problem(
    status: 401, title: "Unauthorized", detail: "Unauthorized",
    headers: [.init(name: "WWW-Authenticate", value: "OAuth realm=\"https://api.x.com\"")])

  static let tooManyRequests = Problem(status: 429, title: "Too Many Requests", detail: "Too Many Requests")

  static func unsupportedAuthentication(used: String, supported: [String]) -> Problem {
    Problem(
      status: 403, title: "Unsupported Authentication",
      detail: "Authenticating with \(used) is forbidden for this endpoint.  "
        + "Supported authentication types are [\(supported.joined(separator: ", "))].",
      type: typePrefix + "unsupported-authentication")
  }

  static let readOnlyToken = Problem(
    status: 403, title: "Forbidden",
    detail: "Your client app is not configured with the appropriate oauth1 app permissions for this endpoint.",
    type: typePrefix + "oauth1-permissions")

  static func forbidden(_ detail: String) -> Problem {
    Problem(status: 403, title: "Forbidden", detail: detail)
  }

  static func invalidRequest(_ errors: [InvalidParameter]) -> Problem {
    Problem(
      status: 400, title: "Invalid Request", detail: "One or more parameters to your request was invalid.",
      type: typePrefix + "invalid-request", members: ["errors": .array(errors.map(\.document))])
  }

  /// The refusal of a body that is not JSON, worded as in each version.
  static func notJSON(_ error: JSON.ParsingError, in version: APIVersion) -> Problem {
    switch version {
    case .v1: return .badRequest("The body is not valid JSON: \(error.reason).")
    case .v2:
      let message = "Requests with bodies must be valid JSON: \(error.reason)."
      return .invalidRequest([InvalidParameter(name: "$", message: message)])
    }
  }

  static func noSuchPath(_ method: String, _ path: String) -> Problem {
    Problem(status: 404, title: "Not Found", detail: "Not Found")
      .explained("no endpoint of the catalogue has this path", ["method": .string(method), "path": .string(path)])
  }

  static func methodNotAllowed(allowed: [String]) -> Problem {
    Problem(
      status: 405, title: "Method Not Allowed", detail: "Method Not Allowed",
      headers: [.init(name: "Allow", value: allowed.sorted().joined(separator: ", "))])
  }

  static let internalError = Problem(status: 500, title: "Internal Server Error", detail: "Internal Server Error")

  /// The refusal of a write that names a missing resource.
  static func missing(_ resource: MissingResource) -> Problem {
    Problem(
      status: 404, title: MissingResource.title, detail: resource.detail, type: MissingResource.type,
      members: resource.members)
  }
}

/// An invalid request parameter, as an element of `errors`.
struct InvalidParameter: Sendable {
  var name: String
  var values: [String] = []
  var message: String

  var document: JSON {
    ["message": .string(message), "parameters": .object([name: .array(values.map(JSON.string))])]
  }
}

/// A resource that does not exist or that the principal cannot see, as an element of `errors` next to `data`.
struct MissingResource: Sendable, Equatable {
  enum Kind: String, Sendable {
    case user
    case post
    case list
    case bookmarkFolder = "bookmark_folder"
    case conversation = "dm_conversation"
    case message = "dm_event"
    case job = "compliance_job"
    case webhook
    case subscription
    case place
    case space
    case community
  }

  var kind: Kind
  /// The parameter that names it.
  var parameter: String
  var value: String
  /// For an existing resource, the field that the principal cannot see.
  var field: String?

  static let title = "Not Found Error"
  static let type = Problem.typePrefix + "resource-not-found"

  var detail: String { "Could not find \(kind.rawValue) with \(parameter): [\(value)]." }

  var members: [String: JSON] {
    [
      "resource_type": .string(kind.rawValue), "resource_id": .string(value), "parameter": .string(parameter),
      "value": .string(value),
    ]
  }

  var document: JSON {
    if let field {
      return [
        "resource_type": .string(kind.rawValue), "resource_id": .string(value), "parameter": .string(field),
        "field": .string(field), "section": "data", "title": "Field Authorization Error",
        "detail": .string("Sorry, you are not authorized to access '\(field)' on the \(kind.rawValue)."),
        "type": .string(Problem.typePrefix + "not-authorized-for-field"),
      ]
    }
    return .object(
      members.merging(["title": .string(Self.title), "detail": .string(detail), "type": .string(Self.type)]) { $1 })
  }
}

extension Response {
  /// A problem in the format of a version.
  init(_ problem: Problem, in version: APIVersion = .v2) {
    switch version {
    case .v1: self.init(v1: problem)
    case .v2:
      self.init(status: problem.status, json: problem.document, mediaType: "application/problem+json")
      headers += problem.headers
    }
  }
}
