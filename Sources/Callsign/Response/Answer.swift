import Foundation
import HTTPTypes

/// An API's answer as it came: status, headers and body.
public final class Answer: Sendable {
  /// The HTTP status.
  public let status: HTTPResponse.Status
  /// The header fields.
  public let headers: HTTPFields
  /// The body; empty where it was read as a stream.
  public let body: Data

  /// Keeps an answer.
  public init(status: HTTPResponse.Status, headers: HTTPFields = HTTPFields(), body: Data = Data()) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  /// The state of the endpoint's rate limit, where the API tells it.
  public var rateLimit: RateLimit? { RateLimit(headers) }
}
