import CallsignMock

extension SandboxFault {
  /// The fault as text, for the console's list of faults.
  var words: String {
    switch kind {
    case .instead(let replacement): replacement.words
    case .delay(let duration): "a slow response, after \(duration.words)"
    case .mutate(let mutation): mutation.words
    }
  }
}

extension SandboxFault.Replacement {
  fileprivate var words: String {
    switch self {
    case .status(let status, let headers, _):
      "status \(status)" + (headers.isEmpty ? "" : ", with \(headers.keys.sorted().joined(separator: ", "))")
    case .proxyPage(let status): "a proxy's page with status \(status)"
    case .blankProblem(let status): "an empty problem with status \(status)"
    case .timestampRefused: "the timestamp is refused"
    case .cut: "the connection is closed before the response"
    case .refusal(let refusal): refusal.words
    }
  }
}

extension SandboxFault.Refusal {
  fileprivate var words: String {
    switch self {
    case .clientNotEnrolled: "the app belongs to no project"
    case .unsupportedAuthentication: "the kind of credentials is not accepted"
    case .missingScope: "a scope is missing"
    case .wrongPermissions: "the app's permissions do not suffice"
    case .suspendedAccount: "the account is suspended"
    case .lockedAccount: "the account is locked"
    case .usageCapped: "the usage cap is reached"
    case .creditsDepleted: "the credits are used up"
    case .spendCapReached: "the spend cap is reached"
    case .duplicatePost: "the post is a duplicate"
    }
  }
}

extension SandboxFault.ResponseMutation {
  fileprivate var words: String {
    switch self {
    case .cut(let bytes): "the connection is closed after \(bytes) bytes of the body"
    case .truncate(let bytes): "the body ends after \(bytes) bytes"
    case .empty: "the body is empty"
    case .chunks(let size, let pause):
      "the body comes in pieces of \(size) bytes" + (pause > .zero ? ", one each \(pause.words)" : "")
    case .mediaType(let type): "the media type is \(type)"
    case .partialErrors: "a part was not found"
    case .headers(let headers): "with \(headers.keys.sorted().joined(separator: ", "))"
    case .lost: "it is done, and the response is lost"
    }
  }
}

extension Duration {
  /// `250 ms`, `1.5 s`
  fileprivate var words: String {
    let milliseconds = FaultText.milliseconds(self)
    guard milliseconds >= 1000 else { return "\(milliseconds) ms" }
    return milliseconds % 1000 == 0 ? "\(milliseconds / 1000) s" : "\(Double(milliseconds) / 1000) s"
  }
}
