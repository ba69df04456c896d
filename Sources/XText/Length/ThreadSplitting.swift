/// How the posts of a thread are numbered.
public struct ThreadNumbering: Sendable {
  /// Where the number stands.
  public enum Placement: Sendable, Hashable {
    /// Before the text, and a space.
    case beginning
    /// After a space, at the end.
    case end
  }

  let placement: Placement
  let marker: (@Sendable (Int, Int) -> String)?

  /// Numbers posts.
  ///
  /// - Parameters:
  ///   - placement: Where the number stands.
  ///   - marker: The number's text, by the post's number from 1 and the count of posts. Default: `2/5`.
  public init(_ placement: Placement, marker: @escaping @Sendable (Int, Int) -> String = { "\($0)/\($1)" }) {
    self.placement = placement
    self.marker = marker
  }

  private init() {
    placement = .end
    marker = nil
  }

  /// No numbers.
  public static let none = ThreadNumbering()
  /// `2/5` before each text.
  public static let beginning = ThreadNumbering(.beginning)
  /// `2/5` after each text.
  public static let end = ThreadNumbering(.end)

  func numbered(_ text: String, _ number: Int, of count: Int) -> String {
    guard let marker else { return text }
    return placement == .beginning ? "\(marker(number, count)) \(text)" : "\(text) \(marker(number, count))"
  }
}

extension PostText {
  /// Splits a text into posts, each of which is valid.
  ///
  /// A post ends with a line or a sentence where that leaves it at least half full, else with a word, and only where
  /// there is none within a word. No URL, mention, hashtag, cashtag or emoji is cut, unless it is longer than a post.
  /// Space at the ends of posts is left out. A text that fits is one post, without a number.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - numbering: How the posts are numbered. Default: not.
  ///   - configuration: How to count. Default: ``PostTextConfiguration/version3``.
  /// - Returns: The posts, first to last; none of a text that is empty.
  public static func thread(
    _ text: String, numbering: ThreadNumbering = .none, configuration: PostTextConfiguration = .version3
  ) -> [String] {
    let splitter = ThreadSplitter(text, configuration)
    let whole = splitter.posts { $0 }
    guard whole.count > 1, numbering.marker != nil else { return whole }
    // The numbers take room, by which there may be more posts, by which the numbers take more room.
    var count = whole.count
    while true {
      let bound = count
      let posts = splitter.posts { numbering.numbered($0, bound, of: bound) }
      if posts.count <= count || String(posts.count).utf8.count == String(count).utf8.count {
        return posts.enumerated().map { numbering.numbered($1, $0 + 1, of: posts.count) }
      }
      count = posts.count
    }
  }
}

/// A text with the places where it may be cut.
private struct ThreadSplitter {
  /// How good a place for a cut is.
  private enum Rank: UInt8 {
    case none, character, word, sentence
  }

  private let values: [CodePoint]
  private let configuration: PostTextConfiguration
  /// For each place, the weight of all before it; -1 within a URL or an emoji.
  private var weights: [Int]
  private var ranks: [Rank]

  init(_ text: String, _ configuration: PostTextConfiguration) {
    self.configuration = configuration
    values = [CodePoint](codePointsOf: text)
    weights = [Int](repeating: -1, count: values.count + 1)
    ranks = [Rank](repeating: .none, count: values.count + 1)
    weights[0] = 0
    for cut in TextCount(values, configuration, keepsCuts: true).cuts { weights[cut.offset] = cut.weight }
    var offset = 0
    for character in text {
      offset += character.unicodeScalars.count
      ranks[offset] = rank(at: offset)
    }
    for entity in PostEntities(text).all {
      for offset in entity.range.codePoints.dropFirst() { ranks[offset] = .none }
    }
  }

  private func rank(at offset: Int) -> Rank {
    guard weights[offset] >= 0 else { return .none }
    let before = values[offset - 1]
    if Self.isLineBreak(before) { return .sentence }
    if before.isSpace { return endsSentence(before: offset) ? .sentence : .word }
    if Self.endsWideSentence(before)
      || (Self.isClosing(before) && offset > 1 && Self.endsWideSentence(values[offset - 2]))
    {
      return offset < values.count && (Self.isClosing(values[offset]) || Self.endsWideSentence(values[offset]))
        ? .none : .sentence
    }
    // The commas of East Asian scripts, and dashes.
    return [0x3001, 0xFF0C, 0x2014].contains(before) ? .word : .character
  }

  /// Whether the word before some space is the last of a sentence.
  private func endsSentence(before offset: Int) -> Bool {
    guard offset > 1 else { return false }
    var index = offset - 2
    while index > 0, Self.isClosing(values[index]) { index -= 1 }
    return [0x2E, 0x21, 0x3F, 0x2026, 0x061F, 0x0964, 0x06D4].contains(values[index])
      || Self.endsWideSentence(values[index])
  }

  private static func isLineBreak(_ value: CodePoint) -> Bool {
    0x0A...0x0D ~= value || value == 0x85 || value == 0x2028 || value == 0x2029
  }

  /// `。`, `！`, `？` and `｡`, which no space follows.
  private static func endsWideSentence(_ value: CodePoint) -> Bool {
    value == 0x3002 || value == 0xFF01 || value == 0xFF1F || value == 0xFF61
  }

  /// A quotation mark or parenthesis that closes.
  private static func isClosing(_ value: CodePoint) -> Bool {
    switch value {
    case 0x22, 0x27, 0x29, 0x5D, 0x2019, 0x201D, 0xBB, 0x300D, 0x300F, 0x3011, 0xFF09: true
    default: false
    }
  }

  /// The posts, each valid with its number.
  ///
  /// - Parameter numbered: Adds a number to a post.
  func posts(_ numbered: (String) -> String) -> [String] {
    var posts: [String] = []
    let room = configuration.maximumWeightedLength * configuration.scale
    let markerWeight = TextCount([CodePoint](codePointsOf: numbered("")), configuration).weight
    var start = skippingSpace(from: 0)
    while start < values.count {
      var limit = max(room - markerWeight, 1)
      var end = self.end(from: start, limit)
      var post = text(start, end)
      // A part may count more than it did within the whole, where a cut made a URL of it or broke one.
      for _ in 0..<4 {
        let counted = PostText(numbered(post), configuration: configuration)
        guard case .tooLong(let length, let maximum) = counted.problem else { break }
        limit = min(limit, weights[end] - weights[start]) - (length - maximum) * configuration.scale
        guard limit > 0 else { break }
        end = self.end(from: start, limit)
        post = text(start, end)
      }
      if !post.isEmpty { posts.append(post) }
      start = skippingSpace(from: end)
    }
    return posts
  }

  private func skippingSpace(from offset: Int) -> Int {
    var offset = offset
    while offset < values.count, values[offset].isSpace { offset += 1 }
    return offset
  }

  private func text(_ start: Int, _ end: Int) -> String {
    var end = end
    while end > start, values[end - 1].isSpace { end -= 1 }
    return String(codePoints: values[start..<end])
  }

  /// The best place at which to end a post that begins at a place.
  private func end(from start: Int, _ limit: Int) -> Int {
    var best: [Rank: Int] = [:]
    var forced: Int?
    var bestFullSentence: Int?
    var lastText = 0
    for offset in (start + 1)..<(values.count + 1) where weights[offset] >= 0 {
      let isSpace = values[offset - 1].isSpace
      // Space at the end is left out, and has no weight.
      let weight = isSpace ? lastText : weights[offset] - weights[start]
      lastText = weight
      if weight > limit { break }
      if offset == values.count { return offset }
      forced = offset
      best[ranks[offset]] = offset
      if ranks[offset] == .sentence, weight * 2 >= limit { bestFullSentence = offset }
    }
    let next = forced ?? weights[(start + 1)...].firstIndex { $0 >= 0 } ?? values.count
    return bestFullSentence ?? best[.word].map { max($0, best[.sentence] ?? 0) } ?? best[.sentence] ?? best[.character]
      ?? next
  }
}
