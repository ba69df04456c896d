import CallsignX
import Foundation
import Testing
import XSandbox

@testable import Bot

/// Tests the bot with a sandbox: each post gets one reply, whatever happens.
@Suite("The bot", .timeLimit(.minutes(5))) struct BotTests {
  private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("bot-\(UUID().uuidString)")

  private func settings() throws -> BotSettings {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    return try BotSettings([
      "BOT_RULE": "callsign", "BOT_MEMORY": folder.appendingPathComponent("memory.json").path,
      "BOT_METRICS": folder.appendingPathComponent("bot.prom").path,
    ])
  }

  private func client(_ sandbox: Sandbox) throws -> XAPI {
    let alice = sandbox.users.alice
    let secret = folder.appendingPathComponent("secret")
    try Data("\(sandbox.app.consumerSecret)\n".utf8).write(to: secret)
    return try BotSettings.client([
      "X_CONSUMER_KEY": sandbox.app.consumerKey, "X_CONSUMER_SECRET_FILE": secret.path,
      "X_ACCESS_TOKEN": alice.accessToken, "X_ACCESS_TOKEN_SECRET": alice.accessTokenSecret,
      "BOT_BASE_URL": sandbox.url.absoluteString,
    ])
  }

  /// Runs the bot while the body runs, and stops it as a signal does.
  private func running(
    _ sandbox: Sandbox, _ reply: @escaping @Sendable (XAPI.Post) -> String, _ body: (XAPI) async throws -> Void
  ) async throws {
    let x = try client(sandbox)
    let bot = try Bot(x: x, settings: settings(), reply: reply)
    let work = Task {
      do { try await bot.run() } catch {
        Issue.record(error, "the bot has ended")
        throw error
      }
    }
    try await until { sandbox.openStreams == 1 }
    try await body(x)
    work.cancel()
    try await work.value
    try await until { sandbox.openStreams == 0 }
  }

  /// The replies to a post, by the account of the bot.
  private func replies(to id: String, _ x: XAPI, _ sandbox: Sandbox) async throws -> [String] {
    try await x.getUsersPosts(id: sandbox.users.alice.id, maxResults: 100, expansions: [.referencedPosts]).data
      .filter { $0.referencedPosts.contains { $0.id == id } }.map(\.text)
  }

  private func until(_ condition: () async throws -> Bool) async throws {
    let end = ContinuousClock.now + .seconds(120)
    while try await !condition() {
      guard ContinuousClock.now < end else { throw NeverHappened() }
      // Each check is a call, and X allows 900 of them in a quarter of an hour.
      try await Task.sleep(for: .milliseconds(200))
    }
  }

  private struct NeverHappened: Error {}

  @Test("A post that matches the rule gets a reply, and the bot's own posts do not") func replies() async throws {
    let sandbox = try await Sandbox.start()
    defer { try? FileManager.default.removeItem(at: folder) }
    _ = try settings()
    try await running(sandbox, { _ in "a reply about callsign" }) { x in
      let id = try await sandbox.addPost("what is callsign", by: sandbox.users.bob)
      try await sandbox.addPost("nothing of interest", by: sandbox.users.bob)
      try await until { try await !replies(to: id, x, sandbox).isEmpty }
      let last = try await sandbox.addPost("callsign again", by: sandbox.users.carol)
      try await until { try await !replies(to: last, x, sandbox).isEmpty }
      #expect(try await replies(to: id, x, sandbox) == ["a reply about callsign"])
    }
    let metrics = try String(contentsOf: folder.appendingPathComponent("bot.prom"), encoding: .utf8)
    #expect(metrics.contains("bot_replies_total 2\n"))
    #expect(metrics.contains("bot_calls_total{endpoint=\"createPosts\"} 2\n"))
    await sandbox.stop()
  }

  @Test("A long reply is a thread") func thread() async throws {
    let sandbox = try await Sandbox.start()
    defer { try? FileManager.default.removeItem(at: folder) }
    _ = try settings()
    let long = (1...60).map { "Sentence number \($0)." }.joined(separator: " ")
    try await running(sandbox, { _ in long }) { x in
      let id = try await sandbox.addPost("callsign", by: sandbox.users.bob)
      try await until {
        try await x.getUsersPosts(id: sandbox.users.alice.id, maxResults: 100).data.contains {
          $0.text.hasSuffix("Sentence number 60.")
        }
      }
      #expect(try await replies(to: id, x, sandbox).count == 1)
    }
    await sandbox.stop()
  }

  @Test("After a crash, the reply in progress is posted, unless it was posted before") func restart() async throws {
    let sandbox = try await Sandbox.start()
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = try settings().memory
    let x = try client(sandbox)
    let missed = try await sandbox.addPost("callsign?", by: sandbox.users.bob)

    var memory = try BotMemory(file: file)
    _ = memory.begin(missed)
    try memory.save()
    try await running(sandbox, { _ in "late" }) { x in
      try await until { try await !replies(to: missed, x, sandbox).isEmpty }
    }
    #expect(try BotMemory(file: file).begun == nil)

    // It was posted, and the process ended before it could save that.
    let replied = try await sandbox.addPost("callsign!", by: sandbox.users.bob)
    try await x.createPosts(text: "early", reply: .init(inReplyToTweetID: replied))
    memory = try BotMemory(file: file)
    _ = memory.begin(replied)
    try memory.save()
    try await running(sandbox, { _ in "late" }) { x in
      let next = try await sandbox.addPost("callsign.", by: sandbox.users.bob)
      try await until { try await !replies(to: next, x, sandbox).isEmpty }
      #expect(try await replies(to: replied, x, sandbox) == ["early"])
      #expect(try await replies(to: missed, x, sandbox) == ["late"])
    }
    await sandbox.stop()
  }

  @Test("An unreadable memory stops the bot, and missing settings are named") func badInput() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = try settings().memory
    try Data("{".utf8).write(to: file)
    #expect(throws: (any Error).self) { try BotMemory(file: file) }
    let error = #expect(throws: BotSettings.Missing.self) { try BotSettings.client(["X_CONSUMER_KEY": "k"]) }
    #expect(error.map { "\($0)" }?.contains("X_CONSUMER_SECRET_FILE") == true)
  }
}
