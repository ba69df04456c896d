/// The source of a client's time and waits. Tests give one that does not wait.
///
/// Not a `Clock`: an API's rate limits, expiries and timestamps are calendar dates, and no `Instant` of the standard library's
/// clocks has one. A test can also implement a protocol of two requirements by hand.
public protocol TimeSource: Sendable {
  /// The time, for timestamps, expiry and rate limits.
  func now() -> Date

  /// Waits; ends at once when the task is cancelled.
  ///
  /// - Throws: `CancellationError` when the task is cancelled.
  func sleep(for duration: Duration) async throws(CancellationError)
}

/// A clock that also measures elapsed time, which reveals that the time was set.
package protocol SteadyTimeSource: TimeSource {
  /// The time since a moment that stays the same, however the time is set.
  func uptime() -> Duration
}

/// The system's clock.
public struct SystemTime: TimeSource {
  /// Makes it.
  public init() {}

  /// The system's time.
  public func now() -> Date { Date() }

  /// Waits, even if the system's time is changed during the wait.
  public func sleep(for duration: Duration) async throws(CancellationError) {
    // The standard library counts in 64 bits of nanoseconds, and ends the process if a wait is longer.
    do { try await Task.sleep(for: min(duration, .longestWait)) } catch { throw CancellationError() }
  }
}

extension SystemTime: SteadyTimeSource {
  private static let start = ContinuousClock.now

  /// The time since the first question, the system's sleep included.
  package func uptime() -> Duration { ContinuousClock.now - Self.start }
}

extension Duration {
  /// A hundred years, which mean "without end".
  package static let longestWait = Duration.seconds(3_155_760_000)

  /// In seconds.
  package var seconds: TimeInterval {
    TimeInterval(components.seconds) + TimeInterval(components.attoseconds) * 1e-18
  }

  /// From seconds, which may exceed what a duration can hold.
  package init(bounded seconds: TimeInterval) {
    self = seconds.isNaN ? .zero : .seconds(min(max(seconds, -1e12), 1e12))
  }

  /// Adds to it, as far as a duration holds: pauses may be as long as a `Duration` can be.
  package mutating func addClamping(_ other: Duration) {
    self = Duration(bounded: seconds + other.seconds)
  }

  /// Never less than a millisecond, and never more than a hundred years.
  package var wholeNanoseconds: UInt64 {
    let (seconds, attoseconds) = components
    let bounded = min(max(seconds, 0), Self.longestWait.components.seconds)
    return max(UInt64(bounded) * 1_000_000_000 + UInt64(max(attoseconds, 0) / 1_000_000_000), 1_000_000)
  }

  /// For libcurl, which takes 0 for "its own default" and counts in what may be 32 bits.
  package var wholeMilliseconds: Int { Int(min(wholeNanoseconds / 1_000_000, UInt64(Int32.max))) }
}
