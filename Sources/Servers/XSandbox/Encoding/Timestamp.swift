import Foundation

/// The formats of dates.
enum Timestamp {
  /// The format of v2: `2026-01-31T09:00:00.000Z`.
  static func text(_ date: Date) -> String { date.formatted(style) }

  /// Parses an RFC 3339 date, with or without fractional seconds.
  static func parse(_ text: String) -> Date? {
    (try? Date(text, strategy: style)) ?? (try? Date(text, strategy: Date.ISO8601FormatStyle()))
  }

  private static let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)

  /// The format of v1.1: `Wed Oct 10 20:19:24 +0000 2018`.
  static func v1(_ date: Date) -> String { format(date, "EEE MMM dd HH:mm:ss Z yyyy") }

  /// The format of the `Date` header (RFC 9110 §5.6.7).
  static func httpDate(_ date: Date) -> String { format(date, "EEE, dd MMM yyyy HH:mm:ss 'GMT'") }

  private static func format(_ date: Date, _ format: String) -> String {
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.timeZone = TimeZone(secondsFromGMT: 0)
    formatter.dateFormat = format
    return formatter.string(from: date)
  }
}
