import CallsignSupport

/// A text counted as X counts a post, for the character counter of a compose field.
///
///     let text = PostText(field.text)
///     counter.text = "\(text.remaining)"
///     button.isEnabled = text.isValid
///
/// Counting takes linear time for any text. 25,000 characters take a millisecond at most, and usually a third of that,
/// so you can count at every keystroke.
/// <https://docs.x.com/fundamentals/counting-characters>
public struct PostText: Sendable, Hashable {
  /// Why a text cannot be a post.
  public enum Problem: Sendable, Hashable, CustomStringConvertible {
    /// The text is empty, or contains only spaces.
    case empty
    /// The text has the first length, and may have the second.
    case tooLong(length: Int, maximum: Int)
    /// The text has a byte order mark or a code point that is not a character.
    case invalidCharacters

    /// The problem in a few words.
    public var description: String {
      switch self {
      case .empty: "the text is empty"
      case .tooLong(let length, let maximum): "the text has a length of \(length), but the maximum is \(maximum)"
      case .invalidCharacters: "the text has characters that X refuses (U+FEFF, U+FFFE or U+FFFF)"
      }
    }
  }

  /// The text as given.
  public let string: String
  /// The rules for counting it.
  public let configuration: PostTextConfiguration
  /// The length that counts against ``PostTextConfiguration/maximumWeightedLength``.
  public let weightedLength: Int
  /// Why X would refuse the text; `nil` if it would accept it.
  public let problem: Problem?
  /// The whole text.
  public let displayRange: TextRange
  /// The part at the beginning that fits; a compose field marks what comes after it. It ends before the first character
  /// that X refuses.
  public let validRange: TextRange

  /// Counts a text.
  ///
  /// - Parameters:
  ///   - string: The text.
  ///   - configuration: How to count. Default: ``PostTextConfiguration/version3``, as X counts.
  public init(_ string: String, configuration: PostTextConfiguration = .version3) {
    self.string = string
    self.configuration = configuration
    let values = [CodePoint](codePointsOf: string)
    let count = TextCount(values, configuration)
    weightedLength = count.weight / max(configuration.scale, 1)
    if values.allSatisfy({ $0.isSpace }) {
      problem = .empty
    } else if count.hasInvalid {
      problem = .invalidCharacters
    } else if count.weight > configuration.maximumWeightedLength * configuration.scale {
      problem = .tooLong(length: weightedLength, maximum: configuration.maximumWeightedLength)
    } else {
      problem = nil
    }
    displayRange = TextRange(
      indices: string.startIndex..<string.endIndex, utf16: 0..<values.reduce(0) { $0 + ($1 > 0xFFFF ? 2 : 1) },
      codePoints: 0..<values.count)
    validRange =
      count.validCount == values.count
      ? displayRange : TextRange(beginningOf: string, values[..<count.validCount])
  }

  /// Whether X accepts it as a post's text.
  public var isValid: Bool { problem == nil }

  /// The remaining length; negative if the text is too long.
  public var remaining: Int { configuration.maximumWeightedLength - weightedLength }

  /// The used share of the allowed length, in thousandths: 1000 if nothing is left, more if the text is too long.
  public var permillage: Int {
    weightedLength * 1000 / max(configuration.maximumWeightedLength, 1)
  }

  /// The parts that X turns into links.
  public var entities: PostEntities { PostEntities(string) }
}

/// The weights of code points. Counting looks one up for every character.
private struct WeightTable {
  private let ascii: [Int]
  private let configuration: PostTextConfiguration
  /// The code points where the weight may change, in order; the first is 0.
  private let bounds: [CodePoint]
  /// The code points around the last one beyond ASCII, with their weight: texts usually stay in one script for a while.
  private var first: CodePoint = 1
  private var last: CodePoint = 0
  private var weight = 0

  init(_ configuration: PostTextConfiguration) {
    self.configuration = configuration
    ascii = (0..<0x80).map { configuration.weight(of: $0) }
    bounds = Set(configuration.ranges.flatMap { [$0.start, $0.end == .max ? 0 : $0.end + 1] } + [0]).sorted()
  }

  mutating func weight(of value: CodePoint) -> Int {
    if value < 0x80 { return ascii[Int(value)] }
    if value < first || value > last {
      let next = bounds.firstIndex { $0 > value }
      first = bounds[(next ?? bounds.count) - 1]
      last = next.map { bounds[$0] - 1 } ?? .max
      weight = configuration.weight(of: value)
    }
    return weight
  }
}

/// The weights of a text.
struct TextCount {
  /// The weight of the whole text, in parts of the scale.
  private(set) var weight = 0
  /// The number of code points at the beginning that fit and that X accepts.
  private(set) var validCount = 0
  private(set) var hasInvalid = false
  /// The weight before each position where the text may be cut without counting its parts again; only if requested.
  private(set) var cuts: [(offset: Int, weight: Int)] = []

  /// Counts a text in Normalization Form C, whatever form it has.
  init(_ text: [CodePoint], _ configuration: PostTextConfiguration, keepsCuts: Bool = false) {
    let normalized = NormalizedText(text)
    let values = normalized.values
    let maximum = configuration.maximumWeightedLength * configuration.scale
    var weights = WeightTable(configuration)
    let emoji = configuration.countsEmojiAsOne ? EmojiSequences.shared : nil
    let urls = URLScanner.urls(in: values)
    var nextURL = urls.startIndex
    var valid = 0
    var index = 0
    while index < values.count {
      var end = index + 1
      if nextURL < urls.endIndex, urls[nextURL].lowerBound == index {
        end = urls[nextURL].upperBound
        nextURL += 1
        weight += configuration.transformedURLLength * configuration.scale
      } else {
        let value = values[index]
        if value < 0x80, index + 1 < values.count, values[index + 1] < 0x80 {
          weight += weights.weight(of: value)
        } else if value.mayBeginEmoji, let emojiEnd = emoji?.end(of: values, at: index) {
          end = emojiEnd
          weight += configuration.defaultWeight
        } else {
          weight += weights.weight(of: value)
          if value.isInvalid { hasInvalid = true }
        }
      }
      index = end
      if !hasInvalid, weight <= maximum { valid = index }
      if keepsCuts, normalized.isBoundary(index) { cuts.append((normalized.originalOffset(of: index), weight)) }
    }
    validCount = normalized.originalOffset(of: valid)
  }
}
