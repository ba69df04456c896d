import Callsign
import CallsignAuth
import CallsignHTTP
import CallsignSupport
import Foundation
import TestSupport
import XCore

/// The reaction of a stream's server to one request, once it has read the head.
enum StreamResponse: Sendable {
  /// A response of this status, with these header fields.
  case refusal(Int, [String] = [])
  /// Nothing: the connection is reset.
  case reset
  /// These texts, each in a separate piece, and then the end.
  case pieces([String], End)
  /// Whatever the closure does, after the head of a good response has been sent.
  case custom(@Sendable (Peer) throws -> Void)

  enum End: Sendable {
    /// The response ends in good order.
    case clean
    /// The connection is closed in the middle of the response.
    case cut
    /// Nothing more is sent until the client closes.
    case silence
  }

  /// Records, one a line.
  static func records(_ texts: String..., end: End = .silence) -> StreamResponse {
    .pieces(texts.map { $0 + "\r\n" }, end)
  }
}

/// A stream's server on loopback: each request gets the next response, and the last one again and again.
final class StreamServer: Sendable {
  let server: ScriptedServer
  let time = TestTime(.moves, at: Date(timeIntervalSince1970: 1_800_000_000))
  private let heads: Locked<[String]>

  init(_ responses: [StreamResponse]) throws {
    let heads = Locked<[String]>([])
    self.heads = heads
    server = try ScriptedServer { peer in
      while let head = peer.readHead() {
        let number = heads.withLock { heads in
          heads.append(head)
          return heads.count
        }
        try peer.respond(responses[min(number, responses.count) - 1])
      }
    }
  }

  /// The requests so far, each as its first line.
  var requests: [String] {
    heads.withLock { heads in heads.map { $0.components(separatedBy: "\r\n")[0] } }
  }

  func stream(
    _ kind: TransportKind, framing: StreamFraming = .lines, backfill: StreamBackfill? = nil,
    connect: Duration = Timeouts.patient.connect
  ) -> EventStream<JSONValue> {
    var configuration = ClientConfiguration(transport: kind.make(), time: time)
    configuration.hosts = .all(to: server.url(""))
    let endpoint = Endpoint(
      "watch", "GET", "https://api.example", "/stream", auth: "none", repeatable: true, stream: framing,
      backfill: backfill)
    configuration.timeouts = .patient
    configuration.timeouts.connect = connect
    // Silence counts only in the tests that say so: this server may have to wait longer for the processor.
    return Client(auth: [], configuration: configuration, conventions: .x).stream(Call(endpoint)).stallTimeout(nil)
  }
}

extension Peer {
  fileprivate func respond(_ response: StreamResponse) throws {
    switch response {
    case .refusal(let status, let fields):
      let body = Array(#"{"title":"Refused","type":"about:blank"}"#.utf8)
      // The next request has its own connection: `URLSession` repeats one by itself if a kept connection is reset.
      let ownFields = ["Content-Type: application/problem+json", "Connection: close"]
      try self.respond("\(status) Refused", fields + ownFields, body)
    case .reset: reset()
    case .pieces(let pieces, let end):
      try sendStreamHead()
      for piece in pieces { try sendChunk(Array(piece.utf8)) }
      switch end {
      case .clean: try send("0\r\n\r\n")
      // Not a reset, which could overtake the data sent before it.
      case .cut: self.end()
      case .silence: waitUntilGone()
      }
    case .custom(let script):
      try sendStreamHead()
      try script(self)
    }
  }

  private func sendStreamHead() throws { try send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n") }

  func sendChunk(_ bytes: [UInt8]) throws {
    guard !bytes.isEmpty else { return }
    try send(Array("\(String(bytes.count, radix: 16))\r\n".utf8) + bytes + Array("\r\n".utf8))
  }
}

/// Reads the given number of records, as their JSON.
func records(_ count: Int, of stream: EventStream<JSONValue>) async throws(CallError) -> [String] {
  var iterator = stream.makeAsyncIterator()
  return try await records(count, of: &iterator)
}

func records(
  _ count: Int, of iterator: inout EventStream<JSONValue>.Iterator
) async throws(CallError) -> [String] {
  var result: [String] = []
  while result.count < count, let element = try await iterator.next() {
    switch element {
    case .value(let value): result.append((try? value.jsonString()) ?? "?")
    case .undecodable(let record): result.append("!" + String(decoding: record.bytes, as: UTF8.self))
    }
  }
  return result
}

/// All events of a reading that has ended.
func all(_ events: StreamEvents) async -> [StreamEvent] {
  var result: [StreamEvent] = []
  for await event in events { result.append(event) }
  return result
}
