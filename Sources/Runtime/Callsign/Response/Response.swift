import CallsignJSON
import CallsignSupport
import HTTPTypes

/// A call's result, together with its response. You can access the result's own members directly: `response.data` is
/// `response.value.data`.
///
/// If a result has a member with the same name as one below, such as `errors`, you get the result's member. Use
/// ``rawResponse`` to get the response's, and give the type to get the result itself:
/// `let page: Page = response.value`.
@dynamicMemberLookup
public struct Response<Value> {
  /// The result.
  @_disfavoredOverload public let value: Value
  /// The response as it arrived.
  public let rawResponse: RawResponse
  /// The parts of the response that do not match the catalogue and were skipped: optional members of another shape,
  /// list elements and map values that could not be read, unions kept as unknown. Empty for almost all responses, and
  /// always empty with ``DecodingPolicy/strict``.
  @_disfavoredOverload public let issues: [DecodingIssue]

  /// Joins a result and its response.
  ///
  /// - Parameters:
  ///   - value: The result.
  ///   - rawResponse: The response as it arrived.
  ///   - issues: The skipped parts of the response. Default: none.
  public init(value: Value, rawResponse: RawResponse, issues: [DecodingIssue] = []) {
    self.value = value
    self.rawResponse = rawResponse
    self.issues = issues
  }

  /// A member of the result.
  public subscript<Member>(dynamicMember member: KeyPath<Value, Member>) -> Member { value[keyPath: member] }

  /// The HTTP status.
  @_disfavoredOverload public var status: HTTPResponse.Status { rawResponse.status }
  /// The header fields.
  @_disfavoredOverload public var headers: HTTPFields { rawResponse.headers }
  /// The body as it arrived.
  @_disfavoredOverload public var body: Data { rawResponse.body }
  /// The state of the endpoint's rate limit, if the API states it.
  @_disfavoredOverload public var rateLimit: RateLimit? { rawResponse.rateLimit }
  /// The response's media type, without parameters and in lower case, such as `text/csv`.
  @_disfavoredOverload public var mediaType: String? { rawResponse.mediaType }
  /// The response's entity tag (RFC 9110 §8.8.3), for a ``CallCondition``.
  @_disfavoredOverload public var entityTag: String? { rawResponse.entityTag }
  /// The problems that the API reports although the call succeeded: the `errors` next to `data`. Read from ``body`` on
  /// the first use; empty for most responses.
  @_disfavoredOverload public var errors: [ProblemDetails] { rawResponse.problemsBesideData }
}

extension Response: Sendable where Value: Sendable {}

/// The value of a response that has no content worth decoding.
public struct NoContent: Sendable, Hashable {
  /// Nothing.
  public init() {}
}
