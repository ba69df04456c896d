import Callsign
import CallsignAuth
import CallsignHTTP
import CallsignJSON
import CallsignTesting
import Foundation
import TestSupport
import Testing
import XCore

/// Records that are missed between two connections are requested again, and come once.
@Suite struct BackfillTests {
  private static let backfill = StreamBackfill.minutes("backfill_minutes", upTo: 5, id: "data.id")
  private static let withoutID = StreamBackfill.minutes("backfill_minutes", upTo: 5)

  private func record(_ id: Int) -> String { #"{"data":{"id":"\#(id)"}}"# }

  /// Reads a record, loses the connection, comes back after the given number of seconds, and reads another one.
  private func reconnect(
    after seconds: TimeInterval, _ backfill: StreamBackfill?, _ prepare: (inout Call) -> Void = { _ in }
  ) async throws -> (queries: [String], events: [String]) {
    let server = ScriptedStream([
      .records(record(1), end: .failure(StreamScript.lost)), .records(record(2)),
    ])
    let stream = server.stream(backfill: backfill, prepare)
    let events = stream.events
    var iterator: EventStream<JSONValue>.Iterator? = stream.makeAsyncIterator()
    _ = try await iterator?.next()
    server.time.advance(by: seconds)
    _ = try await iterator?.next()
    iterator = nil
    return (server.queries, await events.outlines().filter { $0.hasPrefix("gap") || $0.hasPrefix("backfill") })
  }

  @Test(
    "Enough minutes for the gap, one at least and as many as there are at most",
    arguments: [(0.0, 1), (20, 1), (49, 1), (55, 2), (100, 2), (200, 4), (280, 5)])
  func minutes(seconds: TimeInterval, minutes: Int) async throws {
    let (queries, events) = try await reconnect(after: seconds, Self.backfill)
    #expect(queries == ["", "backfill_minutes=\(minutes)"])
    #expect(events == ["backfill \(minutes)"])
  }

  @Test("A gap that is too old is reported as lost") func tooLong() async throws {
    let (queries, events) = try await reconnect(after: 1000, Self.backfill)
    #expect(queries == ["", "backfill_minutes=5"])
    #expect(events == ["backfill 5", "gap 700"])
  }

  @Test("Where nothing can be sent again, the gap is reported") func noBackfill() async throws {
    let (queries, events) = try await reconnect(after: 30, nil) { $0.add("a", "b", in: .query) }
    #expect(queries == ["a=b", "a=b"])
    #expect(events == ["gap 30"])
  }

  @Test("A gap lasts until a connection is made, after any number of attempts and seconds; it is reported once")
  func gapEnd() async throws {
    let server = ScriptedStream(
      [.records(record(1), end: .failure(StreamScript.lost)), .refusal(503), .records(record(2))], connecting: 7)
    let stream = server.stream()
    let events = stream.events
    _ = try await records(2, of: stream)
    // The waits are 0.25 and 5 seconds, and two connections take 7 each.
    #expect(await events.outlines().filter { $0.hasPrefix("gap") } == ["gap 19"])
  }

  @Test("If a slow connection uses up part of the longest replay, that part is reported as lost")
  func slowConnection() async throws {
    let server = ScriptedStream(
      [.records(record(1), end: .failure(StreamScript.lost)), .records(record(2))], connecting: 400)
    let stream = server.stream(backfill: Self.backfill)
    let events = stream.events
    _ = try await records(2, of: stream)
    #expect(
      await events.outlines().filter { $0.hasPrefix("gap") || $0.hasPrefix("backfill") } == ["backfill 1", "gap 340"])
  }

  @Test("The caller's own number is used for the first connection") func ownNumber() async throws {
    let (queries, _) = try await reconnect(after: 20, Self.backfill) {
      $0.add("a", "1 2", in: .query)
      $0.add("backfill_minutes", 4, in: .query)
      $0.add("z", ["x", "y"], in: .query)
    }
    #expect(
      queries == ["a=1%202&backfill_minutes=4&z=x,y", "a=1%202&z=x,y&backfill_minutes=1"])
  }

  @Test("A failed first connection asks for no more than the caller does") func firstFailures() async throws {
    let server = ScriptedStream([.refusal(503), .failure(StreamScript.unreachable), .records(record(1))])
    _ = try await records(1, of: server.stream(backfill: Self.backfill))
    #expect(server.queries == ["", "", ""])
  }

  @Test("A duplicate is yielded only once, whatever else has changed in it") func duplicates() async throws {
    let server = ScriptedStream([
      .records(record(1), record(2), "nonsense", end: .failure(StreamScript.lost)),
      .records(#"{"includes":{},"data":{"text":"edited","id":"2"}}"#, record(1), record(3), end: .clean),
      .records(record(2), "nonsense", record(3), record(1), record(4), record(4)),
    ])
    let stream = server.stream(backfill: Self.backfill)
    let events = stream.events
    var iterator: EventStream<JSONValue>.Iterator? = stream.makeAsyncIterator()
    var read: [String] = []
    while read.count < 5, let element = try await iterator?.next() {
      switch element {
      case .value(let value): read.append(value["data"]?["id"]?.string ?? "-")
      case .undecodable(let record): read.append(String(decoding: record.bytes, as: UTF8.self))
      }
    }
    iterator = nil
    #expect(read == ["1", "2", "nonsense", "3", "4"])
    #expect(
      await events.outlines().filter { $0.hasPrefix("duplicate") } == [
        "duplicate 2", "duplicate 1", "duplicate 2", "duplicate -", "duplicate 3", "duplicate 1",
      ])
  }

  @Test("A record that is cut off at the end of a connection comes whole from the next one") func cutOff() async throws
  {
    let server = ScriptedStream([
      .pieces([record(1) + "\r\n", #"{"data":{"id":"2"},"inclu"#], .clean), .records(record(2), record(3)),
    ])
    let read = try await records(4, of: server.stream(backfill: Self.backfill))
    #expect(read == [record(1), #"!{"data":{"id":"2"},"inclu"#, record(2), record(3)])
  }

  @Test("A record broken by a line feed claims no id: if it is sent again whole, it is not a duplicate") func broken()
    async throws
  {
    let halves = [#"{"data":{"id":"2"},"text":"a"#, #"b"}"#]
    let whole = #"{"data":{"id":"2"},"text":"a\nb"}"#
    let server = ScriptedStream([
      .pieces([record(1) + "\r\n" + halves[0] + "\n" + halves[1] + "\n"], .failure(StreamScript.lost)),
      .records(record(1), whole, whole, record(3)),
    ])
    let read = try await records(5, of: server.stream(backfill: Self.backfill))
    #expect(read == [record(1), "!" + halves[0], "!" + halves[1], whole, record(3)])
  }

  @Test("A last record that is whole comes once, with or without the end of its line") func unendedLine() async throws {
    let server = ScriptedStream([
      .pieces([record(1) + "\r\n", record(2)], .clean), .records(record(2), record(3)),
    ])
    let read = try await records(3, of: server.stream(backfill: Self.backfill))
    #expect(read == [record(1), record(2), record(3)])
  }

  @Test("A flood of duplicates does not push a gap out of the events of a slow watcher")
  func flood() async throws {
    let earlier = (1...600).map { record($0) + "\r\n" }
    let server = ScriptedStream([
      .pieces(earlier, .failure(StreamScript.lost)), .pieces(earlier + [record(601) + "\r\n"], .silence),
    ])
    let stream = server.stream(backfill: Self.backfill)
    let events = stream.events
    var iterator: EventStream<JSONValue>.Iterator? = stream.makeAsyncIterator()
    for _ in 1...600 { _ = try await iterator?.next() }
    server.time.advance(by: 310)
    #expect(try await iterator?.next()?.value?["data"]?["id"]?.string == "601")
    iterator = nil
    let seen = await events.outlines()
    #expect(seen.contains("gap 10") && seen.last == "ended")
    #expect(seen.count { $0.hasPrefix("duplicate") } > 100)
  }

  @Test("Records without an id are compared whole, and only with those of earlier connections") func wholeRecords()
    async throws
  {
    let server = ScriptedStream([
      .records("\"a\"", "\"a\"", "\"b\"", end: .failure(StreamScript.lost)), .records("\"b\"", "\"c\"", "\"c\""),
    ])
    #expect(
      try await records(5, of: server.stream(backfill: Self.withoutID)) == [
        "\"a\"", "\"a\"", "\"b\"", "\"c\"", "\"c\"",
      ])
  }

  @Test("Without backfill, equal records are handed out") func noComparison() async throws {
    let server = ScriptedStream([
      .records(record(1), end: .failure(StreamScript.lost)), .records(record(1), record(1)),
    ])
    #expect(try await records(3, of: server.stream()) == [record(1), record(1), record(1)])
  }

  @Test(
    "An API that refuses to send records again is not asked again, and the stream continues", arguments: [400, 403])
  func refused(status: Int) async throws {
    let server = ScriptedStream([
      .records(record(1), end: .failure(StreamScript.lost)), .refusal(status),
      .records(record(2), end: .failure(StreamScript.lost)), .records(record(3)),
    ])
    let stream = server.stream(backfill: Self.backfill)
    let events = stream.events
    #expect(try await records(3, of: stream) == [record(1), record(2), record(3)])
    #expect(server.queries == ["", "backfill_minutes=1", "", ""])
    #expect(
      await events.outlines().filter { !$0.hasPrefix("conn") } == [
        "dropped: failed", "waiting 0.25 seconds", "backfill 1", "backfill refused", "gap 0", "dropped: failed",
        "waiting 0.25 seconds", "gap 0", "ended",
      ])
  }

  @Test("A refusal that has another reason is thrown") func refusedTwice() async {
    let server = ScriptedStream([.records(record(1), end: .failure(StreamScript.lost)), .refusal(403)])
    await #expect(throws: CallError.self) { try await records(2, of: server.stream(backfill: Self.backfill)) }
    #expect(server.queries == ["", "backfill_minutes=1", ""])
  }
}
