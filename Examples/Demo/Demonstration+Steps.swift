import Callsign
import CallsignX
import XSandbox

extension Demonstration {
  /// Who am I, a post, what it says with its author, a like, a list, a follow, and away with the post.
  func write() async throws {
    report.heading("Typed calls, signed with OAuth 1.0a")

    let me = try await x.getUsersMe(userFields: [.createdAt, .publicMetrics])
    report.step("getUsersMe()", "@\(me.data.username), id \(me.data.id)")

    let created = try await x.createPosts(text: "Hello from Callsign", replySettings: .following)
    report.step("createPosts(text:replySettings:)", "id \(created.data.id)")

    let post = try await x.getPostsById(
      id: created.data.id, postFields: [.createdAt], expansions: [.authorID], userFields: [.username])
    let author = post.includes?.users?.first?.username ?? "nobody"
    report.step("getPostsById(id:expansions:)", "“\(post.data.text)” by @\(author)")

    let like = try await x.likePost(id: me.data.id, tweetID: created.data.id)
    report.step("likePost(id:tweetID:)", "liked: \(like.data.liked)")

    let follow = try await x.followUser(id: me.data.id, targetUserID: sandbox.users.bob.id)
    report.step("followUser(id:targetUserID:)", "following @bob: \(follow.data.following)")

    let deletion = try await x.deletePosts(id: created.data.id)
    report.step("deletePosts(id:)", "deleted: \(deletion.data.deleted)")
  }

  /// A flag that is true, false, or not sent at all: three requests, as they arrived.
  func showTriState() async throws {
    report.heading("Set, cleared and left out are three different requests")
    let list = try await x.createLists(name: "Swift people").data
    report.step("createLists(name:)", "id \(list.id)")

    try await x.updateLists(id: list.id, private: true)
    report.step("updateLists(id:private: true)", "sent \(await lastBody())")
    try await x.updateLists(id: list.id, private: false)
    report.step("updateLists(id:private: false)", "sent \(await lastBody())")
    try await x.updateLists(id: list.id, name: "Swift folk", private: nil)
    report.step("updateLists(id:name:private: nil)", "sent \(await lastBody())")
  }

  /// Followers, page after page, as one sequence.
  func page() async throws {
    report.heading("Pages that read like one list")
    let star = try await sandbox.addUser(username: "star", followers: 2_500)
    let before = await sandbox.requests().count
    var count = 0
    var last = ""
    for try await follower in x.getUsersFollowersPages(id: star.id, maxResults: 1_000).items {
      count += 1
      last = follower.username
    }
    let requests = await sandbox.requests().count - before
    report.step("getUsersFollowersPages(id:).items", "\(count) followers in \(requests) requests, the last @\(last)")
  }

  /// Three things that go wrong, as the caller sees them.
  func fail() async throws {
    report.heading("Errors that say what happened")

    let wrong = Self.api(of: sandbox, secret: "not the secret")
    await expectFailure("getUsersMe(), wrong token secret") { _ = try await wrong.getUsersMe() }

    await expectFailure("getPostsById(id:), unknown post") { _ = try await x.getPostsById(id: "20") }

    let post = try await x.createPosts(text: "Read me")
    await expectFailure("getPostsById(id:), again and again") {
      for _ in 0...Self.readLimit { _ = try await x.getPostsById(id: post.data.id) }
    }
  }

  private func expectFailure(_ call: String, _ body: () async throws -> Void) async {
    do {
      try await body()
      report.step(call, "succeeded, which it should not have")
    } catch {
      report.failure(call, "\(error)")
      let problems = (error as? CallError)?.problems ?? []
      if let detail = problems.first?.detail { report.detail("the API's own words", detail) }
    }
  }

  /// The body of the last request that reached the sandbox.
  func lastBody() async -> String { await sandbox.requests().last?.bodyText ?? "nothing" }
}
