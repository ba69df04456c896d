import CallsignHTTP
import HTTPTypes

/// Wraps each whole call, including its retries and waits, and learns its outcome: for tracing and metrics.
/// ``Middleware`` wraps each attempt.
///
/// ```swift
/// struct Stopwatch: CallObserver {
///   func observe<Value: Sendable>(
///     _ call: ObservedCall, _ next: () async throws(CallError) -> Value
///   ) async throws(CallError) -> Value {
///     let start = ContinuousClock.now
///     defer { print(call.endpoint, ContinuousClock.now - start) }
///     return try await next()
///   }
/// }
/// ```
public protocol CallObserver: Sendable {
  /// Makes the call by `next`, exactly once, and returns or throws what that does. Of a call whose response is read as it
  /// comes, such as a download's, it is over when the response's head has arrived; a stream is a call for each connection.
  /// The default does no more.
  func observe<Value: Sendable>(
    _ call: ObservedCall, _ next: () async throws(CallError) -> Value
  ) async throws(CallError) -> Value

  /// Receives what was added to the client's ``ClientStatistics``: once when a call has ended, and again with the bytes of a
  /// response that is read as it arrives, or with a failure that appears only when the response is decoded. The client calls it
  /// during each call, so it should be quick. The default does nothing.
  ///
  /// - Parameters:
  ///   - counts: The addition.
  ///   - endpoint: The endpoint's name, as ``ClientStatistics/endpoints`` has it.
  func counted(_ counts: ClientStatistics.Counts, of endpoint: String)
}

extension CallObserver {
  /// Makes the call.
  public func observe<Value: Sendable>(
    _ call: ObservedCall, _ next: () async throws(CallError) -> Value
  ) async throws(CallError) -> Value { try await next() }

  /// Does nothing.
  public func counted(_ counts: ClientStatistics.Counts, of endpoint: String) {}
}

/// A call that is being made. It shows nothing of arguments or credentials.
public struct ObservedCall: Sendable, Hashable {
  /// The endpoint's name, such as `getUsersMe`; an untyped call's is its method and the shape of its path.
  public let endpoint: String
  /// The HTTP method.
  public let method: HTTPRequest.Method
  /// `https` or `http`.
  public let scheme: String
  /// The name of the server that really receives the request.
  public let host: String
  /// The server's port.
  public let port: Int?
  /// Whether the call may be sent again when its response is lost.
  public let isRepeatable: Bool
}
