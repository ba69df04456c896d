import CallsignJSON
import CallsignSupport

/// Dates of header fields (RFC 9110 §5.6.7): today's form, and the two old ones that recipients have to understand.
package enum HTTPDate {
  /// Reads a date; `nil` if the text is not one.
  ///
  /// - Parameters:
  ///   - text: `Sun, 06 Nov 1994 08:49:37 GMT`, `Sunday, 06-Nov-94 08:49:37 GMT` or `Sun Nov  6 08:49:37 1994`.
  ///   - now: Settles the century of a year with two digits.
  package static func date(_ text: String, now: Date = Date()) -> Date? {
    var text = text
    return text.withUTF8 { utf8 in
      var scanner = DateScanner(utf8)
      guard scanner.name(among: CalendarDate.weekdayNames) != nil else { return nil }
      if scanner.next == UInt8(ascii: " ") { return withoutZone(&scanner) }
      // Skips the rest of a long weekday name.
      while let next = scanner.next, next != UInt8(ascii: ",") { _ = scanner.take(next) }
      guard scanner.take(UInt8(ascii: ",")), scanner.take(UInt8(ascii: " ")), let day = scanner.digits(2) else {
        return nil
      }
      let separator = UInt8(ascii: scanner.next == UInt8(ascii: "-") ? "-" : " ")
      guard scanner.take(separator), let month = scanner.name(among: CalendarDate.monthNames),
        scanner.take(separator),
        let year = separator == UInt8(ascii: "-") ? scanner.digits(2).map({ century($0, now) }) : scanner.digits(4),
        scanner.take(UInt8(ascii: " ")), let time = scanner.timeOfDay(), scanner.take(UInt8(ascii: " ")),
        scanner.take(UInt8(ascii: "G")), scanner.take(UInt8(ascii: "M")), scanner.take(UInt8(ascii: "T")),
        scanner.isAtEnd
      else { return nil }
      return date(year, month + 1, day, time)
    }
  }

  private static func withoutZone(_ scanner: inout DateScanner) -> Date? {
    guard scanner.take(UInt8(ascii: " ")), let month = scanner.name(among: CalendarDate.monthNames),
      scanner.take(UInt8(ascii: " "))
    else { return nil }
    _ = scanner.take(UInt8(ascii: " "))
    guard let day = scanner.digits(1, 2), scanner.take(UInt8(ascii: " ")), let time = scanner.timeOfDay(),
      scanner.take(UInt8(ascii: " ")), let year = scanner.digits(4), scanner.isAtEnd
    else { return nil }
    return date(year, month + 1, day, time)
  }

  private static func date(_ year: Int, _ month: Int, _ day: Int, _ time: Int) -> Date? {
    guard day >= 1, day <= CalendarDate.length(ofMonth: month, year: year) else { return nil }
    return Date(
      timeIntervalSince1970: Double(CalendarDate.days(year: year, month: month, day: day) * 86_400 + time))
  }

  /// More than 50 years ahead is meant to be in the past.
  private static func century(_ year: Int, _ now: Date) -> Int {
    let current = CalendarDate(now)?.year ?? 2000
    let year = current / 100 * 100 + year
    return year > current + 50 ? year - 100 : year
  }
}
