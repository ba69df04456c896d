import CallsignJSON
import Foundation
import HTTPTypes

/// An API's answer as it came: status, headers and body.
public final class RawResponse: Sendable {
  /// The HTTP status.
  public let status: HTTPResponse.Status
  /// The header fields.
  public let headers: HTTPFields
  /// The body; empty where it was read as a stream.
  public let body: Data
  /// How the API that answered states limits and errors.
  package let conventions: any APIConventions

  /// Keeps an answer.
  ///
  /// - Parameters:
  ///   - status: The HTTP status.
  ///   - headers: The header fields. Default: none.
  ///   - body: The body. Default: empty.
  ///   - conventions: How the API states limits and errors. Default: as most APIs do.
  public init(
    status: HTTPResponse.Status, headers: HTTPFields = HTTPFields(), body: Data = Data(),
    conventions: any APIConventions = .standard
  ) {
    self.status = status
    self.headers = headers
    self.body = body
    self.conventions = conventions
  }

  /// The state of the endpoint's rate limit, where the API tells it.
  public var rateLimit: RateLimit? { conventions.rateLimit(in: headers) }
}

extension RawResponse {
  /// The body as a value.
  func decode<Value: JSONDecodable>() throws(CallError) -> Value {
    do throws(JSONError) { return try Value(jsonData: body) } catch { throw CallError(error, answer: self) }
  }

  /// The `errors` of a body that is a JSON object.
  var problemsBesideData: [Problem] { Problem.beside(data: body) }
}
