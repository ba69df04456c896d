import CallsignHTTP
import CallsignSupport
import HTTPTypes

/// The history of one call so far.
struct AttemptHistory: Sendable {
  /// The number of requests that were sent, redirects and renewed credentials included.
  var requests = 0
  /// The number of times that the call was begun, for ``RetryPolicy/attempts``.
  var tries = 1
  /// Whether the transport was reached: what fails before is an authenticator's concern, and is not repeated here.
  var isSending = false
  /// The time that the call has waited for rate limits.
  var waitedForLimits: Duration = .zero
  /// The time that it has waited to be sent again.
  var waitedForRetries: Duration = .zero
  /// The lengths of the bodies that were sent, as far as they are known, and of those that were read.
  var bytesSent = 0
  var bytesReceived = 0
  /// The server's own words, if it refused the call for its rate limit.
  var refusal: CallError?
  /// Whether the store of rate limits knows of the last attempt's refusal, and so holds back the next.
  var isRefusalHeld = false
  /// The error of the last attempt that may have carried the call out all the same.
  var doubt: CallError?
  /// When the whole call must be over.
  var deadline: CallDeadline?
  /// The last request.
  var sent: SentRequest?
}

extension CallExecution {
  private var policy: RetryPolicy { options.retry ?? client.configuration.retry }
  var rateLimitPolicy: RateLimitPolicy { options.rateLimitPolicy ?? client.configuration.rateLimitPolicy }

  /// Sends the call, again if need be, and reads the whole response.
  package func wholeResponse() async throws(CallError) -> RawResponse {
    try await repeating { history throws(CallError) in
      try await whole(try await performAttempt(&history, rateLimitPolicy), &history)
    }
  }

  /// Reads the whole of a response.
  func whole(
    _ response: TransportResponse, _ history: inout AttemptHistory
  ) async throws(CallError) -> RawResponse {
    let limit = client.configuration.responseLimit
    let whole: RawResponse
    do throws(TransportError) {
      // A response that says at once that it is too long need not be waited for. A HEAD gets a response without the body.
      if endpoint.method != .head, let length = response.head.headerFields.contentLength, length > limit {
        throw TransportError(.bodyTooLarge, delivery: .delivered)
      }
      whole = rawResponse(response.head, try await response.body.collect(upTo: limit), history)
    } catch { throw callError(for: error) }
    history.bytesReceived += whole.body.count
    try checkFailure(whole)
    return whole
  }

  /// Refuses a response of a successful status that says that the call failed, in the way of the API.
  func checkFailure(_ response: RawResponse) throws(CallError) {
    if !client.defaults.failures.isEmpty, endpoint.isNamedByCatalogue, client.defaults.isFailure(response.body) {
      throw CallError(response, now: client.configuration.time.now())
    }
  }

  /// Sends the call, again if need be, and returns when a successful response's head has arrived.
  ///
  /// - Returns: The body, and the response without it.
  func openRepeating() async throws(CallError) -> Response<ResponseBody> {
    try await repeating { history throws(CallError) in
      let response = try await performAttempt(&history, rateLimitPolicy)
      return opened(response, history)
    }
  }

  func repeating<Result: Sendable>(
    _ attempt: @Sendable (inout AttemptHistory) async throws(CallError) -> Result
  ) async throws(CallError) -> Result {
    try await observed { () throws(CallError) in try await repeatingUnobserved(attempt) }
  }

  private func repeatingUnobserved<Result>(
    _ attempt: @Sendable (inout AttemptHistory) async throws(CallError) -> Result
  ) async throws(CallError) -> Result {
    var history = AttemptHistory()
    history.deadline = (options.deadline ?? client.configuration.deadline).map {
      CallDeadline($0, client.configuration.time)
    }
    while true {
      do throws(CallError) {
        let result = try await attempt(&history)
        client.state.retryTokens.reward()
        count(history, isFailure: false)
        return result
      } catch {
        do throws(CallError) { try await recover(from: error, &history) } catch {
          count(history, isFailure: true)
          var known = error
          if let doubt = history.doubt {
            // If no further request was sent, the outcome of the previous attempt is still unknown.
            if case .rateLimited(_, nil) = error { known = doubt }
            known = known.inDoubt(isRepeatable: isSafeToMakeAgain)
          }
          throw known.after(attempts: history.requests)
        }
      }
    }
  }

  /// Waits until the call may be sent again.
  ///
  /// - Throws: The error, if the call must not be repeated.
  private func recover(from error: CallError, _ history: inout AttemptHistory)
    async throws(CallError)
  {
    if leavesDoubt(error) { history.doubt = error }
    switch error {
    // A call that may have been carried out must not be called undone.
    case .mayHaveSucceeded, .unreadableResult: throw error
    default:
      if Task.isCancelled { throw endpoint.mayChangeSomething && error.rawResponse != nil ? error : .cancelled }
    }
    guard history.isSending else { throw error }
    if case .rateLimited = error {
      // The wait is the rate limit's: it is recorded when the next attempt begins, if the store knows of the refusal.
      if case .fail = rateLimitPolicy { throw error }
      history.refusal = error
      if !history.isRefusalHeld { try await waitOut(error, &history) }
      return
    }
    guard history.tries < policy.attempts, let delay = delay(after: error, history),
      history.deadline?.allows(delay) ?? true
    else { throw error }
    guard client.state.retryTokens.take(now: client.configuration.time.now()) else {
      client.configuration.logger.info(
        "the budget for repetitions is spent", metadata: ["endpoint": "\(endpoint.name)"])
      throw error
    }
    history.tries += 1
    client.configuration.logger.info(
      "call again",
      metadata: [
        "endpoint": "\(endpoint.name)", "attempt": "\(history.tries)", "wait": "\(delay)", "reason": "\(error)",
      ])
    do throws(CancellationError) { try await client.configuration.time.sleep(for: delay) } catch { throw .cancelled }
    history.waitedForRetries.addClamping(delay)
  }

  /// Whether the caller may make the call once more. A key that the client has generated is valid only for this call:
  /// with the next call's key, the API takes it for a different call.
  var isSafeToMakeAgain: Bool {
    guard endpoint.isRepeatable else { return false }
    guard let field = endpoint.details.idempotencyKey, [.post, .patch].contains(endpoint.method) else { return true }
    return options.idempotencyKey != nil && !options.hasMadeKey
      || options.headers.keys.contains { $0.lowercased() == field.canonicalName }
  }

  /// The error of a call that is not sent again.
  package func final(_ error: CallError) -> CallError {
    leavesDoubt(error) ? error.inDoubt(isRepeatable: isSafeToMakeAgain) : error
  }

  /// Whether the call may have been carried out though it failed with an error.
  func leavesDoubt(_ error: CallError) -> Bool {
    endpoint.mayChangeSomething && (error.leavesOutcomeUnknown || error.mayHaveBeenCarriedOut)
  }

  /// The wait before the call is sent again; `nil` when it must not be.
  private func delay(after error: CallError, _ history: AttemptHistory) -> Duration? {
    switch error {
    case .transport(let cause):
      let timeouts = options.timeouts ?? client.configuration.timeouts
      return policy.allows(cause, timeouts: timeouts) ? policy.delay(before: history.tries + 1) : nil
    case .api(let refusal):
      // A write that got a response had arrived, whatever its result.
      guard endpoint.isRepeatable, policy.allows(refusal.status) else { return nil }
      return policy.delay(before: history.tries + 1, after: refusal.headers, now: client.configuration.time.now())
    case .rateLimited, .authorization, .decoding, .unexpectedContent, .unreadableResult, .cancelled, .mayHaveSucceeded,
      .invalidCall:
      return nil
    }
  }
}
