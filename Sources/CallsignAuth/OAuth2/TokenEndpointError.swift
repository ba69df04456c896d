import Callsign
import CallsignHTTP
import CallsignJSON
import Foundation

/// Why a token endpoint gave no token.
enum TokenEndpointError: Error, Sendable {
  /// An error of OAuth: its code, its words, and the answer (RFC 6749 §5.2).
  case refused(code: String, description: String?, APIError)
  /// No answer, or an error that is not OAuth's.
  case call(CallError)
  /// A success without what it must have.
  case unexpectedAnswer(String, RawResponse)
  /// The provider is not described rightly.
  case invalidSetup(String)

  /// Reads an answer that is no success.
  ///
  /// - Parameter secrets: What was sent and must not come back in the error's text.
  init(_ answer: RawResponse, secrets: [String]) {
    let error = APIError(answer: answer)
    let value = try? JSONValue(jsonData: answer.body)
    if let code = value?["error"]?.string, (400..<500).contains(answer.status.code), answer.status.code != 429 {
      var description = value?["error_description"]?.string
      for secret in secrets where secret.utf8.count > 4 {
        description = description?.replacingOccurrences(of: secret, with: Secret.redacted)
      }
      self = .refused(
        code: String(code.printable.prefix(80)), description: description.map { String($0.printable.prefix(300)) },
        error)
    } else if answer.status.code == 429 {
      self = .call(.rateLimited(answer.rateLimit, error))
    } else {
      self = .call(.api(error))
    }
  }

  /// Whether the provider does not accept the refresh token: it was used before, has expired or was revoked. X answers
  /// `invalid_request` where RFC 6749 has `invalid_grant`.
  var isAboutGrant: Bool {
    if case .refused(let code, _, _) = self { return code == "invalid_grant" || code == "invalid_request" }
    return false
  }

  /// What it means for a login.
  var asLoginError: LoginError {
    switch self {
    case .refused(let code, let description, _): .refused(code: code, description: description)
    case .call(.cancelled): .cancelled
    case .call(let error): .call(error)
    case .unexpectedAnswer(let what, let answer): .unexpectedAnswer(what, answer)
    case .invalidSetup(let advice): .invalidSetup(advice)
    }
  }

  /// What it means for a call that needed the token, and was therefore not sent.
  var asCallError: CallError {
    switch self {
    case .refused(let code, let description, let error):
      let words = description.map { ": \($0)" } ?? ""
      let advice =
        switch code {
        case "invalid_grant", "invalid_request":
          "the refresh token is not accepted any more (\(code)\(words)); log in again"
        case "invalid_client", "unauthorized_client":
          "the provider does not accept the client (\(code)\(words)); check its identifier, its secret and its type"
        default: "the provider gave no token (\(code)\(words)); log in again"
        }
      return .authorization(AuthorizationError(.refused, advice: advice, response: error))
    case .call(.transport(var error)):
      error.delivery = .notSent
      return .transport(error)
    case .call(.api(let error)):
      return .authorization(
        AuthorizationError(
          .unavailable, advice: "the provider gave no token; try again later, and check the client's identifier",
          response: error))
    case .call(let error): return error
    case .unexpectedAnswer(let what, _):
      return .authorization(
        AuthorizationError(.unavailable, advice: "the provider's answer holds no usable token: \(what); log in again"))
    case .invalidSetup(let advice): return .authorization(AuthorizationError(.unavailable, advice: advice))
    }
  }
}
