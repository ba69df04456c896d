import Callsign
import CallsignAuth
import CallsignHTTP
import CallsignJSON
import CallsignSupport
import CallsignTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing

@Suite("A client's statistics") struct StatisticsTests {
  private let time = TestTime(.moves)

  private func client(_ respond: @escaping InMemoryTransport.Responder) -> Client {
    Client(
      auth: [],
      configuration: ClientConfiguration(
        transport: InMemoryTransport(respond: respond),
        retry: RetryPolicy(attempts: 3, baseDelay: .seconds(4), maximumDelay: .seconds(4), jitter: { 1 }),
        retryBudget: .unlimited, rateLimitPolicy: .wait(upTo: .seconds(100)), time: time))
  }

  @Test("Calls, attempts, bytes, failures and waits are counted by endpoint") func counts() async throws {
    let responses = Locked([HTTPResponse.Status.serviceUnavailable, .ok, .notFound])
    let client = client { _ in .json(#"{"a":1}"#, status: responses.withLock { $0.removeFirst() }) }
    _ = try await client.call(.get, "https://api.example/pets/1", auth: .none)
    await #expect(throws: CallError.self) {
      try await client.call(.post, "https://api.example/pets", body: .json(["name": "Rex"]), auth: .none)
    }
    let statistics = client.statistics
    #expect(statistics.endpoints.count == 2)
    let reading = try #require(statistics.endpoints.first { $0.key.hasPrefix("GET") }?.value)
    #expect(reading.calls == 1 && reading.failures == 0 && reading.attempts == 2)
    #expect(reading.bytesSent == 0 && reading.bytesReceived == 14)
    #expect(reading.retryWait == .seconds(4) && reading.rateLimitWait == .zero)
    let writing = try #require(statistics.endpoints.first { $0.key.hasPrefix("POST") }?.value)
    #expect(writing.calls == 1 && writing.failures == 1 && writing.attempts == 1)
    #expect(writing.bytesSent == #"{"name":"Rex"}"#.utf8.count && writing.bytesReceived == 7)
    #expect(statistics.total.calls == 2 && statistics.total.attempts == 3)
  }

  @Test("A response that cannot be read makes the call a failure") func unreadable() async throws {
    let client = client { _ in .json("<html>", status: .ok) }
    await #expect(throws: CallError.self) { try await client.call(.get, "https://api.example/pets", auth: .none) }
    #expect(client.statistics.total.calls == 1 && client.statistics.total.failures == 1)
  }

  @Test("A client counts the time for which a limit delayed calls, including those of derived clients")
  func limits() async throws {
    let count = Locked(0)
    let client = client { _ in
      let number = count.withLock { count in
        count += 1
        return count
      }
      return number == 1
        ? .json("{}", status: .tooManyRequests, headerFields: [.retryAfter: "60"]) : .json("{}")
    }
    _ = try await client.with(auth: []).call(.get, "https://api.example/pets", auth: .none)
    let total = client.statistics.total
    #expect(total.calls == 1 && total.attempts == 2)
    #expect(total.rateLimitWait >= .seconds(59))
  }

  @Test("The bytes of a response that is read as it comes are counted as they are read") func streamed() async throws {
    let client = client { _ in .json(String(repeating: "x", count: 10_000)) }
    let body = try await client.open(.get, "https://api.example/pets", auth: .none).value
    #expect(client.statistics.total.calls == 1)
    #expect(client.statistics.total.bytesReceived == 0)
    var bytes = 0
    for try await piece in body { bytes += piece.count }
    #expect(bytes == 10_000)
    #expect(client.statistics.total.bytesReceived == 10_000)
  }

  @Test("Endpoints beyond a thousand are counted together") func many() async throws {
    let client = client { _ in .json("{}") }
    for number in 0..<1_100 {
      let word = String(number).map { String(UnicodeScalar(97 + (UInt8($0.wholeNumberValue ?? 0)))) }.joined()
      _ = try await client.call(.get, "https://api.example/\(word)", auth: .none)
    }
    #expect(client.statistics.endpoints.count <= 1_001)
    #expect(client.statistics.total.calls == 1_100)
  }
}
