import Callsign
import Foundation
import HTTPTypes

/// How OpenAI states limits, which differs from most APIs.
struct OpenAIConventions: APIConventions {
  /// Reads the limit of requests. That of tokens is in the response's header fields only: a call that needs few tokens may
  /// go through although another would not.
  func rateLimit(in headers: HTTPFields) -> RateLimit? {
    func value(_ name: String) -> String? {
      HTTPField.Name("x-ratelimit-\(name)-requests").flatMap { headers[$0] }
    }
    guard let remaining = value("remaining").flatMap({ Int($0) }) else { return nil }
    return RateLimit(
      limit: value("limit").flatMap { Int($0) }, remaining: remaining,
      reset: value("reset").flatMap(Self.seconds).map { Date(timeIntervalSinceNow: $0) })
  }

  /// An account without credit is refused with status 429, which no wait can help.
  func isQuotaExceeded(_ error: APIError) -> Bool { error.titles.contains("insufficient_quota") }

  /// The seconds of `1h0m5.2s` or `20ms`; `nil` for any other text.
  static func seconds(_ text: String) -> TimeInterval? {
    var rest = text[...]
    var total = 0.0
    while !rest.isEmpty {
      let digits = rest.prefix { $0.isASCII && $0.isNumber || $0 == "." }
      rest = rest[digits.endIndex...]
      let unit = rest.prefix { $0.isLetter }
      rest = rest[unit.endIndex...]
      guard let number = Double(digits) else { return nil }
      switch unit {
      case "ms": total += number / 1_000
      case "s": total += number
      case "m": total += number * 60
      case "h": total += number * 3_600
      case "d": total += number * 86_400
      default: return nil
      }
    }
    return text.isEmpty ? nil : total
  }
}

extension OpenAI {
  /// How OpenAI states its limits.
  public static var conventions: any APIConventions { OpenAIConventions() }
}
