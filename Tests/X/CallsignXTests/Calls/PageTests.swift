import Callsign
import CallsignTesting
import CallsignX
import Testing
import XSandbox

@Suite("Pages")
struct PageTests {
  @Test("2,500 followers are three requests and come in order, each once")
  func followers() async throws {
    try await withSession { (session) async throws in
      let star = try await session.sandbox.addUser(username: "star", followers: 2_500)
      var names: [String] = []
      for try await user in session.x.getUsersFollowersPages(id: star.id, maxResults: 1_000).items {
        names.append(user.username)
      }
      #expect(names.count == 2_500)
      #expect(Set(names).count == 2_500)
      #expect(names.first == "follower02500")
      #expect(names == names.sorted(by: >))
      #expect(await session.requests().count == 3)
    }
  }

  @Test("A page comes with its response, and nothing is requested in advance")
  func pages() async throws {
    try await withSession { (session) async throws in
      let star = try await session.sandbox.addUser(username: "star", followers: 25)
      let pages = session.x.getUsersFollowersPages(id: star.id, maxResults: 10)
      #expect(await session.requests() == [])
      var iterator = pages.makeAsyncIterator()
      let first = try await iterator.next()
      #expect(first?.value.data.count == 10)
      #expect(first?.rateLimit?.remaining == 299)
      #expect(await session.requests().count == 1)
      #expect(try await iterator.next()?.value.data.count == 10)
      #expect(try await iterator.next()?.value.data.count == 5)
      #expect(try await iterator.next() == nil)
      #expect(await session.requests().count == 3)
    }
  }

  @Test("Reading continues where it stopped, in both directions")
  func resumed() async throws {
    try await withSession { (session) async throws in
      let star = try await session.sandbox.addUser(username: "star", followers: 30)
      let pages = session.x.getUsersFollowersPages(id: star.id, maxResults: 10)
      var all: [String] = []
      var tokens: [String?] = []
      for try await page in pages {
        all += page.value.data.map(\.username)
        tokens.append(pages.token(after: page))
      }
      #expect(all.count == 30)
      #expect(tokens.count == 3 && tokens[2] == nil)

      var rest: [String] = []
      for try await user in pages.resuming(from: tokens[0]).items { rest.append(user.username) }
      #expect(rest == Array(all[10...]))

      var backwards: [[String]] = []
      for try await page in pages.resuming(from: tokens[1]).backwards() {
        backwards.append(page.value.data.map(\.username))
      }
      #expect(backwards == [Array(all[20...]), Array(all[10..<20]), Array(all[..<10])])
    }
  }

  @Test("A limit ends the elements, and asks for no page more than it needs")
  func limited() async throws {
    try await withSession { (session) async throws in
      let star = try await session.sandbox.addUser(username: "star", followers: 30)
      for (limit, requests) in [(0, 0), (1, 1), (10, 1), (11, 2), (1_000, 3)] {
        await session.sandbox.forgetRequests()
        var count = 0
        for try await _ in session.x.getUsersFollowersPages(id: star.id, maxResults: 10).limit(limit).items {
          count += 1
        }
        #expect(count == min(limit, 30))
        #expect(await session.requests().count == requests)
      }
    }
  }

  @Test("Search pages by the same token")
  func search() async throws {
    try await withSession { (session) async throws in
      for number in 0..<25 { try await session.sandbox.addPost("needle \(number)", by: session.bob) }
      var texts: [String] = []
      for try await post in session.x.searchPostsRecentPages(query: "needle", maxResults: 10).items {
        texts.append(post.text)
      }
      #expect(texts == (0..<25).reversed().map { "needle \($0)" })
    }
  }

  @Test("An error in the middle ends the reading, and the last token resumes it")
  func failing() async throws {
    try await withSession { (session) async throws in
      let star = try await session.sandbox.addUser(username: "star", followers: 20)
      let pages = session.x.getUsersFollowersPages(id: star.id, maxResults: 10)
      var iterator = pages.makeAsyncIterator()
      let first = try #require(await iterator.next())
      await session.sandbox.inject(.status(503), for: "GET /2/users/{id}/followers")
      await #expect(throws: CallError.self) { try await iterator.next() }
      var rest = 0
      for try await _ in pages.resuming(from: pages.token(after: first)).items { rest += 1 }
      #expect(rest == 10)
    }
  }

  @Test("A timeline is polled: new posts are yielded once, oldest first", .timeLimit(.minutes(5)))
  func polling() async throws {
    try await withSession { (session) async throws in
      var ids: [String] = []
      func post(_ numbers: ClosedRange<Int>) async throws {
        for number in numbers { ids.append(try await session.x.createPosts(text: "number \(number)").data.id) }
      }
      try await post(1...12)
      // Ten to a page.
      let polling = session.x.getUsersPostsPages(id: session.alice.id, maxResults: 10)
        .polling(every: .seconds(1), since: ids[0])
      var iterator = polling.makeAsyncIterator()
      var found: [String?] = []
      for _ in 1..<12 { found.append(try await iterator.next()?.id) }
      #expect(found == ids.dropFirst().map { $0 })
      try await post(13...14)
      #expect(try await iterator.next()?.id == ids[12])
      #expect(try await iterator.next()?.id == ids[13])
      let polls = await session.sandbox.requests().filter { $0.method == "GET" }
      #expect(polls.count >= 3)
    }
  }
}
