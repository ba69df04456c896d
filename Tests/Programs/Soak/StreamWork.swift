import Callsign
import CallsignX
import CallsignXv1

/// Reads a stream until its task is cancelled, and notes what arrives.
struct StreamWork: Sendable {
  let session: SoakSession
  let stream: PostLedger.Stream
  let log: StreamLog

  /// - Parameter post: The text and id of a record's post; `nil` for a record that has none.
  func read<Value>(_ records: EventStream<Value>, post: (Value) -> (text: String, id: String)?) async {
    let records = records.reconnecting(.soak).stallTimeout(.seconds(2))
    let events = records.events
    let watching = Task { for await event in events { await log.take(event) } }
    do throws(CallError) {
      for try await record in records {
        switch record {
        case .value(let value):
          guard let post = post(value) else { continue }
          guard let number = PostText.number(in: post.text) else {
            await session.tally.problem("\(stream.name): a record that no rule asked for: \(post.text)")
            continue
          }
          await session.ledger.received(number, id: post.id, from: stream)
        case .undecodable(let record):
          // X's disconnect messages in v2 are problems in place of a post.
          if record.problems.isEmpty { await session.tally.problem("\(stream.name): \(record.error)") }
        }
      }
      await session.tally.problem("\(stream.name) ended by itself")
    } catch {
      if case .cancelled = error {} else { await session.tally.problem("\(stream.name) ended: \(error)") }
    }
    await watching.value
  }

  /// The filtered stream of v2.
  func readFiltered() async {
    await read(session.app.streamPosts(tweetFields: [.createdAt])) { record in
      (record.data.text, record.data.id)
    }
  }
}

/// X retired v1.1's streams, so that calling them is a warning. Through a protocol it is none: the soak means it.
protocol RetiredStreams {
  func readStatuses() async
}

extension StreamWork: RetiredStreams {
  /// The stream of v1.1, which sends nothing again: what is lost is in the gaps that its events report.
  @available(*, deprecated)
  func readStatuses() async {
    await read(session.v1.postStatusesFilter(delimited: .length, track: [PostText.word])) { message in
      guard case .tweet(let tweet) = message else { return nil }
      return (tweet.text ?? tweet.fullText ?? "", tweet.idStr)
    }
  }
}

extension ReconnectPolicy {
  /// The defaults' shape, in a hundredth of the time.
  static let soak = ReconnectPolicy(
    afterEnd: .linear(from: .zero, step: .milliseconds(10), to: .milliseconds(200)),
    afterNetworkError: .linear(from: .milliseconds(10), step: .milliseconds(10), to: .milliseconds(200)),
    afterHTTPError: .doubling(from: .milliseconds(50), to: .milliseconds(500)),
    afterRateLimit: .doubling(from: .milliseconds(100), to: .seconds(1)))
}

/// The events of a stream.
actor StreamLog {
  private(set) var connections = 0
  private(set) var drops = 0
  private(set) var stalls = 0
  private(set) var gaps = 0
  private(set) var keepAlives = 0
  private(set) var passedOver = 0
  private(set) var disconnectMessages = 0

  private let stream: PostLedger.Stream
  private let ledger: PostLedger
  private let tally: Tally

  init(_ stream: PostLedger.Stream, _ ledger: PostLedger, _ tally: Tally) {
    (self.stream, self.ledger, self.tally) = (stream, ledger, tally)
  }

  var reconnects: Int { max(0, connections - 1) }

  func take(_ event: StreamEvent) async {
    switch event {
    case .connected: connections += 1
    case .gap(let from, let to):
      gaps += 1
      await ledger.gap(from: from, to: to, in: stream)
    case .keepAlive: keepAlives += 1
    case .duplicate: passedOver += 1
    case .issues(let issues): for issue in issues { await tally.problem("\(stream.name): \(issue)") }
    case .disconnectMessage: disconnectMessages += 1
    case .stalled: stalls += 1
    case .dropped: drops += 1
    case .backfillRefused(let error): await tally.problem("\(stream.name): backfill refused: \(error)")
    case .connecting, .backfill, .waiting, .ended: break
    }
  }
}
