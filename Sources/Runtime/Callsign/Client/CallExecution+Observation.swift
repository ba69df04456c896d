import CallsignHTTP
import CallsignJSON
import CallsignSupport

extension Client {
  /// Counts of all calls so far, of this client and of those that it is derived from or that are derived from it.
  public var statistics: ClientStatistics { state.statistics.withLock { $0 } }

  /// Reports the skipped parts of a response to the configuration's listener and the log.
  package func report(_ issues: [DecodingIssue], endpoint: String) { state.issues.report(issues, endpoint: endpoint) }
}

extension CallExecution {
  /// Counts a call that has ended.
  func count(_ history: AttemptHistory, isFailure: Bool) {
    let counts = ClientStatistics.Counts(
      calls: 1, failures: isFailure ? 1 : 0, attempts: history.requests, bytesSent: history.bytesSent,
      bytesReceived: history.bytesReceived, rateLimitWait: history.waitedForLimits,
      retryWait: history.waitedForRetries)
    add(counts)
  }

  /// Counts an error that shows only after the call was counted.
  func countFailure() { add(ClientStatistics.Counts(failures: 1)) }

  private func add(_ counts: ClientStatistics.Counts) {
    client.state.statistics.withLock { $0.add(counts, to: endpoint.limitName) }
    for observer in client.configuration.observers { observer.counted(counts, of: endpoint.limitName) }
  }

  /// The body, which counts the bytes that are read from it.
  func counting(_ body: ResponseBody) -> ResponseBody {
    let (statistics, name, observers) = (client.state.statistics, endpoint.limitName, client.configuration.observers)
    let known = Locked(0)
    return body.reporting(total: nil) { progress in
      let new = known.withLock { known in
        defer { known = progress.bytes }
        return progress.bytes - known
      }
      let counts = ClientStatistics.Counts(bytesReceived: new)
      statistics.withLock { $0.add(counts, to: name) }
      for observer in observers { observer.counted(counts, of: name) }
    }
  }

  /// Makes the call within the client's observers.
  func observed<Value: Sendable>(
    _ work: @Sendable () async throws(CallError) -> Value
  ) async throws(CallError) -> Value {
    let observers = client.configuration.observers
    if observers.isEmpty { return try await work() }
    let url = preview.url
    let call = ObservedCall(
      endpoint: endpoint.limitName, method: endpoint.method, scheme: url.scheme, host: url.host,
      port: url.effectivePort, isRepeatable: endpoint.isRepeatable)
    return try await Self.observed(call, by: observers[...], work)
  }

  private static func observed<Value: Sendable>(
    _ call: ObservedCall, by observers: ArraySlice<any CallObserver>,
    _ work: @Sendable () async throws(CallError) -> Value
  ) async throws(CallError) -> Value {
    guard let first = observers.first else { return try await work() }
    return try await first.observe(call) { () throws(CallError) in
      try await observed(call, by: observers.dropFirst(), work)
    }
  }
}
