import Callsign
import CallsignHTTP
import CallsignSupport

/// The grant of the client's own credentials (RFC 6749 §4.4).
struct ClientCredentialsGrant: TokenGrant {
  let isRepeatable = true
  let client: TokenClient
  let url: String
  /// The scopes to ask for; empty for those that the provider chooses.
  let scopes: [String]

  func issues(_ token: StoredToken) -> Bool { token.kind == .bearer && token.clientID == client.id }

  func issue(
    after current: StoredToken?, isUrgent: Bool, _ environment: TokenRequestEnvironment
  ) async throws(TokenEndpointError) -> IssuedToken {
    let asked = environment.time.now()
    var fields = [(name: "grant_type", value: "client_credentials")]
    if !scopes.isEmpty { fields.append(("scope", scopes.joined(separator: " "))) }
    let response = try await TokenEndpoint(url: url, client: client, environment: environment)
      .token(fields, attempts: isUrgent ? 3 : 1)
    let token = response.stored(
      kind: .bearer, clientID: client.id, asked: asked, requested: scopes.isEmpty ? nil : Set(scopes))
    return IssuedToken(token: token, lifetime: response.lifetime)
  }

  func callError(_ error: TokenEndpointError) -> CallError {
    let advice = "the provider does not accept the app's key and secret; copy them again from its developer pages"
    switch error {
    case .refused("invalid_scope", _, let response):
      let names = scopes.joined(separator: " ")
      let advice = "the provider does not grant the app all of these scopes: \(names); ask for others"
      return .authorization(AuthorizationError(.refused, advice: advice, response: response))
    case .refused(_, _, let response):
      return .authorization(AuthorizationError(.refused, advice: advice, response: response))
    case .call(.api(let response)) where (400..<500).contains(response.status.code):
      return .authorization(AuthorizationError(.refused, advice: advice, response: response))
    default: return error.asCallError
    }
  }
}
