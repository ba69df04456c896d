import CallsignTesting
import CallsignX
import Testing

@testable import XSandbox

/// Every operation that the sandbox has, called through its generated method.
@Suite("Each operation through its method")
struct OperationTests {
  /// Runs a group's steps with the names of X's document and with the older ones, and expects that the sandbox responded
  /// each of the operations with success.
  private func check(_ operations: [Operation], _ steps: (Session) async throws -> Void) async throws {
    for dialect in SandboxDialect.allCases { try await check(operations, dialect, steps) }
  }

  private func check(
    _ operations: [Operation], _ dialect: SandboxDialect, _ steps: (Session) async throws -> Void
  ) async throws {
    try await withSession {
      $0.dialect = dialect
    } _: { (session) async throws in
      try await steps(session)
      let requests = await session.sandbox.requests().filter { $0.status < 300 }
      for operation in operations {
        let wasCalled = requests.contains { request in
          request.method == operation.method && Self.operation(of: request)?.key == operation.key
        }
        #expect(wasCalled, "\(operation.name) was not called in the dialect '\(dialect.rawValue)'")
      }
    }
  }

  private static func operation(of request: Sandbox.Request) -> Operation? {
    let segments = request.path.split(separator: "/").map(String.init)
    return OperationTable.v2
      .filter { $0.method == request.method && PathTemplate($0.path).match(segments) != nil }
      .max { PathTemplate($0.path).literalCount < PathTemplate($1.path).literalCount }
  }

  @Test("The sandbox implements the catalogue's operations, under the same names")
  func names() {
    let catalogue = Set(XAPI.endpoints.map { "\($0.name) \($0.method) \($0.path)" })
    for operation in OperationTable.v2 {
      #expect(catalogue.contains("\(operation.name) \(operation.method) \(operation.path)"))
    }
    let groups = [
      Users.operations, Posts.operations, Timelines.operations, Search.operations, Likes.operations,
      Reposts.operations, Follows.operations, Lists.operations, ListMembers.operations,
      // These have tests in the folders `Streams`, `StreamRules` and `Upload`.
      StreamRules.operations, PostStreams.operations, MediaUploads.operations, MediaMetadata.operations,
      // These have tests in `XSandboxTests`.
      Bookmarks.operations, BlocksAndMutes.operations, PinnedLists.operations, DirectMessages.operations,
      HomeTimeline.operations, PostCounts.operations, Trends.operations, ComplianceJobs.operations,
      WebhookOperations.operations, ActivitySubscriptions.operations, Spaces.operations, Communities.operations,
    ]
    #expect(groups.flatMap { $0 }.map(\.key) == OperationTable.v2.map(\.key), "a group has no test")
  }

  @Test("Users")
  func users() async throws {
    try await check(Users.operations) { (session) async throws in
      let (x, alice, bob) = (session.x, session.alice, session.bob)
      #expect(try await x.getUsersMe().data.id == alice.id)
      #expect(try await x.getUsersById(id: bob.id).data.username == "bob")
      #expect(try await x.getUsersByIds(ids: [bob.id, alice.id]).data.map(\.username) == ["bob", "alice"])
      #expect(try await x.getUsersByUsername(username: "carol").data.name == "Carol")
      #expect(try await x.getUsersByUsernames(usernames: ["alice", "carol"]).data.count == 2)
    }
  }

  @Test("Posts: write, read, response, quote, delete")
  func posts() async throws {
    try await check(Posts.operations) { (session) async throws in
      let x = session.x
      let written = "Grüße, 世界 & \"friends\" 👩‍👩‍👧 = 100 % + \\ / \u{2028}"
      // As X does, the sandbox responds with HTML's special characters escaped.
      let text = written.replacing("&", with: "&amp;")
      let post = try await x.createPosts(text: written)
      #expect(post.status == .created)
      #expect(post.data.text == text)
      #expect(try await x.getPostsById(id: post.data.id).data.text == text)

      let reply = try await x.createPosts(
        text: "A reply", reply: XAPI.CreatePostsReply(inReplyToTweetID: post.data.id))
      let quote = try await x.createPosts(text: "A quote", quoteTweetID: post.data.id)
      let ids = [post.data.id, reply.data.id, quote.data.id]
      #expect(try await x.getPostsByIds(ids: ids).data.map(\.id) == ids)
      #expect(try await x.getPostsQuotedPosts(id: post.data.id).data.map(\.id) == [quote.data.id])

      #expect(try await x.deletePosts(id: reply.data.id).data.deleted)
      #expect(await failure { () throws(CallError) in try await x.getPostsById(id: reply.data.id) } != nil)
    }
  }

  @Test("The posts of a user, newest first")
  func timelines() async throws {
    try await check(Timelines.operations) { (session) async throws in
      let first = try await session.sandbox.addPost("one", by: session.bob)
      let second = try await session.sandbox.addPost("two", by: session.bob)
      let timeline = try await session.x.getUsersPosts(id: session.bob.id)
      #expect(timeline.data.map(\.id) == [second, first])
      #expect(timeline.meta?.newestID == second)
      #expect(try await session.x.getUsersPosts(id: session.bob.id, sinceID: first).data.map(\.id) == [second])
      let mention = try await session.sandbox.addPost("hello @bob", by: session.alice)
      #expect(try await session.x.getUsersMentions(id: session.bob.id).data.map(\.id) == [mention])
    }
  }

  @Test("Search, with a query that needs encoding")
  func search() async throws {
    try await check(Search.operations) { (session) async throws in
      let wanted = try await session.sandbox.addPost("naïve & proud: 100% café", by: session.bob)
      try await session.sandbox.addPost("something else", by: session.bob)
      let found = try await session.x.searchPostsRecent(query: "\"& proud: 100% café\" from:bob", sortOrder: .recency)
      #expect(found.data.map(\.id) == [wanted])
      #expect(found.meta?.resultCount == 1)
    }
  }

  @Test("Likes, given and taken back")
  func likes() async throws {
    try await check(Likes.operations) { (session) async throws in
      let (x, me) = (session.x, session.alice.id)
      let post = try await session.sandbox.addPost("Like me", by: session.bob)
      #expect(try await x.likePost(id: me, tweetID: post).data.liked)
      #expect(try await x.getUsersLikedPosts(id: me).data.map(\.id) == [post])
      #expect(try await x.getPostsLikingUsers(id: post).data.map(\.id) == [me])
      #expect(try await x.unlikePost(id: me, tweetID: post).data.liked == false)
      #expect(try await x.getPostsLikingUsers(id: post).data == [])
    }
  }

  @Test("Reposts, made and taken back")
  func reposts() async throws {
    try await check(Reposts.operations) { (session) async throws in
      let (x, me) = (session.x, session.alice.id)
      let post = try await session.sandbox.addPost("Repost me", by: session.bob)
      #expect(try await x.repostPost(id: me, tweetID: post).data.retweeted)
      #expect(try await x.getPostsRepostedBy(id: post).data.map(\.id) == [me])
      #expect(try await x.unrepostPost(id: me, tweetID: post).data.retweeted == false)
      #expect(try await x.getPostsRepostedBy(id: post).data == [])
    }
  }

  @Test("Follows, begun and ended")
  func follows() async throws {
    try await check(Follows.operations) { (session) async throws in
      let (x, me, bob) = (session.x, session.alice.id, session.bob.id)
      #expect(try await x.followUser(id: me, targetUserID: bob).data.following)
      #expect(try await x.getUsersFollowing(id: me).data.map(\.id) == [bob])
      #expect(try await x.getUsersFollowers(id: bob).data.map(\.id) == [me])
      #expect(try await x.unfollowUser(id: me, targetUserID: bob).data.following == false)
      #expect(try await x.getUsersFollowing(id: me).data == [])
    }
  }

  @Test("Lists: made, read, changed, deleted")
  func lists() async throws {
    try await check(Lists.operations) { (session) async throws in
      let x = session.x
      let post = try await session.sandbox.addPost("For the list", by: session.bob)
      let list = try await x.createLists(name: "Swift", description: "People who write it", private: true)
      #expect(list.status == .created)
      let read = try await x.getListsById(id: list.data.id, listFields: [.description, .private]).data
      #expect(read.description == "People who write it")
      #expect(read.private == true)
      #expect(try await x.updateLists(id: list.data.id, name: "Swift folk").data.updated == true)
      #expect(try await x.getUsersOwnedLists(id: session.alice.id).data.map(\.name) == ["Swift folk"])
      _ = try await x.addListsMember(id: list.data.id, userID: session.bob.id)
      #expect(try await x.getListsPosts(id: list.data.id).data.map(\.id) == [post])
      #expect(try await x.deleteLists(id: list.data.id).data.deleted)
      #expect(try await x.getUsersOwnedLists(id: session.alice.id).data == [])
    }
  }

  @Test("Members and followers of lists")
  func listMembers() async throws {
    try await check(ListMembers.operations) { (session) async throws in
      let (x, me, bob) = (session.x, session.alice.id, session.bob.id)
      let list = try await x.createLists(name: "Friends").data.id
      #expect(try await x.addListsMember(id: list, userID: bob).data.isMember)
      #expect(try await x.getListsMembers(id: list).data.map(\.id) == [bob])
      #expect(try await x.getUsersListMemberships(id: bob).data.map(\.id) == [list])
      #expect(try await x.removeListsMemberByUserId(id: list, userID: bob).data.isMember == false)
      #expect(try await x.getListsMembers(id: list).data == [])

      #expect(try await x.followList(id: me, listID: list).data.following)
      #expect(try await x.getListsFollowers(id: list).data.map(\.id) == [me])
      #expect(try await x.getUsersFollowedLists(id: me).data.map(\.id) == [list])
      #expect(try await x.unfollowList(id: me, listID: list).data.following == false)
      #expect(try await x.getListsFollowers(id: list).data == [])
    }
  }
}
