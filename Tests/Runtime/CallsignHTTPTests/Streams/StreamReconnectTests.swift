import Callsign
import CallsignAuth
import CallsignHTTP
import Foundation
import TestSupport
import Testing

/// Which failures a stream survives, and how long it waits after each, over sockets. The waits are counted, not waited.
@Suite struct StreamReconnectTests {
  private func waits(_ kind: TransportKind, _ responses: [StreamResponse]) async throws -> [Duration] {
    let server = try StreamServer(responses + [.records("1")])
    #expect(try await records(1, of: server.stream(kind)) == ["1"])
    #expect(server.requests.count == responses.count + 1)
    return server.time.sleeps
  }

  @Test("After a lost connection: 250 ms, 250 more each time, up to 16 s", arguments: TransportKind.allCases)
  func network(kind: TransportKind) async throws {
    let waits = try await waits(kind, Array(repeating: .reset, count: 66))
    #expect(waits == (1...66).map { .milliseconds(min(250 * $0, 16_000)) })
  }

  @Test("If no server listens, the stream waits and comes back", arguments: TransportKind.allCases)
  func unreachable(kind: TransportKind) async throws {
    let port = try ScriptedServer.refusingPort()
    let time = TestTime(.moves, at: Date(timeIntervalSince1970: 1_800_000_000))
    var configuration = ClientConfiguration(transport: kind.make(), time: time)
    configuration.hosts = .all(to: "http://127.0.0.1:\(port)")
    var policy = ReconnectPolicy.default
    policy.attemptLimit = 4
    let endpoint = Endpoint(
      "watch", "GET", "https://api.example", "/stream", auth: "none", repeatable: true, stream: .lines)
    let stream: EventStream<JSONValue> = Client(auth: [], configuration: configuration).stream(Call(endpoint))
    let error = await #expect(throws: CallError.self) { try await records(1, of: stream.reconnecting(policy)) }
    guard case .transport(let cause)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(cause.kind == .cannotConnect)
    #expect(time.sleeps == [250, 500, 750].map { .milliseconds($0) })
  }

  @Test("After an HTTP error: 5 s, doubled each time, up to 320 s", arguments: TransportKind.allCases, [500, 503])
  func http(kind: TransportKind, status: Int) async throws {
    let waits = try await waits(kind, Array(repeating: .refusal(status), count: 8))
    #expect(waits == [5, 10, 20, 40, 80, 160, 320, 320].map { .seconds($0) })
  }

  @Test("After 429: 60 s, doubled each time", arguments: TransportKind.allCases)
  func rateLimit(kind: TransportKind) async throws {
    let waits = try await waits(kind, Array(repeating: .refusal(429), count: 4))
    #expect(waits == [60, 120, 240, 480].map { .seconds($0) })
  }

  @Test("After 429 with a reset that is later: until then", arguments: TransportKind.allCases)
  func reset(kind: TransportKind) async throws {
    let fields = ["x-rate-limit-limit: 50", "x-rate-limit-remaining: 0", "x-rate-limit-reset: 1800000600"]
    #expect(try await waits(kind, [.refusal(429, fields)]) == [.seconds(600)])
  }

  @Test(
    "Errors that repeating does not fix are thrown at once",
    arguments: TransportKind.allCases, [400, 401, 403, 404, 406, 413])
  func refused(kind: TransportKind, status: Int) async throws {
    let server = try StreamServer([.refusal(status), .records("1")])
    let error = await #expect(throws: CallError.self) { try await records(1, of: server.stream(kind)) }
    #expect(error?.rawResponse?.status.code == status)
    #expect(server.requests.count == 1)
    #expect(server.time.sleeps.isEmpty)
  }

  @Test("Each kind of failure has its own waits, which start again after a record", arguments: TransportKind.allCases)
  func mixed(kind: TransportKind) async throws {
    let server = try StreamServer([
      .reset, .refusal(503), .refusal(429), .reset, .refusal(503), .records("1", end: .cut), .reset, .refusal(503),
      .records("2", end: .clean), .records("3", end: .clean), .records("4"),
    ])
    #expect(try await records(4, of: server.stream(kind)) == ["1", "2", "3", "4"])
    #expect(
      server.time.sleeps == [
        .milliseconds(250), .seconds(5), .seconds(60), .milliseconds(500), .seconds(10), .milliseconds(250),
        .milliseconds(500), .seconds(5), .milliseconds(250),
      ])
  }

  @Test("A record that was cut off with its connection is not handed out", arguments: TransportKind.allCases)
  func cutRecord(kind: TransportKind) async throws {
    let server = try StreamServer([.pieces(["1\r\n", "23"], .cut), .records("2")])
    #expect(try await records(2, of: server.stream(kind)) == ["1", "2"])
  }
}
