import CallsignSupport
import Foundation
import HTTPTypes

/// A received request with its body.
package struct LoopbackRequest: Sendable {
  /// The method, with its case unchanged.
  package var method: String
  /// The path as sent, percent-encoded.
  package var path: String
  /// The query as sent, without the question mark; `nil` if there is none.
  package var query: String?
  /// The header fields, in the order of arrival.
  package var fields: HTTPFields
  /// The body, up to the limit ``RequestLimits/body``.
  package var body: Data
  /// The client that waits for the response.
  package var client: LoopbackClient

  /// The value of `Host`.
  package var host: String { HTTPField.Name("Host").flatMap { fields[$0] } ?? "" }
}

/// The client of a connection.
package final class LoopbackClient: Sendable {
  private let isGone = Locked(false)

  /// Whether the client has closed its side of the connection. It may still wait for a response.
  package var hasHungUp: Bool { isGone.withLock { $0 } }

  func hangUp() { isGone.withLock { $0 = true } }
}
