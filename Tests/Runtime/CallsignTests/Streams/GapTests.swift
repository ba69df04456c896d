import Callsign
import CallsignAuth
import CallsignHTTP
import CallsignJSON
import Foundation
import TestSupport
import Testing
import XCore

/// A missed span counts as heard only when a connection has proved that it has sent all of it again.
@Suite struct GapTests {
  private static let backfill = StreamBackfill.minutes("backfill_minutes", upTo: 5, id: "data.id")
  private static let start = Date(timeIntervalSince1970: 1_800_000_000)
  private static let lost = StreamScript.End.failure(StreamScript.lost)
  private static let emptyLine = "\r\n"

  /// A record of a post that was made so many seconds after the test's start.
  private static func post(_ seconds: TimeInterval) -> String {
    let id = Snowflake.first(at: start.addingTimeInterval(seconds))?.description ?? "-"
    return #"{"data":{"id":"\#(id)"}}"#
  }

  /// A record whose id tells no time.
  private static func event(_ number: Int) -> String { #"{"data":{"id":"\#(number)"}}"# }

  /// Reads that many records, and moves the clock as `pauses` says after reading the first, second and so on.
  ///
  /// - Returns: The minutes that each connection after the first asked for, and the gaps in whole seconds.
  private func read(
    _ count: Int, pauses: [Int: TimeInterval], _ scripts: [StreamScript]
  ) async throws -> (minutes: [String], gaps: [String]) {
    let server = ScriptedStream(scripts)
    let stream = server.stream(backfill: Self.backfill)
    let events = stream.events
    var iterator: EventStream<JSONValue>.Iterator? = stream.makeAsyncIterator()
    for number in 1...count {
      _ = try await iterator?.next()
      if let pause = pauses[number] { server.time.advance(by: pause) }
    }
    iterator = nil
    let minutes = server.queries.dropFirst().map { $0.replacingOccurrences(of: "backfill_minutes=", with: "") }
    return (minutes, await events.outlines().filter { $0.hasPrefix("gap") })
  }

  @Test("A connection that is lost while it sends again leaves the gap as it was")
  func lostInBackfill() async throws {
    let (minutes, gaps) = try await read(
      4, pauses: [1: 200],
      [
        .records(Self.post(0), end: Self.lost), .records(Self.post(5), end: Self.lost),
        // Made after the connection: everything before has been sent again.
        .records(Self.post(210), end: Self.lost), .records(Self.post(220)),
      ])
    #expect(minutes == ["4", "4", "1"])
    #expect(gaps == [])
  }

  @Test("The part that can no longer be sent again is reported once, and the rest is requested")
  func gapOnce() async throws {
    let (minutes, gaps) = try await read(
      4, pauses: [1: 200, 2: 200, 3: 30],
      [
        .records(Self.post(0), end: Self.lost), .records(Self.post(5), end: Self.lost),
        .records(Self.post(110), end: Self.lost), .records(Self.post(500)),
      ])
    #expect(minutes == ["4", "5", "5"])
    #expect(gaps == ["gap 100", "gap 30"])
  }

  @Test(
    "A keep-alive proves nothing, and neither do records without a time", arguments: [emptyLine, event(7) + "\r\n"])
  func provesNothing(piece: String) async throws {
    let hasRecord = piece != Self.emptyLine
    let (minutes, _) = try await read(
      hasRecord ? 3 : 2, pauses: [1: 200],
      [.records(Self.post(0), end: Self.lost), .pieces([piece], Self.lost), .records(Self.post(900))])
    #expect(minutes == ["4", "4"])
  }

  @Test("A record that is cut off does not say how far the stream got")
  func cutOff() async throws {
    let torn = String(Self.post(190).dropLast()) + #","inclu"#
    let (minutes, _) = try await read(
      3, pauses: [1: 200], [.pieces([Self.post(0) + "\r\n", torn], .clean), .records(Self.post(195))])
    #expect(minutes == ["4"])
  }

  @Test("A minute of only keep-alives means that nothing is left to send")
  func quiet() async throws {
    let quiet = Array(repeating: (seconds: 20.0, piece: Self.emptyLine), count: 4)
    let (minutes, _) = try await read(
      2, pauses: [1: 200],
      [.records(Self.post(0), end: Self.lost), .paced(quiet, Self.lost), .records(Self.post(900))])
    #expect(minutes == ["4", "1"])
  }

  @Test("If records carry no time, a connection has to live as long as the span that it requested")
  func withoutTimes() async throws {
    let events = (1...5).map { (seconds: 55.0, piece: Self.event($0 + 1) + "\r\n") }
    for (count, expected) in [(4, "5"), (5, "1")] {
      let (minutes, _) = try await read(
        2 + count, pauses: [1: 200],
        [
          .records(Self.event(1), end: Self.lost), .paced(Array(events.prefix(count)), Self.lost),
          .records(Self.event(9)),
        ])
      #expect(minutes == ["4", expected])
    }
  }

  @Test("Old records that a slow reader has at last read say how far it got", arguments: [true, false])
  func slowReader(tellsTime: Bool) async throws {
    func record(_ number: Int) -> String { tellsTime ? Self.post(Double(number)) : Self.event(number) }
    // The second record had arrived long before it was read.
    let (minutes, _) = try await read(
      3, pauses: [1: 130], [.records(record(1), record(2), end: Self.lost), .records(record(3))])
    #expect(minutes == ["3"])
  }

  @Test("A reader that has caught up no longer counts as slow")
  func caughtUp() async throws {
    let (minutes, _) = try await read(
      4, pauses: [1: 130],
      [
        .paced([(0, Self.event(1) + "\r\n"), (0, Self.event(2) + "\r\n"), (5, Self.event(3) + "\r\n")], Self.lost),
        .records(Self.event(4)),
      ])
    #expect(minutes == ["1"])
  }

  /// Reads a record, loses the connection, comes back after 200 seconds, and sets the clock meanwhile.
  private func readSettingClock(by jump: TimeInterval) async throws -> (minutes: [String], gaps: [String]) {
    let server = ScriptedStream([
      .records(Self.post(0), end: Self.lost), .records(Self.post(jump + 5), Self.post(jump + 410), end: Self.lost),
      .records(Self.post(jump + 415)),
    ])
    let stream = server.stream(backfill: Self.backfill)
    let events = stream.events
    var iterator: EventStream<JSONValue>.Iterator? = stream.makeAsyncIterator()
    for number in 1...4 {
      _ = try await iterator?.next()
      if number == 1 {
        server.time.set(by: jump)
        server.time.advance(by: 200)
      }
      if number == 2 { server.time.advance(by: 205) }
    }
    iterator = nil
    let minutes = server.queries.dropFirst().map { $0.replacingOccurrences(of: "backfill_minutes=", with: "") }
    return (minutes, await events.outlines().filter { $0.hasPrefix("gap") })
  }

  @Test("Missed records are requested though the clock was set back in the meantime", arguments: [0.0, -3600, -86_400])
  func clockIsSetBack(by jump: TimeInterval) async throws {
    let (minutes, gaps) = try await readSettingClock(by: jump)
    #expect(minutes == ["4", "1"])
    #expect(gaps == [])
  }

  @Test("A clock that is set forwards may say that the machine stood still: all that time counts as missed")
  func clockIsSetForwards() async throws {
    let (minutes, gaps) = try await readSettingClock(by: 3600)
    #expect(minutes == ["5", "1"])
    #expect(gaps == ["gap 3500"])
  }

  @Test("Lost records are reported though the clock was set back in the meantime")
  func gapWhileClockIsSet() async throws {
    let server = ScriptedStream([.records(Self.post(0), end: Self.lost), .records(Self.post(1))])
    let stream = server.stream(backfill: Self.backfill)
    let events = stream.events
    var iterator: EventStream<JSONValue>.Iterator? = stream.makeAsyncIterator()
    _ = try await iterator?.next()
    server.time.set(by: -3600)
    server.time.advance(by: 1000)
    _ = try await iterator?.next()
    iterator = nil
    #expect(server.queries == ["", "backfill_minutes=5"])
    #expect(await events.outlines().filter { $0.hasPrefix("gap") } == ["gap 700"])
  }

  @Test("If reading continues after a moment in the future, it requests everything available and reports a gap")
  func beginningInFuture() async throws {
    let server = ScriptedStream([.records(Self.post(0))])
    let stream = server.stream(backfill: Self.backfill).resuming(from: Self.start.addingTimeInterval(3600))
    let events = stream.events
    var iterator: EventStream<JSONValue>.Iterator? = stream.makeAsyncIterator()
    _ = try await iterator?.next()
    iterator = nil
    #expect(server.queries == ["backfill_minutes=5"])
    #expect(await events.outlines().filter { $0.hasPrefix("gap") } == ["gap 0"])
  }

  @Test("Repeated records are recognised even if the clock was set in the meantime", arguments: [-86_400.0, 86_400])
  func duplicatesAfterClockIsSet(jump: TimeInterval) async throws {
    let server = ScriptedStream([
      .records(Self.event(1), Self.event(2), end: Self.lost), .records(Self.event(1), Self.event(2), Self.event(3)),
    ])
    var iterator = server.stream(backfill: Self.backfill).makeAsyncIterator()
    var ids: [String?] = []
    for number in 1...3 {
      ids.append(try await iterator.next()?.value?["data"]?["id"]?.string)
      if number == 1 { server.time.set(by: jump) }
    }
    #expect(ids == ["1", "2", "3"])
  }

  @Test("The server's clock decides, not this machine's", arguments: [-3600.0, 3600])
  func clocks(ahead: TimeInterval) async throws {
    let server = ScriptedStream(
      [
        .records(Self.post(ahead), end: Self.lost), .records(Self.post(ahead + 5), end: Self.lost),
        .records(Self.post(ahead + 210), end: Self.lost), .records(Self.post(ahead + 220)),
      ], ahead: ahead)
    var iterator = server.stream(backfill: Self.backfill).makeAsyncIterator()
    for number in 1...4 {
      _ = try await iterator.next()
      if number == 1 { server.time.advance(by: 200) }
    }
    #expect(server.queries == ["", "backfill_minutes=4", "backfill_minutes=4", "backfill_minutes=1"])
  }
}
