import Callsign
import CallsignX
import CallsignXv1
import XSandbox

/// The main job, through the generated methods and a real socket. The tests run the same steps.
struct Demonstration: Sendable {
  let sandbox: Sandbox
  let report: Report
  /// The API as Alice, signed with OAuth 1.0a.
  let x: XAPI

  /// Reads of one post that the sandbox allows in a window, few enough to reach the limit quickly.
  static let readLimit = 8

  static func startSandbox() async throws -> Sandbox {
    var configuration = Sandbox.Configuration()
    configuration.limits = ["GET /2/tweets/{id}": .init(user: readLimit, app: readLimit)]
    return try await Sandbox.start(configuration)
  }

  init(sandbox: Sandbox, report: Report) {
    self.sandbox = sandbox
    self.report = report
    x = Self.api(of: sandbox, secret: sandbox.users.alice.accessTokenSecret)
  }

  func run() async throws {
    try await write()
    try await showTriState()
    try await page()
    try await stream()
    try await upload()
    try await logIn()
    try await (self as any RetiredCalls).callVersion1()
    try await retry()
    try await fail()
    try await callAnyAPI()
  }

  static func api(of sandbox: Sandbox, secret: String) -> XAPI {
    XAPI(
      auth: .oauth1(
        OAuth1(
          consumerKey: sandbox.app.consumerKey, consumerSecret: Secret(sandbox.app.consumerSecret),
          token: sandbox.users.alice.accessToken, tokenSecret: Secret(secret))),
      configuration: ClientConfiguration(hosts: .all(to: sandbox.url.absoluteString)))
  }
}

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
    let author = post.includes?.users.first?.username ?? "nobody"
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

  func expectFailure(_ call: String, _ body: () async throws -> Void) async {
    do {
      try await body()
      report.surprise(call, "succeeded, which it should not have")
    } catch {
      report.expectedFailure(call, "\(error)".replacing(/\n */, with: " "))
      let problems = (error as? CallError)?.problems ?? []
      if let detail = problems.first?.detail { report.detail("the API's own words", detail) }
    }
  }

  /// The body of the last request that reached the sandbox.
  func lastBody() async -> String { await sandbox.requests().last?.bodyText ?? "nothing" }
}

/// X retired some of these endpoints, so calls to them cause a warning. Calls through a protocol do not, because whoever runs the
/// demonstration wants them.
protocol RetiredCalls {
  func callVersion1() async throws
}

extension Demonstration: RetiredCalls {
  /// The same store through REST v1.1, with the credentials of the same client.
  @available(*, deprecated)
  func callVersion1() async throws {
    report.heading("The same client speaks REST v1.1")
    let v1 = XAPIv1(client: x.client)

    let me = try await v1.getAccountVerifyCredentials(skipStatus: true)
    report.step(
      "getAccountVerifyCredentials()", "@\(me.screenName ?? "nobody"), created \(me.createdAt?.description ?? "never")")

    let tweet = try await v1.postStatusesUpdate(status: "Tea & scones + 100% cream").value
    report.step("postStatusesUpdate(status:)", "sent \(await lastBody())")

    let whole = try await v1.getStatusesShow(id: tweet.idStr)
    report.step("getStatusesShow(id:)", "by @\(whole.user?.screenName ?? "nobody")")
    let trimmed = try await v1.getStatusesShow(id: tweet.idStr, trimUser: true)
    report.step(
      "getStatusesShow(id:trimUser: true)", "by \(trimmed.user?.screenName ?? "user \(trimmed.user?.idStr ?? "")")")

    let favourite = try await v1.postFavoritesCreate(id: tweet.idStr)
    report.step("postFavoritesCreate(id:)", "favourites: \(favourite.favoriteCount ?? 0)")

    let page = try await v1.getFollowersIds(user: .screenName("star"), count: 1_000)
    report.step("getFollowersIds(user:count:)", "\(page.ids.count) ids, next cursor \(page.nextCursorStr ?? "0")")

    do {
      _ = try await v1.postFavoritesCreate(id: tweet.idStr)
    } catch {
      report.expectedFailure("postFavoritesCreate(id:), again", "\(error)")
      if let advice = error.v1Codes.first?.advice { report.detail("what to do", advice) }
    }
  }
}
