import Callsign
import CallsignHTTP
import CallsignJSON
import Foundation
import TestSupport
import Testing
import XCore

/// A call for a span of time that is over gets it once.
@Suite struct ReplayTests {
  private static let backfill = StreamBackfill.minutes("backfill_minutes", upTo: 5, id: "data.id")
  private static let lost = StreamScript.End.failure(StreamScript.lost)
  /// 2027-01-01, two weeks before the server's time.
  private static let start = Date(timeIntervalSince1970: 1_798_761_600)
  private static let span = "start_time=2027-01-01T00:00:00Z&end_time=2027-01-01T01:00:00Z"

  /// A record of a post that was made so many seconds after the span's beginning.
  private static func post(_ seconds: TimeInterval) -> String {
    let id = Snowflake.first(at: start.addingTimeInterval(seconds))?.description ?? "-"
    return #"{"data":{"id":"\#(id)"}}"#
  }

  /// A record whose id tells no time.
  private static func event(_ number: Int) -> String { #"{"data":{"id":"\#(number)"}}"# }

  /// Reads all there is.
  private func read(
    _ scripts: [StreamScript], _ prepare: (EventStream<JSONValue>) -> EventStream<JSONValue> = { $0 }
  ) async throws -> (records: [String], queries: [String], events: [String]) {
    let server = ScriptedStream(scripts)
    let stream = prepare(
      server.stream(backfill: Self.backfill) {
        $0.add("start_time", Self.start, in: .query)
        $0.add("end_time", Self.start.addingTimeInterval(3600), in: .query)
      })
    let events = stream.events
    let read = try await records(10, of: stream)
    let queries = server.queries.map { $0.replacingOccurrences(of: "%3A", with: ":") }
    return (read, queries, await events.outlines())
  }

  @Test("A span that was sent to its end ends the stream") func whole() async throws {
    let (read, queries, events) = try await read([.records("1", end: .clean), .records("1", end: .clean)])
    #expect(read == ["1"])
    #expect(queries == [Self.span])
    #expect(events == ["connecting 1", "connected", "ended"])
  }

  @Test("After a failure it continues at the time of the last record, and skips earlier ones")
  func failure() async throws {
    let (read, queries, events) = try await read([
      .records(Self.post(0), Self.post(100), end: Self.lost), .refusal(503),
      .records(Self.post(95), Self.post(100), Self.post(200), end: .clean),
    ])
    #expect(read == [0, 100, 95, 200].map { Self.post($0) })
    let rest = "end_time=2027-01-01T01:00:00Z&start_time=2027-01-01T00:01:30Z"
    #expect(queries == [Self.span, rest, rest])
    #expect(!events.contains { $0.hasPrefix("gap") || $0.hasPrefix("backfill") })
  }

  @Test("If records carry no time, the whole span is requested again, and duplicates are skipped")
  func withoutTimes() async throws {
    // The second connection sends for longer than a live stream's records are remembered.
    let (read, queries, _) = try await read([
      .records(Self.event(7), Self.event(8), end: Self.lost),
      .paced([(600, Self.event(7) + "\n"), (600, Self.event(8) + "\n"), (1, Self.event(9) + "\n")], .clean),
    ])
    #expect(read == [7, 8, 9].map { Self.event($0) })
    #expect(queries == [Self.span, Self.span])
  }

  @Test("A record that is cut off at the end is not a good end") func cutOff() async throws {
    let (read, queries, _) = try await read([
      .pieces([Self.post(0) + "\r\n", #"{"data":{"id":"#], .clean), .records(Self.post(0), Self.post(50), end: .clean),
    ])
    #expect(read == [Self.post(0), #"!{"data":{"id":"#, Self.post(50)])
    #expect(queries.count == 2)
  }

  @Test("Another process continues within the span") func resumed() async throws {
    let (_, queries, _) = try await read([.records("1", end: .clean)]) {
      $0.resuming(from: Self.start.addingTimeInterval(600))
    }
    #expect(queries == ["end_time=2027-01-01T01:00:00Z&start_time=2027-01-01T00:09:50Z"])
  }

  @Test("An API that announces a temporary disconnect is asked again") func disconnected() async throws {
    let farewell = #"{"errors":[{"title":"t","disconnect_type":"OperationalDisconnect","type":"x"}]}"#
    let (read, queries, _) = try await read([.records(farewell, end: .clean), .records("1", end: .clean)])
    #expect(read.last == "1")
    #expect(queries == [Self.span, Self.span])
  }
}
