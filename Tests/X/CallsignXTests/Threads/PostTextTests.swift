import CallsignX
import Foundation
import Testing
import XSandbox

@Suite("The text of posts") struct PostTextTests {
  @Test("On request, a text that is too long is refused before anything is sent") func tooLong()
    async throws
  {
    try await withSession { (session) async throws in
      var options = CallOptions()
      options.checksText = true
      #expect(options.textRules == .version3)
      let long = String(repeating: "日", count: 141)
      let sent = await session.requests().count
      let error = try await #require(throws: CallError.self) {
        try await session.x.createPosts(text: long, options: options)
      }
      guard case .invalidCall(let problem) = error else {
        Issue.record("\(error)")
        return
      }
      #expect(problem.parameter == "text")
      #expect("\(problem)".contains("has a length of 282, but the maximum is 280"))
      await #expect(throws: CallError.self) { try await session.x.createPosts(text: " ", options: options) }
      #expect(await session.requests().count == sent)
      // Others are sent, and without the check X decides.
      _ = try await session.x.createPosts(text: String(repeating: "日", count: 140), options: options)
      await #expect(throws: CallError.self) { try await session.x.createPosts(text: long) }
      #expect(await session.requests().count == sent + 2)
      options.checksText = false
      #expect(options.checks.isEmpty)
    }
  }

  @Test("A long text becomes a thread, and the sandbox accepts every post") func splitting() async throws {
    try await withSession { (session) async throws in
      let text = (1...40).map { "Sentence number \($0) of a text that is too long for one post." }.joined(
        separator: " ")
      let posted = try await session.x.postThread(splitting: text, numbering: .end)
      #expect(posted.count > 5)
      #expect(posted.first?.text.hasSuffix(" 1/\(posted.count)") == true)
      #expect(posted.map(\.text) == PostText.thread(text, numbering: .end))
      #expect(try await session.x.postThread(splitting: " ").isEmpty)
    }
  }

  @Test("The sandbox finds the entities that X finds") func entities() async throws {
    try await withSession { (session) async throws in
      let posted = try await session.x.createPosts(text: "See (http://example.com/a_(b)), #日本語。 and .@bob's $AB")
      let post = try await session.x.getPostsById(id: posted.data.id, postFields: [.entities]).data
      #expect(post.entities?.urls.first?.url?.hasSuffix("a_(b)") == true)
      #expect(post.entities?.hashtags.map(\.tag) == ["日本語"])
      #expect(post.entities?.mentions.map(\.username) == ["bob"])
      #expect(post.entities?.cashtags.map(\.tag) == ["AB"])
    }
  }
}
