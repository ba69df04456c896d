import CallsignSupport

/// An id of X's, read as the moment at which it was made and 22 bits that tell it from others of that millisecond.
///
/// Posts, messages, lists, media and, since 2016, users have such ids. Ids are strings in the API, because JavaScript's
/// numbers are too small for them.
///
/// ```swift
/// Snowflake(post.id)?.date
/// x.searchPostsRecentPages(query: "swift", sinceID: Snowflake.last(before: midnight)?.description)
/// ```
public struct Snowflake: Sendable, Hashable {
  /// The id as a number; never more than 63 bits.
  public let value: UInt64

  /// 2010-11-04T01:42:54.657Z, in milliseconds since 1970.
  private static let epoch: Int64 = 1_288_834_974_657
  private static let timeShift: UInt64 = 22
  /// Up to here ids were counted, and tell no time. The last that was counted was given away as the first of the others
  /// was due, so no other is that small.
  private static let lastCounted: UInt64 = 29_700_859_247

  /// - Parameter value: The id; `nil` when it has more than 63 bits.
  public init?(_ value: UInt64) {
    guard value <= UInt64(Int64.max) else { return nil }
    self.value = value
  }

  /// - Parameter id: The id as the API writes it: digits alone. `nil` where the text is not an id.
  public init?(_ id: String) {
    guard !id.isEmpty, id.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
      let value = UInt64(id)
    else { return nil }
    self.init(value)
  }

  /// The time at which the id was made, to the millisecond; `nil` for those of before November 2010, and of users
  /// before 2016, that were counted.
  public var date: Date? {
    guard value > Self.lastCounted else { return nil }
    let milliseconds = Int64(value >> Self.timeShift) + Self.epoch
    return Date(timeIntervalSince1970: Double(milliseconds) / 1000)
  }

  /// The least id that can be made at a moment or after it, as `until_id` takes it: a response then ends before the
  /// moment.
  ///
  /// - Returns: `nil` for a moment before there were such ids, or after the year 2080, when they end.
  public static func first(at date: Date) -> Snowflake? {
    let exact = date.timeIntervalSince1970 * 1000 - Double(epoch)
    guard exact > 0, exact < Double(UInt64(1) << 41) else { return nil }
    // A date is a fraction in base two, and may miss the millisecond that is meant by a trifle.
    let nearest = exact.rounded()
    let milliseconds = abs(exact - nearest) < 0.001 ? nearest : exact.rounded(.up)
    return Snowflake(UInt64(milliseconds) << timeShift)
  }

  /// The greatest id that can have been made before a moment, as `since_id` takes it: a response then begins at the
  /// moment.
  ///
  /// - Returns: `nil` for a moment before there were such ids, or after the year 2080.
  public static func last(before date: Date) -> Snowflake? {
    first(at: date).flatMap { $0.value == 0 ? nil : Snowflake($0.value - 1) }
  }
}

extension Snowflake: Comparable, CustomStringConvertible {
  /// By time, as ids made later are greater.
  public static func < (left: Snowflake, right: Snowflake) -> Bool { left.value < right.value }

  /// The id as the API writes it.
  public var description: String { String(value) }
}
