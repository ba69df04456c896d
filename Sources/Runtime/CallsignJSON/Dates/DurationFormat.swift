import CallsignSupport

/// How an API writes lengths of time.
public enum DurationFormat: Sendable, Hashable {
  /// ISO 8601 such as `PT1H30M` or `P3DT0.5S`. Years and months have no certain length and are not read.
  case iso8601
  /// Seconds as a number, whole or not.
  case seconds
  /// Milliseconds as a number.
  case milliseconds
  /// Seconds with an `s`, such as `3.5s`, as Protocol Buffers have it in JSON.
  case protobuf

  /// The length of time that the text says, or `nil` if the text is not in this format.
  public func duration(from text: String) -> Duration? {
    switch self {
    case .iso8601: return Self.iso8601(text)
    case .seconds: return Self.decimal(text[...]).map { Duration(secondsComponent: $0, attosecondsComponent: $1) }
    case .milliseconds:
      guard let (whole, attoseconds) = Self.decimal(text[...]) else { return nil }
      // 10¹⁸ attoseconds are a second: a fraction of a millisecond keeps 15 digits.
      return Duration(
        secondsComponent: whole / 1_000,
        attosecondsComponent: whole % 1_000 * 1_000_000_000_000_000 + attoseconds / 1_000)
    case .protobuf:
      guard text.hasSuffix("s") else { return nil }
      return Self.decimal(text.dropLast()).map { Duration(secondsComponent: $0, attosecondsComponent: $1) }
    }
  }

  /// The text in this format.
  public func string(from duration: Duration) -> String {
    let (seconds, attoseconds) = duration.components
    switch self {
    case .iso8601:
      if duration == .zero { return "PT0S" }
      let magnitude = seconds.magnitude
      var text = duration < .zero ? "-PT" : "PT"
      if magnitude >= 3_600 { text += "\(magnitude / 3_600)H" }
      if magnitude / 60 % 60 > 0 { text += "\(magnitude / 60 % 60)M" }
      if magnitude % 60 > 0 || attoseconds != 0 {
        text += "\(magnitude % 60)\(Self.fraction(attoseconds.magnitude, digits: 18))S"
      }
      return text
    case .seconds, .protobuf:
      let sign = duration < .zero ? "-" : ""
      let number = "\(sign)\(seconds.magnitude)\(Self.fraction(attoseconds.magnitude, digits: 18))"
      return self == .protobuf ? number + "s" : number
    case .milliseconds:
      let sign = duration < .zero ? "-" : ""
      let unit: UInt64 = 1_000_000_000_000_000
      // A value that overflows is longer than anything measured in milliseconds.
      let (scaled, overflow) = seconds.magnitude.multipliedReportingOverflow(by: 1_000)
      let whole = (overflow ? .max - 999 : scaled) + attoseconds.magnitude / unit
      return "\(sign)\(whole)\(Self.fraction(attoseconds.magnitude % unit, digits: 15))"
    }
  }

  /// Whether the format is a number in JSON.
  var isNumeric: Bool { self == .seconds || self == .milliseconds }

  /// For error texts.
  var phrase: String {
    switch self {
    case .iso8601: "a duration such as PT1H30M"
    case .seconds: "a number of seconds"
    case .milliseconds: "a number of milliseconds"
    case .protobuf: "a duration such as 3.5s"
    }
  }

  /// `.25`, or nothing for zero.
  private static func fraction(_ value: UInt64, digits: Int) -> String {
    if value == 0 { return "" }
    let text = String(value)
    var padded = String(repeating: "0", count: max(0, digits - text.count)) + text
    while padded.hasSuffix("0") { padded.removeLast() }
    return "." + padded
  }

  /// A decimal number in whole units and 10⁻¹⁸ of one, both of its sign; digits beyond are dropped.
  private static func decimal(_ text: Substring) -> (Int64, Int64)? {
    if text.contains(where: { $0 == "e" || $0 == "E" }) {
      let number = String(text)
      if let value = Double(written: number), value.magnitude < 1e-18 { return (0, 0) }
      // The text of a `Decimal` has the same digits and no exponent.
      return Decimal(exactly: number).flatMap { decimal(Substring($0.description)) }
    }
    var rest = text
    let isNegative = rest.first == "-"
    if isNegative || rest.first == "+" { rest = rest.dropFirst() }
    let parts = rest.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard let integer = parts.first, !integer.isEmpty, integer.utf8.allSatisfy(isDigit), let whole = Int64(integer)
    else { return nil }
    var attoseconds: Int64 = 0
    if parts.count > 1 {
      guard !parts[1].isEmpty, parts[1].utf8.allSatisfy(isDigit) else { return nil }
      let digits = parts[1].prefix(18)
      attoseconds = Int64(digits + String(repeating: "0", count: 18 - digits.count)) ?? 0
    }
    return isNegative ? (-whole, -attoseconds) : (whole, attoseconds)
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

  private static func iso8601(_ text: String) -> Duration? {
    var rest = text[...]
    let isNegative = rest.first == "-"
    if isNegative || rest.first == "+" { rest = rest.dropFirst() }
    guard rest.first == "P" else { return nil }
    rest = rest.dropFirst()
    var units: [Character: Int64] = ["W": 604_800, "D": 86_400]
    var duration = Duration.zero
    var count = 0
    var hasTime = false
    while let first = rest.first {
      if first == "T", !hasTime {
        hasTime = true
        units = ["H": 3_600, "M": 60, "S": 1]
        rest = rest.dropFirst()
        if rest.isEmpty { return nil }
        continue
      }
      let number = rest.prefix { $0.isASCII && ($0.isNumber || $0 == "." || $0 == ",") }
      rest = rest.dropFirst(number.count)
      guard let unit = rest.first, let seconds = units.removeValue(forKey: unit) else { return nil }
      rest = rest.dropFirst()
      guard let (whole, attoseconds) = decimal(Substring(number.map { $0 == "," ? "." : $0 })),
        // Five units together still fit into the seconds that a duration can tell.
        whole < Int64.max / seconds / 8
      else { return nil }
      // A fraction of an hour or minute is rare; it keeps whole nanoseconds.
      let fraction =
        seconds == 1
        ? Duration(secondsComponent: 0, attosecondsComponent: attoseconds)
        : .nanoseconds(attoseconds / 1_000_000_000 * seconds)
      duration += .seconds(whole * seconds) + fraction
      count += 1
    }
    guard count > 0 else { return nil }
    return isNegative ? .zero - duration : duration
  }
}
