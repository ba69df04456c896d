import CallsignSupport
import HTTPTypes

// Values of header fields that each call looks at, without the texts that `HTTPFields` creates for each search.

extension HTTPFields {
  /// The value of the first field with a name; `nil` if there is none.
  package func firstValue(_ name: HTTPField.Name) -> String? { first { $0.name == name }?.value }

  /// `Date` (RFC 9110 §6.6.1), by the server's clock; `nil` if it is missing or not a date.
  func dateSent(now: Date) -> Date? { firstValue(.date).flatMap { HTTPDate.date($0, now: now) } }

  /// By how many seconds the server's clock is ahead of this machine's; zero if the response has no time.
  ///
  /// - Parameter now: When the response arrived.
  func serverAhead(of now: Date) -> TimeInterval { dateSent(now: now)?.timeIntervalSince(now) ?? 0 }

  /// `Content-Length` (RFC 9110 §8.6); `nil` if it is missing or not a number.
  var contentLength: Int? { first { $0.name == .contentLength }?.wholeNumber }

  /// `Age` in seconds (RFC 9111 §5.1); `nil` if it is missing or not a number.
  var age: Int? { first { $0.name == .age }?.wholeNumber }
}

extension HTTPField {
  /// A value of decimal digits, with spaces around it at most; `nil` for another, and for one that is too large.
  package var wholeNumber: Int? {
    var number = 0
    var hasDigit = false
    var isOver = false
    for byte in value.utf8 {
      if byte == UInt8(ascii: " ") {
        isOver = hasDigit
        continue
      }
      let digit = byte &- UInt8(ascii: "0")
      guard digit < 10, !isOver else { return nil }
      let (product, isTooLarge) = number.multipliedReportingOverflow(by: 10)
      let (sum, isTooLargeNow) = product.addingReportingOverflow(Int(digit))
      guard !isTooLarge, !isTooLargeNow else { return nil }
      (number, hasDigit) = (sum, true)
    }
    return hasDigit ? number : nil
  }
}

/// The `Retry-After` field (RFC 9110 §10.2.3).
package enum RetryAfter {
  /// The wait from now on; `nil` if the field is missing or cannot be read.
  ///
  /// A date is by the server's clock, so it is compared with the response's own `Date`, if there is one.
  package static func delay(_ headers: HTTPFields, now: Date) -> Duration? {
    guard let text = headers[.retryAfter]?.trimmingWhitespace(), !text.isEmpty else { return nil }
    if text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) {
      // A number beyond all bounds is a long wait, not none.
      return .seconds(Int(text).flatMap(Int32.init(exactly:)) ?? .max)
    }
    // Not as the RFC has it, but some servers count in milliseconds.
    if let seconds = fraction(text) { return .seconds(min(seconds, TimeInterval(Int32.max))) }
    guard let date = HTTPDate.date(text, now: now) else { return nil }
    let sent = headers.dateSent(now: now) ?? now
    return .seconds(min(max(0, date.timeIntervalSince(sent)), TimeInterval(Int32.max)))
  }

  /// A number of digits with a point among them.
  private static func fraction(_ text: String) -> TimeInterval? {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    let areDigits = parts.allSatisfy { $0.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } }
    return parts.count == 2 && areDigits ? TimeInterval(text) : nil
  }
}
