import CallsignHTTP
import Foundation

extension Exchange {
  /// Waits until the rate limit lets the call through.
  ///
  /// - Returns: Whether the ledger counts it, so that it has to be told of the answer.
  func admit(
    _ key: RateLimitKey, _ policy: RateLimitPolicy, _ history: inout AttemptHistory
  ) async throws(CallError) -> Bool {
    if case .fail = policy { return false }
    let time = client.configuration.time
    let ledger = client.state.rateLimits
    var deadline = Date.distantPast
    if case .wait(let bound) = policy {
      deadline = time.now().addingTimeInterval((bound - history.waitedForLimits).seconds)
    }
    while true {
      let start = time.now()
      let admission: RateLimitLedger.Admission
      do throws(CancellationError) { admission = try await ledger.enter(key, until: deadline) } catch {
        throw .cancelled
      }
      let now = time.now()
      history.waitedForLimits += Duration(bounded: max(0, now.timeIntervalSince(start)))
      guard case .exhausted(let limit, let reset) = admission else { return true }
      let refusal = history.refusal?.after(attempts: history.requests) ?? .rateLimited(limit, nil)
      guard case .ask(let decide) = policy else { throw refusal }
      let wait = RateLimitWait(
        endpoint: key.endpoint, credential: key.credential, limit: limit,
        duration: Duration(bounded: max(0, reset.timeIntervalSince(now))), waited: history.waitedForLimits)
      let decision = await decide(wait)
      if Task.isCancelled { throw .cancelled }
      guard decision == .wait else { throw refusal }
      deadline = max(reset, deadline)
    }
  }

  /// Takes note of an answer.
  func settle(_ response: TransportResponse, _ key: RateLimitKey, wasAdmitted: Bool) {
    let status = response.head.status.code
    let headers = response.head.headerFields
    client.state.rateLimits.settle(
      key, headers, client.conventions.rateLimit(in: headers), isRefusal: status == 429 || status == 420,
      wasAdmitted: wasAdmitted)
  }
}
