import Callsign
import CallsignSupport

/// The failure of a login, or the lack of a token.
public indirect enum LoginError: Error, Sendable {
  /// The person closed the page, or the task was cancelled.
  case cancelled
  /// The person, or the provider for them, refused the app.
  case denied
  /// The redirect does not lead to this login's redirect URI; it may have been made for another app.
  case foreignRedirect
  /// The `state` or request token that came back is not the one that was sent: the response belongs to another login, or
  /// somebody forged it.
  case stateMismatch
  /// This login has been completed, or its redirect was used before.
  case alreadyUsed
  /// The provider does not accept the code: it was used before, has expired, or is for another login. The text is the
  /// provider's.
  case codeRefused(description: String?)
  /// The provider does not accept the token that was to be exchanged: it was revoked, has expired, or is another app's. The
  /// person has to log in. The text is the provider's.
  case tokenRefused(description: String?)
  /// The provider did not confirm the callback (RFC 5849 §2.1).
  case callbackNotConfirmed
  /// Nobody responded within the time limit.
  case timedOut
  /// The app may not log people in this way, such as with a username and password.
  case notEntitled(APIError)
  /// The username or password is wrong.
  case wrongPassword(APIError)
  /// The PIN is wrong, or its time is over.
  case wrongPIN(APIError)
  /// The provider responded with an error of OAuth: its code, such as `invalid_grant`, and its own words.
  case refused(code: String, description: String?)
  /// The provider's response violates its protocol; the text says what is missing.
  case unexpectedResponse(String, RawResponse?)
  /// The login cannot start with these settings; the text says what to change.
  case invalidSetup(String)
  /// The request for a token failed.
  case call(CallError)
  /// The token could not be kept or read.
  case store(TokenStoreError)
  /// The login has succeeded, but its token could not be saved. The token is part of this error. The authenticator also
  /// has it in memory, and saves it before the next call uses it. If the process ends before that, or somebody logs in or
  /// out through another process, it is lost.
  case notKept(StoredToken, TokenStoreError)
  /// The provider does not accept the app's own key and secret.
  case wrongConsumer(APIError)
  /// The person took too long; the login began more than ``PendingLogin/lifetime`` ago.
  case expired
  /// A sealed login was sealed by another key, or has been changed.
  case sealBroken
}

extension LoginError: CallsignError {
  /// The problem and the advice, in one line without secrets.
  public var description: String {
    let (problem, advice) = words
    return [problem, advice].filter { !$0.isEmpty }.joined(separator: "; ").printable
  }

  /// The same as ``description``.
  public var errorDescription: String? { description }
  /// The same as ``advice``; `nil` if there is none.
  public var recoverySuggestion: String? { (advice as String).isEmpty ? nil : advice as String }

  /// Advice on how to continue, in one sentence without secrets.
  public var advice: String { words.advice.printable }

  private static func advice(onRefusal code: String) -> String {
    switch code {
    case "invalid_client", "unauthorized_client": "check the client's identifier, its secret and its type"
    case "unsupported_grant_type": "the provider has no such login; choose another way to log in"
    case "invalid_target": "name an audience and a resource that the provider knows"
    case "invalid_scope": "ask for scopes that the provider grants, or for none in particular"
    case "server_error", "temporarily_unavailable", "slow_down": "try again later"
    default: "log in again"
    }
  }

  private var words: (problem: String, advice: String) {
    switch self {
    case .cancelled: ("the login was cancelled", "begin it again when the person wants to")
    case .denied: ("the person did not allow the app to use the account", "ask again only when they want to")
    case .foreignRedirect:
      ("the redirect is not for this login", "pass on only URLs that begin with its redirect URI")
    case .stateMismatch: ("the response belongs to another login, or is forged", "discard it and begin again")
    case .alreadyUsed: ("this login has been completed already", "begin a new one")
    case .codeRefused(let description):
      (
        "the provider does not accept the code\(description.map { ": \($0)" } ?? "")",
        "it was used before or has expired, so start the login again"
      )
    case .tokenRefused(let description):
      (
        "the provider does not accept the token\(description.map { ": \($0)" } ?? "")",
        "it was revoked, has expired, or is another app's, so do not send it again but log the person in"
      )
    case .callbackNotConfirmed:
      ("the provider did not confirm the callback", "check that it is registered for the app, or use a PIN")
    case .timedOut: ("nobody responded in time", "start the login again")
    case .notEntitled(let error):
      (
        "the app may not log in this way (\(error.summary))",
        "ask the provider to allow it, or use the login by web page"
      )
    case .wrongPassword(let error):
      ("the username or password is wrong (\(error.summary))", "ask for them again")
    case .wrongPIN(let error):
      ("the PIN is wrong or too old (\(error.summary))", "ask for it again, or begin a new login")
    case .refused(let code, let description):
      ("the provider refused with \(code)\(description.map { ": \($0)" } ?? "")", Self.advice(onRefusal: code))
    case .unexpectedResponse(let what, let response):
      (
        "the provider's response cannot be used: \(what)\(response.map { " (status \($0.status.code))" } ?? "")",
        ""
      )
    case .invalidSetup(let advice): ("", advice)
    case .call(let error): ("", error.description)
    case .store(let error): ("", error.advice)
    case .notKept(_, let error): ("the login has succeeded, but its token could not be kept", error.advice)
    case .wrongConsumer(let error):
      (
        "the provider does not accept the app (\(error.summary))",
        "copy its key and secret again from the provider's developer pages"
      )
    case .expired: ("the login was started too long ago", "begin it again")
    case .sealBroken:
      (
        "the sealed login was sealed by another key, or has been changed",
        "begin a new one, by the key that all processes share"
      )
    }
  }
}

extension LoginError {
  /// The error of a login that needs the store.
  init(_ error: TokenStoreError) { self = error.reason == .cancelled ? .cancelled : .store(error) }
}
