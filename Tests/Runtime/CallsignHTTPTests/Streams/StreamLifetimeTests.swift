import Callsign
import CallsignAuth
import CallsignHTTP
import CallsignSupport
import Foundation
import TestSupport
import Testing

/// The start and end of a stream's connection, over sockets.
@Suite struct StreamLifetimeTests {
  private func isInUse(_ error: CallError?) -> Bool {
    guard case .invalidCall(let problem)? = error else { return false }
    return problem.reason == .streamInUse
  }

  private func isCancelled(_ result: Result<[String], any Error>) -> Bool {
    if case .failure(let error) = result, case .cancelled? = error as? CallError { true } else { false }
  }

  @Test("A second iterator makes no second connection, and may read after the first", arguments: TransportKind.allCases)
  func secondIterator(kind: TransportKind) async throws {
    let server = try StreamServer([.records("1", "2")])
    let stream = server.stream(kind)
    var first: EventStream<JSONValue>.Iterator? = stream.makeAsyncIterator()
    var second = stream.makeAsyncIterator()
    #expect(try await first?.next()?.value == 1)
    let error = await #expect(throws: CallError.self) { try await second.next() }
    #expect(isInUse(error))
    #expect(try await first?.next()?.value == 2)
    #expect(server.requests.count == 1)
    #expect(server.server.accepted == 1)
    first = nil
    #expect(try await second.next()?.value == 1)
    try await eventually("the first connection is closed") { server.server.open == 1 }
  }

  @Test("Cancelling the reader closes the connection", arguments: TransportKind.allCases)
  func cancelReading(kind: TransportKind) async throws {
    let server = try StreamServer([.records("1")])
    let stream = server.stream(kind)
    let task = Task { try await records(2, of: stream) }
    try await eventually("the stream is open") { server.requests.count == 1 }
    task.cancel()
    #expect(isCancelled(await task.result))
    try await eventually("the connection is closed") { server.server.open == 0 }
    #expect(server.requests.count == 1)
  }

  @Test("Cancelling ends a wait, and no connection follows", arguments: TransportKind.allCases)
  func cancelWaiting(kind: TransportKind) async throws {
    let server = try StreamServer([.refusal(503)])
    server.time.standStill()
    let stream = server.stream(kind)
    let events = stream.events
    let task = Task { try await records(1, of: stream) }
    try await eventually("it waits") { server.time.sleeps == [.seconds(5)] }
    task.cancel()
    #expect(isCancelled(await task.result))
    #expect(server.requests.count == 1)
    guard case .ended(.cancelled?)? = await all(events).last else {
      Issue.record("not told")
      return
    }
  }

  @Test("Dropping the iterator closes the connection", arguments: TransportKind.allCases)
  func dropping(kind: TransportKind) async throws {
    let server = try StreamServer([.records("1")])
    for try await element in server.stream(kind) {
      #expect(element.value == 1)
      break
    }
    try await eventually("the connection is closed") { server.server.open == 0 }
    #expect(server.server.accepted == 1)
  }

  @Test(
    "A stalled connection is replaced, and its data is not lost", arguments: TransportKind.allCases)
  func stall(kind: TransportKind) async throws {
    let hasStalled = Locked(false)
    let server = try StreamServer([
      .custom { peer in
        // Silent until a client has given up; then lively, so that it does not matter how slow the machine is.
        guard hasStalled.withLock({ $0 }) else {
          try peer.sendChunk(Array("1\r\n".utf8))
          peer.waitUntilGone()
          return hasStalled.withLock { $0 = true }
        }
        try peer.sendChunk(Array("2\r\n".utf8))
        while !peer.isGone {
          usleep(20_000)
          try peer.sendChunk(Array("\r\n".utf8))
        }
      }
    ])
    // URLSession has no separate bound for connecting, and adds it to the other.
    let stream = server.stream(kind, connect: .seconds(5)).stallTimeout(.milliseconds(500))
    let events = stream.events
    var iterator: EventStream<JSONValue>.Iterator? = stream.makeAsyncIterator()
    #expect(try await iterator?.next()?.value == 1)
    // Another one may come before the server has noticed that its client has gone.
    var value = try await iterator?.next()?.value
    while value == 1 { value = try await iterator?.next()?.value }
    #expect(value == 2)
    iterator = nil
    let seen = await all(events)
    let stalls = seen.compactMap { if case .stalled(let after) = $0 { after } else { nil } }
    #expect(stalls.first == .milliseconds(500))
    #expect(seen.count { if case .dropped(.stalled) = $0 { true } else { false } } == stalls.count)
    #expect(server.requests.count == stalls.count + 1)
    #expect(server.time.sleeps.first == .milliseconds(250))
  }

  @Test("Keep-alives are not records, and keep a stream from stalling", arguments: TransportKind.allCases)
  func keepAlives(kind: TransportKind) async throws {
    let server = try StreamServer([
      .custom { peer in
        try peer.sendChunk(Array("1\r\n".utf8))
        // In all longer than the bound.
        for _ in 0..<80 {
          usleep(250_000)
          try peer.sendChunk(Array("\r\n".utf8))
        }
        try peer.sendChunk(Array("2\r\n".utf8))
        peer.waitUntilGone()
      }
    ])
    let stream = server.stream(kind).stallTimeout(.seconds(15))
    let events = stream.events
    #expect(try await records(2, of: stream) == ["1", "2"])
    let seen = await all(events)
    #expect(seen.count { if case .keepAlive = $0 { true } else { false } } == 80)
    #expect(!seen.contains { if case .stalled = $0 { true } else { false } })
    #expect(server.requests.count == 1)
  }
}
