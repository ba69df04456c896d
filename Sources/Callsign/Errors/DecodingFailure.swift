import CallsignJSON
import Foundation
import HTTPTypes

/// A successful answer whose JSON is not what the catalogue says.
public struct DecodingFailure: Error, Sendable {
  /// What is wrong and where: the field's path and the offset in ``body``.
  public let error: JSONError
  /// The answer as it came.
  public let answer: RawResponse

  /// The HTTP status.
  public var status: HTTPResponse.Status { answer.status }
  /// The header fields.
  public var headers: HTTPFields { answer.headers }
  /// The body as it came.
  public var body: Data { answer.body }
}
