import CallsignJSON
import Foundation
import Testing

/// Types that JSON has no word for, each read and written by itself.
@Suite struct FormattedTypeTests {
  @Test(
    "Lengths of time by ISO 8601",
    arguments: [
      ("PT0S", Duration.zero, "PT0S"), ("PT90S", .seconds(90), "PT1M30S"), ("P1DT1H", .seconds(90_000), "PT25H"),
      ("P2W", .seconds(1_209_600), "PT336H"), ("PT0.5S", .milliseconds(500), "PT0.5S"),
      ("-PT1M1.25S", .milliseconds(-61_250), "-PT1M1.25S"), ("PT1,5S", .milliseconds(1500), "PT1.5S"),
      ("PT0.5H", .seconds(1800), "PT30M"),
      ("PT0.000000000000000001S", Duration(secondsComponent: 0, attosecondsComponent: 1), "PT0.000000000000000001S"),
    ])
  func iso8601(text: String, duration: Duration, written: String) {
    #expect(DurationFormat.iso8601.duration(from: text) == duration)
    #expect(DurationFormat.iso8601.string(from: duration) == written)
    #expect(DurationFormat.iso8601.duration(from: written) == duration)
  }

  @Test(
    "Texts that are not a length of time, or one of uncertain length",
    arguments: [
      "", "P", "PT", "P1", "1H", "PT1", "P1Y", "P1M", "PT1D", "PT1M1M", "PTS", "PT1.S", "PT.5S", "P1DT", "PT1H30",
      "pt1h",
      "PT99999999999999999999S", "PT9223372036854775807H", "PT1S ", "P1DTT1H",
      // Each unit fits, but the sum has more seconds than a duration can tell.
      "P3812571113116W26687997791824DT640511947003802H38430716820228231M2305843009213693950S",
    ])
  func notISO8601(text: String) { #expect(DurationFormat.iso8601.duration(from: text) == nil) }

  @Test(
    "Lengths of time as numbers and with a letter",
    arguments: [
      (DurationFormat.seconds, "2.5", Duration.milliseconds(2500)), (.seconds, "-3", .seconds(-3)),
      (.milliseconds, "1500", .milliseconds(1500)), (.milliseconds, "0.25", .microseconds(250)),
      (.milliseconds, "-1", .milliseconds(-1)), (.protobuf, "3.000000001s", .nanoseconds(3_000_000_001)),
      (.protobuf, "-0.5s", .milliseconds(-500)), (.seconds, "0", .zero),
    ])
  func numbers(format: DurationFormat, text: String, duration: Duration) {
    #expect(format.duration(from: text) == duration)
    #expect(format.string(from: duration) == text)
  }

  @Test(
    "Other text is not a length of time", arguments: ["", "s", "1", "1 s", "1.s", ".5s", "0x1es", "--1s", "1e400s"])
  func notProtobuf(text: String) { #expect(DurationFormat.protobuf.duration(from: text) == nil) }

  @Test(
    "Other text is not a number of seconds",
    arguments: ["", "0x10", "0x1e", "0x1p4", "1e", "nan", "inf", "infinity", " 1"])
  func notSeconds(text: String) {
    #expect(DurationFormat.seconds.duration(from: text) == nil)
    #expect(DurationFormat.milliseconds.duration(from: text) == nil)
    #expect(DateFormat.seconds.date(from: text) == nil)
    #expect(DateFormat.milliseconds.date(from: text) == nil)
  }

  @Test("A number with an exponent is one, too")
  func exponent() throws {
    #expect(try Duration(jsonString: "1.5e2") == .seconds(150))
    #expect(try Duration(jsonString: "1.1e0") == .milliseconds(1100))
    #expect(try Duration(jsonString: "3e-7") == .nanoseconds(300))
    #expect(try Duration(jsonString: "-1.5e-200") == .zero)
    #expect(throws: JSONError.self) { try Duration(jsonString: "1e300") }
  }

  @Test(
    "Decimals keep their digits",
    arguments: [
      ("0.1", "0.1"), ("\"12.50\"", "12.5"), ("123456789012345678.901234567890", "123456789012345678.90123456789"),
      ("1e2", "100"), ("-0.05", "-0.05"), ("\"+1\"", "1"), ("0", "0"),
      ("-99999999999999999999999999999999999999", "-99999999999999999999999999999999999999"),
      ("0.12345678901234567890123456789012345678", "0.12345678901234567890123456789012345678"),
      ("340282366920938463463374607431768211455", "340282366920938463463374607431768211455"),
      ("1.50000000000000000000000000000000000000000000000000", "1.5"),
      ("100000000000000000000000000000000000000000000000000", "100000000000000000000000000000000000000000000000000"),
    ])
  func decimals(json: String, written: String) throws {
    #expect(try Decimal(jsonString: json).jsonString() == written)
  }

  @Test(
    "A value that is not a decimal is refused",
    arguments: ["\"\"", "\"1,5\"", "\"1.2.3\"", "\"1e\"", "\"12a\"", "\"-\"", "true", "1e999", "\"NaN\"", "\" 1\""])
  func notDecimals(json: String) {
    #expect(throws: JSONError.self) { try Decimal(jsonString: json) }
  }

  @Test(
    "A decimal with more digits than fit is refused",
    arguments: [
      "123456789012345678901234567890123456789012345", "0.12345678901234567890123456789012345678901234567",
      "\"340282366920938463463374607431768211456\"", "99999999999999999999999999999999999999.99",
    ])
  func tooManyDigits(json: String) {
    #expect(throws: JSONError.self) { try Decimal(jsonString: json) }
  }

  @Test("A decimal that is not a number is not written")
  func notANumber() {
    #expect(throws: JSONError.self) { try Decimal.nan.jsonString() }
    #expect(throws: JSONError.self) { try DecimalText(.nan).jsonString() }
  }

  @Test("UUIDs with and without hyphens, written in small letters")
  func uuids() throws {
    let text = "\"123e4567-e89b-12d3-a456-426614174000\""
    for json in [text, text.uppercased(), text.replacingOccurrences(of: "-", with: "")] {
      #expect(try UUID(jsonString: json).jsonString() == text)
    }
    // The last texts have as many bytes as 32 digits, in fewer characters.
    for json in [
      "\"\"", "\"123\"", "\"123e4567-e89b-12d3-a456-42661417400g\"", "7", "\"\(String(repeating: "é", count: 16))\"",
      "\"👨‍👩‍👧123e4567e89b12\"", "\"\(String(repeating: "1", count: 29))３\"",
    ] {
      #expect(throws: JSONError.self) { try UUID(jsonString: json) }
    }
  }

  @Test("Whole numbers of 32 bits")
  func int32() throws {
    #expect(try Int32(jsonString: "-2147483648") == .min)
    #expect(try Int32(jsonString: "\"7\"") == 7)
    #expect(throws: JSONError.self) { try Int32(jsonString: "2147483648") }
    #expect(throws: JSONError.self) { try Int32(jsonString: "1.5") }
  }
}
