/// A refusal of the token endpoint (RFC 6749 §5.2), with the reason in a member `sandbox`.
struct OAuth2Error: Error, Sendable {
  enum Code: String, Sendable {
    case invalidRequest = "invalid_request"
    case invalidClient = "invalid_client"
    case invalidGrant = "invalid_grant"
    case unauthorizedClient = "unauthorized_client"
    case unsupportedGrantType = "unsupported_grant_type"
    case invalidScope = "invalid_scope"
    case unsupportedTokenType = "unsupported_token_type"
  }

  var code: Code
  var description: String
  /// What only a sandbox tells.
  var reason: String

  init(_ code: Code, _ description: String, _ reason: String) {
    self.code = code
    self.description = description
    self.reason = reason
  }

  static func missing(_ parameter: String) -> OAuth2Error {
    OAuth2Error(.invalidRequest, "Missing required parameter [\(parameter)].", "\(parameter)_absent")
  }

  /// As X puts it, whatever is wrong with a code or a refresh token.
  static func invalidGrant(_ reason: String) -> OAuth2Error {
    OAuth2Error(.invalidGrant, "Value passed for the authorization code or token was invalid.", reason)
  }

  static func invalidClient(_ reason: String) -> OAuth2Error {
    OAuth2Error(.invalidClient, "Missing valid authorization header", reason)
  }

  var answer: Answer {
    var answer = Answer(
      status: code == .invalidClient ? 401 : 400,
      json: [
        "error": .string(code.rawValue), "error_description": .string(description),
        "sandbox": ["reason": .string(reason)],
      ])
    if code == .invalidClient { answer.set("WWW-Authenticate", "Basic realm=\"X\"") }
    answer.forbidCaching()
    return answer
  }
}

extension Answer {
  /// RFC 6749 §5.1 asks for it wherever tokens are.
  mutating func forbidCaching() {
    set("Cache-Control", "no-store")
    set("Pragma", "no-cache")
  }
}
