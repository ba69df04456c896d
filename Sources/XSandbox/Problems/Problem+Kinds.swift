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

  static func noSuchPath(_ method: String, _ path: String) -> Problem {
    Problem(status: 404, title: "Not Found", detail: "Not Found")
      .explained("no endpoint of the catalogue has this path", ["method": .string(method), "path": .string(path)])
  }

  static func methodNotAllowed(allowed: [String]) -> Problem {
    Problem(
      status: 405, title: "Method Not Allowed", detail: "Method Not Allowed",
      headers: [.init(name: "Allow", value: allowed.sorted().joined(separator: ", "))])
  }

  static func notImplemented(_ what: String) -> Problem {
    Problem(status: 501, title: "Not Implemented", detail: "The sandbox does not implement \(what).")
      .explained("not implemented by the sandbox; the real API may well offer it")
  }

  /// The answer to a write that names something that doesn't exist.
  static func missing(_ resource: MissingResource) -> Problem {
    Problem(
      status: 404, title: MissingResource.title, detail: resource.detail, type: MissingResource.type,
      members: resource.members)
  }
}
