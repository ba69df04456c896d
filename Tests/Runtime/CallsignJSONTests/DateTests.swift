import Callsign
import CallsignAuth
import CallsignHTTP
import CallsignJSON
import CallsignTesting
import Foundation
import TestSupport
import Testing
import XCore

@Suite struct DateTests {
  @Test(
    "Dates of RFC 3339 are read",
    arguments: [
      ("2026-11-21T10:00:00Z", 1_795_255_200.0), ("2026-11-21t10:00:00z", 1_795_255_200),
      ("2026-11-21T10:00:00.000Z", 1_795_255_200), ("2026-11-21T10:00:00.5Z", 1_795_255_200.5),
      ("2026-11-21T10:00:00.123456789Z", 1_795_255_200.123456789), ("2026-11-21T12:30:00+02:30", 1_795_255_200),
      ("2026-11-21T01:00:00-0900", 1_795_255_200), ("1970-01-01T00:00:00Z", 0), ("2000-02-29T00:00:00Z", 951_782_400),
      ("1969-12-31T23:59:59Z", -1), ("0001-01-01T00:00:00Z", -62_135_596_800), ("2016-12-31T23:59:60Z", 1_483_228_800),
    ])
  func rfc3339IsRead(text: String, seconds: Double) throws {
    let date = try #require(DateFormat.rfc3339.date(from: text))
    #expect(abs(date.timeIntervalSince1970 - seconds) < 0.000_001)
  }

  @Test(
    "Dates as servers write them, without an offset, with a space and with offsets of ISO 8601, are read",
    arguments: [
      "2026-11-21T10:00:00", "2026-11-21 10:00:00", "2026-11-21T10:00:00.000", "2026-11-21 10:00:00.000000",
      "2026-11-21T10:00:00+0000", "2026-11-21 10:00:00+00", "2026-11-21 10:00:00 +0000", "2026-11-21T12:00:00+02",
      "2026-11-21 05:00:00.0-0500", "2026-11-21 10:00:00Z",
    ])
  func looseDates(text: String) throws {
    let date = try #require(DateFormat.rfc3339.date(from: text))
    #expect(date.timeIntervalSince1970 == 1_795_255_200)
    #expect(try Date(jsonString: "\"\(text)\"") == date)
    #expect(DateFormat.rfc3339.string(from: date) == "2026-11-21T10:00:00Z")
  }

  @Test(
    "Other text is not a date",
    arguments: [
      "", "2026-11-2", "2026-11-21T10:00:00+", "2026-11-21T10:00:00+1", "2026-11-21T10:00:00+01:", "2026-11-21T10:00Z",
      "2026-13-01T00:00:00Z", "2026-02-29T00:00:00Z",
      "2026-00-10T00:00:00Z", "2026-11-21T24:00:00Z", "2026-11-21T10:60:00Z", "2026-11-21T10:00:61Z",
      "2026-11-21T10:00:00.Z", "2026-11-21T10:00:00Zx", "2026-11-21T10:00:00+25:00", "26-11-21T10:00:00Z",
    ])
  func otherTextIsNoDate(text: String) {
    #expect(DateFormat.rfc3339.date(from: text) == nil)
    #expect(throws: JSONError.self) { try Date(jsonString: "\"\(text)\"") }
  }

  @Test("If no format is given, days and seconds are dates, too") func bareDates() throws {
    let dates = try [Date](jsonString: #"["2026-11-21", 1795219200.5, "2026-11-21T00:00:00Z"]"#)
    #expect(dates.map(\.timeIntervalSince1970) == [1_795_219_200, 1_795_219_200.5, 1_795_219_200])
    #expect(throws: JSONError.self) { try Date(jsonString: "true") }
    #expect(try FormattedDate(dates[0], .day).jsonString() == "\"2026-11-21\"")
    #expect(try FormattedDate(dates[1], .milliseconds).jsonString() == "1795219200500")
  }

  @Test("Every format is written as it was read") func everyFormatComesBackAsItWas() throws {
    var random = SeededGenerator(seed: 3)
    let formats: [(DateFormat, Double)] = [
      (.rfc3339, 0.001), (.day, 86_400), (.seconds, 1), (.milliseconds, 0.001),
      (.pattern("EEE MMM dd HH:mm:ss Z yyyy"), 1), (.pattern("yyyy-MM-dd'T'HH:mm:ss.SSS"), 0.001),
      (.pattern("d MMM yyyy HH:mm:ss"), 1),
    ]
    for _ in 0..<3_000 {
      let milliseconds = Int.random(in: -62_000_000_000_000...250_000_000_000_000, using: &random)
      for (format, step) in formats {
        let date = Date(timeIntervalSince1970: (Double(milliseconds) / 1000 / step).rounded(.down) * step)
        let text = try #require(format.string(from: date))
        let read = try #require(format.date(from: text))
        #expect(abs(read.timeIntervalSince(date)) < 0.000_51, "\(text)")
        #expect(format.string(from: read) == text)
      }
    }
  }

  @Test("Dates are written as Foundation writes them") func datesAreWrittenAsFoundationWritesThem() throws {
    let formatter = ISO8601DateFormatter()
    var random = SeededGenerator(seed: 5)
    for _ in 0..<2_000 {
      let date = Date(timeIntervalSince1970: Double(Int.random(in: -2_000_000_000...250_000_000_000, using: &random)))
      #expect(DateFormat.rfc3339.string(from: date) == formatter.string(from: date))
    }
  }

  @Test(
    "Seconds are read with fractions and written whole, because most APIs accept no others",
    arguments: [
      (1_795_860_270.701775, "1795860270"), (1_795_860_834.1472, "1795860834"), (1_700_000_000, "1700000000"),
      (0, "0"), (-0.5, "-1"), (1_795_860_269.9999999, "1795860270"),
    ])
  func seconds(seconds: Double, text: String) {
    #expect(DateFormat.seconds.string(from: Date(timeIntervalSince1970: seconds)) == text)
    #expect(DateFormat.seconds.date(from: "1.5") == Date(timeIntervalSince1970: 1.5))
  }

  @Test("X's old format is written with its weekday") func theOldFormatOfXIsWrittenWithItsWeekday() {
    let format = DateFormat.pattern("EEE MMM dd HH:mm:ss Z yyyy")
    let date = Date(timeIntervalSince1970: 1_219_842_525)
    #expect(format.string(from: date) == "Wed Aug 27 13:08:45 +0000 2008")
    #expect(format.date(from: "Wed Aug 27 15:08:45 +0200 2008") == date)
    #expect(format.date(from: "Wed Foo 27 13:08:45 +0000 2008") == nil)
    #expect(DateFormat.pattern("YYYY").date(from: "2008") == nil)
  }

  @Test(
    "Every field of a date's pattern is read and written",
    arguments: [
      ("EEE", "Wed"), ("MMM", "Aug"), ("MM", "08"), ("dd", "27"), ("d", "27"), ("HH", "13"), ("mm", "08"), ("ss", "45"),
      ("SSS", "250"), ("Z", "+0000"), ("yyyy", "2008"), ("T", "T"), ("yyyy-MM-ddTHH:mm:ss", "2008-08-27T13:08:45"),
      ("'Day' d", "Day 27"),
    ])
  func fieldsOfPatterns(pattern: String, text: String) {
    let format = DateFormat.pattern(pattern)
    #expect(format.string(from: Date(timeIntervalSince1970: 1_219_842_525.25)) == text)
    #expect(format.date(from: text) != nil)
  }

  @Test("A date that a format cannot express is an error") func whatAFormatCannotSayIsAnError() {
    for date in [
      Date.distantFuture.addingTimeInterval(1e13), Date(timeIntervalSince1970: .nan),
      Date(timeIntervalSince1970: -1e12),
    ] {
      #expect(DateFormat.rfc3339.string(from: date) == nil)
      #expect(throws: JSONError.self) { try date.jsonData() }
    }
  }
}
