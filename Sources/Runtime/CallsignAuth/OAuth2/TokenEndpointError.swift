import Callsign
import CallsignHTTP
import CallsignJSON
import CallsignSupport
import HTTPTypes

/// The failure of a token endpoint to give a token.
enum TokenEndpointError: Error, Sendable {
  /// An OAuth error: its code, its description, and the response (RFC 6749 §5.2).
  case refused(code: String, description: String?, APIError)
  /// The same with a code that is not about the request: the provider cannot do it now.
  case postponed(code: String, description: String?, APIError)
  /// No response, or an error that is not OAuth's.
  case call(CallError)
  /// A success without a required field; with a refresh token, if it had one.
  case unexpectedResponse(String, RawResponse, refreshToken: Secret?)
  /// The provider's description is wrong.
  case invalidSetup(String)

  /// The codes that are not about the code or refresh token (RFC 6749 §4.1.2.1, RFC 8628 §3.5).
  private static let passingCodes: Set = ["server_error", "temporarily_unavailable", "slow_down"]
  /// The codes for a refresh token that is no longer valid: OAuth's, and some providers' own.
  private static let grantCodes: Set = [
    "invalid_grant", "invalid_request", "bad_refresh_token", "invalid_refresh_token", "refresh_token_not_found",
    "invalid_token", "expired_token", "token_expired", "token_revoked",
  ]

  /// An error of OAuth by its code.
  init(_ code: String, description: String?, _ error: APIError) {
    let (isPassing, code) = (Self.passingCodes.contains(code), String(code.printable.prefix(80)))
    self =
      isPassing
      ? .postponed(code: code, description: description, error)
      : .refused(code: code, description: description, error)
  }

  /// Reads a response that is not a success.
  ///
  /// - Parameter hidden: Secrets of the request, which must not appear in the error's text.
  init(_ response: RawResponse, hiding hidden: RedactedTexts) {
    var error = APIError(rawResponse: response)
    error.hide(hidden)
    let value = try? JSONValue(jsonData: response.body)
    if let code = (value?["error"]?.string).map(hidden.removed), (400..<500).contains(response.status.code),
      response.status.code != 429
    {
      let description = (value?["error_description"]?.string).map(hidden.removed)
      self.init(code, description: description.map { String($0.printable.prefix(300)) }, error)
    } else if response.status.code == 429 {
      self = .call(.rateLimited(response.rateLimit, error))
    } else {
      self = .call(.api(error))
    }
  }

  /// Whether a token to be revoked is already unknown, which is just as good. OAuth's codes indicate this, or the status of a
  /// provider that does not find the token.
  var isAboutForgottenToken: Bool {
    switch self {
    case .refused(let code, _, _): ["invalid_token", "invalid_grant", "token_expired"].contains(code)
    case .call(.api(let error)): error.status == .notFound || error.status == .gone
    default: false
    }
  }

  /// Whether the provider does not accept the refresh token: it was used before, has expired or was revoked. Some
  /// providers return `invalid_request` instead of `invalid_grant` (RFC 6749).
  var isAboutGrant: Bool { if case .refused(let code, _, _) = self { Self.grantCodes.contains(code) } else { false } }

  /// Whether the request itself may have been wrong.
  var isAboutRequest: Bool { if case .refused("invalid_request", _, _) = self { true } else { false } }

  /// Whether the request did not get through, but may the next time: no connection, a broken one, or a server that is
  /// unavailable.
  var isPassing: Bool {
    switch self {
    case .call(.transport(let error)):
      switch error.kind {
      case .cannotResolveHost, .cannotConnect, .connectionLost: true
      default: false
      }
    case .call(.api(let error)): [502, 503, 504].contains(error.status.code)
    case .postponed: true
    default: false
    }
  }

  /// Whether nothing of the request has left this machine.
  var isUnsent: Bool { if case .call(.transport(let error)) = self { error.delivery == .notSent } else { false } }

  /// Whether the provider may have carried the request out although no response from it confirms that.
  var isUnanswered: Bool {
    switch self {
    case .call(.transport(let error)): error.delivery != .notSent
    case .call(.api(let error)): error.status.kind == .serverError
    case .call(.cancelled): true
    default: false
    }
  }

  /// The same of a request that may have arrived.
  var sent: TokenEndpointError {
    guard isUnsent, case .call(.transport(var error)) = self else { return self }
    error.delivery = .unknown
    return .call(.transport(error))
  }

  /// The error of a login.
  var asLoginError: LoginError {
    switch self {
    case .refused(let code, let description, _), .postponed(let code, let description, _):
      .refused(code: code, description: description)
    case .call(.cancelled): .cancelled
    case .call(let error): .call(error)
    case .unexpectedResponse(let what, let response, _): .unexpectedResponse(what, response)
    case .invalidSetup(let advice): .invalidSetup(advice)
    }
  }

  /// The error of a call that needed the token, and was therefore not sent.
  var asCallError: CallError {
    switch self {
    case .refused(let code, let description, let error):
      let words = description.map { ": \($0)" } ?? ""
      let advice =
        switch code {
        case _ where isAboutGrant:
          "the refresh token is not accepted any more (\(code)\(words)); log in again"
        case "invalid_client", "unauthorized_client":
          "the provider does not accept the client (\(code)\(words)); check its identifier, its secret and its type"
        default: "the provider gave no token (\(code)\(words)); log in again"
        }
      return .authorization(AuthorizationError(.refused, advice: advice, response: error))
    case .postponed(let code, let description, let error):
      let words = description.map { ": \($0)" } ?? ""
      return .authorization(
        AuthorizationError(
          .unavailable, advice: "the provider cannot give a token now (\(code)\(words)); try again later",
          response: error, mayPass: true))
    case .call(.transport(var error)):
      error.delivery = .notSent
      return .transport(error)
    case .call(.api(let error)):
      return .authorization(
        AuthorizationError(
          .unavailable, advice: "the provider gave no token; try again later, and check the client's identifier",
          response: error))
    case .call(let error): return error
    case .unexpectedResponse(let what, _, _):
      return .authorization(
        AuthorizationError(
          .unavailable, advice: "the provider's response holds no usable token: \(what); log in again", mayPass: true))
    case .invalidSetup(let advice): return .authorization(AuthorizationError(.unavailable, advice: advice))
    }
  }
}
