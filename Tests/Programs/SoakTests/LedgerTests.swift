import Foundation
import Testing

@testable import Soak

/// The account must be able to fail.
@Suite("The account of posts")
struct LedgerTests {
  private let tally = Tally()

  private func ledger(_ count: Int) async -> PostLedger {
    let ledger = PostLedger(tally)
    for number in 1...count {
      _ = await ledger.begin()
      await ledger.created(number, id: "\(100 + number)")
    }
    return ledger
  }

  @Test("Records that did not arrive are missing, unless a gap explains it") func missing() async {
    let ledger = await ledger(3)
    let before = Date()
    await ledger.received(1, id: "101", from: .filtered)
    #expect(await ledger.account(of: .filtered).missing == [3, 2])
    await ledger.received(3, id: "103", from: .filtered)
    #expect(await ledger.account(of: .filtered).missing == [2])
    // A gap after the next post had arrived explains nothing, nor does another stream's, nor an earlier one.
    await ledger.gap(from: Date(timeIntervalSinceNow: 1), to: Date(timeIntervalSinceNow: 2), in: .filtered)
    await ledger.gap(from: before, to: Date(), in: .statuses)
    await ledger.gap(from: before.addingTimeInterval(-20), to: before.addingTimeInterval(-10), in: .filtered)
    #expect(await ledger.account(of: .filtered).missing == [2])
    await ledger.gap(from: before, to: Date(), in: .filtered)
    let account = await ledger.account(of: .filtered)
    #expect((account.created, account.received, account.inGaps, account.missing) == (3, 2, 1, []))
    #expect(await tally.allProblems == [])
  }

  @Test("Repeated records are counted") func twice() async {
    let ledger = await ledger(1)
    await ledger.received(1, id: "101", from: .statuses)
    await ledger.received(1, id: "101", from: .statuses)
    #expect(await ledger.account(of: .statuses).duplicates == 1)
  }

  @Test("A post with two IDs, an unknown one, and one that was not sent fail the run") func contradictions()
    async
  {
    let ledger = await ledger(1)
    await ledger.received(1, id: "102", from: .filtered)
    await ledger.received(9, id: "109", from: .filtered)
    _ = await ledger.begin()
    await ledger.unsent(2)
    await ledger.received(2, id: "200", from: .filtered)
    let problems = await tally.allProblems
    #expect(problems.count == 3)
    #expect(problems[0].contains("created twice") && problems[1].contains("nobody wrote"))
    #expect(problems[2].contains("not sent"))
  }

  @Test("Settled posts keep their verdict, and late records are counted") func settled() async {
    let ledger = await ledger(4)
    await ledger.received(1, id: "101", from: .filtered)
    await ledger.deleted(1)
    await ledger.received(4, id: "104", from: .filtered)
    let later = Date(timeIntervalSinceNow: PostLedger.settlingTime + 1)
    await ledger.settle(now: later)
    // The last one is still to be deleted.
    #expect(await ledger.deletable(before: later).map(\.id) == ["104"])
    #expect(await ledger.account(of: .filtered).missing.sorted() == [2, 3])
    await ledger.received(2, id: "102", from: .filtered)
    await ledger.received(1, id: "101", from: .filtered)
    let account = await ledger.account(of: .filtered)
    #expect((account.created, account.received, account.duplicates, account.missing) == (4, 3, 1, [3]))
    #expect(await ledger.account(of: .statuses).missing.sorted() == [1, 2, 3, 4])
    #expect(await tally.allProblems == [])
  }

  @Test("A gap explains a post as long as that waits for its deletion") func lateDeletion() async {
    let ledger = await ledger(3)
    let (before, settling) = (Date(), PostLedger.settlingTime)
    for number in 1...3 { await ledger.received(number, id: "\(100 + number)", from: .filtered) }
    await ledger.gap(from: before, to: Date(), in: .statuses)
    // Post 1 is deleted in time, post 2 after many minutes, post 3 never.
    await ledger.deleted(1)
    await ledger.settle(now: before.addingTimeInterval(settling + 1))
    await ledger.settle(now: before.addingTimeInterval(5 * settling))
    await ledger.deleted(2)
    await ledger.settle(now: before.addingTimeInterval(6 * settling))
    let account = await ledger.account(of: .statuses)
    #expect((account.created, account.inGaps, account.missing) == (3, 3, []))
  }

  @Test("Posts that may exist stay undecided until someone has asked") func undecided() async {
    let ledger = PostLedger(tally)
    _ = await ledger.begin()
    #expect(await ledger.undecided == [1])
    await ledger.absent(1)
    #expect(await ledger.undecided == [])
  }
}
