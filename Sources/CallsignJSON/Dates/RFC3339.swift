import Foundation

/// Dates as in RFC 3339 §5.6.
package enum RFC3339 {
  /// Reads `full-date`; the days since 1970.
  package static func day(_ scanner: inout DateScanner) -> Int? {
    guard let year = scanner.digits(4), scanner.take(UInt8(ascii: "-")), let month = scanner.digits(2),
      scanner.take(UInt8(ascii: "-")), let day = scanner.digits(2),
      day >= 1, day <= CalendarDate.length(ofMonth: month, year: year)
    else { return nil }
    return CalendarDate.days(year: year, month: month, day: day)
  }

  package static func date(from utf8: UnsafeBufferPointer<UInt8>) -> Date? {
    var scanner = DateScanner(utf8)
    guard let day = day(&scanner) else { return nil }
    guard scanner.take(UInt8(ascii: "T")) || scanner.take(UInt8(ascii: "t")) || scanner.take(UInt8(ascii: " ")),
      let hour = scanner.digits(2), hour < 24, scanner.take(UInt8(ascii: ":")),
      let minute = scanner.digits(2), minute < 60, scanner.take(UInt8(ascii: ":")),
      // 60 is a leap second, which is the next minute's first here.
      let second = scanner.digits(2), second <= 60
    else { return nil }
    var fraction = 0.0
    if scanner.take(UInt8(ascii: ".")) {
      guard let read = scanner.fraction() else { return nil }
      fraction = read
    }
    guard let offset = scanner.offset(), scanner.isAtEnd else { return nil }
    let seconds = day * 86_400 + hour * 3600 + minute * 60 + second - offset
    return Date(timeIntervalSinceReferenceDate: Double(seconds - 978_307_200) + fraction)
  }

  package static func string(_ date: CalendarDate) -> String {
    var text = dayString(date)
    text += "T\(padded(date.hour)):\(padded(date.minute)):\(padded(date.second))"
    if date.millisecond != 0 { text += ".\(padded(date.millisecond, 3))" }
    return text + "Z"
  }

  package static func dayString(_ date: CalendarDate) -> String {
    "\(padded(date.year, 4))-\(padded(date.month))-\(padded(date.day))"
  }

  package static func padded(_ number: Int, _ count: Int = 2) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, count - digits.count)) + digits
  }
}
