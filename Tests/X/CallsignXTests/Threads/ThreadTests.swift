import Callsign
import CallsignTesting
import CallsignX
import Foundation
import HTTPTypes
import Testing
import XSandbox

@Suite("Threads") struct ThreadTests {
  @Test("Each replies to the one before") func eachRepliesToTheOneBefore() async throws {
    try await withSession { (session) async throws in
      let posted = try await session.x.postThread(["one", "two", XAPI.ThreadPost(text: "three")])
      #expect(posted.map(\.text) == ["one", "two", "three"])
      let response = try await session.x.getPostsByIds(
        ids: posted.map(\.id), postFields: .standard, expansions: [.referencedPosts])
      let posts = response.data
      #expect(posts.map { $0.repliedTo(in: response.includes)?.id } == [nil, posted[0].id, posted[1].id])
      #expect(Set(posts.map(\.conversationID)) == [posted[0].id])
      #expect(try await session.x.postThread([]).isEmpty)
    }
  }

  @Test("In reply to a post") func inReplyToAPost() async throws {
    try await withSession { (session) async throws in
      let original = try await session.sandbox.addPost("original", by: session.bob)
      let posted = try await session.x.postThread(["one"], replyingTo: original)
      let response = try await session.x.getPostsById(id: posted[0].id, expansions: [.referencedPosts])
      #expect(response.data.repliedTo(in: response.includes)?.id == original)
    }
  }

  @Test("It stops at the first failure, says what was posted, and continues from there") func failureAndResumption()
    async throws
  {
    try await withSession { (session) async throws in
      let quotingNothing = XAPI.ThreadPost(text: "three", quoteTweetID: "999999999999")
      let thread: [XAPI.ThreadPost] = ["one", "two", quotingNothing, "four"]
      let failure = try await #require(throws: ThreadError.self) { try await session.x.postThread(thread) }
      #expect(failure.posted.map(\.text) == ["one", "two"])
      #expect(failure.remaining.map(\.text) == ["three", "four"])
      #expect(failure.replyTo == failure.posted.last?.id)
      #expect(!failure.mayHaveBeenPosted)
      #expect("\(failure)".contains("post 3 of 4"))
      #expect("\(failure)".contains("resumeThread"))

      // The same again fails at the same place, and repeats nothing.
      let again = try await #require(throws: ThreadError.self) { try await session.x.resumeThread(failure) }
      #expect(again.posted.map(\.id) == failure.posted.map(\.id))

      // Somebody posted the third by hand.
      let third = try await session.x.createPosts(
        text: "three", reply: .init(inReplyToTweetID: failure.posted[1].id)
      ).data.id
      let all = try await session.x.resumeThread(failure, afterPosted: third)
      #expect(all.map(\.text) == ["one", "two", "four"])
      let last = try await session.x.getPostsById(id: all[2].id, expansions: [.referencedPosts])
      #expect(last.data.repliedTo(in: last.includes)?.id == third)
    }
  }

  @Test("After a lost response, it is open whether the post exists") func lostResponse() async throws {
    let transport = InMemoryTransport { _ throws(TransportError) in
      throw TransportError(.connectionLost, delivery: .unknown)
    }
    let x = XAPI(
      auth: .bearer("t", scopes: ["tweet.read", "tweet.write", "users.read"]),
      configuration: ClientConfiguration(transport: transport))
    let failure = try await #require(throws: ThreadError.self) { try await x.postThread(["one", "two"]) }
    #expect(failure.mayHaveBeenPosted)
    #expect(failure.posted.isEmpty && failure.remaining.count == 2 && failure.replyTo == nil)
    #expect("\(failure)".contains("afterPosted"))
    #expect(transport.requests.count == 1)
  }

  @Test("After a server error, it is open whether the post exists; after a refusal it is not") func serverError()
    async throws
  {
    for (status, isOpen) in [(HTTPResponse.Status.serviceUnavailable, true), (.badRequest, false)] {
      let transport = InMemoryTransport { _ in .json("{}", status: status) }
      let x = XAPI(
        auth: .bearer("t", scopes: ["tweet.read", "tweet.write", "users.read"]),
        configuration: ClientConfiguration(transport: transport))
      let failure = try await #require(throws: ThreadError.self) { try await x.postThread(["one", "two"]) }
      guard case .api = failure.cause else {
        Issue.record("\(failure)")
        continue
      }
      #expect(failure.mayHaveBeenPosted == isOpen)
      #expect(failure.description.contains("afterPosted") == isOpen)
      #expect(transport.requests.count == 1)
    }
  }

  @Test("Cancellation stops it between two posts") func cancellation() async throws {
    let transport = InMemoryTransport { _ in
      withUnsafeCurrentTask { $0?.cancel() }
      return .json(#"{"data":{"id":"1","text":"one"}}"#, status: .created)
    }
    let x = XAPI(
      auth: .bearer("t", scopes: ["tweet.read", "tweet.write", "users.read"]),
      configuration: ClientConfiguration(transport: transport))
    let task = Task { try await x.postThread(["one", "two"], replySettings: .following) }
    let failure = try await #require(throws: ThreadError.self) { try await task.value }
    #expect(transport.requests.count == 1)
    #expect(failure.posted.count + failure.remaining.count == 2)
  }
}
