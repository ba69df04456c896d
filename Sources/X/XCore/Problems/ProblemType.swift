import Callsign

/// The subject of a problem from X's v2, by the last part of its `type`, such as
/// `https://api.x.com/2/problems/resource-not-found`.
///
/// X adds types: an unknown one is kept as ``unknown(_:)``, with the whole URI.
///
/// Source: https://docs.x.com/x-api/fundamentals/response-codes-and-errors
public enum ProblemType: Sendable, Hashable {
  /// `about:blank`: the status says everything (RFC 9457 §4.2.1).
  case blank
  /// A parameter or the body does not fit the endpoint.
  case invalidRequest
  /// The post, user, list or other resource does not exist.
  case resourceNotFound
  /// The account may not see or change it.
  case notAuthorizedForResource
  /// The app may not call the endpoint, because of its access level or project.
  case clientForbidden
  /// The app's permissions do not cover the call.
  case oauth1Permissions
  /// The endpoint needs another kind of credentials.
  case unsupportedAuthentication
  /// The app has used up what its plan includes for a period, usually a month. X responds with 429, but this is not a
  /// rate limit: the call's error is `CallError.api`.
  case usageCapped
  /// The account's credits are used up (402, titled `CreditsDepleted`), or the account has reached its spend cap for
  /// the billing cycle (403, titled `SpendCapReached`).
  case credits
  /// The limit for a window is used up.
  case rateLimitExceeded
  /// X refuses a connection to a stream. The problem's `connection_issue` says why: too many are open, or the stream
  /// has no rules.
  case streamingConnection
  /// The client disconnects, or reads too slowly.
  case clientDisconnected
  /// X ends the connection for its own reasons.
  case operationalDisconnect
  /// The account may see the resource, but not one of its fields.
  case notAuthorizedForField
  /// The content is withheld or unavailable.
  case resourceUnavailable
  /// The filtered stream has more rules than allowed.
  case ruleCap
  /// A rule is not well-formed.
  case invalidRules
  /// The rule exists already.
  case duplicateRules
  /// The call conflicts with the current state, or with another call.
  case conflict
  /// An unknown type, as received.
  case unknown(String)

  private static let byName: [String: ProblemType] = [
    "invalid-request": .invalidRequest, "resource-not-found": .resourceNotFound,
    "not-authorized-for-resource": .notAuthorizedForResource, "client-forbidden": .clientForbidden,
    "oauth1-permissions": .oauth1Permissions, "unsupported-authentication": .unsupportedAuthentication,
    "usage-capped": .usageCapped, "credits": .credits, "rate-limit-exceeded": .rateLimitExceeded,
    "streaming-connection": .streamingConnection,
    "client-disconnected": .clientDisconnected, "operational-disconnect": .operationalDisconnect,
    "not-authorized-for-field": .notAuthorizedForField, "resource-unavailable": .resourceUnavailable,
    "rule-cap": .ruleCap, "invalid-rules": .invalidRules, "duplicate-rules": .duplicateRules, "conflict": .conflict,
  ]

  /// Reads a `type`, whichever host its URI has.
  public init(_ uri: String) {
    let name = uri.split(separator: "/").last.map(String.init) ?? uri
    self = uri == "about:blank" ? .blank : Self.byName[name] ?? .unknown(uri)
  }

  /// The last part of the URI; the whole URI for an unknown type.
  public var name: String {
    switch self {
    case .blank: "about:blank"
    case .unknown(let uri): uri
    default: Self.byName.first { $0.value == self }?.key ?? ""
    }
  }
}

extension ProblemDetails {
  /// Its `type` as one of the known types; `nil` if the problem has no type.
  public var kind: ProblemType? { type.map(ProblemType.init) }
}
