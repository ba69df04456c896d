import Callsign
import Foundation

/// The run so far, as a table.
struct SoakTable: Sendable {
  let session: SoakSession
  let logs: [PostLedger.Stream: StreamLog]
  let watch: ProcessWatch

  /// - Parameters:
  ///   - seconds: Since the start.
  ///   - isLast: Whether all that is missing is lost, and not on its way.
  ///   - counts: The sandbox's.
  func text(after seconds: Double, _ counts: SandboxCounts, isLast: Bool) async -> String {
    let tally = session.tally
    var rows = [["", "sent", "received", "lost", "twice", ""]]
    for stream in PostLedger.Stream.allCases {
      let account = await session.ledger.account(of: stream)
      var notes = ["\(account.inGaps) in gaps told of"]
      if !account.missing.isEmpty {
        notes.append("\(account.missing.count) \(isLast ? "unexplained" : "on their way")")
      }
      if let log = logs[stream] {
        notes.append(
          await "\(log.reconnects) reconnects, \(log.stalls) stalls, \(log.passedOver) sent again and passed over, "
            + "\(log.disconnectMessages) disconnect messages, \(log.keepAlives) keep-alives")
      }
      rows.append(
        row(
          stream.name, account.created, account.received, account.inGaps + (isLast ? account.missing.count : 0),
          account.duplicates, notes))
    }
    rows.append(
      await row(
        "writes", tally[.writesSent], tally[.writesDone] + tally[.writesMaybeHad], tally[.writesMaybeNot], 0,
        [
          "may have succeeded: \(tally[.writesMaybeHad]) had, \(tally[.writesMaybeNot]) had not",
          "\(tally[.writesFailed]) responded with an error, \(tally[.writesRefused]) not sent",
          "\(tally[.deletes]) deleted",
        ]))
    rows.append(
      await row(
        "pages", tally[.pageItemsExpected], tally[.pageItemsRead], tally[.pageItemsLost], tally[.pageItemsTwice],
        ["\(tally[.listsRead]) lists", "resumed \(tally[.listsResumed]) times after errors"]))
    let begun = await tally[.uploadsBegun]
    let arrived = await tally[.uploadsArrived]
    rows.append(
      await row(
        "uploads", begun, arrived, isLast ? begun - arrived : 0, 0,
        ["\(tally[.uploadedBytes].megabytes) MB", "resumed \(tally[.uploadsResumed]) times after errors"]))
    let refresh = await RefreshAccount(session, counts, after: seconds)
    var lines = ["\nAfter \(Int(seconds)) s"] + Self.aligned(rows)
    lines.append(
      "  refreshes  \(refresh.refreshes) (expected \(refresh.fewest) to \(refresh.most)), \(refresh.refused) refused, "
        + "\(await tally[.revocations]) tokens revoked")
    lines.append(
      "  requests   \(await tally[.calls]) calls, \(await tally[.repetitions]) repetitions, "
        + "\(counts.faults) faults")
    lines += await watch.lines
    return lines.joined(separator: "\n")
  }

  private func row(
    _ name: String, _ sent: Int, _ received: Int, _ lost: Int, _ twice: Int, _ notes: [String]
  ) -> [String] {
    [name] + [sent, received, lost, twice].map(String.init) + [notes.joined(separator: "; ")]
  }

  private static func aligned(_ rows: [[String]]) -> [String] {
    let widths = (0..<5).map { column in rows.map { $0[column].count }.max() ?? 0 }
    return rows.map { row in
      let cells = zip(row.prefix(5), widths).enumerated().map { index, cell in
        let blanks = String(repeating: " ", count: cell.1 - cell.0.count)
        return index == 0 ? cell.0 + blanks : blanks + cell.0
      }
      return "  " + (cells + [row[5]]).joined(separator: "  ")
    }
  }
}

/// Counts, and what must not happen.
actor Tally {
  enum Count: String, Sendable {
    case writesSent, writesDone, writesMaybeHad, writesMaybeNot, writesRefused, writesFailed, deletes
    case pageItemsExpected, pageItemsRead, pageItemsTwice, pageItemsLost, listsRead, listsResumed
    case uploadsBegun, uploadsArrived, uploadsResumed, uploadedBytes
    case calls, repetitions
    case revocations
  }

  private var counts: [Count: Int] = [:]
  private var problems: [String] = []
  private var suppressed = 0
  /// How many workers have not ended.
  private(set) var workersAtWork = 0
  /// For how many seconds calls with the token came one soon after the other. Where none comes, a token may grow old.
  private(set) var secondsOfTokenUse = 0.0
  private var lastTokenUse: ContinuousClock.Instant?

  /// The longest pause, in seconds, between two calls that count as one soon after the other.
  private static let longestPause = 0.5

  func add(_ count: Count, _ number: Int = 1) { counts[count, default: 0] += number }

  subscript(_ count: Count) -> Int { counts[count] ?? 0 }

  func tokenUsed(at now: ContinuousClock.Instant = .now) {
    if let pause = lastTokenUse.map({ (now - $0).inSeconds }), pause <= Self.longestPause { secondsOfTokenUse += pause }
    lastTokenUse = now
  }

  func beginWork() { workersAtWork += 1 }
  func endWork() { workersAtWork -= 1 }

  /// Something that fails the run. The first ones say enough.
  func problem(_ text: String) {
    if problems.count < 40 { problems.append(text) } else { suppressed += 1 }
  }

  var allProblems: [String] { suppressed == 0 ? problems : problems + ["and \(suppressed) more"] }
}

/// Counts attempts, and those that repeat another.
struct AttemptCounter: Middleware {
  let tally: Tally
  /// Whether its calls need the token that is refreshed.
  var usesToken = false

  func send(
    _ request: TransportRequest, context: AttemptContext, next: Next
  ) async throws(TransportError) -> TransportResponse {
    await tally.add(context.attempt == 1 ? .calls : .repetitions)
    if usesToken { await tally.tokenUsed() }
    return try await next(request)
  }
}
