import Foundation
import HTTPTypes

/// A call's result, with the answer that it came in. The result's own members are reached directly:
/// `response.data` is `response.value.data`.
@dynamicMemberLookup
public struct Response<Value> {
  /// The result.
  public let value: Value
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
  public var status: HTTPResponse.Status { answer.status }
  /// The header fields.
  public var headers: HTTPFields { answer.headers }
  /// The body as it came.
  public var body: Data { answer.body }
  /// The state of the endpoint's rate limit, where the API tells it.
  public var rateLimit: RateLimit? { answer.rateLimit }
  /// What the API could not do although the call succeeded: the `errors` beside `data`. Read from ``body`` on each
  /// use; empty for most answers.
  public var errors: [Problem] { answer.problemsBesideData }
}

extension Response: Sendable where Value: Sendable {}
