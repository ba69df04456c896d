import CallsignCatalogue
import CallsignJSON
import Foundation
import HTTPTypes

/// The mock as a part of another server, which has credentials, limits and state of its own.
extension MockServer {
  /// A request, read by the types of its operation.
  package struct Reading: Sendable {
    /// An argument that does not fit, or is missing.
    package struct Problem: Sendable {
      /// The name on the wire, with the path inside of it; empty for the body itself.
      package let parameter: String
      /// `path`, `query`, `header`, `body`.
      package let place: String
      /// The reason, as the end of a sentence.
      package let detail: String
      /// The values that it may have.
      package let allowed: String
    }

    /// The operation.
    package let endpoint: Endpoint
    /// The values by their names on the wire.
    package let arguments: [String: JSONValue]
    /// The arguments that do not fit.
    package let problems: [Problem]
    /// Set where the operation does not take the body's media type.
    package let acceptedMediaTypes: [String]?
    fileprivate let read: ReadArguments

    /// The whole body: JSON as it is, a form or multipart body as an object; `nil` for other bytes.
    package var body: JSONValue? { read.body }
  }

  /// Reads a request's arguments, without a response and without looking for credentials.
  ///
  /// - Returns: `nil` where no operation has the path and the method.
  package func read(_ request: IncomingRequest) -> Reading? {
    var record = Self.record(of: request)
    guard let (match, read) = find(request, &record) else { return nil }
    let problems = read.problems.map {
      Reading.Problem(parameter: $0.parameter, place: $0.place, detail: $0.detail, allowed: $0.allowed)
    }
    return Reading(
      endpoint: match.endpoint, arguments: read.values, problems: problems,
      acceptedMediaTypes: read.acceptedMediaTypes, read: read)
  }

  /// The response by the types to a request that was read. It is not recorded, and no fault meets it.
  package func respond(_ request: IncomingRequest, _ reading: Reading) -> OutgoingResponse {
    var record = Self.record(of: request)
    return generated(reading.endpoint, reading.read, request, &record)
  }

  private static func record(of request: IncomingRequest) -> MockRequest {
    MockRequest(
      operation: nil, method: request.method, path: request.path, pathParameters: [:], query: [],
      headers: request.headers, body: Data(), bodyValue: nil, arguments: [:])
  }
}
