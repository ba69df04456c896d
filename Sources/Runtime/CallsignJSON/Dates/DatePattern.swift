// Sound: the scanner compares its position with the count before each read, and does not outlive the bytes.

import CallsignSupport

/// A Unicode date pattern, taken apart.
struct DatePattern: Sendable {
  private enum Part: Sendable {
    case weekdayName, monthName, month, day, dayUnpadded, hour, minute, second, millisecond, offset, year
    case text(UInt8)
  }

  private let parts: [Part]

  /// `nil` if the pattern has letters of other meaning.
  init?(_ pattern: String) {
    let symbols: [String: Part] = [
      "EEE": .weekdayName, "MMM": .monthName, "MM": .month, "dd": .day, "d": .dayUnpadded, "HH": .hour, "mm": .minute,
      "ss": .second, "SSS": .millisecond, "Z": .offset, "yyyy": .year,
    ]
    var parts: [Part] = []
    var isQuoted = false
    let utf8 = Array(pattern.utf8)
    var index = 0
    while index < utf8.count {
      let byte = utf8[index]
      if byte == UInt8(ascii: "'") {
        if index + 1 < utf8.count, utf8[index + 1] == byte {
          parts.append(.text(byte))
          index += 2
        } else {
          isQuoted.toggle()
          index += 1
        }
        continue
      }
      guard !isQuoted, UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20 else {
        parts.append(.text(byte))
        index += 1
        continue
      }
      let run = utf8[index...].prefix { $0 == byte }
      // Between day and time it is a literal, as in ISO 8601.
      if byte == UInt8(ascii: "T"), run.count == 1 {
        parts.append(.text(byte))
        index += 1
        continue
      }
      guard let part = symbols[String(decoding: run, as: UTF8.self)] else { return nil }
      parts.append(part)
      index = run.endIndex
    }
    guard !isQuoted else { return nil }
    self.parts = parts
  }

  func date(from utf8: UnsafeBufferPointer<UInt8>) -> Date? {
    var scanner = DateScanner(utf8)
    var year = 1970
    var month = 1
    var day = 1
    var seconds = 0
    var milliseconds = 0
    for part in parts {
      var value: Int?
      switch part {
      case .weekdayName:
        // It follows from the rest, so it is not compared.
        value = scanner.name(among: CalendarDate.weekdayNames)
      case .monthName:
        value = scanner.name(among: CalendarDate.monthNames).map { $0 + 1 }
        month = value ?? 0
      case .month:
        value = scanner.digits(2)
        month = value ?? 0
      case .day:
        value = scanner.digits(2)
        day = value ?? 0
      case .dayUnpadded:
        value = scanner.digits(1, 2)
        day = value ?? 0
      case .hour:
        value = scanner.digits(2).flatMap { $0 < 24 ? $0 : nil }
        seconds += 3600 * (value ?? 0)
      case .minute:
        value = scanner.digits(2).flatMap { $0 < 60 ? $0 : nil }
        seconds += 60 * (value ?? 0)
      case .second:
        value = scanner.digits(2).flatMap { $0 <= 60 ? $0 : nil }
        seconds += value ?? 0
      case .millisecond:
        value = scanner.digits(3)
        milliseconds = value ?? 0
      case .offset:
        value = scanner.offset()
        seconds -= value ?? 0
      case .year:
        value = scanner.digits(4)
        year = value ?? 0
      case .text(let byte):
        value = scanner.take(byte) ? 0 : nil
      }
      guard value != nil else { return nil }
    }
    guard scanner.isAtEnd, day >= 1, day <= CalendarDate.length(ofMonth: month, year: year) else { return nil }
    let days = CalendarDate.days(year: year, month: month, day: day)
    return Date(
      timeIntervalSinceReferenceDate: Double(days * 86_400 + seconds - 978_307_200) + Double(milliseconds) / 1000)
  }

  func string(from date: CalendarDate) -> String {
    var utf8: [UInt8] = []
    for part in parts {
      switch part {
      case .weekdayName: utf8 += CalendarDate.weekdayNames[date.weekday].utf8
      case .monthName: utf8 += CalendarDate.monthNames[date.month - 1].utf8
      case .month: utf8 += RFC3339.padded(date.month).utf8
      case .day: utf8 += RFC3339.padded(date.day).utf8
      case .dayUnpadded: utf8 += String(date.day).utf8
      case .hour: utf8 += RFC3339.padded(date.hour).utf8
      case .minute: utf8 += RFC3339.padded(date.minute).utf8
      case .second: utf8 += RFC3339.padded(date.second).utf8
      case .millisecond: utf8 += RFC3339.padded(date.millisecond, 3).utf8
      case .offset: utf8 += "+0000".utf8
      case .year: utf8 += RFC3339.padded(date.year, 4).utf8
      case .text(let byte): utf8.append(byte)
      }
    }
    return String(decoding: utf8, as: UTF8.self)
  }
}

/// Reads the parts of a date from ASCII text.
package struct DateScanner {
  private let utf8: UnsafeBufferPointer<UInt8>
  private var position = 0

  package init(_ utf8: UnsafeBufferPointer<UInt8>) { self.utf8 = utf8 }

  package var isAtEnd: Bool { position == utf8.count }

  package var next: UInt8? { position < utf8.count ? utf8[position] : nil }

  package mutating func take(_ byte: UInt8) -> Bool {
    guard next == byte else { return false }
    position += 1
    return true
  }

  /// A number of `minimum` to `maximum` digits.
  package mutating func digits(_ minimum: Int, _ maximum: Int) -> Int? {
    var value = 0
    var count = 0
    while count < maximum, let byte = next, 0x30...0x39 ~= byte {
      value = value * 10 + Int(byte - 0x30)
      count += 1
      position += 1
    }
    return count >= minimum ? value : nil
  }

  package mutating func digits(_ count: Int) -> Int? { digits(count, count) }

  /// Digits after a decimal point, as many as there are, as a fraction of one.
  package mutating func fraction() -> Double? {
    var numerator = 0.0
    var denominator = 1.0
    var count = 0
    while let byte = next, 0x30...0x39 ~= byte {
      // Further digits are beyond what a date can hold.
      if count < 15 {
        numerator = numerator * 10 + Double(byte - 0x30)
        denominator *= 10
      }
      count += 1
      position += 1
    }
    return count > 0 ? numerator / denominator : nil
  }

  /// `hh:mm:ss` in seconds since midnight. 60 is a leap second, which is the next minute's first here.
  package mutating func timeOfDay() -> Int? {
    guard let hour = digits(2), hour < 24, take(UInt8(ascii: ":")), let minute = digits(2), minute < 60,
      take(UInt8(ascii: ":")), let second = digits(2), second <= 60
    else { return nil }
    return hour * 3600 + minute * 60 + second
  }

  /// `Z`, `z`, `+hh:mm`, `+hhmm` or `+hh`, in seconds east of UTC.
  package mutating func offset() -> Int? {
    if take(UInt8(ascii: "Z")) || take(UInt8(ascii: "z")) { return 0 }
    let isWest = take(UInt8(ascii: "-"))
    guard isWest || take(UInt8(ascii: "+")), let hours = digits(2), hours < 24 else { return nil }
    let hasColon = take(UInt8(ascii: ":"))
    if !hasColon, isAtEnd { return (isWest ? -1 : 1) * hours * 3600 }
    guard let minutes = digits(2), minutes < 60 else { return nil }
    return (isWest ? -1 : 1) * (hours * 3600 + minutes * 60)
  }

  /// The position in the list of the name that is next, whatever its case.
  package mutating func name(among names: CalendarNames) -> Int? {
    guard utf8.count - position >= 3 else { return nil }
    let key = CalendarNames.key(utf8[position], utf8[position + 1], utf8[position + 2])
    guard let index = names.keys.firstIndex(of: key) else { return nil }
    position += 3
    return index
  }
}

/// Names of three letters, such as those of the months.
package struct CalendarNames: Sendable {
  private let names: [String]
  /// The names' bytes, in small letters.
  fileprivate let keys: [UInt32]

  init(_ names: String...) {
    self.names = names
    keys = names.map { name in name.utf8.reduce(0) { $0 << 8 | UInt32($1 | 0x20) } }
  }

  package subscript(index: Int) -> String { names[index] }

  fileprivate static func key(_ first: UInt8, _ second: UInt8, _ third: UInt8) -> UInt32 {
    UInt32(first | 0x20) << 16 | UInt32(second | 0x20) << 8 | UInt32(third | 0x20)
  }
}
