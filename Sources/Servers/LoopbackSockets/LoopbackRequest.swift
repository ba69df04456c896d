import CallsignSupport
import Foundation
import HTTPTypes

/// A request that has arrived with its body.
package struct LoopbackRequest: Sendable {
  /// The method, in the request's own letters.
  package var method: String
  /// The path as it was sent, percent-encoded.
  package var path: String
  /// The query as it was sent, without the question mark; `nil` if there is none.
  package var query: String?
  /// The header fields in the order of their arrival.
  package var fields: HTTPFields
  /// The body, as far as ``RequestLimits/body`` goes.
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
