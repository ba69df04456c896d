import Callsign
import CallsignTesting
import CallsignX
import Foundation
import Testing
import XSandbox

/// The API as the app, on a sandbox whose streams send keep-alives often.
func withStreams(
  _ configure: (inout Sandbox.Configuration) -> Void = { _ in },
  _ body: (XAPI, Sandbox) async throws -> Void
) async throws {
  try await withSession {
    $0.streamKeepAlive = .milliseconds(20)
    for operation in [
      "GET /2/tweets/search/stream", "GET /2/tweets/sample/stream", "POST /2/tweets/search/stream/rules",
      "POST /1.1/statuses/filter.json", "GET /1.1/statuses/sample.json",
    ] { $0.limits[operation] = 1_000_000 }
    configure(&$0)
  } _: { session in
    let x = session.api(Bearer(Secret(session.sandbox.app.bearerToken)))
    try await body(x, session.sandbox)
  }
}

/// Streams that come back at once.
let atOnce = ReconnectPolicy(
  afterEnd: .init { _ in .milliseconds(1) }, afterNetworkError: .init { _ in .milliseconds(1) },
  afterHTTPError: .init { _ in .milliseconds(1) }, afterRateLimit: .init { _ in .milliseconds(1) },
  maximumResetWait: .milliseconds(1))

/// The events of a stream so far.
actor EventLog {
  private(set) var events: [StreamEvent] = []
  private var task: Task<Void, Never>?

  func watch(_ events: StreamEvents) {
    task = Task { for await event in events { append(event) } }
  }

  private func append(_ event: StreamEvent) { events.append(event) }

  /// All events, once the stream has ended.
  func all() async -> [StreamEvent] {
    await task?.value
    return events
  }
}

/// Reads in a separate task, until the given number of records have arrived.
func read<Value>(_ count: Int, of stream: EventStream<Value>) -> Task<[StreamElement<Value>], any Error> {
  Task {
    var iterator = stream.makeAsyncIterator()
    var elements: [StreamElement<Value>] = []
    while elements.count < count, let element = try await iterator.next() { elements.append(element) }
    return elements
  }
}
