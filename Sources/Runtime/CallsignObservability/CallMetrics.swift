import CallsignSupport

#if Observability
  import Callsign
  import CallsignHTTP
  import CoreMetrics

  /// Reports a client's calls to swift-metrics by endpoint: how many there were, how long they took, and how often they
  /// failed, were retried and waited. One value can serve any number of clients.
  ///
  /// ```swift
  /// var configuration = ClientConfiguration()
  /// configuration.observers = [CallMetrics()]
  /// let x = XAPI(auth: .bearer("…"), configuration: configuration)
  /// ```
  ///
  /// | metric | kind | meaning |
  /// |---|---|---|
  /// | `callsign.calls` | counter | calls that have ended |
  /// | `callsign.failures` | counter | calls that ended with an error |
  /// | `callsign.attempts` | counter | requests that were sent, including retries |
  /// | `callsign.bytes.sent`, `callsign.bytes.received` | counter | bytes of bodies |
  /// | `callsign.duration` | timer | the time of whole calls; also by `outcome`: `success`, `failure` or `cancelled` |
  /// | `callsign.wait` | timer | the time that calls waited; also by `reason`: `rate_limit` or `retry` |
  /// | `callsign.active` | meter (gauge) | calls in progress |
  ///
  /// All have the dimension `endpoint`, whose values are names from the catalogue: never ids, and at most a thousand.
  public struct CallMetrics: CallObserver {
    private let label: String
    private let factory: any MetricsFactory
    private let endpoints = Locked<[String: EndpointMetrics]>([:])

    private static let others = "(others)"
    private static let endpointLimit = 1_000

    /// Reports to a backend.
    ///
    /// - Parameters:
    ///   - label: The beginning of each metric's name. Default: `callsign`.
    ///   - factory: The backend. Default: the one that the program has set up swift-metrics with.
    public init(label: String = "callsign", factory: any MetricsFactory = MetricsSystem.factory) {
      self.label = label
      self.factory = factory
    }

    /// Times a call.
    public func observe<Value: Sendable>(
      _ call: ObservedCall, _ next: () async throws(CallError) -> Value
    ) async throws(CallError) -> Value {
      let metrics = metrics(of: call.endpoint)
      let start = ContinuousClock.now
      metrics.begin()
      do throws(CallError) {
        let value = try await next()
        metrics.end(metrics.success, after: start)
        return value
      } catch {
        metrics.end(error.isCancellation ? metrics.cancellation : metrics.failure, after: start)
        throw error
      }
    }

    /// Counts.
    public func counted(_ counts: ClientStatistics.Counts, of endpoint: String) {
      metrics(of: endpoint).add(counts)
    }

    private func metrics(of endpoint: String) -> EndpointMetrics {
      endpoints.withLock { endpoints in
        if let known = endpoints[endpoint] { return known }
        let name = endpoints.count < Self.endpointLimit ? endpoint : Self.others
        if let known = endpoints[name] { return known }
        let metrics = EndpointMetrics(label, endpoint: name, factory)
        endpoints[name] = metrics
        return metrics
      }
    }
  }

  /// The metrics of one endpoint. They are kept, because a backend may look up each one by its name.
  private final class EndpointMetrics: Sendable {
    let calls: Counter
    let failures: Counter
    let attempts: Counter
    let bytesSent: Counter
    let bytesReceived: Counter
    let success: Timer
    let failure: Timer
    let cancellation: Timer
    let rateLimitWait: Timer
    let retryWait: Timer
    let active: Meter
    private let activeCount = Locked(0)

    init(_ label: String, endpoint: String, _ factory: any MetricsFactory) {
      let dimensions = [("endpoint", endpoint)]
      func counter(_ name: String) -> Counter {
        Counter(label: "\(label).\(name)", dimensions: dimensions, factory: factory)
      }
      func timer(_ name: String, _ dimension: String, _ value: String) -> Timer {
        Timer(label: "\(label).\(name)", dimensions: dimensions + [(dimension, value)], factory: factory)
      }
      calls = counter("calls")
      failures = counter("failures")
      attempts = counter("attempts")
      bytesSent = counter("bytes.sent")
      bytesReceived = counter("bytes.received")
      success = timer("duration", "outcome", "success")
      failure = timer("duration", "outcome", "failure")
      cancellation = timer("duration", "outcome", "cancelled")
      rateLimitWait = timer("wait", "reason", "rate_limit")
      retryWait = timer("wait", "reason", "retry")
      active = Meter(label: "\(label).active", dimensions: dimensions, factory: factory)
    }

    func begin() { change(by: 1) }

    func end(_ timer: Timer, after start: ContinuousClock.Instant) {
      change(by: -1)
      timer.recordNanoseconds((ContinuousClock.now - start).nanoseconds)
    }

    /// In one step, so that the last reported value is the valid one.
    private func change(by difference: Int) {
      activeCount.withLock { count in
        count += difference
        active.set(count)
      }
    }

    func add(_ counts: ClientStatistics.Counts) {
      func add(_ amount: Int, to counter: Counter) { if amount > 0 { counter.increment(by: amount) } }
      add(counts.calls, to: calls)
      add(counts.failures, to: failures)
      add(counts.attempts, to: attempts)
      add(counts.bytesSent, to: bytesSent)
      add(counts.bytesReceived, to: bytesReceived)
      if counts.rateLimitWait > .zero { rateLimitWait.recordNanoseconds(counts.rateLimitWait.nanoseconds) }
      if counts.retryWait > .zero { retryWait.recordNanoseconds(counts.retryWait.nanoseconds) }
    }
  }

  extension Duration {
    fileprivate var nanoseconds: Int64 {
      // Three hundred years are more than a timer can hold.
      let (seconds, attoseconds) = components
      return min(max(seconds, 0), 9_000_000_000) * 1_000_000_000 + max(attoseconds, 0) / 1_000_000_000
    }
  }
#endif
