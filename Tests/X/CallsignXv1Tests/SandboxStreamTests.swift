import Callsign
import CallsignTesting
import CallsignXv1
import Foundation
import Testing
import XSandbox

/// v1.1's streams, against the sandbox, over sockets.
@Suite struct SandboxStreamTests {
  private func withAlice(
    keepAlive: Duration = .milliseconds(20), _ body: (XAPIv1, Sandbox) async throws -> Void
  ) async throws {
    var configuration = Sandbox.Configuration()
    configuration.streamKeepAlive = keepAlive
    let sandbox = try await Sandbox.start(configuration)
    let alice = sandbox.users.alice
    let credentials = OAuth1(
      consumerKey: sandbox.app.consumerKey, consumerSecret: Secret(sandbox.app.consumerSecret),
      token: alice.accessToken, tokenSecret: Secret(alice.accessTokenSecret))
    let v1 = XAPIv1(
      auth: credentials, configuration: ClientConfiguration(hosts: .all(to: sandbox.url.absoluteString)))
    do { try await body(v1, sandbox) } catch {
      await sandbox.stop()
      throw error
    }
    await sandbox.stop()
  }

  private func waitForStream(_ sandbox: Sandbox) async throws {
    while sandbox.openStreams == 0 { try await Task.sleep(for: .milliseconds(1)) }
  }

  private func outline(_ message: XAPIv1.StreamMessage?) -> String {
    switch message {
    case .tweet(let tweet)?: tweet.text ?? tweet.fullText ?? "-"
    case .delete?: "delete"
    case .disconnect(let message)?: "disconnect \(message.disconnect.code)"
    case nil: "undecodable"
    default: "other"
    }
  }

  private func read(_ count: Int, of stream: EventStream<XAPIv1.StreamMessage>) -> Task<[String], any Error> {
    Task {
      var iterator = stream.makeAsyncIterator()
      var result: [String] = []
      while result.count < count, let element = try await iterator.next() { result.append(outline(element.value)) }
      return result
    }
  }

  @available(*, deprecated)
  @Test("Records by lines and by length, in pieces of any size", arguments: [1, 2, 3, 1000])
  func framings(pieces: Int) async throws {
    try await withAlice { v1, sandbox in
      for delimiter in [nil, XAPIv1.StreamDelimiter.length] {
        sandbox.injectStream(.split(every: pieces))
        let reading = read(3, of: v1.postStatusesFilter(delimited: delimiter, track: ["漢"]))
        try await waitForStream(sandbox)
        for text in ["a 漢 é", "b", "😀 漢"] { try await sandbox.addPost(text, by: sandbox.users.bob) }
        let own = try await v1.postStatusesUpdate(status: "漢 \(pieces) \(delimiter == nil)")
        #expect(try await reading.value == ["a 漢 é", "😀 漢", "漢 \(pieces) \(delimiter == nil)"])
        _ = try await v1.postStatusesDestroy(id: own.idStr)
        while sandbox.openStreams > 0 { try await Task.sleep(for: .milliseconds(1)) }
      }
    }
  }

  @available(*, deprecated)
  @Test("A long tweet in a stream is cut, with its whole text and entities, and so is a retweeted one")
  func longTweets() async throws {
    try await withAlice { v1, sandbox in
      let text = "long " + String(repeating: "words & ", count: 20) + "#end"
      var iterator = v1.postStatusesFilter(track: ["long"], tweetMode: .extended).values.makeAsyncIterator()
      let reading = Task { (try await iterator.next(), try await iterator.next()) }
      try await waitForStream(sandbox)
      let id = try await sandbox.addPost(text, by: sandbox.users.bob)
      try await v1.postStatusesRetweet(id: id)
      let (first, second) = try await reading.value
      for case .tweet(let tweet)? in [first, second] {
        #expect(tweet.text != nil && tweet.fullText == nil)
        #expect(tweet.wholeText == text.replacing("&", with: "&amp;"))
        #expect(tweet.wholeEntities?.hashtags.map(\.text) == ["end"])
      }
    }
  }

  @available(*, deprecated)
  @Test("A gap that nothing fills is reported; the disconnect message is an element and an event")
  func gap() async throws {
    // A slow watcher would miss events among many keep-alives.
    try await withAlice(keepAlive: .seconds(3600)) { v1, sandbox in
      sandbox.injectStream(.disconnect(.upstream, afterRecords: 1))
      let stream = v1.getStatusesSample()
      let events = stream.events
      let reading = read(3, of: stream)
      var outlines: [String] = []
      var connections = 0
      for await event in events {
        switch event {
        case .connected:
          // Posts that are made without a connection are not sent again.
          connections += 1
          try await sandbox.addPost("\(connections)", by: sandbox.users.bob)
        case .gap: outlines.append("gap")
        case .disconnectMessage(let message): outlines.append("message \(message.code ?? 0)")
        case .dropped(.disconnected): outlines.append("dropped")
        default: break
        }
      }
      #expect(try await reading.value == ["1", "disconnect 12", "2"])
      #expect(outlines == ["message 12", "dropped", "gap"])
    }
  }
}
