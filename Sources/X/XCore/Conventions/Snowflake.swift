import CallsignSupport

/// An id from X, read as the time when it was made and 22 bits that distinguish it from other ids of that millisecond.
///
/// Posts, messages, lists, media and, since 2016, users have such ids. In the API ids are strings, because JavaScript's
/// numbers are too small for them.
///
/// ```swift
/// Snowflake(post.id)?.date
/// x.searchPostsRecentPages(query: "swift", sinceID: Snowflake.last(before: midnight)?.description)
/// ```
public struct Snowflake: Sendable, Hashable {
  /// The id as a number with at most 63 bits.
  public let value: UInt64

  /// 2010-11-04T01:42:54.657Z, in milliseconds since 1970.
  private static let epoch: Int64 = 1_288_834_974_657
  private static let timeShift: UInt64 = 22
  /// Ids up to here were counters and contain no time. X used the last counter when the first id with a time was due,
  /// so no id with a time is as small.
  private static let lastCounted: UInt64 = 29_700_859_247

  /// - Parameter value: The id; the result is `nil` if it has more than 63 bits.
  public init?(_ value: UInt64) {
    guard value <= UInt64(Int64.max) else { return nil }
    self.value = value
  }

  /// - Parameter id: The id as the API writes it: only digits. The result is `nil` if the text is not an id.
  public init?(_ id: String) {
    guard !id.isEmpty, id.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
      let value = UInt64(id)
    else { return nil }
    self.init(value)
  }

  /// The time when the id was made, to the millisecond; `nil` for ids from before November 2010, and for users from
  /// before 2016, which were counters.
  public var date: Date? {
    guard value > Self.lastCounted else { return nil }
    let milliseconds = Int64(value >> Self.timeShift) + Self.epoch
    return Date(timeIntervalSince1970: Double(milliseconds) / 1000)
  }

  /// The smallest id that can be made at a time or after it. Use it as `until_id`: the response then ends before that
  /// time.
  ///
  /// - Returns: `nil` for a time before such ids existed, or after 2080, when they run out.
  public static func first(at date: Date) -> Snowflake? {
    let exact = date.timeIntervalSince1970 * 1000 - Double(epoch)
    guard exact > 0, exact < Double(UInt64(1) << 41) else { return nil }
    // A date is a binary fraction, so it may miss the intended millisecond by a tiny amount.
    let nearest = exact.rounded()
    let milliseconds = abs(exact - nearest) < 0.001 ? nearest : exact.rounded(.up)
    return Snowflake(UInt64(milliseconds) << timeShift)
  }

  /// The greatest id that can have been made before a time. Use it as `since_id`: the response then begins at that
  /// time.
  ///
  /// - Returns: `nil` for a time before such ids existed, or after 2080.
  public static func last(before date: Date) -> Snowflake? {
    first(at: date).flatMap { $0.value == 0 ? nil : Snowflake($0.value - 1) }
  }
}

extension Snowflake: Comparable, CustomStringConvertible {
  /// Orders by time, because later ids are greater.
  public static func < (left: Snowflake, right: Snowflake) -> Bool { left.value < right.value }

  /// The id as the API writes it.
  public var description: String { String(value) }
}
