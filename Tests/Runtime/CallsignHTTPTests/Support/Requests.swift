import Callsign
import CallsignAuth
import CallsignHTTP
import Foundation
import HTTPTypes
import TestSupport
import Testing

extension Timeouts {
  /// For tests that are not about time. The other end is often in this process: on a busy machine it may get no processor for
  /// longer than a server may be silent.
  static let patient = Timeouts(connect: .seconds(600), idle: nil)
}

/// A part of a host's name that is longer than any may be (RFC 1035 §2.3.4): no name server is asked about it.
let impossibleLabel = String(repeating: "a", count: 64)

extension TransportRequest {
  /// A request for an absolute URL, for tests. By default it is patient.
  init(
    _ method: HTTPRequest.Method = .get, _ url: String, fields: [String: String] = [:], body: RequestBody = .none,
    timeouts: Timeouts = .patient
  ) throws {
    let parts = url.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
    var headerFields = HTTPFields()
    for (name, value) in fields.sorted(by: { $0.key < $1.key }) {
      headerFields.append(HTTPField(name: try #require(HTTPField.Name(name)), value: value))
    }
    self.init(
      head: HTTPRequest(
        method: method, scheme: String(parts[0].dropLast()), authority: String(parts[2]),
        path: "/" + (parts.count > 3 ? String(parts[3]) : ""), headerFields: headerFields),
      body: body, timeouts: timeouts)
  }
}

/// Returns the error that a closure throws, and records an issue if it throws none.
func transportError<Result>(
  _ body: () async throws -> Result, sourceLocation: Testing.SourceLocation = #_sourceLocation
) async throws -> TransportError {
  do {
    _ = try await body()
  } catch let error as TransportError {
    return error
  }
  Issue.record("nothing was thrown", sourceLocation: sourceLocation)
  throw ServerError.notHTTP
}

/// Bytes that depend on their position, so that a lost or repeated piece shows.
func pattern(_ count: Int) -> [UInt8] {
  (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
}

extension HTTPResponse {
  /// A header field by any name.
  subscript(name: String) -> String? { HTTPField.Name(name).flatMap { headerFields[$0] } }
}
