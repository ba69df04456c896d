import CallsignSupport
import HTTPTypes

/// A transport that responds from a closure, with no socket. For tests.
///
/// ```swift
/// let transport = InMemoryTransport { request in .json(#"{"data": {"id": "1"}}"#) }
/// let client = Client(auth: .standIn, configuration: ClientConfiguration(transport: transport))
/// // …
/// #expect(transport.requests.first?.head.path == "/2/users/me")
/// ```
///
/// Requests are checked as the real transports check them, and recorded before the closure sees them.
public final class InMemoryTransport: Transport {
  /// Responds to one request.
  public typealias Responder = @Sendable (TransportRequest) async throws(TransportError) -> TransportResponse

  private let respond: Responder
  private let recorded = Locked<[TransportRequest]>([])

  /// - Parameter respond: Called for each request, from several tasks at once if the client sends so.
  public init(respond: @escaping Responder) { self.respond = respond }

  /// All requests so far, in the order of their sending.
  public var requests: [TransportRequest] { recorded.withLock { $0 } }

  /// Checks and records the request, and responds to it by the closure.
  public func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
    try request.validate()
    recorded.withLock { $0.append(request) }
    guard !Task.isCancelled else { throw TransportError(.cancelled, delivery: .notSent) }
    return try await respond(request)
  }
}

extension TransportResponse {
  /// A response with a body that is already there.
  ///
  /// - Parameters:
  ///   - status: Default: 200.
  ///   - headerFields: Default: none.
  ///   - body: Default: empty.
  public init(status: HTTPResponse.Status = .ok, headerFields: HTTPFields = [:], body: Data = Data()) {
    self.init(head: HTTPResponse(status: status, headerFields: headerFields), body: ResponseBody(body))
  }

  /// A response with an unchanged JSON text and `Content-Type: application/json`.
  ///
  /// - Parameters:
  ///   - text: The JSON text.
  ///   - status: Default: 200.
  ///   - headerFields: Further header fields.
  public static func json(
    _ text: String, status: HTTPResponse.Status = .ok, headerFields: HTTPFields = [:]
  ) -> TransportResponse {
    var headerFields = headerFields
    headerFields[.contentType] = "application/json"
    return TransportResponse(status: status, headerFields: headerFields, body: Data(text.utf8))
  }
}
