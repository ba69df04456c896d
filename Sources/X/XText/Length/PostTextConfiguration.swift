/// The rules for counting the length of posts. X published ``version1``, ``version2`` and
/// ``version3``.
///
/// Decodes from and encodes to the JSON format that X published the rules in.
public struct PostTextConfiguration: Sendable, Hashable, Codable {
  /// A weight for a range of code points.
  public struct WeightedRange: Sendable, Hashable, Codable {
    /// The first code point.
    public var start: UInt32
    /// The last code point.
    public var end: UInt32
    /// The weight of each code point, in parts of ``PostTextConfiguration/scale``.
    public var weight: Int

    /// Describes a range.
    ///
    /// - Parameters:
    ///   - start: The first code point.
    ///   - end: The last code point.
    ///   - weight: The weight of each code point.
    public init(start: UInt32, end: UInt32, weight: Int) {
      self.start = start
      self.end = end
      self.weight = weight
    }
  }

  /// The number of the configuration.
  public var version: Int
  /// The maximum length of a post.
  public var maximumWeightedLength: Int
  /// The weight that counts as 1.
  public var scale: Int
  /// The weight of code points that are in none of the ``ranges``, and of an emoji.
  public var defaultWeight: Int
  /// The length that every URL counts, because X shortens it.
  public var transformedURLLength: Int
  /// Weights of code points.
  public var ranges: [WeightedRange]
  /// Whether an emoji counts once, however many code points it has.
  public var countsEmojiAsOne: Bool

  /// Describes a configuration.
  ///
  /// - Parameters:
  ///   - version: The number of the configuration.
  ///   - maximumWeightedLength: The maximum length of a post.
  ///   - scale: The weight that counts as 1.
  ///   - defaultWeight: The weight of code points that are in none of the ranges.
  ///   - transformedURLLength: The length of every URL.
  ///   - ranges: Weights of code points.
  ///   - countsEmojiAsOne: Whether an emoji counts once.
  public init(
    version: Int, maximumWeightedLength: Int, scale: Int, defaultWeight: Int, transformedURLLength: Int,
    ranges: [WeightedRange], countsEmojiAsOne: Bool
  ) {
    self.version = version
    self.maximumWeightedLength = maximumWeightedLength
    self.scale = scale
    self.defaultWeight = defaultWeight
    self.transformedURLLength = transformedURLLength
    self.ranges = ranges
    self.countsEmojiAsOne = countsEmojiAsOne
  }

  /// 140 characters that each count 1: posts until 2017.
  public static let version1 = PostTextConfiguration(
    version: 1, maximumWeightedLength: 140, scale: 1, defaultWeight: 1, transformedURLLength: 23, ranges: [],
    countsEmojiAsOne: false)

  /// 280 characters; characters of most East Asian scripts, and each part of an emoji, count 2.
  public static let version2 = PostTextConfiguration(
    version: 2, maximumWeightedLength: 280, scale: 100, defaultWeight: 200, transformedURLLength: 23,
    ranges: [
      WeightedRange(start: 0, end: 4351, weight: 100), WeightedRange(start: 8192, end: 8205, weight: 100),
      WeightedRange(start: 8208, end: 8223, weight: 100), WeightedRange(start: 8242, end: 8247, weight: 100),
    ], countsEmojiAsOne: false)

  /// The same as ``version2``, but an emoji counts 2 however many parts it has: the rules that X uses.
  public static let version3 = PostTextConfiguration(
    version: 3, maximumWeightedLength: 280, scale: 100, defaultWeight: 200, transformedURLLength: 23,
    ranges: version2.ranges, countsEmojiAsOne: true)

  /// The same as ``version3``, with the 25,000 characters of accounts with X Premium.
  /// <https://help.x.com/en/using-x/x-premium>
  public static let longPosts = version3.limited(to: 25_000)

  /// The same with another maximum.
  ///
  /// - Parameter maximum: The maximum length of a post.
  public func limited(to maximum: Int) -> PostTextConfiguration {
    var other = self
    other.maximumWeightedLength = maximum
    return other
  }

  private enum CodingKeys: String, CodingKey {
    case version, scale, defaultWeight, transformedURLLength, ranges
    case maximumWeightedLength = "maxWeightedTweetLength"
    case countsEmojiAsOne = "emojiParsingEnabled"
  }

  /// Decodes a configuration; ranges and emoji may be missing.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    version = try container.decode(Int.self, forKey: .version)
    maximumWeightedLength = try container.decode(Int.self, forKey: .maximumWeightedLength)
    scale = try container.decode(Int.self, forKey: .scale)
    defaultWeight = try container.decode(Int.self, forKey: .defaultWeight)
    transformedURLLength = try container.decode(Int.self, forKey: .transformedURLLength)
    ranges = try container.decodeIfPresent([WeightedRange].self, forKey: .ranges) ?? []
    countsEmojiAsOne = try container.decodeIfPresent(Bool.self, forKey: .countsEmojiAsOne) ?? false
  }

  /// The weight of a code point.
  func weight(of value: CodePoint) -> Int {
    for range in ranges where value >= range.start && value <= range.end { return range.weight }
    return defaultWeight
  }
}
