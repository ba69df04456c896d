import HTTPTypes

/// What to do when an API refuses credentials.
enum RefusalAdvice {
  /// Whether a 403 is about the caller's credentials rather than about what was asked for.
  static func isAboutCredentials(_ error: APIError) -> Bool {
    error.conventions.credentialProblem(in: error) != nil || isScopeMissing(error)
  }

  /// What to do, in one sentence.
  static func sentence(for error: APIError) -> String {
    let conventions = error.conventions
    if let known = conventions.credentialProblem(in: error).flatMap({ conventions.advice(for: $0) }) ?? error.advice {
      return known
    }
    if isScopeMissing(error) { return "the token lacks a scope that the endpoint needs; log in again and ask for it" }
    return "the API refused the credentials; check that they are complete, current, and for this API"
  }

  /// RFC 6750 §3.1.
  private static func isScopeMissing(_ error: APIError) -> Bool {
    error.headers[.wwwAuthenticate]?.contains("insufficient_scope") == true
  }
}
