import HTTPTypes

/// What to do when an API refuses credentials.
enum RefusalAdvice {
  /// X's codes that are about credentials or permission (its documentation, "Response codes & errors"), and what helps.
  private static let byCode: [Int: String] = [
    32: "check the consumer key, the token and both secrets: one of them is not what the API knows",
    64: "the account is suspended; its owner has to resolve that with X",
    87: "the app may not call this endpoint; give it access in the developer portal",
    89: "the token is expired or revoked; log in again",
    99: "the app's credentials are not accepted; copy consumer key and secret again",
    135: "the clock of this machine is off; set it by a time server",
    215: "the request carried no usable credentials; give the client an authenticator that the endpoint accepts",
    220: "these credentials may not call this endpoint; use another kind",
    261: "the app may not write; change its permissions in the developer portal and create the token anew",
    326: "the account is locked; its owner has to log in to unlock it",
    453: "the app's access level does not include this endpoint; change it in the developer portal",
  ]

  /// The last part of X's problem types, and what helps.
  private static let byType: [String: String] = [
    "unsupported-authentication": "this endpoint wants another kind of credentials; see what its documentation accepts",
    "client-forbidden": "the app may not call this endpoint: it has to belong to a project with sufficient access",
    "oauth1-permissions":
      "the app may not do this; change its permissions in the developer portal and create the token anew",
    "not-authorized-for-resource": "this account may not see or change this; use one that may",
  ]

  /// Whether a 403 is about the caller's credentials rather than about what was asked for.
  static func isAboutCredentials(_ error: APIError) -> Bool {
    known(error) != nil || isScopeMissing(error)
  }

  /// What to do, in one sentence.
  static func sentence(for error: APIError) -> String {
    if let known = known(error) { return known }
    if isScopeMissing(error) { return "the token lacks a scope that the endpoint needs; log in again and ask for it" }
    return "the API refused the credentials; check that they are complete, current, and for this API"
  }

  private static func known(_ error: APIError) -> String? {
    for problem in error.problems {
      if let advice = problem.code.flatMap({ byCode[$0] }) { return advice }
      if let type = problem.type?.split(separator: "/").last, let advice = byType[String(type)] { return advice }
    }
    return nil
  }

  /// RFC 6750 §3.1.
  private static func isScopeMissing(_ error: APIError) -> Bool {
    error.headers[.wwwAuthenticate]?.contains("insufficient_scope") == true
  }
}
