import CallsignJSON
import CallsignSupport
import HTTPTypes

/// A call's result, with the response that it came in. The result's own members are reached directly:
/// `response.data` is `response.value.data`.
///
/// Where a result has a member of the same name as one below, such as `errors`, the result's member is meant. The response's
/// is reached through ``rawResponse``, and the result itself by its type: `let page: Page = response.value`.
@dynamicMemberLookup
public struct Response<Value> {
  /// The result.
  @_disfavoredOverload public let value: Value
  /// The response as it came.
  public let rawResponse: RawResponse
  /// The parts of the response that are not what the catalogue says, and were passed over: optional members of another
  /// shape, list elements and map values that could not be read, unions kept as unknown. Empty for almost all responses; with
  /// ``DecodingPolicy/strict`` for all.
  @_disfavoredOverload public let issues: [DecodingIssue]

  /// Joins a result and the response that it came in.
  ///
  /// - Parameters:
  ///   - value: The result.
  ///   - rawResponse: The response as it came.
  ///   - issues: The parts of the response that were passed over. Default: none.
  public init(value: Value, rawResponse: RawResponse, issues: [DecodingIssue] = []) {
    self.value = value
    self.rawResponse = rawResponse
    self.issues = issues
  }

  // Inlinable, for a compiler that then sees which member is meant; that of Swift 6.3 follows the key path all the same.
  /// A member of the result.
  @inlinable public subscript<Member>(dynamicMember member: KeyPath<Value, Member>) -> Member { value[keyPath: member] }

  /// The HTTP status.
  @_disfavoredOverload public var status: HTTPResponse.Status { rawResponse.status }
  /// The header fields.
  @_disfavoredOverload public var headers: HTTPFields { rawResponse.headers }
  /// The body as it came.
  @_disfavoredOverload public var body: Data { rawResponse.body }
  /// The state of the endpoint's rate limit, where the API tells it.
  @_disfavoredOverload public var rateLimit: RateLimit? { rawResponse.rateLimit }
  /// The media type that the response says it has, without its parameters and in lower case, such as `text/csv`.
  @_disfavoredOverload public var mediaType: String? { rawResponse.mediaType }
  /// The entity tag of what got a response (RFC 9110 §8.8.3), for a ``CallCondition``.
  @_disfavoredOverload public var entityTag: String? { rawResponse.entityTag }
  /// The problems that the API reports although the call succeeded: the `errors` beside `data`. Read from ``body`` on
  /// the first use; empty for most responses.
  @_disfavoredOverload public var errors: [ProblemDetails] { rawResponse.problemsBesideData }
}

extension Response: Sendable where Value: Sendable {}

/// The value of a response that has no content worth decoding.
public struct NoContent: Sendable, Hashable {
  /// Nothing.
  public init() {}
}
