/// A numeric id; the API writes it as a string of up to 19 digits.
typealias Identifier = UInt64

/// Hands out ids of the shape of X's (milliseconds since 2010-11-04 in the upper bits), counted from a fixed moment, so that they are the same in every run.
struct IdentifierSource: Sendable {
  /// 2026-01-01T00:00:00Z in milliseconds since 1970.
  private static let firstMoment: UInt64 = 1_767_225_600_000
  /// The moment from which X counts.
  private static let epoch: UInt64 = 1_288_834_974_657

  private var count: UInt64 = 0

  mutating func next() -> Identifier {
    count += 1
    return (Self.firstMoment + count - Self.epoch) << 22
  }
}
