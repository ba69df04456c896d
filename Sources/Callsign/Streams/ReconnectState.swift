import Foundation

/// Counts a stream's failures, and says how long to wait.
struct ReconnectState: Sendable {
  /// A connection that lives as long as this was a good one, however it ends.
  private static let goodAge: TimeInterval = 10

  let policy: ReconnectPolicy
  private var failures: [DisconnectReason: Int] = [:]
  /// Connections in a row that brought nothing.
  private(set) var attempts = 0
  private(set) var wasConnected = false
  private var connectedAt: Date?

  init(_ policy: ReconnectPolicy) { self.policy = policy }

  mutating func connecting() { attempts += 1 }

  mutating func connected(at now: Date) {
    wasConnected = true
    connectedAt = now
  }

  /// A record or keep-alive has arrived: all is well again.
  mutating func received() {
    guard attempts > 0 else { return }
    attempts = 0
    // Ends are counted on: a server that sends a record and ends would otherwise be called without a pause.
    failures = failures.filter { $0.key == .end }
  }

  /// How long to wait before the next connection; `nil`: there is none.
  mutating func delay(after drop: StreamDrop, at now: Date) -> Duration? {
    defer { connectedAt = nil }
    guard let cause = drop.cause(wasConnected: wasConnected) else { return nil }
    if let limit = policy.attemptLimit, attempts >= limit { return nil }
    if let connectedAt, now.timeIntervalSince(connectedAt) >= Self.goodAge { failures[.end] = nil }
    let failure = failures[cause, default: 0] + 1
    failures[cause] = failure
    let delays =
      switch cause {
      case .end: policy.afterEnd
      case .network: policy.afterNetworkError
      case .httpError: policy.afterHTTPError
      case .rateLimit: policy.afterRateLimit
      }
    guard let delay = delays(after: failure) else { return nil }
    guard case .failed(let error) = drop, let reset = error.resetWait(at: now) else { return delay }
    return max(delay, min(reset, policy.longestResetWait))
  }
}
