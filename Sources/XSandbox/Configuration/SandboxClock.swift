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

/// A clock that stands still until it is told to move. OAuth 1.0a clients must sign with its time.
///
/// `@unchecked Sendable`: `date` is touched only while `lock` is held.
public final class SandboxManualClock: SandboxClock, @unchecked Sendable {
  private let lock = NSLock()
  private var date: Date

  /// Creates a clock that shows `date`; the system's time unless it is given.
  public init(_ date: Date = Date()) { self.date = date }

  /// The time that the clock shows.
  public func now() -> Date { lock.withLock { date } }

  /// Moves the clock on by so many seconds, or back if they are negative.
  public func advance(by seconds: TimeInterval) { lock.withLock { date.addTimeInterval(seconds) } }
}

/// A clock that differs from another by an offset.
///
/// `@unchecked Sendable`: `offset` is touched only while `lock` is held.
final class OffsetClock: SandboxClock, @unchecked Sendable {
  private let base: any SandboxClock
  private let lock = NSLock()
  private var offset: TimeInterval = 0

  init(base: any SandboxClock) { self.base = base }

  func now() -> Date { base.now().addingTimeInterval(lock.withLock { offset }) }

  func advance(by seconds: TimeInterval) { lock.withLock { offset += seconds } }

  /// The seconds by which it is ahead of the other.
  var current: TimeInterval { lock.withLock { offset } }

  func setOffset(_ seconds: TimeInterval) { lock.withLock { offset = seconds } }
}
