import CallsignCatalogue
import CallsignJSON
import Foundation
import HTTPTypes

/// The mock as a part of another server that has its own credentials, limits and state.
extension MockServer {
  /// A request, with its arguments converted to the types of its operation.
  package struct Reading: Sendable {
    /// An invalid or missing argument.
    package struct Problem: Sendable {
      /// The name on the wire, with the path inside it; empty for the body itself.
      package let parameter: String
      /// `path`, `query`, `header`, `body`.
      package let place: String
      /// The reason, as the end of a sentence.
      package let detail: String
      /// The allowed values.
      package let allowed: String
    }

    /// The operation.
    package let endpoint: Endpoint
    /// The values, by their names on the wire.
    package let arguments: [String: JSONValue]
    /// The problems with the arguments.
    package let problems: [Problem]
    /// The accepted media types, set if the operation does not accept the body's media type.
    package let acceptedMediaTypes: [String]?
    fileprivate let read: ReadArguments

    /// The whole body: JSON unchanged, a form or multipart body as an object; `nil` for other bytes.
    package var body: JSONValue? { read.body }
  }

  /// Reads a request's arguments, without responding and without checking credentials.
  ///
  /// - Returns: `nil` if no operation has the path and the method.
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

  /// Responds according to the types to a request that was already read. The request is not recorded, and no fault applies to it.
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
