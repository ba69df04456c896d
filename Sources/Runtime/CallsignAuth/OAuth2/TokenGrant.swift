import Callsign
import CallsignHTTP
import CallsignSupport

/// A token that a provider has just issued.
struct IssuedToken: Sendable {
  let token: StoredToken
  /// In seconds from the request; `nil` if the provider does not say.
  let lifetime: TimeInterval?
}

/// Has a provider issue tokens (RFC 6749 §1.3).
protocol TokenGrant: Sendable {
  /// Whether a token can be had without the one before it. Then nothing is lost with one that cannot be stored.
  var isRepeatable: Bool { get }

  /// The longest that ``issue(after:isUrgent:_:)`` takes.
  var timeLimit: Duration { get }

  /// Whether a stored token is one that this grant may have issued.
  func issues(_ token: StoredToken) -> Bool

  /// Asks for the next token.
  ///
  /// - Parameter isUrgent: Whether a request that does not get through is sent again at once.
  func issue(
    after current: StoredToken?, isUrgent: Bool, _ environment: TokenRequestEnvironment
  ) async throws(TokenEndpointError) -> IssuedToken

  /// The error of a call that needed the token, and was therefore not sent.
  func callError(_ error: TokenEndpointError) -> CallError
}

extension TokenGrant {
  var timeLimit: Duration { TokenEndpoint.defaultTimeLimit }
}
