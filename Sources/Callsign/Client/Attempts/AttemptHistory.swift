import Foundation

/// What one call has been through so far.
struct AttemptHistory: Sendable {
  /// How many requests were sent, redirects and renewed credentials included.
  var requests = 0
  /// How many times the call was begun, for ``RetryPolicy/attempts``.
  var tries = 1
  /// Whether the transport was reached: what fails before is an authenticator's concern, and is not repeated here.
  var isSending = false
  /// Whether credentials were renewed already after a rejection.
  var hasRenewedCredentials = false
  /// How long the call has waited for rate limits.
  var waitedForLimits: Duration = .zero
  /// The server's own words, where it refused the call for its rate limit.
  var refusal: CallError?
}
