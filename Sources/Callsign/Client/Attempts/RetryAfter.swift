import Foundation
import HTTPTypes

/// The `Retry-After` field (RFC 9110 §10.2.3).
enum RetryAfter {
  /// How long to wait from now on; `nil` where the field is missing or says nothing.
  ///
  /// A date is the server's, so it is held against the answer's own `Date`, where there is one.
  static func delay(_ headers: HTTPFields, now: Date) -> Duration? {
    guard let text = headers[.retryAfter]?.trimmingCharacters(in: .whitespaces), !text.isEmpty else { return nil }
    if text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) {
      // A number beyond all bounds is a long wait, not none.
      return .seconds(Int32(text) ?? .max)
    }
    guard let date = HTTPDate.date(text, now: now) else { return nil }
    let sent = headers[.date].flatMap { HTTPDate.date($0, now: now) } ?? now
    return .seconds(min(max(0, date.timeIntervalSince(sent)), TimeInterval(Int32.max)))
  }
}
