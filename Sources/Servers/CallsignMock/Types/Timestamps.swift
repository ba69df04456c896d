import CallsignCatalogue

/// Writes and parses times in the catalogue's formats. It shares no code with the client, so that it can check the client's code.
enum Timestamps {
  static func text(_ milliseconds: Int, _ format: DateFormat) -> String {
    let parts = Parts(milliseconds: milliseconds)
    switch format {
    case .rfc3339:
      return "\(pad(parts.year, 4))-\(pad(parts.month))-\(pad(parts.day))T\(pad(parts.hour)):\(pad(parts.minute)):"
        + "\(pad(parts.second)).\(pad(parts.millisecond, 3))Z"
    case .day: return "\(pad(parts.year, 4))-\(pad(parts.month))-\(pad(parts.day))"
    case .seconds: return String(milliseconds / 1_000)
    case .milliseconds: return String(milliseconds)
    case .pattern(let pattern):
      return letters(of: pattern).map { run in
        switch run {
        case "EEE": weekdays[parts.weekday]
        case "MMM": months[parts.month - 1]
        case "MM": pad(parts.month)
        case "dd": pad(parts.day)
        case "d": String(parts.day)
        case "HH": pad(parts.hour)
        case "mm": pad(parts.minute)
        case "ss": pad(parts.second)
        case "SSS": pad(parts.millisecond, 3)
        case "Z": "+0000"
        case "yyyy": pad(parts.year, 4)
        default: run
        }
      }.joined()
    }
  }

  /// Whether a text is a valid date in the format.
  static func isValid(_ text: String, _ format: DateFormat) -> Bool {
    let bytes = Array(text.utf8)
    switch format {
    case .seconds, .milliseconds: return Double(text)?.isFinite == true
    case .day: return bytes.count == 10 && isDay(bytes[...])
    case .rfc3339: return isRFC3339(bytes)
    case .pattern(let pattern): return matches(bytes[...], letters(of: pattern)[...])
    }
  }

  /// The runs of equal letters, and the texts between them.
  private static func letters(of pattern: String) -> [String] {
    var runs: [String] = []
    for character in pattern {
      if let last = runs.last?.last, last == character, character.isLetter {
        runs[runs.count - 1].append(character)
      } else {
        runs.append(String(character))
      }
    }
    return runs
  }

  private static func matches(_ bytes: ArraySlice<UInt8>, _ runs: ArraySlice<String>) -> Bool {
    guard let run = runs.first else { return bytes.isEmpty }
    let rest = runs.dropFirst()
    func digits(_ count: Int) -> Bool {
      bytes.count >= count && number(bytes.prefix(count)) != nil && matches(bytes.dropFirst(count), rest)
    }
    func word(_ words: [String]) -> Bool {
      words.contains { bytes.starts(with: $0.utf8) && matches(bytes.dropFirst($0.utf8.count), rest) }
    }
    switch run {
    case "EEE": return word(weekdays)
    case "MMM": return word(months)
    case "MM", "dd", "HH", "mm", "ss": return digits(2)
    case "d": return digits(2) || digits(1)
    case "SSS": return digits(3)
    case "yyyy": return digits(4)
    case "Z":
      guard let sign = bytes.first, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") else { return false }
      return bytes.count >= 5 && number(bytes.dropFirst().prefix(4)) != nil && matches(bytes.dropFirst(5), rest)
    default: return bytes.starts(with: run.utf8) && matches(bytes.dropFirst(run.utf8.count), rest)
    }
  }

  private static func isDay(_ bytes: ArraySlice<UInt8>) -> Bool {
    let bytes = Array(bytes)
    guard bytes.count == 10, bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-"),
      let year = number(bytes[0..<4]), let month = number(bytes[5..<7]), let day = number(bytes[8..<10])
    else { return false }
    let isLeapYear = year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400))
    let length =
      switch month {
      case 2: isLeapYear ? 29 : 28
      case 4, 6, 9, 11: 30
      default: 31
      }
    return (1...12).contains(month) && (1...length).contains(day)
  }

  private static func isRFC3339(_ bytes: [UInt8]) -> Bool {
    guard bytes.count >= 20, isDay(bytes[0..<10]), bytes[10] | 0x20 == UInt8(ascii: "t") || bytes[10] == 0x20,
      let hour = number(bytes[11..<13]), let minute = number(bytes[14..<16]), let second = number(bytes[17..<19]),
      bytes[13] == UInt8(ascii: ":"), bytes[16] == UInt8(ascii: ":"), hour < 24, minute < 60, second <= 60
    else { return false }
    var rest = bytes[19...]
    if rest.first == UInt8(ascii: ".") {
      let digits = rest.dropFirst().prefix { (0x30...0x39).contains($0) }
      guard !digits.isEmpty else { return false }
      rest = rest.dropFirst(digits.count + 1)
    }
    if rest.count == 1, let zone = rest.first { return zone | 0x20 == UInt8(ascii: "z") }
    let zone = Array(rest)
    return zone.count == 6 && (zone[0] == UInt8(ascii: "+") || zone[0] == UInt8(ascii: "-"))
      && zone[3] == UInt8(ascii: ":") && number(zone[1..<3]) != nil && number(zone[4..<6]) != nil
  }

  private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
    guard !digits.isEmpty, digits.count < 10, digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    return digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
  }

  private static let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
  private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

  private static func pad(_ number: Int, _ width: Int = 2) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(0, width - text.count)) + text
  }

  /// A time in the Gregorian calendar, in UTC.
  private struct Parts {
    var year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0, millisecond = 0, weekday = 0

    init(milliseconds: Int) {
      let seconds = milliseconds / 1_000
      let days = seconds / 86_400
      millisecond = milliseconds % 1_000
      (hour, minute, second) = (seconds % 86_400 / 3_600, seconds % 3_600 / 60, seconds % 60)
      weekday = (days + 4) % 7
      // Years counted from March end with the leap day.
      let shifted = days + 719_468
      let era = shifted / 146_097
      let dayOfEra = shifted % 146_097
      let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
      let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
      let shiftedMonth = (5 * dayOfYear + 2) / 153
      day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
      month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
      year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    }
  }
}
