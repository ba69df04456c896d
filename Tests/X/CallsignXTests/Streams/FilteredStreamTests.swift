import Callsign
import CallsignTesting
import CallsignX
import Foundation
import TestSupport
import Testing
import XSandbox

/// X's filtered stream, against the sandbox, over sockets.
@Suite struct FilteredStreamTests {
  private func withRule(
    _ configure: (inout Sandbox.Configuration) -> Void = { _ in }, _ body: (XAPI, Sandbox) async throws -> Void
  ) async throws {
    try await withStreams(configure) { x, sandbox in
      try await x.updateRules(add: [.init(value: "é", tag: "all")])
      try await body(x, sandbox)
    }
  }

  private func texts(_ elements: [StreamElement<XAPI.StreamPostsResponse>]) -> [String?] {
    elements.map { $0.value?.data.text }
  }

  private func post(_ texts: [String], to sandbox: Sandbox) async throws {
    for text in texts { try await sandbox.addPost(text, by: sandbox.users.bob) }
  }

  @Test(
    "Posts arrive as they are made, with the rules that match", arguments: [true, false], SandboxDialect.allCases)
  func live(isCompressed: Bool, dialect: SandboxDialect) async throws {
    try await withRule {
      $0.compressesStreams = isCompressed
      $0.dialect = dialect
    } _: { x, sandbox in
      let reading = read(
        2, of: x.streamPosts(tweetFields: [.authorID, .editHistoryTweetIDs], expansions: [.authorID]))
      try await eventually { sandbox.openStreams == 1 }
      try await post(["no", "é 漢", "é 😀"], to: sandbox)
      let elements = try await reading.value
      #expect(texts(elements) == ["é 漢", "é 😀"])
      #expect(elements.first?.value?.matchingRules.map(\.tag) == ["all"])
      #expect(elements.first?.value?.includes?.users.map(\.username) == ["bob"])
      #expect(elements.first?.value.map { $0.data.editHistoryPostIDs == [$0.data.id] } == true)
      try await eventually { sandbox.openStreams == 0 }
    }
  }

  @Test("Bytes that arrive one by one make the same records", arguments: [true, false])
  func splitBytes(isCompressed: Bool) async throws {
    try await withRule {
      $0.compressesStreams = isCompressed
    } _: { x, sandbox in
      sandbox.injectStream(.split(every: 1))
      let reading = read(3, of: x.streamPosts())
      try await eventually { sandbox.openStreams == 1 }
      let posts = ["é 漢😀", "é \"quoted\" \\ \u{2028}", "é 👩‍👩‍👧"]
      try await post(posts, to: sandbox)
      #expect(try await texts(reading.value) == posts)
    }
  }

  @Test("A connection cut at any byte is replaced, and every record comes once")
  func cutAnywhere() async throws {
    try await withRule { x, sandbox in
      var posts: [String] = []
      let stream = x.streamPosts().reconnecting(atOnce)
      let log = EventLog()
      await log.watch(stream.events)
      for bytes in 0..<60 { sandbox.injectStream(.cut(afterBytes: 3 * bytes)) }
      let reading = read(40, of: stream)
      for number in 0..<40 {
        posts.append("é \(number) 漢😀")
        try await post([posts[number]], to: sandbox)
        try await Task.sleep(for: .milliseconds(2))
      }
      // The first posts may be older than the first connection, which asks for none.
      let more = Task {
        var number = 40
        while !Task.isCancelled {
          _ = try? await sandbox.addPost("é \(number) 漢😀", by: sandbox.users.bob)
          number += 1
          try? await Task.sleep(for: .milliseconds(5))
        }
      }
      let read = try await texts(reading.value).compactMap { $0 }
      more.cancel()
      #expect(Set(read).count == 40)
      let numbers = read.compactMap { $0.split(separator: " ").dropFirst().first.flatMap { Int($0) } }
      let events = await log.all()
      // None is missing between the first and the last. A machine so slow that X no longer has a post reports a gap.
      let hasGap = events.contains { if case .gap = $0 { true } else { false } }
      #expect(hasGap || Set(numbers) == Set((numbers.min() ?? 0)...(numbers.max() ?? 0)))
      #expect(events.contains { if case .dropped(.failed(.transport)) = $0 { true } else { false } })
      #expect(events.contains { if case .backfill(minutes: 1, from: _) = $0 { true } else { false } })
    }
  }

  @Test("A stalled stream is noticed by its silence, and posts missed in the meantime come by backfill")
  func stall() async throws {
    // Until the stall there is never silence, however long the posts below take on a busy machine.
    try await withRule({ $0.streamKeepAlive = .milliseconds(200) }) { x, sandbox in
      sandbox.injectStream(.stall(afterRecords: 1))
      let stream = x.streamPosts().stallTimeout(.seconds(15)).reconnecting(atOnce)
      let log = EventLog()
      await log.watch(stream.events)
      let reading = read(3, of: stream)
      try await eventually { sandbox.openStreams == 1 }
      try await post(["é 1", "é 2"], to: sandbox)
      // The stalled connection still counts at the API, until its client has closed it.
      try await eventually { await sandbox.requests().count { $0.path == "/2/tweets/search/stream" } >= 2 }
      try await post(["é 3"], to: sandbox)
      #expect(try await texts(reading.value) == ["é 1", "é 2", "é 3"])
      let events = await log.all()
      #expect(events.contains { if case .stalled = $0 { true } else { false } })
      #expect(events.contains { if case .duplicate = $0 { true } else { false } })
    }
  }

  @Test("The API's last words are shown, and the stream continues", arguments: Sandbox.StreamDisconnection.allCases)
  func disconnect(message: Sandbox.StreamDisconnection) async throws {
    try await withRule { x, sandbox in
      sandbox.injectStream(.disconnect(message, afterRecords: 1))
      let stream = x.streamPosts().reconnecting(atOnce)
      let log = EventLog()
      await log.watch(stream.events)
      let reading = read(3, of: stream)
      try await eventually { sandbox.openStreams == 1 }
      try await post(["é 1"], to: sandbox)
      try await eventually { await sandbox.requests().count { $0.path == "/2/tweets/search/stream" } >= 2 }
      try await post(["é 2"], to: sandbox)
      let elements = try await reading.value
      #expect(texts(elements) == ["é 1", nil, "é 2"])
      guard case .undecodable(let record) = elements[1] else {
        Issue.record("no message")
        return
      }
      #expect(record.problems.first?.title == "operational-disconnect")
      let messages = await log.all().compactMap { event in
        if case .disconnectMessage(let message) = event { message.kind } else { nil }
      }
      #expect(messages.count == 1)
    }
  }

  @Test("A second connection of the app waits until the first is gone")
  func twoConnections() async throws {
    try await withRule { x, sandbox in
      let first = read(1, of: x.streamPosts())
      try await eventually { sandbox.openStreams == 1 }
      let stream = x.streamPosts().reconnecting(atOnce)
      let log = EventLog()
      await log.watch(stream.events)
      let second = read(1, of: stream)
      try await eventually {
        await log.events.contains {
          guard case .dropped(.failed(.rateLimited(_, let error))) = $0 else { return false }
          return error?.problems.contains { $0.type?.hasSuffix("/streaming-connection") == true } == true
        }
      }
      try await post(["é 1"], to: sandbox)
      #expect(try await texts(first.value) == ["é 1"])
      try await eventually { await log.events.contains { if case .connected = $0 { true } else { false } } }
      try await post(["é 2"], to: sandbox)
      #expect(try await texts(second.value) == ["é 2"])
    }
  }

  @Test("A line that is not a record is an element with its bytes, and does not end the stream") func undecodable()
    async throws
  {
    try await withRule { x, sandbox in
      sandbox.injectStream(.send("<html>"), .send(#"{"data":7}"#, afterRecords: 1), .send("é", afterRecords: 1))
      let reading = read(4, of: x.streamPosts())
      try await eventually { sandbox.openStreams == 1 }
      try await post(["é 1"], to: sandbox)
      let elements = try await reading.value
      let bytes = elements.map { element -> String? in
        if case .undecodable(let record) = element { String(decoding: record.bytes, as: UTF8.self) } else { nil }
      }
      #expect(bytes == ["<html>", nil, #"{"data":7}"#, "é"])
    }
  }

  @Test("Keep-alives are not records, and appear among the events") func keepAlives() async throws {
    try await withRule { x, sandbox in
      let stream = x.streamPosts()
      let log = EventLog()
      await log.watch(stream.events)
      let reading = read(1, of: stream)
      try await eventually {
        await log.events.count { if case .keepAlive = $0 { true } else { false } } >= 3
      }
      try await post(["é 1"], to: sandbox)
      #expect(try await texts(reading.value) == ["é 1"])
    }
  }

  @Test("Cancelling the reader ends the connection") func cancel() async throws {
    try await withRule { x, sandbox in
      let reading = read(1, of: x.streamPosts())
      try await eventually { sandbox.openStreams == 1 }
      reading.cancel()
      guard case .failure(let error) = await reading.result, case .cancelled? = error as? CallError else {
        Issue.record("not cancelled")
        return
      }
      try await eventually { sandbox.openStreams == 0 }
    }
  }

  @Test("Refused credentials end the stream; errors of the server do not") func refusals() async throws {
    try await withRule { x, sandbox in
      let wrong = XAPI(
        auth: Bearer("wrong"), configuration: ClientConfiguration(hosts: .all(to: sandbox.url.absoluteString)))
      let error = await #expect(throws: CallError.self) {
        var iterator = wrong.streamPosts().reconnecting(atOnce).makeAsyncIterator()
        _ = try await iterator.next()
      }
      guard case .authorization? = error else {
        Issue.record("\(String(describing: error))")
        return
      }

      await sandbox.inject(.status(503), for: "GET /2/tweets/search/stream", times: 2)
      await sandbox.inject(.cutBeforeResponse, for: "GET /2/tweets/search/stream")
      await sandbox.inject(.status(429), for: "GET /2/tweets/search/stream")
      let reading = read(1, of: x.streamPosts().reconnecting(atOnce))
      try await eventually { sandbox.openStreams == 1 }
      try await post(["é 1"], to: sandbox)
      #expect(try await texts(reading.value) == ["é 1"])
    }
  }

  /// The error that ends a stream that may connect three times.
  private func end(of stream: EventStream<XAPI.StreamPostsResponse>) async -> CallError? {
    var policy = atOnce
    policy.attemptLimit = 3
    var iterator = stream.reconnecting(policy).makeAsyncIterator()
    return await failure { () throws(CallError) in try await iterator.next() }
  }

  @Test("A used-up cap ends the stream, though it has a rate limit's status") func usageCapped() async throws {
    try await withRule { x, sandbox in
      await sandbox.inject(.refused(.usageCapped), for: "GET /2/tweets/search/stream", times: 9)
      let error = await end(of: x.streamPosts())
      guard case .api(let refusal)? = error else {
        Issue.record("\(String(describing: error))")
        return
      }
      #expect(refusal.status == .tooManyRequests && refusal.advice?.contains("next period") == true)
      #expect(await sandbox.requests().count { $0.path == "/2/tweets/search/stream" } == 1)
    }
  }

  @Test("Without a rule the stream is refused, and the advice is to add one") func withoutRules() async throws {
    try await withStreams { x, sandbox in
      let error = await end(of: x.streamPosts())
      guard case .api(let refusal)? = error else {
        Issue.record("\(String(describing: error))")
        return
      }
      #expect(refusal.status == .conflict && refusal.advice?.contains("add a rule") == true)
      #expect(await sandbox.requests().count { $0.path == "/2/tweets/search/stream" } == 1)
    }
  }
}
