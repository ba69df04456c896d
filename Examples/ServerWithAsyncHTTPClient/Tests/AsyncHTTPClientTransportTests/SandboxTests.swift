import AsyncHTTPClientTransport
import CallsignX
import Foundation
import Testing
import XSandbox

/// Tests X's API over AsyncHTTPClient, with a sandbox that verifies every signature.
@Suite("X over AsyncHTTPClient", .timeLimit(.minutes(5))) struct SandboxTests {
  private func withClient(
    _ adjust: (inout ClientConfiguration) -> Void = { _ in }, _ body: (XAPI, Sandbox) async throws -> Void
  ) async throws {
    var settings = Sandbox.Configuration()
    // By writing, it notices that a reader no longer exists.
    settings.streamKeepAlive = .milliseconds(200)
    let sandbox = try await Sandbox.start(settings)
    var configuration = ClientConfiguration(transport: AsyncHTTPClientTransport())
    configuration.hosts = .all(to: sandbox.url.absoluteString)
    adjust(&configuration)
    let (app, alice) = (sandbox.app, sandbox.users.alice)
    let account = OAuth1(
      consumerKey: app.consumerKey, consumerSecret: Secret(app.consumerSecret), token: alice.accessToken,
      tokenSecret: Secret(alice.accessTokenSecret))
    let appOnly = AppOnly(consumerKey: app.consumerKey, consumerSecret: Secret(app.consumerSecret))
    try await body(XAPI(auth: [.oauth1(account), .appOnly(appOnly)], configuration: configuration), sandbox)
    await sandbox.stop()
  }

  private func eventually(_ condition: () -> Bool) async throws {
    let end = ContinuousClock.now + .seconds(60)
    while !condition() {
      guard ContinuousClock.now < end else { throw CocoaError(.coderValueNotFound) }
      try await Task.sleep(for: .milliseconds(20))
    }
  }

  @Test("Calls are signed as they are sent, whatever they contain") func calls() async throws {
    try await withClient { x, _ in
      let text = "a+b & c=d % é 漢 👍🏽 /?#[]@!$'()*,;"
      let post = try await x.createPosts(text: text)
      let kept = try await x.getPostsById(id: post.data.id).data.text
      #expect(kept == text.replacingOccurrences(of: "&", with: "&amp;"))
      let found = try await x.searchPostsRecent(query: "漢 OR \"a+b\" OR 👍🏽")
      #expect(found.data.map(\.id) == [post.data.id])
      #expect(found.rateLimit?.remaining != nil)
      try await x.deletePosts(id: post.data.id)
    }
  }

  @Test("Many calls at once share the connections") func concurrency() async throws {
    try await withClient { x, sandbox in
      let names = try await withThrowingTaskGroup(of: String.self) { group in
        for _ in 0..<50 { group.addTask { try await x.getUsersMe().data.username } }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(names == Array(repeating: sandbox.users.alice.username, count: 50))
    }
  }

  @Test("A photo is uploaded") func upload() async throws {
    try await withClient { x, sandbox in
      let photo = Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) + Data((0..<3 << 20).map { UInt8($0 % 251) })
      let media = try await x.upload(data: photo, altText: "noise")
      #expect(await sandbox.media("\(media.id)")?.size == photo.count)
    }
  }

  @Test("A compressed stream is read as it arrives, and its connection ends with its reader") func stream() async throws
  {
    try await withClient { x, sandbox in
      _ = try await x.updateRules(add: [.init(value: "callsign")])
      let reading = Task {
        for try await element in x.streamPosts() { if let text = element.value?.data.text { return text } }
        return ""
      }
      try await eventually { sandbox.openStreams == 1 }
      try await sandbox.addPost("callsign é 漢", by: sandbox.users.bob)
      #expect(try await reading.value == "callsign é 漢")
      try await eventually { sandbox.openStreams == 0 }
      let request = await sandbox.requests().first { $0.path == "/2/tweets/search/stream" }
      #expect(request?.header("Accept-Encoding")?.contains("gzip") == true)
    }
  }

  /// The error of a call that must fail.
  private func failure(_ call: () async throws -> Void) async throws -> CallError {
    do { try await call() } catch let error as CallError { return error }
    throw CocoaError(.featureUnsupported)
  }

  @Test("A lost response differs from a request that was not sent") func delivery() async throws {
    try await withClient { x, sandbox in
      await sandbox.inject(.loseResponse, for: "POST /2/tweets")
      let lost = try await failure { _ = try await x.createPosts(text: "once") }
      guard case .mayHaveSucceeded = lost else { throw lost }
      #expect(try await x.searchPostsRecent(query: "once").data.count == 1)
      // A call that may be repeated is repeated.
      await sandbox.inject(.cutBeforeResponse, for: "GET /2/users/me")
      #expect(try await x.getUsersMe().data.username == sandbox.users.alice.username)
    }
    try await withClient { x, sandbox in
      // No connection from before is kept.
      await sandbox.pause()
      let refused = try await failure { _ = try await x.createPosts(text: "twice") }
      guard case .transport(let error) = refused else { throw refused }
      #expect(error.kind == .cannotConnect && error.delivery == .notSent)
    }
  }

  @Test("Deadlines and cancellation end a call that hangs") func endings() async throws {
    try await withClient({ $0.retry.attempts = 1 }) { x, sandbox in
      await sandbox.inject(.delay(.seconds(120)), for: "GET /2/users/me", times: 2)
      var options = CallOptions()
      options.timeouts = Timeouts(total: .milliseconds(300))
      let late = try await failure { [options] in _ = try await x.getUsersMe(options: options) }
      guard case .transport(let error) = late else { throw late }
      #expect(error.kind == .timedOut)
      let call = Task { try await x.getUsersMe() }
      try await Task.sleep(for: .milliseconds(100))
      call.cancel()
      let cancelled = try await failure { _ = try await call.value }
      guard case .cancelled = cancelled else { throw cancelled }
    }
  }
}
