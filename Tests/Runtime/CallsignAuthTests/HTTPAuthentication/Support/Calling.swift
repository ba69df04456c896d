import Callsign
import CallsignAuth
import CallsignHTTP
import Foundation
import HTTPTypes
import TestSupport
import Testing

/// Keeps what went to the transport.
final class Recorder: Middleware, @unchecked Sendable {
  // Reason for `@unchecked`: every access to `fields` holds the lock.
  private let lock = NSLock()
  private var fields: [String?] = []

  /// The `Authorization` field of each attempt so far.
  var sent: [String?] { lock.withLock { fields } }

  func send(
    _ request: TransportRequest, context: AttemptContext, next: Next
  ) async throws(TransportError) -> TransportResponse {
    lock.withLock { fields.append(request.head.headerFields[.authorization]) }
    return try await next(request)
  }
}

/// A client with credentials, and what it sent.
struct Session {
  let recorder = Recorder()
  let client: Client

  init(_ auth: some Authenticator, _ transport: any Transport = DefaultTransport.shared) {
    client = Client(auth: [auth], configuration: ClientConfiguration(transport: transport, middleware: [recorder]))
  }

  /// The status of a call, and how many requests it took.
  @discardableResult func get(_ url: String) async throws -> (status: Int, requests: Int) {
    let before = recorder.sent.count
    let response = try await client.call(.get, url)
    return (response.status.code, recorder.sent.count - before)
  }

  /// The error of a call that must fail, and how many requests it took.
  func failure(_ url: String) async -> (error: CallError?, requests: Int) {
    let before = recorder.sent.count
    do throws(CallError) {
      _ = try await client.call(.get, url)
      return (nil, recorder.sent.count - before)
    } catch { return (error, recorder.sent.count - before) }
  }
}

extension ServerProcess {
  /// The scope of credentials for this server.
  var scope: AllowedHosts { ["127.0.0.1:\(port)"] }
}
