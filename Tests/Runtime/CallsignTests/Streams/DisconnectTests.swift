import Callsign
import CallsignAuth
import CallsignHTTP
import CallsignJSON
import CallsignTesting
import Foundation
import TestSupport
import Testing
import XCore

/// Announcements that an API sends before it disconnects.
@Suite struct DisconnectTests {
  private static func v2(_ member: String, _ kind: String) -> String {
    #"{"errors":[{"title":"t","detail":"d","\#(member)":"\#(kind)","type":"https://api.twitter.com/2/problems/x"}]}"#
  }

  private static func v1(_ code: Int) -> String {
    #"{"disconnect":{"code":\#(code),"stream_name":"s","reason":"r"}}"#
  }

  @Test(
    "The message is an element and an event, and decides when the next connection is made",
    arguments: [
      (v2("disconnect_type", "UpstreamOperationalDisconnect"), nil),
      (v2("disconnect_type", "OperationalDisconnect"), nil),
      (v2("disconnect_type", "SlowReader"), nil), (v2("disconnect_type", "InternalError"), .milliseconds(250)),
      (v2("disconnect_type", "ForceDisconnect"), .seconds(5)), (v2("disconnect_type", "SomethingNew"), .seconds(5)),
      (v2("connection_issue", "TooManyConnections"), .seconds(5)),
      (#"{"title":"t","detail":"d","connection_issue":"RuleConfigurationIssue","type":"x"}"#, .seconds(5)),
      (v1(1), nil), (v1(2), .seconds(5)), (v1(4), nil), (v1(6), .seconds(5)), (v1(7), .seconds(5)),
      (v1(10), .milliseconds(250)), (v1(12), nil), (v1(99), .seconds(5)),
    ] as [(String, Duration?)])
  func causes(message: String, wait: Duration?) async throws {
    for end in [StreamScript.End.clean, .failure(StreamScript.lost)] {
      let server = ScriptedStream([.records("1", message, end: end), .records("2")])
      let stream = server.stream()
      let events = stream.events
      var iterator: EventStream<JSONValue>.Iterator? = stream.makeAsyncIterator()
      var read: [JSONValue?] = []
      for _ in 0..<3 { read.append(try await iterator?.next()?.value) }
      iterator = nil
      #expect(read == [1, try JSONValue(jsonString: message), 2])
      #expect(server.time.sleeps == (wait.map { [$0] } ?? []))
      let outlines = await events.outlines()
      #expect(outlines.contains { $0.hasPrefix("message ") })
      #expect(outlines.contains("dropped: disconnected"))
    }
  }

  @Test("Everything that the message says is available") func contents() async throws {
    let server = ScriptedStream([.records(Self.v2("disconnect_type", "K"), Self.v1(4), end: .clean)])
    let stream = server.stream().reconnecting(.never)
    let events = stream.events
    _ = try await records(2, of: stream)
    var messages: [StreamDisconnect] = []
    for await event in events { if case .disconnectMessage(let message) = event { messages.append(message) } }
    #expect(messages.map(\.kind) == ["K", nil])
    #expect(messages.map(\.code) == [nil, 4])
    #expect(messages.map(\.reason) == ["d", "r"])
    #expect(messages.map(\.streamName) == [nil, "s"])
  }

  @Test(
    "Other records are not such a message",
    arguments: [
      #"{"data":{"text":"\"disconnect_type\":\"x\""},"errors":[{"disconnect_type":"x"}]}"#, #"{"text":"disconnect"}"#,
      #"{"disconnect":true}"#, #"{"errors":[{"title":"disconnect"}]}"#, #"["disconnect"]"#, #"{"disconnect":"#,
    ])
  func others(record: String) async throws {
    let server = ScriptedStream([.records(record)])
    let stream = server.stream()
    let events = stream.events
    _ = try await records(1, of: stream)
    // Text that is not JSON at all is reported.
    let told = record == #"{"disconnect":"# ? ["issues 1"] : []
    #expect(await events.outlines() == ["connecting 1", "connected"] + told + ["ended"])
  }

  @Test("A connection that brings only a message counts as empty, so waits grow") func growing() async throws {
    let server = ScriptedStream([.records(Self.v2("connection_issue", "TooManyConnections"), end: .clean)])
    _ = try await records(4, of: server.stream())
    #expect(server.time.sleeps == [5, 10, 20].map { .seconds($0) })
  }
}
