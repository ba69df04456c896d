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

  func add(_ count: Count, _ number: Int = 1) { counts[count, default: 0] += number }

  subscript(_ count: Count) -> Int { counts[count] ?? 0 }

  func beginWork() { workersAtWork += 1 }
  func endWork() { workersAtWork -= 1 }

  /// Something that fails the run. The first ones say enough.
  func problem(_ text: String) {
    if problems.count < 40 { problems.append(text) } else { suppressed += 1 }
  }

  var allProblems: [String] { suppressed == 0 ? problems : problems + ["and \(suppressed) more"] }
}
