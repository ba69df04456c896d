import CallsignHTTP
import CallsignSupport
import Foundation

/// The source of a sandbox's time: for rate windows, timestamps, and dates of posts.
public protocol SandboxClock: Sendable {
  /// The current time.
  func now() -> Date
}

/// The system's clock.
public struct SandboxSystemClock: SandboxClock {
  /// Creates the clock.
  public init() {}

  /// The system's time.
  public func now() -> Date { Date() }
}

/// A clock that stands still until you move it.
///
/// OAuth 1.0a clients must sign with its time: a timestamp that is more than five minutes off gets a 401. Callsign corrects its
/// clock from the `Date` field of that response. Other clients, such as tweepy, sign with the system's time, so all their signed
/// calls fail if the clock is further off. Bearer tokens have no timestamp, but they may expire.
public final class SandboxManualClock: SandboxClock {
  private let date: Locked<Date>

  /// Creates a clock that shows `date`. Default: the system's time.
  public init(_ date: Date = Date()) { self.date = Locked(date) }

  /// The time that the clock shows.
  public func now() -> Date { date.withLock { $0 } }

  /// Moves the clock forward by a number of seconds, or back if it is negative.
  public func advance(by seconds: TimeInterval) { date.withLock { $0.addTimeInterval(seconds) } }
}

/// A clock that differs from another by an offset.
final class OffsetClock: SandboxClock {
  private let base: any SandboxClock
  private let offset = Locked<TimeInterval>(0)

  init(base: any SandboxClock) { self.base = base }

  func now() -> Date { base.now().addingTimeInterval(current) }

  func advance(by seconds: TimeInterval) { offset.withLock { $0 += seconds } }

  /// How many seconds it is ahead of the other clock.
  var current: TimeInterval { offset.withLock { $0 } }

  func setOffset(_ seconds: TimeInterval) { offset.withLock { $0 = seconds } }
}
