import Callsign
import CallsignAuth
import CallsignHTTP
import Foundation
import Testing

/// The records that are sent between two connections, over sockets.
@Suite struct StreamRecoveryTests {
  private static let minutes = StreamBackfill.minutes("backfill_minutes", upTo: 5, id: "data.id")

  private static func record(_ id: Int) -> String { #"{"data":{"id":"\#(id)"}}"# }

  private func targets(_ server: StreamServer) -> [String] {
    server.requests.map { $0.split(separator: " ").dropFirst().first.map(String.init) ?? "" }
  }

  @Test(
    "The API is asked to send missed records again, and duplicates are skipped",
    arguments: TransportKind.allCases)
  func backfill(kind: TransportKind) async throws {
    let server = try StreamServer([
      .records(Self.record(1), Self.record(2), end: .cut),
      .records(Self.record(1), Self.record(2), Self.record(3), end: .cut),
      .records(Self.record(3), Self.record(2), Self.record(4)),
    ])
    let stream = server.stream(kind, backfill: Self.minutes)
    let events = stream.events
    var iterator: EventStream<JSONValue>.Iterator? = stream.makeAsyncIterator()
    var read: [String?] = []
    for number in 1...4 {
      read.append(try await iterator?.next()?.value?["data"]?["id"]?.string)
      if number == 2 { server.time.advance(by: 130) }
    }
    iterator = nil
    #expect(read == ["1", "2", "3", "4"])
    // The second connection was lost before anything proved that it had sent all missed records again.
    #expect(targets(server) == ["/stream", "/stream?backfill_minutes=3", "/stream?backfill_minutes=3"])
    let outlines = await all(events).compactMap { event in
      switch event {
      case .backfill(let minutes, _): "backfill \(minutes)"
      case .duplicate(let id): "duplicate \(id ?? "-")"
      case .gap: "gap"
      default: nil
      }
    }
    #expect(
      outlines == ["backfill 3", "duplicate 1", "duplicate 2", "backfill 3", "duplicate 3", "duplicate 2"])
  }

  @Test(
    "A gap that nothing can send again is reported with its dates", arguments: TransportKind.allCases,
    [false, true])
  func gap(kind: TransportKind, hasBackfill: Bool) async throws {
    let server = try StreamServer([.records(Self.record(1), end: .cut), .records(Self.record(2))])
    let stream = server.stream(kind, backfill: hasBackfill ? Self.minutes : nil)
    let events = stream.events
    var iterator: EventStream<JSONValue>.Iterator? = stream.makeAsyncIterator()
    _ = try await iterator?.next()
    let start = server.time.now()
    server.time.advance(by: 999.75)
    _ = try await iterator?.next()
    iterator = nil
    let gaps = await all(events).compactMap { event -> [TimeInterval]? in
      guard case .gap(let from, let to) = event else { return nil }
      return [from.timeIntervalSince(start), to.timeIntervalSince(start)]
    }
    // With backfill, five minutes of it are sent again.
    #expect(gaps == [[0, hasBackfill ? 700 : 1000]])
  }

  @Test(
    "The API's last words are an element, an event and the cause of the drop", arguments: TransportKind.allCases,
    [
      (
        #"{"errors":[{"title":"t","disconnect_type":"OperationalDisconnect","detail":"d","type":"x"}]}"#,
        "OperationalDisconnect", []
      ),
      (
        #"{"title":"t","detail":"d","connection_issue":"TooManyConnections","type":"x"}"#, "TooManyConnections",
        [.seconds(5)]
      ),
      (#"{"disconnect":{"code":7,"stream_name":"s","reason":"d"}}"#, nil, [.seconds(5)]),
    ] as [(String, String?, [Duration])])
  func disconnect(kind: TransportKind, what: (message: String, kind: String?, waits: [Duration])) async throws {
    let server = try StreamServer([.records("1", what.message, end: .clean), .records("2")])
    let stream = server.stream(kind)
    let events = stream.events
    let message = try JSONValue(jsonString: what.message).jsonString()
    #expect(try await records(3, of: stream) == ["1", message, "2"])
    #expect(server.time.sleeps == what.waits)
    let seen = await all(events)
    let messages = seen.compactMap { if case .disconnectMessage(let message) = $0 { message } else { nil } }
    #expect(messages.map(\.kind) == [what.kind])
    #expect(messages.map(\.reason) == ["d"])
    #expect(seen.contains { if case .dropped(.disconnected) = $0 { true } else { false } })
  }
}
