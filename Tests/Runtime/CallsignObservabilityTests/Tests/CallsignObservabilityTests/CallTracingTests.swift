import Callsign
import CallsignObservability
import Foundation
import HTTPTypes
import InMemoryTracing
import TestSupport
import Testing
import Tracing

@Suite("Spans of calls") struct CallTracingTests {
  private let tracer = InMemoryTracer()

  private func client(
    propagates: Bool = true, _ respond: @escaping InMemoryTransport.Responder
  ) -> (client: Client, transport: InMemoryTransport) {
    let transport = InMemoryTransport(respond: respond)
    var configuration = ClientConfiguration(
      transport: transport,
      retry: RetryPolicy(attempts: 3, baseDelay: .milliseconds(1), maximumDelay: .milliseconds(1), jitter: { 1 }))
    configuration.trace(by: CallTracing(tracer: tracer, propagates: propagates))
    return (Client(auth: [], configuration: configuration), transport)
  }

  private func text(_ attribute: SpanAttribute?) -> String? { attribute.map { "\($0)" } }

  @Test("A call is a span, its attempts are events, and its arguments are not recorded") func span() async throws {
    let responses = Responses([.serviceUnavailable, .ok])
    let (client, _) = client { _ in .json("{}", status: responses.next()) }
    _ = try await client.call(.get, "https://api.example/pets/17?key=secret", auth: .none)
    #expect(tracer.activeSpans.isEmpty)
    let span = try #require(tracer.finishedSpans.first)
    #expect(tracer.finishedSpans.count == 1)
    #expect(span.kind == .client && span.operationName.hasPrefix("GET") && span.status == nil)
    #expect(span.attributes.get("http.request.method") == .string("GET"))
    #expect(span.attributes.get("url.scheme") == .string("https"))
    #expect(span.attributes.get("server.address") == .string("api.example"))
    #expect(text(span.attributes.get("server.port"))?.contains("443") == true)
    #expect(text(span.attributes.get("http.response.status_code"))?.contains("200") == true)
    #expect(text(span.attributes.get("http.request.resend_count"))?.contains("1") == true)
    #expect(span.events.map(\.name) == ["http.attempt", "http.attempt"])
    #expect(text(span.events.first?.attributes.get("http.response.status_code"))?.contains("503") == true)
    var told = span.operationName
    span.attributes.forEach { name, value in told += " \(name)=\(value)" }
    #expect(!told.contains("secret") && !told.contains("17"))
  }

  @Test("A failure is recorded with its kind") func failure() async throws {
    let (client, _) = client { _ throws(TransportError) in throw TransportError(.tls, delivery: .notSent) }
    await #expect(throws: CallError.self) { try await client.call(.get, "https://api.example/pets", auth: .none) }
    let span = try #require(tracer.finishedSpans.first)
    #expect(span.status?.code == .error && span.errors.count == 1)
    #expect(span.attributes.get("error.type") == .string("tls"))
    #expect(span.events.first?.attributes.get("error.type") == .string("tls"))
    let (refused, _) = self.client { _ in .json("{}", status: .notFound) }
    await #expect(throws: CallError.self) { try await refused.call(.get, "https://api.example/pets", auth: .none) }
    #expect(tracer.finishedSpans.last?.attributes.get("error.type") == .string("404"))
  }

  @Test("The span is a child of the one around it, and the server gets its context") func context() async throws {
    let (client, transport) = client { _ in .json("{}") }
    try await tracer.withSpan("around") { outer in
      _ = try await client.call(.get, "https://api.example/pets", auth: .none)
      let span = try #require(tracer.finishedSpans.first)
      #expect(span.parentSpanID == outer.spanID && span.traceID == outer.traceID)
      let injection = try #require(tracer.performedContextInjections.first)
      #expect(!injection.values.isEmpty)
      let fields = try #require(transport.requests.first?.headerFields)
      for (name, value) in injection.values {
        #expect(HTTPField.Name(name).flatMap { fields[$0] } == value)
      }
      #expect(injection.values.values.contains(span.spanID))
    }
  }

  @Test("With propagation turned off, no context is sent") func silent() async throws {
    let (client, transport) = client(propagates: false) { _ in .json("{}") }
    _ = try await client.call(.get, "https://api.example/pets", auth: .none)
    #expect(tracer.performedContextInjections.isEmpty)
    #expect(transport.requests.first?.headerFields.count == 2)
    #expect(tracer.finishedSpans.count == 1)
  }
}
