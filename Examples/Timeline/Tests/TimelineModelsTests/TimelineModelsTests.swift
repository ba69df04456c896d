import CallsignX
import Foundation
import Testing
import TimelineModels
import XSandbox

/// Tests the app without its pixels, with a sandbox.
@MainActor @Suite("The timeline app", .timeLimit(.minutes(5))) struct TimelineModelsTests {
  private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("timeline-\(UUID().uuidString)")

  private func session(_ sandbox: Sandbox, store: MemoryTokenStore) -> Session {
    let account = OAuth2(
      clientID: sandbox.app.clientID, clientSecret: sandbox.app.clientSecret.map { Secret($0) }, store: store)
    return Session(
      account: account, redirectURI: "sandbox://login",
      configuration: ClientConfiguration(hosts: .all(to: sandbox.url.absoluteString)), loginFolder: folder)
  }

  /// Logs Alice in as the app does, with the app ended while she is on X's page.
  private func signedIn(_ sandbox: Sandbox, store: MemoryTokenStore = MemoryTokenStore()) async throws -> Session {
    let page = try #require(await session(sandbox, store: store).beginLogin())
    let redirect = try #require(try await sandbox.approve(page, as: sandbox.users.alice).url)
    let session = session(sandbox, store: store)
    await session.open(redirect)
    #expect(session.problem == nil)
    return session
  }

  private func alice(_ session: Session) throws -> XAPI.User {
    guard case .signedIn(let user) = session.phase else { throw CancellationError() }
    return user
  }

  private func photo() throws -> URL {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let file = folder.appendingPathComponent("photo.png")
    let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    try Data(signature + (0..<200_000).map { UInt8(truncatingIfNeeded: $0) }).write(to: file)
    return file
  }

  private func until(_ condition: () -> Bool) async throws {
    let end = ContinuousClock.now + .seconds(60)
    while !condition() {
      try #require(ContinuousClock.now < end, "it never happened")
      try await Task.sleep(for: .milliseconds(20))
    }
  }

  @Test("A login survives the end of the app, and so does its token") func login() async throws {
    let sandbox = try await Sandbox.start()
    defer { try? FileManager.default.removeItem(at: folder) }
    let store = MemoryTokenStore()
    #expect(try alice(await signedIn(sandbox, store: store)).username == sandbox.users.alice.username)

    let next = session(sandbox, store: store)
    #expect(next.phase == .starting)
    let following = Task { await next.restore() }
    try await until { next.phase != .starting }
    #expect(try alice(next).id == sandbox.users.alice.id)

    await next.logOut()
    #expect(next.phase == .signedOut && next.problem == nil)
    following.cancel()
    await following.value
    let last = session(sandbox, store: store)
    let other = Task { await last.restore() }
    try await until { last.phase == .signedOut }
    other.cancel()
    await sandbox.stop()
  }

  @Test("A redirect without a login changes nothing, and a refusal is not a problem") func redirects() async throws {
    let sandbox = try await Sandbox.start()
    defer { try? FileManager.default.removeItem(at: folder) }
    let session = session(sandbox, store: MemoryTokenStore())
    await session.open(try #require(URL(string: "sandbox://login?state=x&code=y")))
    #expect(session.phase == .starting && session.problem == nil)
    let page = try #require(await session.beginLogin())
    let state = try #require(
      URLComponents(url: page, resolvingAgainstBaseURL: false)?.queryItems?.first { $0.name == "state" }?.value)
    await session.open(try #require(URL(string: "sandbox://login?error=access_denied&state=\(state)")))
    #expect(session.phase == .starting && session.problem == nil)
    await sandbox.stop()
  }

  @Test("Posts come with authors, and older ones load when the last is seen") func pages() async throws {
    let sandbox = try await Sandbox.start()
    defer { try? FileManager.default.removeItem(at: folder) }
    let session = try await signedIn(sandbox)
    for number in 1...45 { try await sandbox.addPost("post \(number) #swift", by: sandbox.users.alice) }
    let timeline = TimelineModel(.posts, of: try alice(session), x: session.x)
    await timeline.refresh()
    #expect(timeline.problem == nil && timeline.rows.count == 20 && timeline.hasMore)
    #expect(timeline.rows.first?.plainText == "post 45 #swift")
    #expect(timeline.rows.first?.username == sandbox.users.alice.username)
    #expect(timeline.rows.first?.text.runs.contains { $0.link != nil } == true)

    let calls = await sandbox.requests().count
    await timeline.loadMore(after: timeline.rows[3])
    #expect(await sandbox.requests().count == calls)
    while timeline.hasMore, let last = timeline.rows.last { await timeline.loadMore(after: last) }
    #expect(timeline.rows.map(\.plainText) == (1...45).reversed().map { "post \($0) #swift" })
    await sandbox.stop()
  }

  @Test("A like shows at once, stays, and is undone if X refuses it") func likes() async throws {
    let sandbox = try await Sandbox.start()
    defer { try? FileManager.default.removeItem(at: folder) }
    let session = try await signedIn(sandbox)
    try await sandbox.addPost("hello @\(sandbox.users.alice.username)", by: sandbox.users.bob)
    let timeline = TimelineModel(.mentions, of: try alice(session), x: session.x)
    await timeline.refresh()
    let row = try #require(timeline.rows.first)
    #expect(!row.isLiked && row.likeCount == 0)
    await timeline.toggleLike(row)
    #expect(timeline.rows[0].isLiked && timeline.rows[0].likeCount == 1 && timeline.problem == nil)
    await timeline.refresh()
    #expect(timeline.rows[0].isLiked && timeline.rows[0].likeCount == 1)

    await sandbox.inject(.status(403), for: "DELETE /2/users/{id}/likes/{tweet_id}")
    await timeline.toggleLike(timeline.rows[0])
    #expect(timeline.rows[0].isLiked && timeline.rows[0].likeCount == 1 && timeline.problem != nil)
    await timeline.toggleLike(timeline.rows[0])
    #expect(!timeline.rows[0].isLiked && timeline.rows[0].likeCount == 0 && timeline.problem == nil)
    await sandbox.stop()
  }

  @Test("A post with a photo reports its progress, and appears at the top of the list") func compose() async throws {
    let sandbox = try await Sandbox.start()
    defer { try? FileManager.default.removeItem(at: folder) }
    let session = try await signedIn(sandbox)
    let draft = ComposeModel(x: session.x)
    #expect(!draft.canSend && draft.remaining == 280)
    draft.text = "look at this"
    draft.photo = ComposeModel.Photo(file: try photo(), altText: "Nothing to see")
    #expect(draft.canSend && draft.remaining == 268)
    let sending = Task { await draft.send() }
    try await until { draft.isSending || !draft.text.isEmpty }
    let id = try #require(await sending.value)
    #expect(draft.text.isEmpty && draft.photo == nil && !draft.isSending && draft.progress == nil)

    let timeline = TimelineModel(.posts, of: try alice(session), x: session.x)
    await timeline.add(id)
    #expect(timeline.rows.first?.plainText.hasPrefix("look at this") == true)
    let described = await sandbox.requests().filter { $0.path == "/2/media/metadata" }
    #expect(described.count == 1 && described.first?.bodyText.contains("Nothing to see") == true)
    await sandbox.stop()
  }

  @Test("A draft that X refuses stays, and its photo is not sent again") func refused() async throws {
    let sandbox = try await Sandbox.start()
    defer { try? FileManager.default.removeItem(at: folder) }
    let session = try await signedIn(sandbox)
    let draft = ComposeModel(x: session.x)
    draft.text = "again"
    draft.photo = ComposeModel.Photo(file: try photo())
    await sandbox.inject(.status(403), for: "POST /2/tweets")
    #expect(await draft.send() == nil)
    #expect(draft.text == "again" && draft.photo != nil && draft.problem != nil && !draft.isSending)
    #expect(await draft.send() != nil)
    let begun = await sandbox.requests().count { $0.path == "/2/media/upload/initialize" }
    #expect(begun == 1)
    await sandbox.stop()
  }

  @Test("A text that is too long cannot be sent, and its end is marked") func counter() async throws {
    let draft = ComposeModel(x: XAPI(auth: .none))
    draft.text = String(repeating: "a", count: 280) + "bcd"
    #expect(draft.remaining == -3 && !draft.canSend && draft.excess == "bcd")
    draft.text = "👨‍👩‍👧‍👦 https://example.com/a/long/path"
    #expect(draft.remaining == 280 - 2 - 1 - 23 && draft.canSend && draft.excess.isEmpty)
  }

  @Test("A used-up limit says when to continue") func limits() async throws {
    let sandbox = try await Sandbox.start()
    defer { try? FileManager.default.removeItem(at: folder) }
    let session = try await signedIn(sandbox)
    await sandbox.inject(.rateLimited(), for: "GET /2/users/{id}/tweets", times: 3)
    let timeline = TimelineModel(.posts, of: try alice(session), x: session.x)
    await timeline.refresh()
    #expect(timeline.problem?.contains("X lets you go on") == true && !timeline.isLoading)
    await sandbox.stop()
  }
}
