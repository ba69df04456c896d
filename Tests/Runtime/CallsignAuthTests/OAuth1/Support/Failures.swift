import Callsign
import CallsignAuth
import CallsignHTTP
import CallsignTesting
import Foundation
import TestSupport
import Testing
import XCore

/// The error of a login that must not succeed.
func failure<Value, Failure: Error>(
  sourceLocation: SourceLocation = #_sourceLocation, _ login: () async throws(Failure) -> Value
) async -> Failure? {
  do throws(Failure) {
    _ = try await login()
    Issue.record("there was no error", sourceLocation: sourceLocation)
    return nil
  } catch {
    return error
  }
}

/// The error of a call that must not succeed.
func callFailure<Value>(
  sourceLocation: SourceLocation = #_sourceLocation, _ call: () async throws(CallError) -> Value
) async -> CallError? {
  do throws(CallError) {
    _ = try await call()
    Issue.record("there was no error", sourceLocation: sourceLocation)
    return nil
  } catch {
    return error
  }
}

extension LoginError? {
  /// The case's name, so that a test reads as what it expects.
  var name: String {
    switch self {
    case nil: "none"
    case .cancelled: "cancelled"
    case .denied: "denied"
    case .foreignRedirect: "foreignRedirect"
    case .stateMismatch: "stateMismatch"
    case .alreadyUsed: "alreadyUsed"
    case .callbackNotConfirmed: "callbackNotConfirmed"
    case .wrongPIN: "wrongPIN"
    case .wrongConsumer: "wrongConsumer"
    case .expired: "expired"
    case .wrongPassword(_): "wrongPassword"
    case .notEntitled: "notEntitled"
    case .refused(let code, _): "refused(\(code))"
    case .unexpectedResponse: "unexpectedResponse"
    case .invalidSetup: "invalidSetup"
    case .call(.authorization): "call(authorization)"
    case .call(.transport): "call(transport)"
    case .call(.mayHaveSucceeded): "call(mayHaveSucceeded)"
    case .call(let error): "call(\(error))"
    case .store: "store"
    default: "another"
    }
  }

  var text: String { map { "\($0)" } ?? "" }
}

extension FormLoginError? {
  /// The case's name.
  var name: String {
    switch self {
    case nil: "none"
    case .cancelled: "cancelled"
    case .wrongPassword: "wrongPassword"
    case .invalidSetup: "invalidSetup"
    case .transport: "transport"
    case .foreignHost: "foreignHost"
    case .unencrypted: "unencrypted"
    case .noPage(let status): "noPage \(status)"
    case .noForm: "noForm"
    case .severalForms: "severalForms"
    case .noPasswordField: "noPasswordField"
    case .noUsernameField: "noUsernameField"
    case .unusableForm: "unusableForm"
    case .noResult: "noResult"
    case .tooManyPages: "tooManyPages"
    }
  }
}
