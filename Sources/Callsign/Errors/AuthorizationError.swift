/// Why a call lacks credentials or permission.
public struct AuthorizationError: Error, Sendable {
  /// What is missing.
  public enum Reason: Sendable, Hashable {
    /// None of the client's authenticators is what the endpoint accepts; `accepted` lists what would do.
    case noneAccepted(accepted: String)
    /// The credentials are of the right kind, but do not cover these scopes.
    case missingScopes([String])
    /// The credentials are not for this host.
    case outOfScope(host: String)
    /// The credentials would travel unencrypted.
    case insecure(host: String)
    /// The API refused them.
    case refused
    /// The authenticator could not put credentials on the request.
    case unavailable
  }

  /// What is missing.
  public var reason: Reason
  /// What to do about it, in one sentence, without secrets.
  public var advice: String
  /// The API's answer, where it was the API that refused.
  public var response: APIError?

  /// States what is missing.
  ///
  /// - Parameters:
  ///   - reason: What is missing.
  ///   - advice: What to do about it. It must name no secret.
  ///   - response: The API's answer, where there was one.
  public init(_ reason: Reason, advice: String, response: APIError? = nil) {
    self.reason = reason
    self.advice = advice
    self.response = response
  }
}
