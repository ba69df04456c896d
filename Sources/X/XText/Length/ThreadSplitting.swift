/// How to number the posts of a thread.
public struct ThreadNumbering: Sendable {
  /// Where the number goes.
  public enum Placement: Sendable, Hashable {
    /// Before the text, followed by a space.
    case beginning
    /// At the end, after a space.
    case end
  }

  let placement: Placement
  let marker: (@Sendable (Int, Int) -> String)?

  /// Numbers posts.
  ///
  /// - Parameters:
  ///   - placement: Where the number goes.
  ///   - marker: Makes the number's text from the post's number, counted from 1, and the count of posts. Default:
  ///     `2/5`.
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
  /// Splits a text into valid posts.
  ///
  /// A post ends with a line or a sentence if that leaves it at least half full, otherwise with a word, and only if
  /// there is none within a word. No URL, mention, hashtag, cashtag or emoji is cut, unless it is longer than a post.
  /// Spaces at the ends of posts are left out. A text that fits becomes one post, without a number.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - numbering: How to number the posts. Default: no numbers.
  ///   - configuration: How to count. Default: ``PostTextConfiguration/version3``.
  /// - Returns: The posts, first to last; none if the text is empty.
  public static func thread(
    _ text: String, numbering: ThreadNumbering = .none, configuration: PostTextConfiguration = .version3
  ) -> [String] {
    let splitter = ThreadSplitter(text, configuration)
    let whole = splitter.posts { post, _ in [post] }
    guard whole.count > 1, numbering.marker != nil else { return whole }
    // Numbers take room, so there may be more posts, and then the numbers take more room. A post has room for its
    // number with each count so far, so the loop ends when a count comes again.
    var counts = [whole.count]
    while true {
      let posts = splitter.posts { post, number in counts.map { numbering.numbered(post, number, of: $0) } }
      if counts.contains(posts.count) {
        return posts.enumerated().map { numbering.numbered($1, $0 + 1, of: posts.count) }
      }
      counts.append(posts.count)
    }
  }
}

/// A text with the positions where it may be cut.
private struct ThreadSplitter {
  /// How good a position is for a cut.
  private enum Rank {
    /// Within a character, or within an entity.
    case unit
    case character, word, sentence
  }

  private let values: [CodePoint]
  private let configuration: PostTextConfiguration
  /// The positions where the text may be cut, and the weight before each.
  private var cuts: [(offset: Int, weight: Int)]
  /// How good each of the ``cuts`` is.
  private var ranks: [Rank]

  init(_ text: String, _ configuration: PostTextConfiguration) {
    self.configuration = configuration
    values = [CodePoint](codePointsOf: text)
    cuts = TextCount(values, configuration, keepsCuts: true).cuts
    ranks = [Rank](repeating: .unit, count: cuts.count)
    // All three come in the text's order.
    var cut = 0
    var offset = 0
    for character in text {
      offset += character.unicodeScalars.count
      while cut < cuts.count, cuts[cut].offset < offset { cut += 1 }
      if cut < cuts.count, cuts[cut].offset == offset { ranks[cut] = rank(at: offset) }
    }
    cut = 0
    for range in PostEntities(text).all.map(\.range.codePoints) {
      while cut < cuts.count, cuts[cut].offset <= range.lowerBound { cut += 1 }
      while cut < cuts.count, cuts[cut].offset < range.upperBound {
        ranks[cut] = .unit
        cut += 1
      }
    }
  }

  private func rank(at offset: Int) -> Rank {
    let before = values[offset - 1]
    if Self.isLineBreak(before) { return .sentence }
    if before.isSpace { return endsSentence(before: offset) ? .sentence : .word }
    let afterClosing = Self.isClosing(before) && offset > 1
    if Self.endsWideSentence(before) || (afterClosing && Self.endsWideSentence(values[offset - 2])) {
      return offset < values.count && (Self.isClosing(values[offset]) || Self.endsWideSentence(values[offset]))
        ? .unit : .sentence
    }
    // The commas of East Asian scripts, and dashes.
    return [0x3001, 0xFF0C, 0x2014].contains(before) ? .word : .character
  }

  /// Whether the word before a space is the last of a sentence.
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

  /// `。`, `！`, `？` and `｡`, which are not followed by a space.
  private static func endsWideSentence(_ value: CodePoint) -> Bool {
    value == 0x3002 || value == 0xFF01 || value == 0xFF1F || value == 0xFF61
  }

  /// A closing quotation mark or parenthesis.
  private static func isClosing(_ value: CodePoint) -> Bool {
    switch value {
    case 0x22, 0x27, 0x29, 0x5D, 0x2019, 0x201D, 0xBB, 0x300D, 0x300F, 0x3011, 0xFF09: true
    default: false
    }
  }

  /// The posts, each valid with its number.
  ///
  /// - Parameter numbered: The forms that a post may get with its number, counted from 1; it is valid in each.
  func posts(_ numbered: (String, Int) -> [String]) -> [String] {
    var posts: [String] = []
    let room = configuration.maximumWeightedLength * configuration.scale
    var start = skippingSpace(from: 0)
    while start < values.count {
      let number = posts.count + 1
      let markerWeight =
        numbered("", number).map { TextCount([CodePoint](codePointsOf: $0), configuration).weight }.max() ?? 0
      var limit = max(room - markerWeight, 1)
      var (end, weight) = self.end(from: start, limit)
      var post = ""
      // A part may count more by itself than within the whole text, if a cut made it a URL or broke one.
      for attempt in 0...4 {
        if weight > limit || attempt == 4 { end = hardEnd(from: start, room - markerWeight) }
        post = text(start, end)
        let excess = numbered(post, number).map { self.excess(of: $0) }.max() ?? 0
        guard excess > 0 else { break }
        limit = max(min(limit, weight) - excess * configuration.scale, 1)
        (end, weight) = self.end(from: start, limit)
      }
      if !post.isEmpty { posts.append(post) }
      start = skippingSpace(from: end)
    }
    return posts
  }

  /// By how much a post is too long.
  private func excess(of post: String) -> Int {
    guard case .tooLong(let length, let maximum) = PostText(post, configuration: configuration).problem else {
      return 0
    }
    return length - maximum
  }

  /// The end of a post that is certainly not too long, wherever that is.
  private func hardEnd(from start: Int, _ room: Int) -> Int {
    let heaviest = max(configuration.ranges.reduce(configuration.defaultWeight) { max($0, $1.weight) }, 1)
    // Normalization turns one code point into at most three.
    return min(start + max(room / (3 * heaviest), 1), values.count)
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

  /// The best end for a post that begins at a position, and the post's weight, which exceeds the limit only if nothing
  /// can be cut off.
  private func end(from start: Int, _ limit: Int) -> (offset: Int, weight: Int) {
    let first = firstCut(after: start)
    let before = first == 0 ? 0 : cuts[first - 1].weight
    var word: Int?
    var sentence: Int?
    var fullSentence: Int?
    var character: Int?
    var unit: Int?
    // A space at the end is left out, and has no weight.
    var weight = 0
    for cut in first..<cuts.count {
      let offset = cuts[cut].offset
      if !values[offset - 1].isSpace { weight = cuts[cut].weight - before }
      if weight > limit, unit != nil { break }
      unit = cut
      if weight > limit || offset == values.count { return (offset, weight) }
      switch ranks[cut] {
      case .sentence:
        sentence = cut
        if weight * 2 >= limit { fullSentence = cut }
      case .word: word = cut
      case .character: character = cut
      case .unit: break
      }
    }
    let best = fullSentence ?? [word, sentence].compactMap(\.self).max() ?? character ?? unit
    return best.map { (cuts[$0].offset, cuts[$0].weight - before) } ?? (values.count, 0)
  }

  private func firstCut(after offset: Int) -> Int {
    var low = 0
    var high = cuts.count
    while low < high {
      let middle = (low + high) / 2
      if cuts[middle].offset <= offset { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
