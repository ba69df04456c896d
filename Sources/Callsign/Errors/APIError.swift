import Foundation
import HTTPTypes

/// An answer by which the API says that the call failed.
public struct APIError: Error, Sendable {
  /// The answer as it came.
  public let answer: RawResponse
  /// What the body says, in the API's own words; empty when it is not JSON, or says nothing.
  public let problems: [Problem]
  /// What kind of content the body is.
  public let content: ContentKind
  /// How many requests were sent before the call was given up; 1 unless it was repeated.
  public internal(set) var attempts = 1

  /// The HTTP status.
  public var status: HTTPResponse.Status { answer.status }
  /// The header fields.
  public var headers: HTTPFields { answer.headers }
  /// The body as it came.
  public var body: Data { answer.body }
  /// The API's numeric error codes, such as 187 for a duplicate post in X's v1.1.
  public var codes: [Int] { problems.compactMap(\.code) }
  /// The problems' titles.
  public var titles: [String] { problems.compactMap(\.title) }

  /// What to do about it, in one sentence; `nil` where nothing is known of it.
  public var advice: String? { conventions.advice(for: self) }
  /// How the API that answered words its errors.
  var conventions: any APIConventions { answer.conventions }

  /// Whether the API names this code.
  public func has(code: Int) -> Bool { problems.contains { $0.code == code } }
}
