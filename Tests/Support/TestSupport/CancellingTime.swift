import Callsign
import CallsignHTTP
import CallsignSupport
import Foundation

/// The system's clock, which once cancels the task that looks at it: for what happens between two steps of its work.
package final class CancellingTime: TimeSource {
  private let isArmed = Locked(false)

  package init() {}

  /// The next task that asks for the time is cancelled.
  package func arm() { isArmed.withLock { $0 = true } }

  package func now() -> Date {
    let cancels = isArmed.withLock { isArmed in
      defer { isArmed = false }
      return isArmed
    }
    if cancels { withUnsafeCurrentTask { $0?.cancel() } }
    return Date()
  }

  package func sleep(for duration: Duration) async throws(CancellationError) {
    try await SystemTime().sleep(for: duration)
  }
}
