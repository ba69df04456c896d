import CallsignHTTP
import Logging

/// Stands around each attempt of a call, after its credentials were put on and before the transport: to measure, trace,
/// cache or record.
///
/// ```swift
/// struct Stopwatch: Middleware {
///   func send(
///     _ request: TransportRequest, context: AttemptContext, next: Next
///   ) async throws(TransportError) -> TransportResponse {
///     let start = ContinuousClock.now
///     let response = try await next(request)
///     print(context.endpoint, response.head.status.code, ContinuousClock.now - start)
///     return response
///   }
/// }
/// ```
///
/// It may change the request, but not the signed parts. It may respond without calling `next`, or call it and change the response.
/// It sees credentials, and must neither keep nor show them.
public protocol Middleware: Sendable {
  /// Sends the rest of the way: through the middleware that follows, to the transport.
  typealias Next = @Sendable (TransportRequest) async throws(TransportError) -> TransportResponse

  /// Handles one attempt.
  ///
  /// - Parameters:
  ///   - request: The request, signed and complete.
  ///   - context: The call that it belongs to.
  ///   - next: Sends it on.
  /// - Returns: The response, whose body has not been read yet.
  /// - Throws: ``TransportError``, which the client's retry policy treats as if it came from the transport.
  func send(
    _ request: TransportRequest, context: AttemptContext, next: Next
  ) async throws(TransportError) -> TransportResponse
}

/// The call that an attempt belongs to.
public struct AttemptContext: Sendable {
  /// The endpoint's name in the catalogue, or the method and path of an untyped call.
  public let endpoint: String
  /// The URL that is meant, with its query, before ``ClientConfiguration/hosts`` leads it elsewhere. After a redirect the
  /// one that it led to.
  public let url: String
  /// 1 for the first attempt of a call.
  public let attempt: Int
  /// Whether the call may be sent again when its response is lost.
  public let isRepeatable: Bool
  /// The identity of the credentials that go along; `nil` for a call without any.
  public let credential: CredentialIdentity?
  /// The client's logger.
  public let logger: Logger
  let request: any OriginalRequest

  /// The credentials that were sent, which a response may repeat.
  package var secrets: RedactedTexts { request.secrets }
}

extension Transport {
  /// Sends through middleware, the first outermost.
  func send(
    _ request: TransportRequest, through middleware: ArraySlice<any Middleware>, context: AttemptContext
  ) async throws(TransportError) -> TransportResponse {
    guard let first = middleware.first else { return try await send(request) }
    return try await first.send(request, context: context) { request throws(TransportError) in
      try await send(request, through: middleware.dropFirst(), context: context)
    }
  }
}
