import CallsignHTTP
import Foundation
import HTTPTypes
import Logging

extension Exchange {
  private var policy: RetryPolicy { call.options.retry ?? client.configuration.retry }
  var rateLimitPolicy: RateLimitPolicy { call.options.rateLimitPolicy ?? client.configuration.rateLimitPolicy }

  /// Sends the call, again if need be, and reads the whole answer.
  package func answer() async throws(CallError) -> RawResponse {
    try await repeating { history throws(CallError) in try await wholeAnswer(&history) }
  }

  /// Sends the call, again if need be, and returns when a successful answer's head has arrived.
  func openRetrying() async throws(CallError) -> TransportResponse {
    try await repeating { history throws(CallError) in try await head(&history, rateLimitPolicy) }
  }

  private func repeating<Result>(
    _ attempt: (inout AttemptHistory) async throws(CallError) -> Result
  ) async throws(CallError) -> Result {
    var history = AttemptHistory()
    while true {
      do throws(CallError) {
        let result = try await attempt(&history)
        client.state.retryTokens.reward()
        return result
      } catch {
        try await recover(from: error, &history)
      }
    }
  }

  private func wholeAnswer(_ history: inout AttemptHistory) async throws(CallError) -> RawResponse {
    let response = try await head(&history, rateLimitPolicy)
    let limit = client.configuration.responseLimit
    do throws(TransportError) {
      // What says at once that it is too long need not be waited for.
      if let length = response.head.headerFields[.contentLength].flatMap({ Int($0) }), length > limit {
        throw TransportError(.bodyTooLarge, delivery: .delivered)
      }
      let body = try await response.body.collect(upTo: limit)
      return RawResponse(status: response.head.status, headers: response.head.headerFields, body: body)
    } catch { throw lost(error) }
  }

  /// Waits until the call may be sent again.
  ///
  /// - Throws: The error, where it may not.
  private func recover(from error: CallError, _ history: inout AttemptHistory) async throws(CallError) {
    if Task.isCancelled { throw .cancelled }
    guard history.isSending else { throw error }
    if case .rateLimited = error {
      // The wait is the rate limit's: it is entered where the next attempt begins.
      if case .fail = rateLimitPolicy { throw final(error, history) }
      history.refusal = error
      return
    }
    guard history.tries < policy.attempts, let delay = delay(after: error, history) else { throw final(error, history) }
    guard client.state.retryTokens.take(now: client.configuration.time.now()) else {
      client.configuration.logger.info("the budget for repetitions is spent", metadata: ["endpoint": "\(call.name)"])
      throw final(error, history)
    }
    history.tries += 1
    client.configuration.logger.info(
      "call again",
      metadata: [
        "endpoint": "\(call.name)", "attempt": "\(history.tries)", "wait": "\(delay)", "reason": "\(error)",
      ])
    do throws(CancellationError) { try await client.configuration.time.sleep(for: delay) } catch { throw .cancelled }
  }

  /// How long to wait before the call is sent again; `nil` when it must not be.
  private func delay(after error: CallError, _ history: AttemptHistory) -> Duration? {
    switch error {
    case .transport(let cause):
      return policy.allows(cause, timeouts: call.timeouts) ? policy.delay(before: history.tries + 1) : nil
    case .api(let refusal):
      // A write that was answered had arrived, whatever came of it.
      guard call.isRepeatable, policy.statuses.contains(refusal.status.code) else { return nil }
      let wait = policy.delay(before: history.tries + 1)
      guard let asked = RetryAfter.delay(refusal.headers, now: client.configuration.time.now()) else { return wait }
      return asked <= policy.maximumRetryAfter ? max(asked, wait) : nil
    case .rateLimited, .authorization, .decoding, .unexpectedContent, .cancelled, .mayHaveSucceeded, .invalidCall:
      return nil
    }
  }

  private func final(_ error: CallError, _ history: AttemptHistory) -> CallError {
    error.after(attempts: history.requests)
  }
}
