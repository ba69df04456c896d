import Callsign
import CallsignAuth
import CallsignHTTP
import CallsignJSON
import CallsignTesting
import Foundation
import HTTPTypes
import TestSupport
import XCore

/// The reaction of a scripted server to one connection of a stream.
enum StreamScript: Sendable {
  /// The connection is refused by a response.
  case refusal(Int, headers: HTTPFields = [:])
  /// It cannot be made.
  case failure(TransportError)
  /// These pieces arrive, and then the body ends so.
  case pieces([String], End)
  /// These pieces arrive, each so many seconds after the one before, and then the body ends so.
  case paced([(seconds: TimeInterval, piece: String)], End)

  enum End: Sendable {
    case clean
    case failure(TransportError)
    /// Nothing arrives any more, and the connection stays.
    case silence
  }

  /// Records, one a line.
  static func records(_ texts: String..., end: End = .silence) -> StreamScript {
    .pieces(texts.map { $0 + "\r\n" }, end)
  }

  static let lost = TransportError(.connectionLost, delivery: .delivered)
  static let unreachable = TransportError(.cannotConnect, delivery: .notSent)
  static let silent = TransportError(.timedOut, delivery: .delivered)
}

/// A server without sockets: each request gets the next script, and the last one again and again.
final class ScriptedStream: Sendable {
  let transport: InMemoryTransport
  let time = TestTime(.moves, at: Date(timeIntervalSince1970: 1_800_000_000))
  private let counts = Counts()

  /// - Parameters:
  ///   - seconds: How long each connection takes to make.
  ///   - ahead: By how many seconds the server's clock is ahead, where it says what time it is.
  init(_ scripts: [StreamScript], connecting seconds: TimeInterval = 0, ahead: TimeInterval? = nil) {
    let (counts, time) = (counts, time)
    @Sendable func head() -> HTTPResponse {
      var head = HTTPResponse(status: .ok)
      if let ahead { head.headerFields[.date] = httpDate(time.now().addingTimeInterval(ahead)) }
      return head
    }
    transport = InMemoryTransport { (_) throws(TransportError) in
      time.advance(by: seconds)
      switch scripts[min(await counts.nextConnection(), scripts.count - 1)] {
      case .refusal(let status, let headers):
        return .json(
          #"{"title":"Refused","type":"about:blank"}"#, status: HTTPResponse.Status(code: status),
          headerFields: headers)
      case .failure(let error): throw error
      case .pieces(let pieces, let end):
        let source = await ScriptedBody(pieces.map { (0, $0) }, end, counts, time)
        return TransportResponse(head: head(), body: ResponseBody(source))
      case .paced(let pieces, let end):
        let source = await ScriptedBody(pieces, end, counts, time)
        return TransportResponse(head: head(), body: ResponseBody(source))
      }
    }
  }

  /// Connections whose bodies are still held by somebody.
  var open: Int { get async { await counts.open } }
  var mostOpen: Int { get async { await counts.mostOpen } }

  func stream(
    backfill: StreamBackfill? = nil, auth: [any Authenticator] = [], stream framing: StreamFraming = .lines,
    _ prepare: (inout Call) -> Void = { _ in }
  ) -> EventStream<JSONValue> {
    var configuration = ClientConfiguration(transport: transport, time: time)
    configuration.timeouts = Timeouts(connect: .seconds(7), idle: .seconds(3), total: .seconds(9))
    let client = Client(auth: auth, configuration: configuration, conventions: .x)
    var call = Call(
      Endpoint(
        "watch", "GET", "https://api.example", "/2/stream", auth: auth.isEmpty ? "none" : "", repeatable: true,
        stream: framing, backfill: backfill))
    prepare(&call)
    return client.stream(call)
  }

  /// The queries of the requests so far.
  var queries: [String] {
    transport.requests.map { request in
      request.head.path.flatMap { path in path.firstIndex(of: "?").map { String(path[path.index(after: $0)...]) } }
        ?? ""
    }
  }

  actor Counts {
    private var connections = 0
    private(set) var open = 0
    private(set) var mostOpen = 0

    func nextConnection() -> Int {
      defer { connections += 1 }
      return connections
    }

    func opened() {
      open += 1
      mostOpen = max(mostOpen, open)
    }

    func closed() { open -= 1 }
  }
}

private final class ScriptedBody: ResponseBodySource {
  private actor Rest {
    typealias Piece = (seconds: TimeInterval, piece: String)
    var pieces: ArraySlice<Piece>
    init(_ pieces: [Piece]) { self.pieces = pieces[...] }
    func next() -> Piece? { pieces.popFirst() }
  }

  private let rest: Rest
  private let end: StreamScript.End
  private let counts: ScriptedStream.Counts
  private let time: TestTime

  init(
    _ pieces: [(seconds: TimeInterval, piece: String)], _ end: StreamScript.End, _ counts: ScriptedStream.Counts,
    _ time: TestTime
  ) async {
    rest = Rest(pieces)
    self.end = end
    self.counts = counts
    self.time = time
    await counts.opened()
  }

  deinit {
    let counts = counts
    Task { await counts.closed() }
  }

  func next() async throws(TransportError) -> Data? {
    if let (seconds, piece) = await rest.next() {
      if seconds > 0 { time.advance(by: seconds) }
      return Data(piece.utf8)
    }
    switch end {
    case .clean: return nil
    case .failure(let error): throw error
    case .silence:
      do { try await Task.sleep(for: .seconds(3600)) } catch {
        throw TransportError(.cancelled, delivery: .delivered)
      }
      throw TransportError(.timedOut, delivery: .delivered)
    }
  }
}

/// Reads so many records, as their JSON; those that cannot be decoded with `!` before them.
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

extension StreamEvent {
  /// One word or a few, for comparing.
  var outline: String {
    switch self {
    case .connecting(let attempt): "connecting \(attempt)"
    case .connected: "connected"
    case .backfill(let minutes, _): "backfill \(minutes)"
    case .backfillRefused: "backfill refused"
    case .gap(let from, let to): "gap \(Int(to.timeIntervalSince(from)))"
    case .keepAlive: "keep-alive"
    case .issues(let issues): "issues \(issues.count)"
    case .duplicate(let id): "duplicate \(id ?? "-")"
    case .disconnectMessage(let message): "message \(message.kind ?? message.code.map(String.init) ?? "-")"
    case .stalled(let after): "stalled \(after)"
    case .dropped(let drop):
      switch drop {
      case .ended: "dropped: ended"
      case .disconnected: "dropped: disconnected"
      case .stalled: "dropped: stalled"
      case .failed: "dropped: failed"
      }
    case .waiting(let duration): "waiting \(duration)"
    case .ended(let error): error == nil ? "ended" : "ended by an error"
    }
  }
}

extension StreamEvents {
  /// All of them, once the reading has ended.
  func outlines() async -> [String] {
    var result: [String] = []
    for await event in self { result.append(event.outline) }
    return result
  }
}
