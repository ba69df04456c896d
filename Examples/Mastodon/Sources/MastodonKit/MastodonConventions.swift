import Callsign
import Foundation
import HTTPTypes

/// Mastodon's conventions for all endpoints, if they differ from those of most APIs.
struct MastodonConventions: APIConventions {
  private static let limit = HTTPField.Name("X-RateLimit-Limit")
  private static let remaining = HTTPField.Name("X-RateLimit-Remaining")
  private static let reset = HTTPField.Name("X-RateLimit-Reset")

  /// Reads the usual fields; here, the end of the window is a date in text instead of a number.
  func rateLimit(in headers: HTTPFields) -> RateLimit? {
    func value(_ name: HTTPField.Name?) -> String? { name.flatMap { headers[$0] } }
    guard let remaining = value(Self.remaining).flatMap({ Int($0) }) else { return nil }
    return RateLimit(
      limit: value(Self.limit).flatMap { Int($0) }, remaining: remaining, reset: value(Self.reset).flatMap(Self.date))
  }

  /// `2026-11-22T10:00:00.123456Z`: the fraction has more digits than Foundation can read.
  private static func date(_ text: String) -> Date? {
    let whole = text.prefix { $0 != "." && $0 != "Z" }
    return try? Date("\(whole)Z", strategy: .iso8601)
  }
}

extension Mastodon {
  /// How Mastodon states its limits.
  public static var conventions: any APIConventions { MastodonConventions() }
}
