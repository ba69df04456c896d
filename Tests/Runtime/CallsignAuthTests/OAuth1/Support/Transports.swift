import Callsign
import CallsignAuth
import CallsignHTTP
import CallsignTesting
import Foundation
import HTTPTypes
import Logging
import XCore

/// Changes bodies of responses on their way back.
struct ChangingTransport: Transport {
  var path: String
  var change: @Sendable (String) -> String

  func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
    let response = try await DefaultTransport.shared.send(request)
    guard request.head.path?.hasPrefix(path) == true else { return response }
    let body = String(decoding: try await response.body.collect(), as: UTF8.self)
    return TransportResponse(
      status: response.head.status, headerFields: [:], body: Data(change(body).utf8))
  }
}

/// Fails for one path, as often as it is told to.
final class FailingTransport: Transport {
  let path: String
  let error: TransportError
  // Reason for `nonisolated(unsafe)`: every access holds the lock.
  private let lock = NSLock()
  nonisolated(unsafe) private var failuresLeft: Int

  init(_ path: String, _ error: TransportError, times: Int = 1) {
    self.path = path
    self.error = error
    failuresLeft = times
  }

  func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
    let fails = lock.withLock {
      guard request.head.path?.hasPrefix(path) == true, failuresLeft > 0 else { return false }
      failuresLeft -= 1
      return true
    }
    if fails { throw error }
    return try await DefaultTransport.shared.send(request)
  }
}

/// Keeps all that is logged.
final class LogCollector: LogHandler, @unchecked Sendable {
  // Reason for `@unchecked`: every access to `lines` holds the lock.
  private let lock = NSLock()
  private var lines: [String] = []
  var logLevel = Logger.Level.trace
  var metadata: Logger.Metadata = [:]

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { nil }
    set {}
  }

  func log(event: LogEvent) {
    lock.withLock { lines.append("\(event.level) \(event.message) \(event.metadata ?? [:])") }
  }

  var text: String { lock.withLock { lines.joined(separator: "\n") } }
}

/// Everything that a value can be made to print.
func everythingPrinted(_ value: Any) -> String {
  var dumped = ""
  dump(value, to: &dumped)
  return "\(value) \(String(reflecting: value)) \(dumped) \(Mirror(reflecting: value).children.map { "\($0)" })"
}
