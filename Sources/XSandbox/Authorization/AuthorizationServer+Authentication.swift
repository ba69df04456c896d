import Foundation

extension AuthorizationServer {
  /// - Throws: a refusal in X's own form, with the reason in its `sandbox` member.
  mutating func authenticate(_ request: IncomingRequest) throws(Problem) -> Caller {
    if case .bearer(let token) = try header(of: request) { return try authenticate(bearer: token) }
    let verified = try verify(request, signedBy: .accessToken)
    guard let grant = registry.accessTokens[verified.token] else { throw .unauthorized }
    return Caller(
      kind: .oauth1, consumerKey: verified.consumerKey, user: grant.user,
      mayWrite: grant.permission == .readWrite
        && registry.apps[verified.consumerKey]?.configuration.permission == .readWrite)
  }

  /// Verifies an OAuth 1.0a signature, and that it was not seen before.
  mutating func verify(
    _ request: IncomingRequest, signedBy role: OAuth1Verification.TokenRole
  ) throws(Problem) -> OAuth1Verification.Verified {
    let seconds = Int(now.timeIntervalSince1970)
    let verification = OAuth1Verification(
      request: request, scheme: "http", registry: registry, date: now, role: role)
    let verified: OAuth1Verification.Verified
    switch try header(of: request) {
    case .oauth(let parameters): verified = try verification.verify(parameters, in: .header)
    case .bearer:
      throw .unauthorized.explained(
        "unsupported_scheme", ["detail": "This endpoint wants an OAuth 1.0a signature, not a bearer token."])
    case .other(let scheme):
      throw .unauthorized.explained(
        "unsupported_scheme", ["detail": "The scheme `\(scheme)` is neither OAuth nor Bearer."])
    case nil:
      guard let (parameters, place) = verification.parametersOutsideHeader else {
        throw .unauthorized.explained(
          "missing_credentials", ["detail": "The request has no Authorization header and no OAuth parameters."])
      }
      verified = try verification.verify(parameters, in: place)
    }
    let isNew = nonces.remember(
      consumerKey: verified.consumerKey, token: verified.token, timestamp: verified.timestamp, nonce: verified.nonce,
      now: seconds, window: Authority.timestampWindow)
    guard isNew else {
      throw .unauthorized.explained(
        "nonce_used", ["detail": "This nonce was already used with this timestamp and token."])
    }
    return verified
  }

  private func header(of request: IncomingRequest) throws(Problem) -> AuthorizationHeader? {
    guard let text = request.header("Authorization") else { return nil }
    do {
      return try AuthorizationHeader(text)
    } catch {
      throw .unauthorized.explained("malformed_authorization", ["detail": .string(error.reason)])
    }
  }

  private func authenticate(bearer token: String) throws(Problem) -> Caller {
    guard let grant = registry.bearerTokens[token.removingPercentEncoding ?? token] ?? registry.bearerTokens[token]
    else {
      throw .unauthorized.explained("unknown_token", ["detail": "No app or user has this bearer token."])
    }
    if grant.isRevoked { throw .unauthorized.explained("revoked_token") }
    if let expiry = grant.expiry, expiry <= now { throw .unauthorized.explained("expired_token") }
    return Caller(
      kind: grant.user == nil ? .appOnly : .oauth2User, consumerKey: grant.consumerKey, user: grant.user,
      scopes: grant.scopes)
  }
}
