import Foundation
import HTTPTypes

/// A call's result, with the answer that it came in. The result's own members are reached directly:
/// `response.data` is `response.value.data`.
///
/// Where a result has a member of the same name as one below, such as `errors`, the result's member is meant. The answer's
/// is reached through the answer, and the result itself by its type: `let page: Page = response.value`.
@dynamicMemberLookup
public struct Response<Value> {
  /// The result.
  @_disfavoredOverload public let value: Value
  /// The answer as it came.
  public let answer: RawResponse

  /// Joins a result and its answer.
  public init(value: Value, answer: RawResponse) {
    self.value = value
    self.answer = answer
  }

  /// A member of the result.
  public subscript<Member>(dynamicMember member: KeyPath<Value, Member>) -> Member { value[keyPath: member] }

  /// The HTTP status.
  @_disfavoredOverload public var status: HTTPResponse.Status { answer.status }
  /// The header fields.
  @_disfavoredOverload public var headers: HTTPFields { answer.headers }
  /// The body as it came.
  @_disfavoredOverload public var body: Data { answer.body }
  /// The state of the endpoint's rate limit, where the API tells it.
  @_disfavoredOverload public var rateLimit: RateLimit? { answer.rateLimit }
  /// What the API could not do although the call succeeded: the `errors` beside `data`. Read from ``body`` on each
  /// use; empty for most answers.
  @_disfavoredOverload public var errors: [ProblemDetails] { answer.problemsBesideData }
}

extension Response: Sendable where Value: Sendable {}
