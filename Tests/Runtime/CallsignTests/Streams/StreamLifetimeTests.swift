import Callsign
import CallsignAuth
import CallsignHTTP
import CallsignJSON
import CallsignTesting
import Foundation
import TestSupport
import Testing
import XCore

/// Who may read a stream, how it ends, and which events report it.
@Suite struct StreamLifetimeTests {
  private func isInUse(_ error: (any Error)?) -> Bool {
    guard case .invalidCall(let problem)? = error as? CallError else { return false }
    return problem.reason == .streamInUse && problem.description.contains("another iterator")
  }

  @Test("A second iterator is refused while one reads, of a copy too; afterwards it may read") func oneReader()
    async throws
  {
    let server = ScriptedStream([.records("1", "2", "3")])
    let stream = server.stream()
    var first: EventStream<JSONValue>.Iterator? = stream.makeAsyncIterator()
    var second = stream.reconnecting(.never).stallTimeout(.seconds(1)).makeAsyncIterator()
    #expect(try await first?.next()?.value == 1)
    for _ in 0..<2 {
      let error = await #expect(throws: CallError.self) { try await second.next() }
      #expect(isInUse(error))
    }
    #expect(try await first?.next()?.value == 2)
    #expect(server.transport.requests.count == 1)
    first = nil
    #expect(try await second.next()?.value == 1)
    #expect(await server.mostOpen <= 2)
    #expect(server.transport.requests.count == 2)
  }

  @Test("Copies of an iterator share its connection, and read in turns only") func copies() async throws {
    let server = ScriptedStream([.records("1", "2")])
    var first = server.stream().makeAsyncIterator()
    var second = first
    #expect(try await first.next()?.value == 1)
    #expect(try await second.next()?.value == 2)
    #expect(server.transport.requests.count == 1)
    let reader = first
    // Whichever of the two comes second is refused while the other one waits.
    let refusal = await withTaskGroup(of: (any Error)?.self) { group in
      for _ in 0..<2 {
        group.addTask {
          var copy = reader
          do {
            _ = try await copy.next()
            return nil
          } catch { return error }
        }
      }
      let refusal = await group.next() ?? nil
      group.cancelAll()
      return refusal
    }
    #expect(isInUse(refusal))
  }

  @Test("Dropping the iterator ends the connection") func dropping() async throws {
    let server = ScriptedStream([.records("1", "2")])
    let stream = server.stream()
    let events = stream.events
    for try await element in stream {
      #expect(element.value == 1)
      break
    }
    try await eventually { await server.open == 0 }
    #expect(await events.outlines() == ["connecting 1", "connected", "ended"])
  }

  @Test("Cancelling the reader ends the connection and the stream") func cancelReading() async throws {
    let server = ScriptedStream([.records("1")])
    let stream = server.stream()
    let task = Task { try await records(2, of: stream) }
    try await eventually { await server.open == 1 }
    task.cancel()
    guard case .failure(let error) = await task.result, case .cancelled? = error as? CallError else {
      Issue.record("not cancelled")
      return
    }
    try await eventually { await server.open == 0 }
    #expect(server.transport.requests.count == 1)
    // It can be read again.
    #expect(try await records(1, of: stream) == ["1"])
  }

  @Test("Cancelling ends a wait at once") func cancelWaiting() async throws {
    let server = ScriptedStream([.refusal(503)])
    server.time.standStill()
    let stream = server.stream()
    let task = Task { try await records(1, of: stream) }
    try await eventually { server.time.sleeps == [.seconds(5)] }
    task.cancel()
    guard case .failure(let error) = await task.result, case .cancelled? = error as? CallError else {
      Issue.record("not cancelled")
      return
    }
    #expect(server.transport.requests.count == 1)
  }

  @Test("A cancelled task gets no record that has arrived") func cancelledBefore() async {
    let server = ScriptedStream([.pieces(["1\n2\n3\n"], .silence)])
    let stream = server.stream()
    let task = Task {
      var iterator = stream.makeAsyncIterator()
      _ = try await iterator.next()
      withUnsafeCurrentTask { $0?.cancel() }
      _ = try await iterator.next()
    }
    guard case .failure(let error) = await task.result, case .cancelled? = error as? CallError else {
      Issue.record("not cancelled")
      return
    }
  }

  @Test("Events show connects, keep-alives, stalls, drops and waits, in their order") func events() async throws {
    let server = ScriptedStream([
      .failure(StreamScript.unreachable), .refusal(503), .pieces(["\r\n1\r\n\r\n"], .failure(StreamScript.silent)),
      .records("2", end: .clean), .refusal(404),
    ])
    let stream = server.stream()
    let (first, second) = (stream.events, stream.events)
    await #expect(throws: CallError.self) { try await records(9, of: stream) }
    let expected = [
      "connecting 1", "dropped: failed", "waiting 0.25 seconds", "connecting 2", "dropped: failed",
      "waiting 5.0 seconds", "connecting 3", "connected", "keep-alive", "keep-alive", "stalled 60.0 seconds",
      "dropped: stalled", "waiting 0.25 seconds", "connecting 1", "gap 0", "connected", "dropped: ended",
      "connecting 1", "dropped: failed", "ended by an error",
    ]
    #expect(await first.outlines() == expected)
    #expect(await second.outlines() == expected)
  }

  @Test("A watcher that does not read the events delays nothing; half of the room is for events other than keep-alives")
  func boundedEvents() async throws {
    let server = ScriptedStream([.pieces([String(repeating: "\n", count: 100_000) + "1\n"], .silence)])
    let stream = server.stream()
    let events = stream.events
    #expect(try await records(1, of: stream) == ["1"])
    let outlines = await events.outlines()
    #expect(outlines.prefix(3) == ["connecting 1", "connected", "keep-alive"])
    #expect(outlines.count == 129)
    #expect(outlines.last == "ended")
  }

  @Test("The newest of the other events are kept") func newestEvents() async throws {
    let server = ScriptedStream(
      (1...200).map { _ in StreamScript.pieces(["\n"], .failure(StreamScript.lost)) } + [.records("1")])
    let stream = server.stream()
    let events = stream.events
    #expect(try await records(1, of: stream) == ["1"])
    let outlines = await events.outlines()
    #expect(outlines.count == 256)
    #expect(outlines.suffix(4) == ["connecting 1", "gap 0", "connected", "ended"])
  }

  @Test("Events end with a stream that nobody ever reads") func unread() async {
    let server = ScriptedStream([.records("1")])
    var stream: EventStream<JSONValue>? = server.stream()
    let events = stream?.events
    stream = nil
    #expect(await events?.outlines() == [])
  }
}
