import Callsign
import CallsignAuth
import CallsignHTTP
import Foundation
import Testing

@Suite struct InMemoryTransportTests {
  @Test("It responds and keeps the requests") func respondsAndRecords() async throws {
    let transport = InMemoryTransport { request in
      request.head.method == .post
        ? .json(#"{"ok":true}"#, status: .created, headerFields: [.location: "/1"])
        : TransportResponse(status: .notFound)
    }
    let created = try await transport.send(
      TransportRequest(.post, "https://a.example/x?y=z", body: .data(Data("b".utf8))))
    #expect(created.head.status == .created)
    #expect(created.head.headerFields[.contentType] == "application/json")
    #expect(created.head.headerFields[.location] == "/1")
    #expect(try await created.body.collect() == Data(#"{"ok":true}"#.utf8))
    let missing = try await transport.send(TransportRequest(.get, "https://a.example/"))
    #expect(missing.head.status == .notFound)
    #expect(try await missing.body.collect().isEmpty)
    #expect(transport.requests.map(\.head.path) == ["/x?y=z", "/"])
    #expect(try await transport.requests.first?.body.collect() == Data("b".utf8))
  }

  @Test("It fails if the closure throws") func fails() async throws {
    let failure = TransportError(.connectionLost, delivery: .unknown)
    let transport = InMemoryTransport { _ throws(TransportError) in throw failure }
    #expect(
      try await transportError { try await transport.send(TransportRequest(.get, "https://a.example/")) } == failure)
  }

  @Test("A cancelled task gets no response") func aCancelledTask() async throws {
    let transport = InMemoryTransport { _ in TransportResponse() }
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await transportError { try await transport.send(TransportRequest(.get, "https://a.example/")) }
    }
    #expect(try await task.value == TransportError(.cancelled, delivery: .notSent))
  }
}
