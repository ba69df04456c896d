import Callsign
import CallsignAuth
import CallsignHTTP
import CallsignJSON
import CallsignTesting
import Foundation
import XCore

/// A clock that stands still, and does not wait.
struct FixedTime: TimeSource {
  var date = Date(timeIntervalSince1970: 1_318_622_958)

  func now() -> Date { date }

  func sleep(for duration: Duration) async throws(CancellationError) {}
}
