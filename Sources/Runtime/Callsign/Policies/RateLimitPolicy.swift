import CallsignSupport

/// How a client reacts to an endpoint whose rate limit is used up.
///
/// The client knows the state of a limit from earlier responses, including those to clients that are derived from it.
/// It keeps the state in a ``RateLimitStore``: an endpoint's window for each account, and the app's day for all of its
/// accounts together. While a limit is known to be used up, nothing is sent, whatever the policy. A call that was
/// refused with 429 was not executed, so writes are also retried.
public enum RateLimitPolicy: Sendable {
  /// Waits for nothing: throws ``CallError/rateLimited(_:_:)`` when the server refuses the call, and without sending it
  /// while the API's own words say that the limit is used up. The default.
  case fail
  /// Waits for the next window, as long as all waits of a call together do not exceed this time.
  ///
  /// Otherwise the call throws ``CallError/rateLimited(_:_:)`` at once.
  ///
  /// When a window begins, the calls that wait for it start one after the other: the first finds out how many calls the
  /// window allows, and that many follow. If calls under way take all that is left of a window, the wait for their
  /// responses also counts, from the first second on.
  case wait(upTo: Duration)
  /// Asks before each wait. The closure may take its time; a call whose task is cancelled in the meantime is not sent. If calls in
  /// progress take everything that is left of a window, the closure is asked when their responses take longer than a second.
  case ask(@Sendable (RateLimitWait) async -> RateLimitDecision)
}

/// A wait that a ``RateLimitPolicy/ask(_:)`` is asked about.
public struct RateLimitWait: Sendable {
  /// The endpoint's name in the catalogue, or the method and path of an untyped call.
  public let endpoint: String
  /// The identity of the credentials that have the limit; `nil` for calls without credentials.
  public let credential: CredentialIdentity?
  /// The limit as the API stated it; `nil` if it refused a call and stated none.
  public let limit: RateLimit?
  /// The length of the wait that would be.
  public let duration: Duration
  /// The time that the call has waited for limits so far.
  public let waited: Duration
}

/// A decision on a ``RateLimitWait``.
public enum RateLimitDecision: Sendable, Hashable {
  /// To wait, and then to send the call.
  case wait
  /// To throw ``CallError/rateLimited(_:_:)``.
  case fail
}
