import Callsign
import CallsignX
import CallsignXv1
import Foundation

/// Reads lists to their end, and compares them with what is in the store.
struct PageWork: Sendable {
  let session: SoakSession
  /// The id of the user whose lists are read.
  let star: String
  /// Newest first.
  let followers: [String]
  let posts: [String]

  static func prepare(_ session: SoakSession) async throws -> PageWork {
    let count = session.settings.followers
    let star = try await session.sandbox.addStar(followers: count, posts: session.settings.posts)
    let names = (1...count).map { number in
      let digits = String(number)
      return "follower" + String(repeating: "0", count: max(0, 5 - digits.count)) + digits
    }
    return PageWork(
      session: session, star: star.id, followers: names.reversed(), posts: star.posts.reversed())
  }

  func readFollowers() async {
    await repeatedly { size in
      await check("followers", followers, session.x.getUsersFollowersPages(id: star, maxResults: size)) {
        $0.data.map(\.username)
      }
    }
  }

  func readPosts() async {
    await repeatedly { size in
      await check("posts", posts, session.x.getUsersPostsPages(id: star, maxResults: size)) {
        $0.data.map(\.id)
      }
    }
  }

  /// The ids of a page of v1.1.
  func readTimeline() async {
    await repeatedly { size in
      await check("v1.1 timeline", posts, session.v1.getStatusesUserTimelinePages(user: .id(star), count: size)) {
        $0.map(\.idStr)
      }
    }
  }

  private func repeatedly(_ read: (Int) async -> Void) async {
    var chance = Chance(seed: session.settings.seed, for: "sizes")
    while await !session.deadline.isOver, !Task.isCancelled {
      await read(chance.number(10...60))
      try? await Task.sleep(for: .milliseconds(50))
    }
  }

  /// Reads all pages; after an error from the last good page on.
  private func check<Page, Item>(
    _ name: String, _ expected: [String], _ pages: Pages<Page, Item>, _ keys: (Page) -> [String]
  ) async {
    let tally = session.tally
    var found: [String] = []
    var token: String?
    var isAtEnd = false
    while !isAtEnd {
      do throws(CallError) {
        for try await page in pages.resuming(from: token) {
          found += keys(page.value)
          token = pages.token(after: page)
        }
        isAtEnd = true
      } catch {
        // An interrupted list is none.
        if Task.isCancelled { return }
        switch error {
        case .invalidCall, .decoding: await tally.problem("\(name): \(error)")
        case .authorization(let problem) where problem.reason != .unavailable:
          await tally.problem("\(name): \(error)")
        case .unexpectedContent(let content) where content.kind == .repeatedPage:
          await tally.problem("\(name): \(error)")
        default: break
        }
        await tally.add(.listsResumed)
        try? await Task.sleep(for: .milliseconds(50))
      }
    }
    let unique = Set(found)
    let lost = Set(expected).subtracting(unique)
    await tally.add(.listsRead)
    await tally.add(.pageItemsExpected, expected.count)
    await tally.add(.pageItemsRead, unique.count)
    await tally.add(.pageItemsTwice, found.count - unique.count)
    await tally.add(.pageItemsLost, lost.count)
    if found != expected {
      await tally.problem(
        "\(name): \(found.count) read for \(expected.count), \(found.count - unique.count) twice, \(lost.count) lost, "
          + "\(unique.subtracting(expected).count) unknown")
    }
  }
}
