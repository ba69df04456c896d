import CallsignTesting
import CallsignX
import Foundation
import Testing

@Suite("Snowflake ids") struct SnowflakeTests {
  /// The first pair is in X's data dictionary: `"created_at": "Wed Oct 10 20:19:24 +0000 2018"`.
  @Test("An id's date is read from it") func dates() {
    #expect(Snowflake("1050118621198921728")?.date == Date(timeIntervalSince1970: 1539202764.211))
    #expect(Snowflake("1445880548472328192")?.date == Date(timeIntervalSince1970: 1633559760.574))
    #expect(Snowflake("20")?.date == nil)
    #expect(Snowflake("29700859247")?.date == nil)
    #expect(Snowflake("29700859248")?.date != nil)
    #expect(Snowflake("4900000000")?.date == nil)
  }

  @Test(
    "A text that is not an id is refused",
    arguments: ["", "a", "-1", "+1", " 1", "1.0", "٣", "9223372036854775808", "18446744073709551616"])
  func whatIsNone(text: String) { #expect(Snowflake(text) == nil) }

  @Test("Bounds of a time") func boundsOfATime() throws {
    let date = Date(timeIntervalSince1970: 1_633_544_340.123)
    let first = try #require(Snowflake.first(at: date))
    let last = try #require(Snowflake.last(before: date))
    #expect(first.value == last.value + 1)
    #expect(first.value & 0x3F_FFFF == 0)
    #expect(abs((first.date ?? .distantPast).timeIntervalSince(date)) < 0.000_5)
    #expect((last.date ?? .distantFuture) < date)
    #expect(last < first)
    #expect(first.description == String(first.value))
  }

  @Test("Each id is between the bounds of its own millisecond") func roundTrip() throws {
    for index in UInt64(0)..<2000 {
      let number = 30_000_000_000_000 + (index &* 45_678_901_234_567_891) % 9_000_000_000_000_000_000
      let id = try #require(Snowflake(number))
      let date = try #require(id.date)
      let first = try #require(Snowflake.first(at: date))
      #expect(first <= id && id.value - first.value < 1 << 22 && first.date == date, "\(id)")
    }
  }

  @Test("Times that no id can have are refused") func timesWithoutIds() {
    #expect(Snowflake.first(at: Date(timeIntervalSince1970: 1_288_834_974)) == nil)
    #expect(Snowflake.last(before: .distantPast) == nil)
    #expect(Snowflake.first(at: .distantFuture) == nil)
    #expect(Snowflake.first(at: Date(timeIntervalSince1970: .nan)) == nil)
  }

  @Test("A page that starts at a moment has the posts since then") func inAQuery() async throws {
    try await withSession { (session) async throws in
      let before = try await session.sandbox.addPost("one", by: session.alice)
      let moment = try #require(Snowflake(before)?.date)
      let response = try await session.x.getUsersPosts(
        id: session.alice.id, sinceID: Snowflake.last(before: moment)?.description)
      #expect(response.data.map(\.id) == [before])
      let later = Snowflake.first(at: moment.addingTimeInterval(1))?.description
      #expect(try await session.x.getUsersPosts(id: session.alice.id, sinceID: later).data == [])
    }
  }
}
