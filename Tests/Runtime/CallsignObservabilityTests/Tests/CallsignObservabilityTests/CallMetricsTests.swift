import Callsign
import CallsignObservability
import Foundation
import HTTPTypes
import MetricsTestKit
import TestSupport
import Testing

@Suite("Metrics of calls") struct CallMetricsTests {
  private let backend = TestMetrics()

  private func client(_ respond: @escaping InMemoryTransport.Responder) -> Client {
    var configuration = ClientConfiguration(
      transport: InMemoryTransport(respond: respond),
      retry: RetryPolicy(attempts: 3, baseDelay: .milliseconds(10), maximumDelay: .milliseconds(10), jitter: { 1 }))
    configuration.observers = [CallMetrics(factory: backend)]
    return Client(auth: [], configuration: configuration)
  }

  private func dimensions(_ endpoint: String, _ more: (String, String)...) -> [(String, String)] {
    [("endpoint", endpoint)] + more
  }

  @Test("Calls, attempts, bytes and times are counted by endpoint, without ids") func calls() async throws {
    let responses = Responses([.serviceUnavailable, .ok, .notFound])
    let client = client { _ in .json(#"{"a":1}"#, status: responses.next()) }
    _ = try await client.call(.get, "https://api.example/pets/17", auth: .none)
    await #expect(throws: CallError.self) {
      try await client.call(.post, "https://api.example/pets", body: .json(["name": "Rex"]), auth: .none)
    }
    let endpoints = Set(backend.counters.flatMap { $0.dimensions.filter { $0.0 == "endpoint" }.map(\.1) })
    #expect(endpoints.count == 2 && !endpoints.contains { $0.contains("17") })
    let reading = try #require(endpoints.first { $0.hasPrefix("GET") })
    let writing = try #require(endpoints.first { $0.hasPrefix("POST") })
    func total(_ name: String, _ endpoint: String) throws -> Int64 {
      try backend.expectCounter("callsign.\(name)", dimensions(endpoint)).totalValue
    }
    #expect(try total("calls", reading) == 1)
    #expect(try total("attempts", reading) == 2)
    #expect(try total("failures", reading) == 0)
    #expect(try total("bytes.received", reading) == 14)
    #expect(try total("failures", writing) == 1)
    #expect(try total("bytes.sent", writing) == Int64(#"{"name":"Rex"}"#.utf8.count))
    let success = try backend.expectTimer("callsign.duration", dimensions(reading, ("outcome", "success")))
    let wait = try backend.expectTimer("callsign.wait", dimensions(reading, ("reason", "retry")))
    #expect(success.values.count == 1 && wait.values == [10_000_000])
    #expect(try #require(success.values.first) >= 10_000_000)
    #expect(
      try backend.expectTimer("callsign.duration", dimensions(writing, ("outcome", "failure"))).values.count == 1)
  }

  @Test("Calls in progress are counted") func active() async throws {
    let (reached, isReached) = AsyncStream.makeStream(of: Void.self)
    let (goOn, letGoOn) = AsyncStream.makeStream(of: Void.self)
    let client = client { _ in
      isReached.yield()
      for await _ in goOn { break }
      return .json("{}")
    }
    let call = Task { try await client.call(.get, "https://api.example/pets", auth: .none).status }
    for await _ in reached { break }
    let meter = try #require(backend.meters(label: "callsign.active").first)
    #expect(meter.values == [1])
    letGoOn.finish()
    #expect(try await call.value == .ok)
    #expect(meter.values == [1, 0])
  }

  @Test("A cancelled call does not count as a server failure") func cancelled() async throws {
    let (reached, isReached) = AsyncStream.makeStream(of: Void.self)
    let client = client { _ throws(TransportError) in
      isReached.yield()
      do { try await Task.sleep(for: .seconds(600)) } catch { throw TransportError(.cancelled, delivery: .notSent) }
      return .json("{}")
    }
    let call = Task { _ = try? await client.call(.get, "https://api.example/pets", auth: .none) }
    for await _ in reached { break }
    call.cancel()
    await call.value
    let timer = backend.timers(label: "callsign.duration").first { $0.dimensions.contains { $0.1 == "cancelled" } }
    #expect(timer?.values.count == 1)
  }

  @Test("After the first thousand, endpoints are counted together") func many() async throws {
    let client = client { _ in .json("{}") }
    for number in 0..<1_050 {
      let word = String(number).map { String(UnicodeScalar(97 + UInt8($0.wholeNumberValue ?? 0))) }.joined()
      _ = try await client.call(.get, "https://api.example/\(word)", auth: .none)
    }
    #expect(backend.counters(label: "callsign.calls").count <= 1_001)
    #expect(backend.counterTotal(label: "callsign.calls") == 1_050)
  }
}

/// Statuses, one after the other; the last stays.
final class Responses: @unchecked Sendable {
  // Reason for `@unchecked`: every access to `rest` holds the lock.
  private let lock = NSLock()
  private var rest: [HTTPResponse.Status]

  init(_ statuses: [HTTPResponse.Status]) { rest = statuses }

  func next() -> HTTPResponse.Status { lock.withLock { rest.count > 1 ? rest.removeFirst() : rest[0] } }
}
