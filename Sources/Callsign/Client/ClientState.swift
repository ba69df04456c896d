/// What a client learns, shared with the clients that are derived from it.
final class ClientState: Sendable {
  let rateLimits: RateLimitLedger
  let retryTokens: RetryTokens

  init(_ configuration: ClientConfiguration) {
    rateLimits = RateLimitLedger(time: configuration.time)
    retryTokens = RetryTokens(configuration.retryBudget)
  }
}
