import CallsignHTTP
import CallsignSupport
import HTTPTypes

// How a call uses the store of rate limits.
extension CallExecution {
  /// Lets the call through if the ledger knows of no limit that delays it.
  func admitAtOnce(_ keys: [RateLimitKey]) -> Bool { client.state.ledger?.admitAtOnce(keys) ?? false }

  /// Waits until the rate limits let the call through.
  ///
  /// - Returns: Whether the store counts the call, so that its end must be reported.
  func admit(
    _ keys: [RateLimitKey], _ credential: CredentialIdentity?, _ policy: RateLimitPolicy,
    _ history: inout AttemptHistory
  ) async throws(CallError) -> Bool {
    let time = client.configuration.time
    var bound: Date?
    switch policy {
    case .fail: break
    case .wait(let longest): bound = time.now().addingTimeInterval((longest - history.waitedForLimits).seconds)
    case .ask: bound = .distantPast
    }
    while true {
      let start = time.now()
      let end = bound.map { min($0, history.deadline?.date ?? .distantFuture) }
      guard let admission = try await admission(of: keys, until: end, history.deadline) else { return false }
      let now = time.now()
      history.waitedForLimits += Duration(bounded: max(0, now.timeIntervalSince(start)))
      guard case .exhausted(let key, let window, let reset) = admission else { return true }
      let limit = limit(key, window, credential, at: now)
      let refusal = history.refusal ?? .rateLimited(limit, nil)
      guard reset < history.deadline?.date ?? .distantFuture else { throw refusal }
      switch policy {
      case .fail: throw refusal
      case .wait:
        // The ledger waits by itself; another store may leave it to its callers.
        guard let bound, reset <= bound else { throw refusal }
      case .ask(let decide):
        if let bound, reset <= bound { break }
        let wait = RateLimitWait(
          endpoint: endpoint.limitName, credential: credential, limit: limit,
          duration: Duration(bounded: max(0, reset.timeIntervalSince(now))), waited: history.waitedForLimits)
        guard try await decision(on: wait, by: decide, history.deadline) == .wait else { throw refusal }
        bound = reset
        continue
      }
      let pause = Duration(bounded: max(Self.shortestPause, reset.timeIntervalSince(now)))
      do throws(CancellationError) { try await time.sleep(for: pause) } catch { throw .cancelled }
      history.waitedForLimits += Duration(bounded: max(0, time.now().timeIntervalSince(now)))
    }
  }

  /// Waits after a refusal that the store of rate limits does not know of, because it fails or because the refusal came
  /// with a successful status: nothing else would hold the next attempt back.
  ///
  /// - Throws: The refusal, if the call must not be sent again.
  func waitOut(_ refusal: CallError, _ history: inout AttemptHistory) async throws(CallError) {
    let time = client.configuration.time
    var pause = max(refusal.resetWait(at: time.now()) ?? .zero, .seconds(1))
    guard history.deadline?.allows(pause) ?? true else { throw refusal }
    switch rateLimitPolicy {
    case .fail: throw refusal
    case .wait(let longest): guard history.waitedForLimits + pause <= longest else { throw refusal }
    case .ask(let decide):
      var limit: RateLimit?
      if case .rateLimited(let stated, _) = refusal { limit = stated }
      // The next attempt chooses in the same way; if a store is unreachable now, that does not change the error.
      let selection = try? await selectAuthenticator(history.deadline)
      let wait = RateLimitWait(
        endpoint: endpoint.limitName, credential: selection?.authenticator?.identity, limit: limit, duration: pause,
        waited: history.waitedForLimits)
      let end = time.now().addingTimeInterval(pause.seconds)
      guard try await decision(on: wait, by: decide, history.deadline) == .wait else { throw refusal }
      // The response may have taken its time.
      pause = min(pause, Duration(bounded: max(0, end.timeIntervalSince(time.now()))))
      guard history.deadline?.allows(pause) ?? true else { throw refusal }
    }
    do throws(CancellationError) { try await time.sleep(for: pause) } catch { throw .cancelled }
    history.waitedForLimits += pause
  }

  /// Asks whether to wait, for as long as the call's deadline lets it.
  ///
  /// - Throws: ``CallError/cancelled``, even if the task was cancelled in the meantime.
  func decision(
    on wait: RateLimitWait, by decide: @escaping @Sendable (RateLimitWait) async -> RateLimitDecision,
    _ deadline: CallDeadline?
  ) async throws(CallError) -> RateLimitDecision {
    let decision: RateLimitDecision
    if let deadline {
      decision = try await deadline.bound { .success(await decide(wait)) }
    } else {
      decision = await decide(wait)
    }
    if Task.isCancelled { throw .cancelled }
    return decision
  }

  /// The shortest time, in seconds, between two questions to a store.
  private static let shortestPause: TimeInterval = 0.1

  /// Asks the store.
  ///
  /// - Returns: `nil` when the store fails: then the server has the word.
  private func admission(
    of keys: [RateLimitKey], until end: Date?, _ deadline: CallDeadline?
  ) async throws(CallError) -> RateLimitAdmission? {
    let store = client.state.rateLimitStore
    guard let deadline else { return try await admission(of: keys, until: end) }
    return try await deadline.bound {
      do throws(CallError) { return .success(try await self.admission(of: keys, until: end)) } catch {
        return .failure(error)
      }
    } undo: { admission in
      if case .admitted? = admission { try? await store.settle(keys, .noResponse) }
    }
  }

  private func admission(of keys: [RateLimitKey], until end: Date?) async throws(CallError) -> RateLimitAdmission? {
    do { return try await client.state.rateLimitStore.admit(keys, until: end) } catch {
      if error is CancellationError || Task.isCancelled { throw .cancelled }
      warn("the store of rate limits failed; the call is sent anyway", error)
      return nil
    }
  }

  /// The limit for an error: as this account's last response stated it, if that is about the same window, else as the
  /// store has it.
  private func limit(
    _ key: RateLimitKey, _ window: RateLimit.Window, _ credential: CredentialIdentity?, at now: Date
  ) -> RateLimit? {
    if let stated = client.state.statedLimits.limit(endpoint.limitName, credential, usedUp: key, at: now) {
      return stated
    }
    return window.isEmpty ? nil : key.limit(window)
  }

  /// Reports the end of a call that was admitted, and waits for the store no longer than until the call's deadline.
  ///
  /// - Returns: Whether the store has taken it in.
  @discardableResult
  func settle(
    _ keys: [RateLimitKey], _ report: RateLimitReport, _ deadline: CallDeadline?
  ) async -> Bool {
    if let ledger = client.state.ledger {
      ledger.merge(report, of: keys)
      return true
    }
    guard let deadline else { return await settleWithStore(keys, report) }
    // A separate task, which continues without the call: otherwise, its places would stay taken.
    let work = Task { await settleWithStore(keys, report) }
    do { return try await deadline.bound { .success(await work.value) } } catch { return false }
  }

  private func settleWithStore(_ keys: [RateLimitKey], _ report: RateLimitReport) async -> Bool {
    do {
      try await client.state.rateLimitStore.settle(keys, report)
      return true
    } catch {
      warn("the store of rate limits has not taken in the end of a call", error)
      return false
    }
  }

  /// Records what a response says about the limits. This needs no wait if the ledger counts the call.
  ///
  /// - Returns: The report that ``settle(_:_:_:)`` still has to make to another store of a call that it counts.
  func noteLimits(
    _ keys: [RateLimitKey], _ credential: CredentialIdentity?, _ head: HTTPResponse, isRefusal: Bool, wasAdmitted: Bool
  ) -> RateLimitReport? {
    let report = report(on: head, keys, credential, isRefusal: isRefusal)
    guard wasAdmitted else { return nil }
    guard let ledger = client.state.ledger else { return report }
    ledger.merge(report, of: keys)
    return nil
  }

  private func report(
    on head: HTTPResponse, _ keys: [RateLimitKey], _ credential: CredentialIdentity?, isRefusal: Bool
  ) -> RateLimitReport {
    let headers = head.headerFields
    let told = client.conventions.rateLimit(in: headers)
    guard told != nil || isRefusal else { return .responded([:]) }
    // A response from a cache states earlier limits (RFC 9111 §5.1).
    if !isRefusal, headers.age ?? 0 > 0 { return .noResponse }
    let now = client.configuration.time.now()
    let ahead = headers.serverAhead(of: now)
    let retryAfter = isRefusal ? RetryAfter.delay(headers, now: now) : nil
    var stated = told ?? RateLimit(remaining: 0)
    if let retryAfter { stated.merge(retryAfter: retryAfter, sent: now.addingTimeInterval(ahead)) }
    client.state.statedLimits.record(endpoint.limitName, credential, stated, ahead: ahead, now: now)

    var windows: [RateLimitKey: RateLimit.Window] = [:]
    for key in keys {
      guard var window = key.window(in: told), !window.isEmpty else { continue }
      window.reset = window.reset?.addingTimeInterval(-ahead)
      windows[key] = window
    }
    return isRefusal ? .refused(windows, retryAfter: retryAfter) : .responded(windows)
  }

  private func warn(_ message: String, _ error: any Error) {
    client.configuration.logger.warning(
      "\(message)", metadata: ["endpoint": "\(endpoint.name)", "error": "\(type(of: error))"])
  }
}
