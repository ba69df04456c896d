import Callsign
import CallsignAuth
import CallsignHTTP
import CallsignJSON
import CallsignSupport
import Foundation
import HTTPTypes
import TestSupport
import Testing

@Suite("Observers of calls") struct CallObserverTests {
  /// Notes what happens, with its name before each note.
  private struct Witness: CallObserver {
    let name: String
    let notes: Locked<[String]>

    func observe<Value: Sendable>(
      _ call: ObservedCall, _ next: () async throws(CallError) -> Value
    ) async throws(CallError) -> Value {
      let place = "\(call.method.rawValue) \(call.scheme)://\(call.host):\(call.port ?? 0)"
      notes.withLock { $0.append("\(name) \(call.endpoint) \(place) \(call.isRepeatable)") }
      do throws(CallError) {
        let value = try await next()
        notes.withLock { $0.append("\(name) ended") }
        return value
      } catch {
        notes.withLock { $0.append("\(name) failed") }
        throw error
      }
    }

    func counted(_ counts: ClientStatistics.Counts, of endpoint: String) {
      notes.withLock {
        $0.append("\(name) counted \(counts.calls) \(counts.failures) \(counts.attempts) \(counts.bytesReceived)")
      }
    }
  }

  private let notes = Locked<[String]>([])

  private func client(
    _ names: [String], _ respond: @escaping InMemoryTransport.Responder
  ) -> Client {
    var configuration = ClientConfiguration(
      transport: InMemoryTransport(respond: respond), hosts: ["https://api.example": "http://127.0.0.1:8080"],
      retryBudget: .unlimited, time: TestTime(.moves))
    configuration.observers = names.map { Witness(name: $0, notes: notes) }
    return Client(auth: [], configuration: configuration)
  }

  @Test("They surround a call with all its attempts, the first outermost, and receive its totals")
  func around() async throws {
    let statuses = Locked([HTTPResponse.Status.serviceUnavailable, .ok])
    let client = client(["a", "b"]) { _ in .json("{}", status: statuses.withLock { $0.removeFirst() }) }
    _ = try await client.call(.get, "https://api.example/pets/17", auth: .none)
    let found = notes.withLock { $0 }
    #expect(found.count == 6)
    #expect(found.first?.hasPrefix("a GET") == true && found.first?.contains("17") == false)
    #expect(found[1].hasPrefix("b GET") && found[1].hasSuffix("GET http://127.0.0.1:8080 true"))
    #expect(found[2...] == ["a counted 1 0 2 4", "b counted 1 0 2 4", "b ended", "a ended"])
  }

  @Test("A failure, and one that appears only when the response is read") func failures() async throws {
    let client = client(["a"]) { request in .json(request.url.path == "/pets" ? "{}" : "<html>") }
    _ = try? await client.send(Call(.get, "https://api.example/pets", auth: .none)) as Response<[String]>
    #expect(notes.withLock { $0 }.suffix(3) == ["a counted 1 0 1 2", "a ended", "a counted 0 1 0 0"])
    let refusing = self.client(["b"]) { _ in .json("{}", status: .notFound) }
    _ = try? await refusing.call(.get, "https://api.example/pets", auth: .none)
    #expect(notes.withLock { $0 }.suffix(2) == ["b counted 1 1 1 2", "b failed"])
  }

  @Test("Bytes that are read after the call has ended are reported as they are read") func streamed() async throws {
    let client = client(["a"]) { _ in .json(String(repeating: "x", count: 10_000)) }
    let body = try await client.open(.get, "https://api.example/pets", auth: .none).value
    #expect(notes.withLock { $0 }.suffix(2) == ["a counted 1 0 1 0", "a ended"])
    for try await _ in body {}
    #expect(client.statistics.total.bytesReceived == 10_000)
    #expect(notes.withLock { $0 }.last?.hasPrefix("a counted 0 0 0 ") == true)
  }

  @Test("An observer's default methods change nothing") func defaults() async throws {
    struct Nothing: CallObserver {}
    var configuration = ClientConfiguration(transport: InMemoryTransport { _ in .json("[1]") })
    configuration.observers = [Nothing(), Nothing()]
    let client = Client(auth: [], configuration: configuration)
    #expect(try await client.call(.get, "https://api.example/pets", auth: .none).value == [1])
  }
}
