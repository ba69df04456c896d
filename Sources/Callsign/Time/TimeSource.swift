import Foundation

/// Where a client takes the time from, and how it waits. Tests give one that does not wait.
public protocol TimeSource: Sendable {
  /// The time, for timestamps, expiry and rate limits.
  func now() -> Date

  /// Waits; ends at once when the task is cancelled.
  ///
  /// - Throws: `CancellationError` when the task is cancelled.
  func sleep(for duration: Duration) async throws(CancellationError)
}

/// The system's clock.
public struct SystemTime: TimeSource {
  /// Makes it.
  public init() {}

  /// The system's time.
  public func now() -> Date { Date() }

  /// Waits, however the system's time is changed meanwhile.
  public func sleep(for duration: Duration) async throws(CancellationError) {
    do { try await Task.sleep(for: duration) } catch { throw CancellationError() }
  }
}
