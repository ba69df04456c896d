import Foundation

/// Dates as v2 writes them: `2026-01-31T09:00:00.000Z`.
enum Timestamp {
  static func text(_ date: Date) -> String { date.formatted(style) }

  static func parse(_ text: String) -> Date? {
    (try? Date(text, strategy: style)) ?? (try? Date(text, strategy: Date.ISO8601FormatStyle()))
  }

  private static let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)

  /// The form of the `Date` header (RFC 9110 §5.6.7).
  static func httpDate(_ date: Date) -> String {
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.timeZone = TimeZone(secondsFromGMT: 0)
    formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
    return formatter.string(from: date)
  }
}
