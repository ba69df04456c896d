import CallsignMock

/// The versions of the API. Each has its own parameters, formats and errors for the same database.
enum APIVersion: Sendable {
  case v1
  case v2

  /// OAuth paths without a version, and a few others, belong to v1.1.
  init(path: String) {
    self = ["/1.1/", "/1/", "/oauth/", "/oauth2/", "/oembed", "/user/"].contains(where: path.hasPrefix) ? .v1 : .v2
  }
}

extension Problem {
  /// A refusal with a code of v1.1.
  static func v1(_ status: Int, _ code: Int, _ message: String) -> Problem {
    Problem(status: status, title: ReasonPhrase.of(status), detail: message, code: code)
  }

  static let noSuchPage = v1(404, 34, "Sorry, that page does not exist.")
  static let noSuchUser = v1(404, 50, "User not found.")
  static let noSuchStatus = v1(404, 144, "No status found with that ID.")
  static let tooManyTerms = v1(403, 18, "Too many terms specified in query.")

  static func missingParameter(_ name: String) -> Problem { v1(403, 38, "\(name) parameter is missing.") }

  static func invalidParameter(_ name: String) -> Problem { v1(400, 44, "\(name) parameter is invalid.") }

  /// The refusal of a JSON body that does not match its schema.
  static func badRequest(_ message: String) -> Problem { v1(400, 214, message) }

  /// The same refusal worded as in v1.1, for refusals from code that both versions share, such as authentication.
  var translatedToV1: Problem {
    if code != nil { return self }
    var translation = Self.translation(of: self)
    translation.members = members
    translation.headers = translation.status == 400 ? [] : headers
    return translation
  }

  private static func translation(of problem: Problem) -> Problem {
    switch (problem.status, problem.type, problem.members["sandbox"]?["reason"]?.string) {
    case (401, _, "missing_credentials"), (401, _, "malformed_authorization"), (401, _, "unsupported_scheme"),
      (401, _, "parameter_absent"):
      v1(400, 215, "Bad Authentication data.")
    case (401, _, "timestamp_refused"): v1(401, 135, "Timestamp out of bounds.")
    case (401, _, "token_rejected"), (401, _, "token_revoked"), (401, _, "unknown_token"), (401, _, "revoked_token"),
      (401, _, "expired_token"):
      v1(401, 89, "Invalid or expired token.")
    case (401, _, _): v1(401, 32, "Could not authenticate you.")
    case (403, typePrefix + "unsupported-authentication", _):
      v1(403, 220, "Your credentials do not allow access to this resource.")
    case (403, typePrefix + "oauth1-permissions", _):
      v1(403, 261, "Application cannot perform write actions.")
    case (404, _, _): noSuchPage
    case (405, _, _):
      v1(
        405, 86, "This method requires a \(problem.headers.first { $0.name == "Allow" }?.value ?? "different method").")
    case (429, _, _): v1(429, 88, "Rate limit exceeded")
    case (500, _, _): v1(500, 131, "Internal error")
    case (503, _, _): v1(503, 130, "Over capacity")
    // X has no code for operations that only the sandbox lacks.
    default: v1(problem.status, 0, problem.detail)
    }
  }
}

extension Response {
  /// A problem in v1.1's format: `{"errors":[{"code":34,"message":"…"}]}`, with the sandbox's explanation added.
  init(v1 problem: Problem) {
    let translation = problem.translatedToV1
    var document: [String: JSON] = [
      "errors": [["code": .integer(translation.code ?? 0), "message": .string(translation.detail)]]
    ]
    document["sandbox"] = translation.members["sandbox"]
    self.init(status: translation.status, json: .object(document), mediaType: "application/json; charset=utf-8")
    headers += translation.headers
  }
}
