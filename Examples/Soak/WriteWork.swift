import Callsign
import CallsignX
import Foundation

/// Writes posts, and finds out what became of those whose answer was lost.
struct WriteWork: Sendable {
  let session: SoakSession

  /// - Parameter number: Which of the writers it is.
  func write(_ number: Int) async {
    var chance = Chance(seed: session.settings.seed, for: "writer \(number)")
    while await !session.deadline.isOver, !Task.isCancelled {
      await writeOne(&chance)
      try? await Task.sleep(for: chance.seconds(0...(2 * session.settings.secondsBetweenPosts)))
    }
  }

  func writeOne(_ chance: inout Chance) async {
    let (tally, ledger) = (session.tally, session.ledger)
    let number = await ledger.begin()
    let text = PostText.make(number, &chance)
    await tally.add(.writesSent)
    do throws(CallError) {
      let post = try await session.x.createPosts(text: text)
      await tally.add(.writesDone)
      await ledger.created(number, id: post.data.id)
    } catch {
      if error.problems.contains(where: { $0.detail?.contains("duplicate") == true }) {
        await tally.problem("post \(number) was sent twice: the API refuses a duplicate")
      }
      let isUnsent: Bool
      switch error {
      case .mayHaveSucceeded, .unexpectedContent, .decoding: isUnsent = false
      case .api:
        // A server's error may come after the deed.
        await tally.add(.writesFailed)
        isUnsent = false
      case .transport, .rateLimited, .authorization, .invalidCall:
        await tally.add(.writesRefused)
        isUnsent = true
      case .cancelled: return
      }
      await resolve(number, error, isUnsent: isUnsent)
    }
  }

  /// Asks the API.
  private func resolve(_ number: Int, _ error: CallError, isUnsent: Bool) async {
    // A request that was cut off may still be at work.
    try? await Task.sleep(for: .milliseconds(300))
    let id = await find(number)
    if let id { await session.ledger.created(number, id: id) }
    if isUnsent {
      await session.ledger.unsent(number)
    } else {
      if id == nil { await session.ledger.absent(number) }
      if case .api = error { return }
      await session.tally.add(id == nil ? .writesMaybeNot : .writesMaybeHad)
    }
  }

  private func find(_ number: Int) async -> String? {
    while !Task.isCancelled {
      do throws(CallError) {
        let page = try await session.x.getUsersPosts(id: session.alice.id, maxResults: 100)
        return page.value.data?.first { PostText.number(in: $0.text) == number }?.id
      } catch { try? await Task.sleep(for: .milliseconds(50)) }
    }
    return nil
  }

  /// Deletes old posts, so that the sandbox does not grow.
  func sweep() async {
    while await !session.deadline.isOver, !Task.isCancelled {
      for (number, id) in await session.ledger.deletable(before: Date(timeIntervalSinceNow: -20)) {
        do throws(CallError) {
          _ = try await session.x.deletePosts(id: id)
          await session.ledger.deleted(number)
          await session.tally.add(.deletes)
        } catch {
          // Deleted by an attempt whose answer was lost.
          if case .api(let refusal) = error, refusal.status.code == 404 { await session.ledger.deleted(number) }
        }
      }
      try? await Task.sleep(for: .milliseconds(500))
    }
  }
}
