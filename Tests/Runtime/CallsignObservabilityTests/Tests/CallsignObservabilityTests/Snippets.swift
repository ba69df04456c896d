import Callsign
import CallsignObservability

// The code in Documentation/ErrorsAndLimits.md; DocumentationTests compare the two.
private func watching() -> ClientConfiguration {
  var watched = ClientConfiguration()
  watched.observers = [CallMetrics()]  // swift-metrics: calls, failures, attempts, bytes, waits and times by endpoint
  watched.trace(by: CallTracing())  // swift-distributed-tracing: a span for each call, an event for each attempt
  return watched
}
