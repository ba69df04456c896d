import Callsign
import CallsignHTTP
import CallsignSupport

/// The grant of a refresh token (RFC 6749 §6).
struct RefreshTokenGrant: TokenGrant {
  let isRepeatable = false
  let client: TokenClient
  let url: String
  let timeLimit: Duration

  func issues(_ token: StoredToken) -> Bool { token.kind == .oauth2 }

  func issue(
    after current: StoredToken?, isUrgent: Bool, _ environment: TokenRequestEnvironment
  ) async throws(TokenEndpointError) -> IssuedToken {
    guard let current, let refreshToken = current.refreshToken else {
      let advice = """
        the access token is not good any more and came without a refresh token; log in again, with the scope that the \
        provider wants for one, such as offline.access, to stay logged in
        """
      throw .call(.authorization(AuthorizationError(.refused, advice: advice)))
    }
    let asked = environment.time.now()
    let response = try await TokenEndpoint(url: url, client: client, environment: environment, timeLimit: timeLimit)
      .token(
        [("grant_type", "refresh_token"), ("refresh_token", refreshToken.reveal())], attempts: isUrgent ? 3 : 1)
    let received = response.stored(kind: .oauth2, clientID: client.id, asked: asked, requested: current.scopes)
    // Fields that the response does not replace are kept, including those that only a newer version of this library knows.
    var next = current
    next.accessToken = received.accessToken
    next.refreshToken = received.refreshToken ?? refreshToken
    next.expires = received.expires
    next.lifetime = received.lifetime
    next.scopes = received.scopes
    next.clientID = received.clientID
    next.refused = nil
    next.lostWith = nil
    return IssuedToken(token: next, lifetime: response.lifetime)
  }

  func callError(_ error: TokenEndpointError) -> CallError { error.asCallError }
}
