import Callsign

/// The subject of a problem of X's v2, by the last part of its `type`, such as
/// `https://api.x.com/2/problems/resource-not-found`.
///
/// X adds types: one that is not known here is kept as ``unknown(_:)``, with the whole URI.
///
/// Source: https://docs.x.com/x-api/fundamentals/response-codes-and-errors
public enum ProblemType: Sendable, Hashable {
  /// `about:blank`: the status says all (RFC 9457 §4.2.1).
  case blank
  /// A parameter or the body is not what the endpoint takes.
  case invalidRequest
  /// There is no such post, user, list or the like.
  case resourceNotFound
  /// The account may not see or change it.
  case notAuthorizedForResource
  /// The app, by its access level or project, may not call the endpoint.
  case clientForbidden
  /// The app's permissions do not cover the call.
  case oauth1Permissions
  /// The endpoint wants another kind of credentials.
  case unsupportedAuthentication
  /// The app has used up what its plan includes for a period, mostly a month. X responds with 429, which is no rate limit's
  /// then: the call's error is `CallError.api`.
  case usageCapped
  /// The account's credits are used up (402, titled `CreditsDepleted`), or its spend cap of the billing cycle is reached
  /// (403, titled `SpendCapReached`).
  case credits
  /// The limit of a window is used up.
  case rateLimitExceeded
  /// A connection to a stream is not made; the problem's `connection_issue` says why: too many are open, or no rules are
  /// there.
  case streamingConnection
  /// The client disconnects, or reads too slowly.
  case clientDisconnected
  /// X ends the connection for reasons of its own.
  case operationalDisconnect
  /// The account is not allowed to see a field of what it may see.
  case notAuthorizedForField
  /// The content is withheld or unavailable.
  case resourceUnavailable
  /// The rules of a filtered stream are more than allowed.
  case ruleCap
  /// A rule is not well-formed.
  case invalidRules
  /// The rule is there already.
  case duplicateRules
  /// Something conflicts with what is there, or with another call.
  case conflict
  /// A type that is not known here, as it came.
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

  /// Reads a `type`, on whichever host it is.
  public init(_ uri: String) {
    let name = uri.split(separator: "/").last.map(String.init) ?? uri
    self = uri == "about:blank" ? .blank : Self.byName[name] ?? .unknown(uri)
  }

  /// The last part of the URI; all of it for what is not known here.
  public var name: String {
    switch self {
    case .blank: "about:blank"
    case .unknown(let uri): uri
    default: Self.byName.first { $0.value == self }?.key ?? ""
    }
  }
}

extension ProblemDetails {
  /// Its `type` as one of those that are known; `nil` where the problem has none.
  public var kind: ProblemType? { type.map(ProblemType.init) }
}
