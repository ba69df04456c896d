import CallsignCore
import CallsignFoundation
import CallsignHTTP
import CallsignTokenStores

/// A token that a provider has just issued.
struct IssuedToken: Sendable {
  let token: StoredToken
  /// In seconds from when it was asked for; `nil` when the provider does not say.
  let lifetime: TimeInterval?
}

/// Refreshing: has a provider issue tokens (RFC 6749 §1.3).
protocol TokenGrant: Sendable {
  /// Whether a token can be had without the one before it. Then nothing is lost with one that cannot be stored.
  var isRepeatable: Bool { get }

  /// Whether a stored token is one that this grant may have issued.
  func issues(_ token: StoredToken) -> Bool

  /// Refuses a token that cannot serve, or to go on without one.
  ///
  /// - Throws: ``CallError/authorization(_:)``.
  func check(_ token: StoredToken?) throws(CallError)

  /// Asks for the next token.
  ///
  /// - Parameter isUrgent: Whether a request that does not get through is sent again at once.
  func issue(
    after current: StoredToken?, isUrgent: Bool, _ environment: TokenRequestEnvironment
  ) async throws(TokenEndpointError) -> IssuedToken

  /// The error of a call that needed the token, and was therefore not sent.
  func callError(_ error: TokenEndpointError) -> CallError

  /// Whether the provider refused because the token before was used already, perhaps by another process.
  func isSpent(_ error: TokenEndpointError) -> Bool

  /// Whether a refusal may be of this request alone, and says nothing of the login.
  func isDoubtful(_ error: TokenEndpointError) -> Bool

  /// Notes that nobody else has the next token either.
  func noteSpent(_ token: StoredToken)

  /// Notes that a token is accepted after all.
  func noteAccepted(_ token: StoredToken)

  /// Whether there is a way to the next token from one that the API has refused.
  func canReplace(_ token: StoredToken) -> Bool

  /// The error of a login that is known to be over; `nil` for one that may go on.
  func refusal(of token: StoredToken) -> CallError?
}

/// The grant of a refresh token (RFC 6749 §6).
final class RefreshTokenGrant: TokenGrant {
  let isRepeatable = false
  private let client: TokenClient
  private let url: String
  private let key: TokenKey
  /// The renewable secret of a token that is no longer accepted.
  private let refused = Locked<Secret?>(nil)

  init(_ client: TokenClient, at url: String, key: TokenKey) {
    self.client = client
    self.url = url
    self.key = key
  }

  func issues(_ token: StoredToken) -> Bool { token.kind == .oauth2 }

  func check(_ token: StoredToken?) throws(CallError) {
    guard let token else {
      throw Self.unavailable("nobody is logged in; begin a login with OAuth2.beginLogin")
    }
    guard token.clientID == nil || token.clientID == client.id else {
      throw Self.unavailable(
        "the token of \(key) was issued to another client; log in with this one, or use another account")
    }
  }

  /// Whether a token has not been refused in this process.
  private func accepts(_ token: StoredToken) -> Bool { refused.withLock { $0 } != token.renewableSecret }

  /// A login has begun anew.
  func forgetRefusal() { refused.withLock { $0 = nil } }

  func issue(
    after current: StoredToken?, isUrgent: Bool, _ environment: TokenRequestEnvironment
  ) async throws(TokenEndpointError) -> IssuedToken {
    guard let current, let refreshToken = current.refreshToken else {
      throw .call(
        Self.refusal(
          """
          the access token is not good any more and came without a refresh token; log in again, with the scope \
          that the provider wants for one, such as offline.access, to stay logged in
          """))
    }
    // One that another process has noted as refused is tried once more: a provider may have been wrong.
    guard accepts(current) else { throw .call(Self.isOver(current)) }
    let asked = environment.time.now()
    let response = try await TokenEndpoint(url: url, client: client, environment: environment)
      .token(
        [("grant_type", "refresh_token"), ("refresh_token", refreshToken.reveal())], attempts: isUrgent ? 3 : 1)
    let received = response.stored(kind: .oauth2, clientID: client.id, asked: asked, requested: current.scopes)
    // What the answer does not replace stays, also what only a newer version of this library knows.
    var next = current
    next.accessToken = received.accessToken
    next.refreshToken = received.refreshToken ?? refreshToken
    next.expires = received.expires
    next.lifetime = received.lifetime
    next.scopes = received.scopes
    next.clientID = received.clientID
    next.refused = nil
    return IssuedToken(token: next, lifetime: response.lifetime)
  }

  func callError(_ error: TokenEndpointError) -> CallError { error.asCallError }

  func isSpent(_ error: TokenEndpointError) -> Bool { error.isAboutGrant }

  func isDoubtful(_ error: TokenEndpointError) -> Bool { error.isAboutRequest }

  func noteSpent(_ token: StoredToken) { refused.withLock { $0 = token.renewableSecret } }

  func noteAccepted(_ token: StoredToken) { refused.withLock { if $0 == token.renewableSecret { $0 = nil } } }

  func canReplace(_ token: StoredToken) -> Bool { token.refreshToken != nil }

  func refusal(of token: StoredToken) -> CallError? {
    token.isRefused || !accepts(token) ? Self.isOver(token) : nil
  }

  private static func isOver(_ token: StoredToken) -> CallError {
    let name = token.refreshToken == nil ? "access" : "refresh"
    return refusal("the \(name) token is not accepted any more; log in again")
  }

  private static func refusal(_ advice: String) -> CallError {
    .authorization(AuthorizationError(.refused, advice: advice))
  }

  private static func unavailable(_ advice: String) -> CallError {
    .authorization(AuthorizationError(.unavailable, advice: advice))
  }
}

/// The grant of the client's own credentials (RFC 6749 §4.4).
struct ClientCredentialsGrant: TokenGrant {
  let isRepeatable = true
  let client: TokenClient
  let url: String
  /// The scopes to ask for; empty for those that the provider chooses.
  let scopes: [String]

  func issues(_ token: StoredToken) -> Bool { token.kind == .bearer && token.clientID == client.id }

  func check(_ token: StoredToken?) throws(CallError) {}

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

  func isSpent(_ error: TokenEndpointError) -> Bool { false }

  func isDoubtful(_ error: TokenEndpointError) -> Bool { true }

  func noteSpent(_ token: StoredToken) {}

  func noteAccepted(_ token: StoredToken) {}

  func canReplace(_ token: StoredToken) -> Bool { true }

  func refusal(of token: StoredToken) -> CallError? { nil }
}
