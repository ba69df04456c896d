import Callsign
import CallsignAuth
import CallsignHTTP
import CallsignJSON
import CallsignTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing
import XCore

/// Which failures a stream survives, and how long it waits after each.
@Suite struct ReconnectTests {
  private let unreachable = StreamScript.failure(StreamScript.unreachable)

  private func waits(_ scripts: [StreamScript]) async throws -> [Duration] {
    let server = ScriptedStream(scripts + [.records("1")])
    #expect(try await records(1, of: server.stream()) == ["1"])
    #expect(server.transport.requests.count == scripts.count + 1)
    return server.time.sleeps
  }

  @Test("Network errors wait from 250 ms, 250 ms more each time, up to 16 s") func network() async throws {
    let waits = try await waits(Array(repeating: unreachable, count: 66))
    #expect(waits == (1...66).map { .milliseconds(min(250 * $0, 16_000)) })
  }

  @Test("HTTP errors wait from 5 s, doubled each time, up to 320 s", arguments: [500, 502, 503, 504, 408, 425])
  func http(status: Int) async throws {
    let waits = try await waits(Array(repeating: .refusal(status), count: 9))
    #expect(waits == [5, 10, 20, 40, 80, 160, 320, 320, 320].map { .seconds($0) })
  }

  @Test("429 and 420 wait from 60 s, doubled each time", arguments: [429, 420]) func rateLimit(status: Int) async throws
  {
    let waits = try await waits(Array(repeating: .refusal(status), count: 6))
    #expect(waits == [60, 120, 240, 480, 960, 960].map { .seconds($0) })
  }

  @Test("After 429 the stream waits until the reset if it is later, but no longer than the policy allows")
  func reset() async throws {
    for (reset, wait) in [(30, 60), (600, 600), (90_000, 3600), (-5, 60)] {
      let name = try #require(HTTPField.Name("x-rate-limit-reset"))
      let waits = try await waits([.refusal(429, headers: [name: "\(1_800_000_000 + reset)"])])
      #expect(waits == [.seconds(wait)])
    }
  }

  @Test("The reset is compared with the server's clock, if the server sends the time", arguments: [-7200, 7200])
  func resetByServersClock(ahead: Int) async throws {
    let name = try #require(HTTPField.Name("x-rate-limit-reset"))
    let date = httpDate(Date(timeIntervalSince1970: TimeInterval(1_800_000_000 + ahead)))
    let refusal = StreamScript.refusal(429, headers: [name: "\(1_800_000_000 + ahead + 600)", .date: date])
    #expect(try await waits([refusal]) == [.seconds(600)])
  }

  @Test("Responses that are not HTTP are tolerated up to a limit, and one that is too large ends it")
  func hopelessResponses() async throws {
    let broken = StreamScript.failure(TransportError(.protocolViolation, delivery: .delivered))
    #expect(try await waits(Array(repeating: broken, count: 9)).count == 9)
    for (script, count) in [
      (broken, 10), (StreamScript.failure(TransportError(.bodyTooLarge, delivery: .delivered)), 1),
    ] {
      let server = ScriptedStream(Array(repeating: script, count: 50) + [.records("1")])
      await #expect(throws: CallError.self) { try await records(1, of: server.stream()) }
      #expect(server.transport.requests.count == count)
    }
  }

  @Test("Retry-After counts as well, and a limit that is not used up does not") func retryAfter() async throws {
    let names = try ["x-rate-limit-reset", "x-rate-limit-remaining"].map { try #require(HTTPField.Name($0)) }
    let reset = "1800000900"
    #expect(try await waits([.refusal(503, headers: [.retryAfter: "77"])]) == [.seconds(77)])
    #expect(try await waits([.refusal(429, headers: [.retryAfter: "77"])]) == [.seconds(77)])
    #expect(try await waits([.refusal(429, headers: [names[0]: reset, names[1]: "12"])]) == [.seconds(60)])
    #expect(try await waits([.refusal(429, headers: [names[0]: reset, names[1]: "0"])]) == [.seconds(900)])
  }

  @Test("An event stream says how long to wait; the policy limits that time")
  func eventStreamRetry() async throws {
    for (retry, wait) in [(1500, Duration.milliseconds(1500)), (2_147_483_647, .seconds(3600))] {
      let server = ScriptedStream([
        .pieces(["retry: \(retry)\ndata: 1\n\n"], .failure(StreamScript.lost)), .pieces(["data: 2\n\n"], .silence),
      ])
      #expect(try await records(2, of: server.stream(stream: .events)).count == 2)
      #expect(server.time.sleeps == [wait])
    }
  }

  @Test(
    "Errors that repeating does not fix are thrown",
    arguments: [400, 401, 403, 404, 406, 409, 410, 413, 416, 422])
  func refused(status: Int) async {
    let server = ScriptedStream([.refusal(status)])
    do throws(CallError) {
      _ = try await records(1, of: server.stream())
      Issue.record("no error")
    } catch {
      #expect(error.rawResponse?.status.code == status)
    }
    #expect(server.transport.requests.count == 1)
    #expect(server.time.sleeps.isEmpty)
  }

  @Test("A response that cannot be read as a stream is thrown") func violation() async {
    let server = ScriptedStream([.pieces(["x\r\n"], .silence)])
    await #expect(throws: CallError.self) { try await records(1, of: server.stream(stream: .length)) }
    #expect(server.transport.requests.count == 1)
  }

  @Test("A redirect, a bad certificate at the start, and a call that cannot be sent are thrown")
  func permanent() async {
    for script in [
      StreamScript.refusal(302, headers: [.location: "https://other.example/"]),
      .failure(TransportError(.tls, delivery: .notSent)),
    ] {
      let server = ScriptedStream([script])
      await #expect(throws: CallError.self) { try await records(1, of: server.stream()) }
      #expect(server.transport.requests.count == 1)
    }
    let server = ScriptedStream([.records("1")])
    let stream = server.stream { $0.options.headers["Bad name"] = "x" }
    await #expect(throws: CallError.self) { try await records(1, of: stream) }
    #expect(server.transport.requests.isEmpty)
  }

  @Test("A certificate that fails after a good connection may pass") func laterCertificate() async throws {
    let server = ScriptedStream([
      .records("1", end: .failure(StreamScript.lost)), .failure(TransportError(.tls, delivery: .notSent)),
      .records("2"),
    ])
    #expect(try await records(2, of: server.stream()) == ["1", "2"])
  }

  @Test("A connection that the server ends is made again at once, but not in a hot loop") func cleanEnds() async throws
  {
    let server = ScriptedStream([.records("1", end: .clean)])
    #expect(try await records(5, of: server.stream()) == ["1", "1", "1", "1", "1"])
    #expect(server.time.sleeps == [250, 500, 750].map { .milliseconds($0) })
  }

  @Test("A connection that has lived is made again at once, as often as it ends") func lateEnds() async throws {
    let server = ScriptedStream([.records("1", end: .clean)])
    var iterator = server.stream().makeAsyncIterator()
    for _ in 0..<5 {
      _ = try await iterator.next()
      server.time.advance(by: 11)
    }
    #expect(server.time.sleeps.isEmpty)
    #expect(server.transport.requests.count == 5)
  }

  @Test("A server that accepts and ends without a word is not called in a hot loop") func emptyResponses() async throws
  {
    let waits = try await waits(Array(repeating: .records(end: .clean), count: 70))
    #expect(waits == (1..<70).map { .milliseconds(min(250 * $0, 16_000)) })
  }

  @Test("After a record, waits start again; each kind of failure has its own") func mixed() async throws {
    let server = ScriptedStream([
      .failure(StreamScript.unreachable), .failure(StreamScript.unreachable), .refusal(503), .refusal(429),
      .failure(StreamScript.unreachable), .refusal(503), .records("1", end: .failure(StreamScript.lost)),
      .failure(StreamScript.unreachable), .refusal(503), .refusal(429), .records("2"),
    ])
    #expect(try await records(2, of: server.stream()) == ["1", "2"])
    #expect(
      server.time.sleeps == [
        .milliseconds(250), .milliseconds(500), .seconds(5), .seconds(60), .milliseconds(750), .seconds(10),
        .milliseconds(250), .milliseconds(500), .seconds(5), .seconds(60),
      ])
  }

  @Test("A keep-alive shows that all is well") func keepAlive() async throws {
    let server = ScriptedStream([
      .refusal(503), .refusal(503), .pieces(["\r\n"], .failure(StreamScript.lost)), .refusal(503), .records("1"),
    ])
    #expect(try await records(1, of: server.stream()) == ["1"])
    #expect(server.time.sleeps == [.seconds(5), .seconds(10), .milliseconds(250), .seconds(5)])
  }

  @Test("A record that was cut off with its connection is not handed out") func cutRecord() async throws {
    let server = ScriptedStream([
      .pieces(["1\r\n", "{\"a\":"], .failure(StreamScript.lost)), .records("2"),
    ])
    #expect(try await records(2, of: server.stream()) == ["1", "2"])
  }

  @Test("Without reconnecting, the stream ends as its connection does") func never() async throws {
    let ended = ScriptedStream([.records("1", "2", end: .clean)])
    #expect(try await records(9, of: ended.stream().reconnecting(.never)) == ["1", "2"])
    #expect(ended.transport.requests.count == 1)
    for script in [StreamScript.records("1", end: .failure(StreamScript.lost)), .refusal(503), .refusal(429)] {
      let server = ScriptedStream([script])
      await #expect(throws: CallError.self) { try await records(9, of: server.stream().reconnecting(.never)) }
      #expect(server.transport.requests.count == 1)
    }
    let stalled = ScriptedStream([.records("1", end: .failure(StreamScript.silent))])
    do throws(CallError) {
      _ = try await records(9, of: stalled.stream().reconnecting(.never))
      Issue.record("no error")
    } catch {
      guard case .transport(let cause) = error else {
        Issue.record("\(error)")
        return
      }
      #expect(cause.kind == .timedOut)
    }
  }

  @Test("Delays of one's own, and a bound on attempts") func custom() async throws {
    var policy = ReconnectPolicy(
      afterNetworkError: .init { $0 == 4 ? nil : .milliseconds($0) }, afterHTTPError: .init { _ in .seconds(-1) })
    let server = ScriptedStream([.refusal(500), unreachable])
    await #expect(throws: CallError.self) { try await records(1, of: server.stream().reconnecting(policy)) }
    #expect(server.time.sleeps == [1, 2, 3].map { .milliseconds($0) })
    #expect(server.transport.requests.count == 5)

    policy = .default
    policy.attemptLimit = 3
    let bounded = ScriptedStream([.records("1", end: .failure(StreamScript.lost)), unreachable])
    var iterator = bounded.stream().reconnecting(policy).makeAsyncIterator()
    #expect(try await records(1, of: &iterator) == ["1"])
    do throws(CallError) {
      _ = try await iterator.next()
      Issue.record("no error")
    } catch {
      guard case .transport(let cause) = error else {
        Issue.record("\(error)")
        return
      }
      #expect(cause == StreamScript.unreachable)
    }
    #expect(bounded.transport.requests.count == 4)
    #expect(try await iterator.next() == nil)
  }

  @Test("Delays for any number of failures") func delays() {
    for failure in [Int.min, -1, 0, 1, 2, 63, 64, 65, 1_000_000, Int.max] {
      let linear = ReconnectPolicy.Delays.linear(from: .milliseconds(250), step: .milliseconds(250), to: .seconds(16))
      let doubling = ReconnectPolicy.Delays.doubling(from: .seconds(5), to: .seconds(320))
      #expect(linear(after: failure).map { $0 >= .milliseconds(250) && $0 <= .seconds(16) } == true)
      #expect(doubling(after: failure).map { $0 >= .seconds(5) && $0 <= .seconds(320) } == true)
      #expect(ReconnectPolicy.Delays.never(after: failure) == nil)
    }
  }

  @Test("Each connection is signed again") func signatures() async throws {
    let server = ScriptedStream([.failure(StreamScript.unreachable), .refusal(503), .records("1")])
    let auth = OAuth1(consumerKey: "k", consumerSecret: Secret("s"), token: "t", tokenSecret: Secret("u"))
    #expect(try await records(1, of: server.stream(auth: [auth])) == ["1"])
    #expect(Set(server.transport.requests.compactMap(\.authorization)).count == 3)
  }

  @Test("A silent connection counts as stalled and is replaced") func stall() async throws {
    let server = ScriptedStream([.records("1", end: .failure(StreamScript.silent)), .records("2")])
    let stream = server.stream().stallTimeout(.seconds(45))
    let events = stream.events
    #expect(try await records(2, of: stream) == ["1", "2"])
    #expect(
      await events.outlines() == [
        "connecting 1", "connected", "stalled 45.0 seconds", "dropped: stalled", "waiting 0.25 seconds",
        "connecting 1", "gap 0", "connected", "ended",
      ])
  }

  @Test("How long a stream may be silent, whatever the client's timeouts are") func stallTimeouts() async throws {
    func timeouts(_ change: (EventStream<JSONValue>) -> EventStream<JSONValue>, own: Timeouts? = nil) async throws
      -> Timeouts
    {
      let server = ScriptedStream([.records("1")])
      _ = try await records(1, of: change(server.stream { $0.options.timeouts = own }))
      return try #require(server.transport.requests.first).timeouts
    }
    #expect(try await timeouts { $0 } == Timeouts(connect: .seconds(7), idle: .seconds(60), total: nil))
    #expect(try await timeouts { $0.stallTimeout(.seconds(30)) }.idle == .seconds(30))
    #expect(try await timeouts { $0.stallTimeout(nil) }.idle == nil)
    let own = Timeouts(connect: .seconds(1), idle: .seconds(2), total: .seconds(4))
    #expect(try await timeouts({ $0 }, own: own) == own)
    #expect(try await timeouts({ $0.stallTimeout(.seconds(3)) }, own: own).idle == .seconds(3))
  }
}
