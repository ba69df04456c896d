import CallsignX
import Foundation

/// Replies to each post that matches a rule of the filtered stream, exactly once, even across restarts.
///
/// The order ensures this: the bot saves that a reply has begun before it posts it, and saves afterwards that it was posted. After
/// a crash in between, the account's own timeline shows whether the reply was posted.
actor Bot {
  private let x: XAPI
  private let settings: BotSettings
  private var memory: BotMemory
  private var metrics = BotMetrics()
  private let reply: @Sendable (XAPI.Post) -> String

  /// - Parameter reply: The text of a reply. If it is too long for one post, it becomes a thread.
  init(x: XAPI, settings: BotSettings, reply: @escaping @Sendable (XAPI.Post) -> String) throws {
    self.x = x
    self.settings = settings
    self.reply = reply
    memory = try BotMemory(file: settings.memory)
  }

  /// Replies to posts until the task is cancelled. A reply that has begun is finished first.
  ///
  /// - Throws: `CallError` if the stream cannot continue, for example with wrong credentials.
  func run() async throws {
    defer { report() }
    let me = try await x.me()
    try await x.streamRules.replaceAll(with: [StreamRule(settings.rule, tag: "bot")])
    try await finishWhatWasBegun(me)

    let stream = x.streamPosts(
      backfillMinutes: settings.backfillMinutes, tweetFields: [.createdAt], expansions: [.authorID])
    let events = Task {
      for await event in stream.events { note(event) }
    }
    defer { events.cancel() }
    do {
      for try await record in stream.values where record.data.authorID != me.id {
        // A separate task, because cancelling this one must not leave half a thread.
        try await Task { try await self.handle(record.data) }.value
        if Task.isCancelled { break }
      }
    } catch CallError.cancelled {
      // The requested end.
    }
  }

  /// Replies to a post, unless that was done before.
  private func handle(_ post: XAPI.Post) async throws {
    metrics.received += 1
    guard memory.begin(post.id) else {
      metrics.repeated += 1
      return
    }
    try memory.save()
    let started = ContinuousClock.now
    do {
      try await x.postThread(splitting: reply(post), replyingTo: post.id)
      metrics.replied += 1
      metrics.lastReply = ContinuousClock.now - started
    } catch {
      // A part of it may be posted. Half a reply is better than one and a half.
      metrics.failed += 1
      log("no reply to \(post.id), or not all of it: \(error)")
    }
    memory.finish(post.id)
    try memory.save()
    report()
  }

  /// Checks whether the reply in progress when the process ended was posted, and posts it if not.
  private func finishWhatWasBegun(_ me: XAPI.SignedInUser) async throws {
    guard let id = memory.begun else { return }
    let mine = try await x.getUsersPosts(id: me.id, maxResults: 100, expansions: [.referencedPosts]).data
    let isReplied = mine.contains { post in
      post.referencedPosts.contains { $0.type == .repliedTo && $0.id == id }
    }
    memory.finish(id)
    if !isReplied, let post = try await x.posts(ids: [id]).found.first {
      memory.forget(id)
      try await handle(post)
    }
    try memory.save()
  }

  private func note(_ event: StreamEvent) {
    switch event {
    case .gap(let from, let to):
      metrics.gaps += 1
      log("posts between \(from) and \(to) are lost")
    default: break
    }
    report()
  }

  /// Writes the metrics. If this fails, the bot continues.
  private func report() {
    guard let file = settings.metrics else { return }
    do { try Data(metrics.text(x.client.statistics).utf8).write(to: file, options: .atomic) } catch {
      log("the metrics cannot be written: \(error)")
    }
  }

  private func log(_ text: String) { FileHandle.standardError.write(Data("\(text)\n".utf8)) }
}
