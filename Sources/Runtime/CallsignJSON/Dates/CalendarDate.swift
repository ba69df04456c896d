// Sound: a date has at most 24 bytes, and a day 10, which the memory has room for: numbers are cut to their digits. Texts are read
// through `DateScanner`, which checks each place. With arrays, writing a page of posts took 10 % longer.

import CallsignSupport

/// A moment in UTC, split into what calendars and clocks show.
package struct CalendarDate {
  package let year: Int
  package let month: Int
  package let day: Int
  package let hour: Int
  package let minute: Int
  package let second: Int
  package let millisecond: Int
  /// 0 is Sunday.
  package let weekday: Int

  /// Rounds to milliseconds; `nil` outside the years 0 to 9999.
  package init?(_ date: Date) {
    let milliseconds = (date.timeIntervalSince1970 * 1000).rounded()
    guard milliseconds >= -62_167_219_200_000, milliseconds < 253_402_300_800_000 else { return nil }
    let total = Int(milliseconds)
    let days = Self.floorDivide(total, 86_400_000)
    let rest = total - days * 86_400_000
    (year, month, day) = Self.civil(fromDays: days)
    hour = rest / 3_600_000
    minute = rest / 60_000 % 60
    second = rest / 1000 % 60
    millisecond = rest % 1000
    weekday = (days % 7 + 11) % 7
  }

  /// Days from 1970-01-01 to a day of the proleptic Gregorian calendar. Years are counted from March, so that the
  /// leap day is a year's last.
  package static func days(year: Int, month: Int, day: Int) -> Int {
    let shifted = month > 2 ? year : year - 1
    let era = floorDivide(shifted, 400)
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

  private static func civil(fromDays days: Int) -> (year: Int, month: Int, day: Int) {
    let shifted = days + 719_468
    let era = floorDivide(shifted, 146_097)
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    return (
      yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
    )
  }

  /// The number of days of the month, or 0 if the month does not exist.
  package static func length(ofMonth month: Int, year: Int) -> Int {
    switch month {
    case 4, 6, 9, 11: 30
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 1...12: 31
    default: 0
    }
  }

  private static func floorDivide(_ dividend: Int, _ divisor: Int) -> Int {
    dividend >= 0 ? dividend / divisor : (dividend - divisor + 1) / divisor
  }

  package static let monthNames = CalendarNames(
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
  package static let weekdayNames = CalendarNames("Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat")
}

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
      let time = scanner.timeOfDay()
    else { return nil }
    var fraction = 0.0
    if scanner.take(UInt8(ascii: ".")) {
      guard let read = scanner.fraction() else { return nil }
      fraction = read
    }
    // Many servers write times in UTC without an offset, and some write a space before it.
    var offset = 0
    if !scanner.isAtEnd {
      _ = scanner.take(UInt8(ascii: " "))
      guard let read = scanner.offset(), scanner.isAtEnd else { return nil }
      offset = read
    }
    let seconds = day * 86_400 + time - offset
    return Date(timeIntervalSinceReferenceDate: Double(seconds - 978_307_200) + fraction)
  }

  package static func string(_ date: CalendarDate) -> String {
    String(unsafeUninitializedCapacity: 24) { write(date, to: $0) }
  }

  /// Writes a date to memory of at least 24 bytes; how many of them it took.
  static func write(_ date: CalendarDate, to room: UnsafeMutableBufferPointer<UInt8>) -> Int {
    var text = Digits(room)
    text.put(date)
    text.put("T")
    text.put(date.hour, 2)
    text.put(":")
    text.put(date.minute, 2)
    text.put(":")
    text.put(date.second, 2)
    if date.millisecond != 0 {
      text.put(".")
      text.put(date.millisecond, 3)
    }
    text.put("Z")
    return text.count
  }

  package static func dayString(_ date: CalendarDate) -> String {
    String(unsafeUninitializedCapacity: 10) { room in
      var text = Digits(room)
      text.put(date)
      return text.count
    }
  }

  /// Memory that a date is written to; it must have room for all of it.
  private struct Digits {
    private let room: UnsafeMutableBufferPointer<UInt8>
    private(set) var count = 0

    init(_ room: UnsafeMutableBufferPointer<UInt8>) { self.room = room }

    mutating func put(_ character: Unicode.Scalar) {
      room[count] = UInt8(ascii: character)
      count += 1
    }

    /// A number with zeros before it, of no more digits than that.
    mutating func put(_ number: Int, _ digits: Int) {
      var rest = number
      for place in stride(from: count + digits - 1, through: count, by: -1) {
        room[place] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
        rest /= 10
      }
      count += digits
    }

    mutating func put(_ day: CalendarDate) {
      put(day.year, 4)
      put("-")
      put(day.month, 2)
      put("-")
      put(day.day, 2)
    }
  }

  package static func padded(_ number: Int, _ count: Int = 2) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, count - digits.count)) + digits
  }
}
