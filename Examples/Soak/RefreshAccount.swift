import Foundation
import XSandbox

/// How often the token was refreshed, and how often it should have been.
struct RefreshAccount: Sendable {
  var refreshes: Int
  var refused: Int
  var fewest: Int
  var most: Int

  /// - Parameter seconds: For how long the token was needed all the time.
  init(_ session: SoakSession, after seconds: Double) async {
    let counts = await session.sandbox.authorizationCounts()
    let revocations = await session.tally[.revocations]
    let lifetime = session.settings.accessTokenLifetime
    refreshes = counts.refreshes
    refused = counts.refusedRefreshes
    // A refresh is due after three quarters of a short life. When it fails then, the token serves to its end; a second
    // more is for faults and a busy machine.
    fewest = max(0, Int(seconds / (lifetime + 1)) - 1)
    most = Int(seconds / (lifetime * 0.75)) + revocations + 1
  }

  var problems: [String] {
    var problems: [String] = []
    if refused > 0 {
      problems.append("\(refused) refreshes were refused: a refresh token was used that was not the newest")
    }
    if !(fewest...max(fewest, most)).contains(refreshes) {
      problems.append("\(refreshes) refreshes; the expiries and revocations ask for \(fewest) to \(most)")
    }
    return problems
  }
}
