// Sound: the bytes are valid during the call, and are passed on with their count.

import CallsignSupport

/// How an API writes dates. All formats use the proleptic Gregorian calendar and English, whatever the device's
/// settings.
public enum DateFormat: Sendable, Hashable {
  /// RFC 3339 such as `2026-11-21T10:00:00.250Z`. Read with any offset and any number of fractional digits; written in
  /// UTC, with milliseconds if there are any. A time without an offset is read as UTC. A space may replace the `T`, and
  /// the offset may lack its colon or its minutes (ISO 8601).
  case rfc3339
  /// A calendar day, `2026-11-21`: midnight UTC.
  case day
  /// Seconds since 1970 as a number. It may be read with a fraction and is written whole, because many APIs accept no other.
  case seconds
  /// Milliseconds since 1970 as a number.
  case milliseconds
  /// A Unicode date pattern of the letters `EEE MMM MM dd d HH mm ss SSS Z yyyy`, such as
  /// `EEE MMM dd HH:mm:ss Z yyyy`; other characters and text between single quotes stand for themselves. Without `Z`
  /// the time is UTC.
  case pattern(String)

  /// The date that the text says, or `nil` if the text is not in this format.
  public func date(from text: String) -> Date? {
    var text = text
    return text.withUTF8 { date(fromUTF8: $0) }
  }

  func date(fromUTF8 utf8: UnsafeBufferPointer<UInt8>) -> Date? { CompiledDateFormat(self).date(fromUTF8: utf8) }

  /// The same for a format whose pattern has been taken apart.
  fileprivate func date(fromUTF8 utf8: UnsafeBufferPointer<UInt8>, _ pattern: DatePattern?) -> Date? {
    switch self {
    case .rfc3339:
      return RFC3339.date(from: utf8)
    case .day:
      var scanner = DateScanner(utf8)
      guard let day = RFC3339.day(&scanner), scanner.isAtEnd else { return nil }
      return Date(timeIntervalSince1970: Double(day) * 86_400)
    case .seconds, .milliseconds:
      guard let number = Double(written: String(decoding: utf8, as: UTF8.self)) else { return nil }
      return date(from: number)
    case .pattern:
      return pattern?.date(from: utf8)
    }
  }

  /// The date for a number, in the formats that are numbers.
  func date(from number: Double) -> Date? {
    guard number.isFinite else { return nil }
    switch self {
    case .seconds: return Date(timeIntervalSince1970: number)
    case .milliseconds: return Date(timeIntervalSince1970: number / 1000)
    case .rfc3339, .day, .pattern: return nil
    }
  }

  /// The date as text in this format; `nil` if the format can't say it: a year outside 0 to 9999, a pattern that has
  /// other letters, or a date that is infinite or undefined.
  public func string(from date: Date) -> String? { CompiledDateFormat(self).string(from: date) }

  /// The same for a format whose pattern has been taken apart.
  fileprivate func string(from date: Date, _ pattern: DatePattern?) -> String? {
    switch self {
    case .seconds, .milliseconds:
      guard let number = number(from: date) else { return nil }
      if let whole = Int(exactly: number) { return String(whole) }
      return number.description
    case .rfc3339:
      return CalendarDate(date).map(RFC3339.string)
    case .day:
      return CalendarDate(date).map(RFC3339.dayString)
    case .pattern:
      guard let calendarDate = CalendarDate(date), let pattern else { return nil }
      return pattern.string(from: calendarDate)
    }
  }

  /// The number for a date, in the formats that are numbers. It is whole.
  func number(from date: Date) -> Double? {
    let seconds = date.timeIntervalSince1970
    guard seconds.isFinite else { return nil }
    switch self {
    // A date counts from 2001, so its last bits are noise when counted from 1970.
    case .seconds: return ((seconds * 1000).rounded() / 1000).rounded(.down)
    case .milliseconds: return (seconds * 1000).rounded()
    case .rfc3339, .day, .pattern: return nil
    }
  }

  var isNumeric: Bool { self == .seconds || self == .milliseconds }

  /// For error texts.
  var phrase: String {
    switch self {
    case .rfc3339: "a date by RFC 3339"
    case .day: "a day such as 2026-11-21"
    case .seconds: "a number of seconds since 1970"
    case .milliseconds: "a number of milliseconds since 1970"
    case .pattern(let pattern): "a date such as \(pattern)"
    }
  }
}

/// A date format whose pattern, if it has one, is taken apart once for all dates.
package struct CompiledDateFormat: Sendable {
  package static let rfc3339 = CompiledDateFormat(.rfc3339)

  package let format: DateFormat
  private let pattern: DatePattern?

  package init(_ format: DateFormat) {
    self.format = format
    if case .pattern(let pattern) = format { self.pattern = DatePattern(pattern) } else { pattern = nil }
  }

  package func date(from text: String) -> Date? {
    var text = text
    return text.withUTF8 { date(fromUTF8: $0) }
  }

  package func date(fromUTF8 utf8: UnsafeBufferPointer<UInt8>) -> Date? { format.date(fromUTF8: utf8, pattern) }
  package func string(from date: Date) -> String? { format.string(from: date, pattern) }
}
