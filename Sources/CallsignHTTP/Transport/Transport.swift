import Foundation
import HTTPTypes

/// What carries a request to a server and its answer back.
///
/// A transport sends one request as it is: it neither follows redirects, retries, nor adds credentials; the ``Client``
/// does. It must be safe to call from any number of tasks at once, and must end the transfer when the task that awaits
/// it is cancelled, or when the answer's body is dropped unread.
public protocol Transport: Sendable {
  /// Sends a request and returns as soon as the answer's head has arrived; the body follows through
  /// ``TransportResponse/body``.
  ///
  /// - Throws: ``TransportError``, which says whether the request may have reached the server.
  func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse
}

/// A request as a transport sends it: signed, complete, addressed absolutely.
public struct TransportRequest: Sendable {
  /// Method, scheme, authority, path with query, and header fields.
  public var head: HTTPRequest
  /// Default: none.
  public var body: RequestBody
  /// Default: those of ``Timeouts``.
  public var timeouts: Timeouts

  /// - Parameters:
  ///   - head: Must name scheme, authority and path.
  ///   - body: Default: none.
  ///   - timeouts: Default: those of ``Timeouts``.
  public init(head: HTTPRequest, body: RequestBody = .none, timeouts: Timeouts = Timeouts()) {
    self.head = head
    self.body = body
    self.timeouts = timeouts
  }
}

/// How long a transfer may take.
public struct Timeouts: Sendable, Hashable {
  /// For name resolution, connection and TLS handshake together. Default: 15 seconds.
  public var connect: Duration
  /// Without a byte in either direction. `nil`: no bound. Default: 60 seconds.
  public var idle: Duration?
  /// From start to the last byte of the answer. `nil`: no bound, which is the default.
  public var total: Duration?

  /// - Parameters:
  ///   - connect: Default: 15 seconds.
  ///   - idle: Default: 60 seconds.
  ///   - total: Default: no bound.
  public init(connect: Duration = .seconds(15), idle: Duration? = .seconds(60), total: Duration? = nil) {
    self.connect = connect
    self.idle = idle
    self.total = total
  }
}

/// An answer whose head has arrived.
public struct TransportResponse: Sendable {
  /// Status and header fields, as the server sent them.
  public var head: HTTPResponse
  /// What follows; can be read once.
  public var body: ResponseBody
  /// The protocol spoken, such as `HTTP/1.1` or `HTTP/2`, where the transport knows.
  public var protocolVersion: String?

  /// - Parameters:
  ///   - head: Status and header fields.
  ///   - body: What follows.
  ///   - protocolVersion: Where the transport knows it.
  public init(head: HTTPResponse, body: ResponseBody, protocolVersion: String? = nil) {
    self.head = head
    self.body = body
    self.protocolVersion = protocolVersion
  }
}
