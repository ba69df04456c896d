import Callsign
import CallsignHTTP
import CallsignJSON
import CallsignSupport
import HTTPTypes

/// The failure of a token endpoint to give a token.
enum TokenEndpointError: Error, Sendable {
  /// An error of OAuth: its code, its words, and the response (RFC 6749 §5.2).
  case refused(code: String, description: String?, APIError)
  /// The same with a code that says nothing against what was sent: the provider cannot do it now.
  case postponed(code: String, description: String?, APIError)
  /// No response, or an error that is not OAuth's.
  case call(CallError)
  /// A success without what it must have; with a refresh token, where it had that.
  case unexpectedResponse(String, RawResponse, refreshToken: Secret?)
  /// The provider is not described rightly.
  case invalidSetup(String)

  /// The codes that say nothing against the code or refresh token (RFC 6749 §4.1.2.1, RFC 8628 §3.5).
  private static let passingCodes: Set = ["server_error", "temporarily_unavailable", "slow_down"]
  /// Those that say that a refresh token is not good any more: OAuth's, and some providers' own words for it.
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

  /// Reads a response that is no success.
  ///
  /// - Parameter hidden: What was sent and must not come back in the error's text.
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

  /// Whether a token that is to be revoked is not known any more, which is as good: by the codes of OAuth, or by the status
  /// of a provider that looks for it in vain.
  var isAboutForgottenToken: Bool {
    switch self {
    case .refused(let code, _, _): ["invalid_token", "invalid_grant", "token_expired"].contains(code)
    case .call(.api(let error)): error.status == .notFound || error.status == .gone
    default: false
    }
  }

  /// Whether the provider does not accept the refresh token: it was used before, has expired or was revoked. Some
  /// providers respond with `invalid_request` where RFC 6749 has `invalid_grant`.
  var isAboutGrant: Bool { if case .refused(let code, _, _) = self { Self.grantCodes.contains(code) } else { false } }

  /// Whether it may be the request itself that was wrong.
  var isAboutRequest: Bool { if case .refused("invalid_request", _, _) = self { true } else { false } }

  /// Whether the request did not get through, and may the next time: no connection, a broken one, or a server that says
  /// that it is not there.
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

  /// Whether the provider may have carried the request out though no response of its own says so.
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
