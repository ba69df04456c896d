import Foundation
import HTTPTypes

/// The state of a rate limit, as the `x-rate-limit-…` header fields of an answer tell it.
public struct RateLimit: Sendable, Hashable {
  /// How many calls a window allows.
  public var limit: Int?
  /// How many are left in this window.
  public var remaining: Int?
  /// When the next window begins.
  public var reset: Date?

  /// States a limit.
  public init(limit: Int? = nil, remaining: Int? = nil, reset: Date? = nil) {
    self.limit = limit
    self.remaining = remaining
    self.reset = reset
  }

  /// Reads `x-rate-limit-limit`, `x-rate-limit-remaining` and `x-rate-limit-reset` (seconds since 1970); `nil` when
  /// none of them is there.
  public init?(_ headers: HTTPFields) {
    limit = headers.number(.rateLimitLimit)
    remaining = headers.number(.rateLimitRemaining)
    reset = headers.number(.rateLimitReset).map { Date(timeIntervalSince1970: TimeInterval($0)) }
    if limit == nil, remaining == nil, reset == nil { return nil }
  }
}

extension HTTPField.Name {
  static let rateLimitLimit = wellFormed("x-rate-limit-limit")
  static let rateLimitRemaining = wellFormed("x-rate-limit-remaining")
  static let rateLimitReset = wellFormed("x-rate-limit-reset")

  /// A name that is known to be a token; `nil` where it is not, so that looking it up finds nothing.
  private static func wellFormed(_ name: String) -> HTTPField.Name? { HTTPField.Name(name) }
}

extension HTTPFields {
  fileprivate func number(_ name: HTTPField.Name?) -> Int? {
    guard let name, let text = self[name] else { return nil }
    return Int(text.filter { $0 != " " })
  }
}
