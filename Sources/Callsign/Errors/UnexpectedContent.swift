import Foundation
import HTTPTypes

/// An answer that should have been JSON and is not, or is not whole.
public struct UnexpectedContent: Error, Sendable {
  /// What came instead.
  public enum Kind: Sendable, Hashable {
    /// A page, mostly by a proxy or gateway.
    case html
    /// An XML document.
    case xml
    /// Nothing, where a value was expected.
    case empty
    /// JSON that ends before it is complete.
    case truncated
    /// Something else.
    case other
    /// A redirect that is not followed: to another origin, from https to http, of a call with a body, or one too many.
    case redirect
    /// A page whose token for the next page was seen before, so that reading on would never end.
    case repeatedPage
    /// A record of a stream longer than ``ClientConfiguration/recordLimit``, or a count that is no number.
    case framing
  }

  /// What came instead.
  public let kind: Kind
  /// The answer as it came.
  public let answer: RawResponse

  /// The HTTP status.
  public var status: HTTPResponse.Status { answer.status }
  /// The header fields.
  public var headers: HTTPFields { answer.headers }
  /// The body as it came.
  public var body: Data { answer.body }
}
