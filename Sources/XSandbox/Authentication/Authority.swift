import Foundation

/// Knows all credentials, and says who makes a request.
actor Authority {
  /// Seconds by which a client's timestamp may differ from the server's clock.
  static let timestampWindow = 300

  private let clock: any SandboxClock
  private var registry = CredentialRegistry()
  private var nonces = NonceMemory()

  init(clock: any SandboxClock) { self.clock = clock }

  func register(_ change: @Sendable (inout CredentialRegistry) -> Void) { change(&registry) }

  /// - Throws: a refusal in X's own form, with the reason in its `sandbox` member.
  func authenticate(_ request: IncomingRequest) throws(Problem) -> Caller {
    let verification = OAuth1Verification(request: request, scheme: "http", registry: registry, now: now)
    var header: AuthorizationHeader?
    if let text = request.header("Authorization") {
      do {
        header = try AuthorizationHeader(text)
      } catch {
        throw .unauthorized.explained("malformed_authorization", ["detail": .string(error.reason)])
      }
    }
    switch header {
    case .bearer(let token): return try authenticate(bearer: token)
    case .other(let scheme):
      throw .unauthorized.explained(
        "unsupported_scheme", ["detail": "The scheme `\(scheme)` is neither OAuth nor Bearer."])
    case .oauth(let parameters): return try accept(verification, parameters)
    case nil:
      guard let parameters = verification.parametersOutsideHeader else {
        throw .unauthorized.explained(
          "missing_credentials", ["detail": "The request has no Authorization header and no OAuth parameters."])
      }
      return try accept(verification, parameters)
    }
  }

  private var now: Int { Int(clock.now().timeIntervalSince1970) }

  private func accept(
    _ verification: OAuth1Verification, _ parameters: [RequestParameter]
  ) throws(Problem) -> Caller {
    let verified = try verification.verify(parameters)
    let isNew = nonces.remember(
      consumerKey: verified.caller.consumerKey, token: verified.token, timestamp: verified.timestamp,
      nonce: verified.nonce, now: now, window: Self.timestampWindow)
    guard isNew else {
      throw .unauthorized.explained(
        "nonce_used", ["detail": "This nonce was already used with this timestamp and token."])
    }
    return verified.caller
  }

  private func authenticate(bearer token: String) throws(Problem) -> Caller {
    guard let grant = registry.bearerTokens[token.removingPercentEncoding ?? token] ?? registry.bearerTokens[token]
    else {
      throw .unauthorized.explained("unknown_token", ["detail": "No app or user has this bearer token."])
    }
    if grant.isRevoked { throw .unauthorized.explained("revoked_token") }
    if let expiry = grant.expiry, expiry <= clock.now() { throw .unauthorized.explained("expired_token") }
    return Caller(
      kind: grant.user == nil ? .appOnly : .oauth2User, consumerKey: grant.consumerKey, user: grant.user,
      scopes: grant.scopes)
  }
}
