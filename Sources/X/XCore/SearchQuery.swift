// Sound: `vsnprintf` gets the size of the memory, and the longest number has fewer characters.

import CallsignSupport

/// A search for posts: the `query` of the search and count methods, and the value of a filtered stream's rule.
///
/// ```swift
/// let query: SearchQuery = (.hashtag("swift") || .phrase("result builders")) && !.isRepost && .language("en")
/// let posts = try await x.searchPostsRecent(query: query.text(for: .recentSearch))
/// ```
///
/// X accepts a search only if at least one of its operators can be used by itself, such as a word or an author.
/// Operators that cannot, such as `has:links`, are a ``SearchFilter``; so are excluded words. You add filters to a
/// query with `&&`, so a search that has only filters does not compile.
///
/// A text literal is a query for posts with all of its words. For operators that this type does not know, use
/// ``raw(_:)``.
///
/// Source: https://docs.x.com/x-api/posts/search/integrate/build-a-query,
/// https://docs.x.com/x-api/posts/search/integrate/operators,
/// https://docs.x.com/x-api/posts/filtered-stream/integrate/operators
public struct SearchQuery: Sendable, Hashable {
  let expression: SearchExpression

  init(_ expression: SearchExpression) { self.expression = expression }

  /// The text to send to X.
  ///
  /// - Parameter use: The endpoint that the query is for. It decides the maximum length and which operators exist.
  /// - Throws: ``SearchQueryError`` with everything that is wrong: names with invalid characters, words without a
  ///   letter, operators that the endpoint lacks, too many characters.
  public func text(for use: Use = .recentSearch) throws(SearchQueryError) -> String {
    var problems = expression.problems(use)
    let text = expression.text(isNested: false)
    let length = text.unicodeScalars.count
    if length > use.maximumLength {
      problems.append(
        "it has \(length) characters, but \(use) takes at most \(use.maximumLength); split it, or leave something out")
    }
    guard problems.isEmpty else { throw SearchQueryError(problems: problems) }
    return text
  }

  /// The kind of endpoint that a query is for.
  public struct Use: Sendable, Hashable, CustomStringConvertible {
    /// The name of the endpoint, for messages.
    public let description: String
    /// The maximum number of characters. It depends on the access level; increase it if yours allows more.
    public var maximumLength: Int
    let isStream: Bool

    /// Searching and counting the posts of the last week: 512 characters.
    public static let recentSearch = Use(description: "a recent search", maximumLength: 512, isStream: false)
    /// Searching and counting all posts: 1,024 characters.
    public static let archiveSearch = Use(description: "a search of the archive", maximumLength: 1024, isStream: false)
    /// A rule of the filtered stream: 1,024 characters.
    public static let streamRule = Use(description: "a rule of the stream", maximumLength: 1024, isStream: true)

    /// The same endpoint at an access level with another maximum length, such as 4,096 characters for Enterprise.
    public func limited(to maximumLength: Int) -> Use {
      var other = self
      other.maximumLength = maximumLength
      return other
    }
  }
}

/// An operator that X accepts only together with one that can be used by itself: `is:`, `has:`, `lang:`, counts, and
/// everything that is excluded. See ``SearchQuery``.
public struct SearchFilter: Sendable, Hashable {
  let expression: SearchExpression

  init(_ expression: SearchExpression) { self.expression = expression }
}

/// Why a ``SearchQuery`` cannot be sent to X.
public struct SearchQueryError: CallsignError, Hashable {
  /// The mistakes, each with what to do about it.
  public let problems: [String]

  /// All problems, in one line.
  public var description: String { "the query cannot be sent: " + problems.joined(separator: "; ") }
  /// All problems, in one line.
  public var errorDescription: String? { description }
}

extension SearchQuery: ExpressibleByStringLiteral {
  /// Posts with all of these words, in any order.
  public init(stringLiteral words: String) { self = .words(words) }

  /// Posts with all of these words, in any order. Separate the words with white space.
  ///
  /// A word that contains punctuation is searched for as a phrase, because X would split it.
  public static func words(_ words: String) -> SearchQuery {
    let terms = words.split(whereSeparator: \.isWhitespace).map { SearchExpression.word(String($0)) }
    return SearchQuery(terms.isEmpty ? .word("") : .all(terms))
  }

  /// Posts with these words in this order, next to each other. Punctuation and the case of letters do not matter.
  public static func phrase(_ text: String) -> SearchQuery { SearchQuery(.phrase(text)) }

  /// Posts with two words that are at most this many words apart, up to 6.
  public static func words(_ first: String, _ second: String, within distance: Int) -> SearchQuery {
    SearchQuery(.near(first, second, distance))
  }

  /// Posts with a hashtag, with or without `#`.
  public static func hashtag(_ name: String) -> SearchQuery { SearchQuery(.sign("#", name)) }
  /// Posts with a cashtag, with or without `$`.
  public static func cashtag(_ symbol: String) -> SearchQuery { SearchQuery(.sign("$", symbol)) }
  /// Posts that mention a user, by the username with or without `@`.
  public static func mention(_ username: String) -> SearchQuery { SearchQuery(.sign("@", username)) }

  /// Posts by a user, by username or id.
  public static func from(_ user: String) -> SearchQuery { SearchQuery(.user("from", user)) }
  /// Replies to a user's posts, by username or id.
  public static func to(_ user: String) -> SearchQuery { SearchQuery(.user("to", user)) }
  /// Posts by the accounts that are affiliated with a user, by the user's username or id.
  public static func from(affiliatesOf user: String) -> SearchQuery { SearchQuery(.user("from_affiliate_of", user)) }
  /// Replies to posts by the accounts that are affiliated with a user, by the user's username or id.
  public static func to(affiliatesOf user: String) -> SearchQuery { SearchQuery(.user("to_affiliate_of", user)) }
  /// Reposts of a user's posts, by username or id.
  public static func reposts(of user: String) -> SearchQuery { SearchQuery(.user("retweets_of", user)) }

  /// Posts in the conversation that a post started.
  public static func conversation(_ postID: String) -> SearchQuery { SearchQuery(.id("conversation_id", postID)) }
  /// Replies to a post.
  public static func replies(toPost postID: String) -> SearchQuery { SearchQuery(.id("in_reply_to_tweet_id", postID)) }
  /// Posts that quote a post.
  public static func quotes(ofPost postID: String) -> SearchQuery { SearchQuery(.id("quotes_of_tweet_id", postID)) }
  /// Reposts of a post.
  public static func reposts(ofPost postID: String) -> SearchQuery { SearchQuery(.id("retweets_of_tweet_id", postID)) }
  /// Posts by the members of a list.
  public static func list(_ listID: String) -> SearchQuery { SearchQuery(.id("list", listID)) }

  /// Posts with a link to a URL, or to any URL below it.
  public static func url(_ address: String) -> SearchQuery { SearchQuery(.quoted("url", address)) }
  /// Posts with a link to a page whose title has these words.
  public static func urlTitle(_ words: String) -> SearchQuery { SearchQuery(.quoted("url_title", words)) }
  /// Posts with a link to a page whose description has these words.
  public static func urlDescription(_ words: String) -> SearchQuery { SearchQuery(.quoted("url_description", words)) }
  /// Posts with a link whose URL contains this text, exactly as written.
  public static func urlContains(_ text: String) -> SearchQuery { SearchQuery(.quoted("url_contains", text)) }
  /// Posts about something that X has annotated, by the ids of its domain and of the entity.
  public static func context(domain: String, entity: String) -> SearchQuery {
    SearchQuery(.context(domain, entity))
  }
  /// Posts about any entity in a domain of X's annotations, by the domain's id.
  public static func context(domain: String) -> SearchQuery { SearchQuery(.context(domain, "*")) }
  /// Posts about something that X has recognized, by its name. For recent searches and stream rules; archive search
  /// lacks this operator.
  public static func entity(_ name: String) -> SearchQuery { SearchQuery(.quoted("entity", name)) }
  /// Posts by users whose description has these words.
  public static func bio(_ words: String) -> SearchQuery { SearchQuery(.quoted("bio", words)) }
  /// Posts by users whose name has these words.
  public static func bioName(_ words: String) -> SearchQuery { SearchQuery(.quoted("bio_name", words)) }
  /// Posts by users whose stated location has these words.
  public static func bioLocation(_ words: String) -> SearchQuery { SearchQuery(.quoted("bio_location", words)) }
  /// Posts that are tagged with a place, by its name or id.
  public static func place(_ place: String) -> SearchQuery { SearchQuery(.quoted("place", place)) }
  /// Posts that are tagged with a place in a country, by its two-letter ISO 3166-1 code.
  public static func country(_ code: String) -> SearchQuery { SearchQuery(.country(code)) }
  /// Posts that are tagged with a place around a point: degrees, and a radius of up to 40 kilometres.
  public static func around(longitude: Double, latitude: Double, kilometres: Double) -> SearchQuery {
    SearchQuery(.around(longitude, latitude, kilometres))
  }
  /// Posts that are tagged with a place inside a box: degrees, with sides of up to 40 kilometres.
  public static func inside(west: Double, south: Double, east: Double, north: Double) -> SearchQuery {
    SearchQuery(.inside(west, south, east, north))
  }

  /// Posts that were sent by an app, by the app's name.
  public static func source(_ app: String) -> SearchQuery { SearchQuery(.quoted("source", app)) }
  /// Posts with at least this many likes. X documents it for searches.
  public static func minimumLikes(_ count: Int) -> SearchQuery { SearchQuery(.minimum("min_likes", count)) }
  /// Posts with at least this many replies. X documents it for searches.
  public static func minimumReplies(_ count: Int) -> SearchQuery { SearchQuery(.minimum("min_replies", count)) }
  /// Posts with at least this many reposts. X documents it for searches.
  public static func minimumReposts(_ count: Int) -> SearchQuery { SearchQuery(.minimum("min_reposts", count)) }
  /// Posts whose meaning is close to that of a text. Only for stream rules, with X's Enterprise access with embeddings.
  /// You cannot exclude it. See ``SearchFilter/embeddingThreshold(_:)``.
  public static func embedding(_ text: String) -> SearchQuery { SearchQuery(.quoted("embedding", text)) }

  /// A query in X's own language, for operators that this type does not know. It is sent unchanged, and counts towards
  /// the length. If it has several operators and is part of a larger query, it gets parentheses.
  ///
  /// Only quotation marks and parentheses are checked: each one must be closed. The query needs an operator that can be
  /// used by itself. Do not put text into it that others wrote: X would also read operators in that text.
  public static func raw(_ text: String) -> SearchQuery { SearchQuery(.raw(text)) }

  /// Posts that match any of these queries.
  public static func any(_ first: SearchQuery, _ others: SearchQuery...) -> SearchQuery {
    SearchQuery(.any([first.expression] + others.map(\.expression)))
  }
}

extension SearchFilter {
  /// Reposts, without quotes.
  public static let isRepost = SearchFilter(.fixed("is:retweet"))
  /// Replies.
  public static let isReply = SearchFilter(.fixed("is:reply"))
  /// Posts that quote another.
  public static let isQuote = SearchFilter(.fixed("is:quote"))
  /// Posts by verified users.
  public static let isVerified = SearchFilter(.fixed("is:verified"))
  /// Excludes posts that exist only as advertisements. X accepts this operator only as an exclusion.
  public static let isNotNullcast = SearchFilter(.fixed("-is:nullcast"))
  /// Posts with a hashtag.
  public static let hasHashtags = SearchFilter(.fixed("has:hashtags"))
  /// Posts with a cashtag.
  public static let hasCashtags = SearchFilter(.fixed("has:cashtags"))
  /// Posts with a link or media.
  public static let hasLinks = SearchFilter(.fixed("has:links"))
  /// Posts that mention a user.
  public static let hasMentions = SearchFilter(.fixed("has:mentions"))
  /// Posts with a photo, a GIF or a video.
  public static let hasMedia = SearchFilter(.fixed("has:media"))
  /// Posts with a photo.
  public static let hasImages = SearchFilter(.fixed("has:images"))
  /// Posts with a video that was uploaded to X.
  public static let hasVideo = SearchFilter(.fixed("has:video_link"))
  /// Posts that are tagged with a place.
  public static let hasPlace = SearchFilter(.fixed("has:geo"))

  /// Posts in a language, by its BCP 47 code such as `en`, or `und` if X could not detect it.
  public static func language(_ code: String) -> SearchFilter { SearchFilter(.language(code)) }
  /// A random share of the matching posts: 1 to 100 percent. Only for stream rules.
  public static func sample(percent: Int) -> SearchFilter { SearchFilter(.sample(percent)) }
  /// Posts by users with at least this many followers.
  public static func followers(_ count: PartialRangeFrom<Int>) -> SearchFilter { .count("followers_count", count) }
  /// Posts by users whose number of followers is in a range.
  public static func followers(_ count: ClosedRange<Int>) -> SearchFilter { .count("followers_count", count) }
  /// Posts by users who follow at least this many accounts.
  public static func following(_ count: PartialRangeFrom<Int>) -> SearchFilter { .count("following_count", count) }
  /// Posts by users whose number of followed accounts is in a range.
  public static func following(_ count: ClosedRange<Int>) -> SearchFilter { .count("following_count", count) }
  /// Posts by users with at least this many posts.
  public static func posts(_ count: PartialRangeFrom<Int>) -> SearchFilter { .count("tweets_count", count) }
  /// Posts by users whose number of posts is in a range.
  public static func posts(_ count: ClosedRange<Int>) -> SearchFilter { .count("tweets_count", count) }

  /// Posts by users who are in at least this many lists.
  public static func listed(_ count: PartialRangeFrom<Int>) -> SearchFilter { .count("listed_count", count) }
  /// Posts by users whose number of lists is in a range.
  public static func listed(_ count: ClosedRange<Int>) -> SearchFilter { .count("listed_count", count) }
  /// Posts by users with at least this many followers, with the operator `min_followers`. X documents it for stream
  /// rules.
  public static func minimumFollowers(_ count: Int) -> SearchFilter {
    SearchFilter(.minimum("min_followers", count))
  }
  /// Posts that are at least this close to the text of ``SearchQuery/embedding(_:)``: 0 to 1, in hundredths, by the
  /// cosine of their embeddings. X's default is 0.3, and X recommends 0.3 to 0.6. Only for stream rules.
  public static func embeddingThreshold(_ similarity: Double) -> SearchFilter {
    SearchFilter(.embeddingThreshold(similarity))
  }

  /// A filter in X's own language, for operators that this type does not know. See ``SearchQuery/raw(_:)``.
  public static func raw(_ text: String) -> SearchFilter { SearchFilter(.raw(text)) }

  private static func count(_ name: String, _ count: PartialRangeFrom<Int>) -> SearchFilter {
    SearchFilter(.count(name, count.lowerBound, nil))
  }

  private static func count(_ name: String, _ count: ClosedRange<Int>) -> SearchFilter {
    SearchFilter(.count(name, count.lowerBound, count.upperBound))
  }
}

// Ways to combine queries and filters.
extension SearchQuery {
  /// Posts that match both queries.
  public static func && (left: SearchQuery, right: SearchQuery) -> SearchQuery {
    SearchQuery(.all([left.expression, right.expression]))
  }

  /// Posts that match the query and pass the filter.
  public static func && (left: SearchQuery, right: SearchFilter) -> SearchQuery {
    SearchQuery(.all([left.expression, right.expression]))
  }

  /// Posts that pass the filter and match the query.
  public static func && (left: SearchFilter, right: SearchQuery) -> SearchQuery {
    SearchQuery(.all([left.expression, right.expression]))
  }

  /// Posts that match at least one of the queries.
  public static func || (left: SearchQuery, right: SearchQuery) -> SearchQuery {
    SearchQuery(.any([left.expression, right.expression]))
  }

  /// Excludes the posts that match a query. X cannot exclude groups, so each operator of the query is excluded
  /// separately.
  public static prefix func ! (query: SearchQuery) -> SearchFilter { SearchFilter(query.expression.excluded) }
}

extension SearchFilter {
  /// Posts that pass both filters.
  public static func && (left: SearchFilter, right: SearchFilter) -> SearchFilter {
    SearchFilter(.all([left.expression, right.expression]))
  }

  /// Posts that pass at least one of the filters.
  public static func || (left: SearchFilter, right: SearchFilter) -> SearchFilter {
    SearchFilter(.any([left.expression, right.expression]))
  }

  /// Excludes the posts that pass a filter.
  public static prefix func ! (filter: SearchFilter) -> SearchFilter { SearchFilter(filter.expression.excluded) }
}

/// The tree of a search.
indirect enum SearchExpression: Sendable, Hashable {
  case word(String)
  case phrase(String)
  case near(String, String, Int)
  /// A name after a sign.
  case sign(Character, String)
  /// A username or an id.
  case user(String, String)
  case id(String, String)
  case quoted(String, String)
  case context(String, String)
  case country(String)
  case around(Double, Double, Double)
  case inside(Double, Double, Double, Double)
  case fixed(String)
  case language(String)
  case sample(Int)
  case count(String, Int, Int?)
  case minimum(String, Int)
  case embeddingThreshold(Double)
  case raw(String)
  case not(SearchExpression)
  case all([SearchExpression])
  case any([SearchExpression])

  /// The opposite, with each operator excluded separately (De Morgan).
  var excluded: SearchExpression {
    switch self {
    case .not(let other): other
    case .all(let parts): .any(parts.map(\.excluded))
    case .any(let parts): .all(parts.map(\.excluded))
    default: .not(self)
    }
  }

  /// The parts of a conjunction or disjunction, with nested parts of the same kind flattened.
  private var flat: [SearchExpression] {
    switch self {
    case .all(let parts): parts.flatMap { part in if case .all = part { part.flat } else { [part] } }
    case .any(let parts): parts.flatMap { part in if case .any = part { part.flat } else { [part] } }
    default: [self]
    }
  }

  /// - Parameter isNested: Whether it is part of a larger query, so that a group needs parentheses.
  func text(isNested: Bool) -> String {
    switch self {
    case .all, .any:
      let parts = flat
      if parts.count == 1 { return parts[0].text(isNested: isNested) }
      let isAll = if case .all = self { true } else { false }
      let text = parts.map { $0.text(isNested: true) }.joined(separator: isAll ? " " : " OR ")
      return isNested ? "(\(text))" : text
    case .not(.fixed("-is:nullcast")): return "-is:nullcast"
    case .not(let other): return "-" + other.text(isNested: true)
    case .word(let word): return Self.isPlain(word) ? word : Self.quoted(word)
    case .phrase(let text): return Self.quoted(text)
    case .near(let first, let second, let distance): return Self.quoted("\(first) \(second)") + "~\(distance)"
    case .sign(let sign, let name): return "\(sign)\(Self.bare(name, sign))"
    case .user(let name, let user): return "\(name):\(Self.bare(user, "@"))"
    case .id(let name, let id): return "\(name):\(id)"
    case .quoted(let name, let text): return "\(name):\(Self.quoted(text))"
    case .context(let domain, let entity): return "context:\(domain).\(entity)"
    case .country(let code): return "place_country:\(code.uppercased())"
    case .around(let longitude, let latitude, let distance):
      return "point_radius:[\(Self.decimal(longitude)) \(Self.decimal(latitude)) \(Self.decimal(distance))km]"
    case .inside(let west, let south, let east, let north):
      return "bounding_box:[\([west, south, east, north].map(Self.decimal).joined(separator: " "))]"
    case .fixed(let text): return text
    case .language(let code): return "lang:\(code)"
    case .sample(let percent): return "sample:\(percent)"
    case .count(let name, let low, let high): return "\(name):\(low)" + (high.map { "..\($0)" } ?? "")
    case .minimum(let name, let count): return "\(name):\(count)"
    case .embeddingThreshold(let similarity): return "embedding_threshold:\((similarity * 100).rounded() / 100)"
    case .raw(let text): return isNested && !RawSearch(text).isOneOperator ? "(\(text))" : text
    }
  }

  func problems(_ use: SearchQuery.Use) -> [String] {
    switch self {
    case .all(let parts), .any(let parts): return parts.flatMap { $0.problems(use) }
    case .not(.fixed("-is:nullcast")): return ["X cannot search for promoted-only posts; leave the filter out"]
    case .not(.sample), .not(.quoted("embedding", _)), .not(.embeddingThreshold):
      return ["X cannot exclude by `sample` or `embedding`; leave the exclusion out"]
    case .not(.raw(let text)) where text.hasPrefix("-"):
      return ["`\(text)` is already an exclusion; leave the other one out"]
    case .not(.raw(let text)) where !text.isEmpty && RawSearch(text).isClosed && !RawSearch(text).isOneOperator:
      return ["X cannot exclude groups; exclude each operator of `\(text)` separately"]
    case .not(let other): return other.problems(use)
    case .quoted("embedding", _) where !use.isStream, .embeddingThreshold where !use.isStream:
      return ["`embedding` is only for stream rules; leave it out"]
    case .word(let text), .phrase(let text), .quoted(_, let text):
      return Self.hasWord(text) ? [] : ["`\(text)` has no letter, number or symbol to look for; leave it out"]
    case .near(let first, let second, let distance):
      let words = [first, second].filter { !Self.isPlain($0) }
      return words.map { "`\($0)` is not a single word; give one" }
        + ((1...6).contains(distance) ? [] : ["words can be 1 to 6 apart, not \(distance)"])
    case .sign("@", let name): return Self.nameProblems(Self.bare(name, "@"))
    case .sign(let sign, let name):
      let bare = Self.bare(name, sign)
      let isName =
        !bare.isEmpty
        && bare.unicodeScalars.allSatisfy { Self.isNamePart($0) || (sign == "$" && "._".unicodeScalars.contains($0)) }
      return isName
        ? [] : ["`\(name)` is not a \(sign == "#" ? "hashtag" : "cashtag"); use only letters, digits and `_`"]
    case .user(_, let user): return Self.nameProblems(Self.bare(user, "@"))
    case .id(let name, let id): return Self.isID(id) ? [] : ["`\(id)` is not an id for `\(name)`; give its digits"]
    case .context(let domain, let entity):
      return Self.isID(domain) && (entity == "*" || Self.isID(entity))
        ? [] : ["a context has the ids of a domain and an entity, such as 10 and 799022225751871488"]
    case .country(let code):
      let isCode = code.utf8.count == 2 && code.utf8.allSatisfy { (0x41...0x5A).contains($0 & 0xDF) }
      return isCode ? [] : ["`\(code)` is not a country; give its two-letter code, such as US"]
    case .around(let longitude, let latitude, let distance):
      return Self.placeProblems([longitude], [latitude])
        + (distance > 0 && distance <= 40 ? [] : ["a radius is above 0 and at most 40 kilometres, not \(distance)"])
    case .inside(let west, let south, let east, let north):
      return Self.placeProblems([west, east], [south, north])
        + (west < east && south < north
          ? [] : ["a box has west and south first; they must be less than east and north"])
    case .fixed: return []
    case .language(let code):
      let isCode =
        (2...8).contains(code.utf8.count) && code.utf8.allSatisfy { (0x61...0x7A).contains($0 | 0x20) || $0 == 0x2D }
      return isCode ? [] : ["`\(code)` is not a language; give its code, such as en"]
    case .sample(let percent):
      if !use.isStream { return ["`sample` is only for stream rules; leave it out"] }
      return (1...100).contains(percent) ? [] : ["a sample has 1 to 100 percent, not \(percent)"]
    case .count(let name, let low, _), .minimum(let name, let low):
      return low >= 0 ? [] : ["`\(name)` is at least 0, not \(low)"]
    case .embeddingThreshold(let similarity):
      return (0...1).contains(similarity) ? [] : ["a threshold is 0 to 1, not \(similarity)"]
    case .raw(let text):
      if text.allSatisfy(\.isWhitespace) { return ["a raw query is empty; leave it out"] }
      return RawSearch(text).isClosed
        ? [] : ["`\(text)` has an unclosed quotation mark or parenthesis; close it"]
    }
  }

  /// Whether X reads a word as it is: as one word, and not as a keyword of its language.
  private static func isPlain(_ word: String) -> Bool {
    !word.isEmpty && word.unicodeScalars.allSatisfy(isNamePart) && !["OR", "AND", "NOT"].contains(word)
  }

  /// Within quotation marks. X splits texts at punctuation, so a space means the same as a quotation mark inside.
  private static func quoted(_ text: String) -> String {
    let pieces = text.unicodeScalars.split { scalar in
      scalar == "\"" || scalar == "\\" || scalar.properties.isWhitespace
        || scalar.properties.generalCategory == .control
    }
    return "\"\(pieces.map { String($0) }.joined(separator: " "))\""
  }

  private static func isNamePart(_ scalar: Unicode.Scalar) -> Bool {
    let properties = scalar.properties
    return properties.isAlphabetic || properties.numericType != nil || scalar == "_"
      || properties.generalCategory == .nonspacingMark || properties.generalCategory == .spacingMark
  }

  /// Whether a text has something that X can look for: a letter, a number, or a symbol such as an emoji.
  private static func hasWord(_ text: String) -> Bool {
    text.unicodeScalars.contains {
      isNamePart($0) || $0.properties.isEmojiPresentation || $0.properties.generalCategory == .otherSymbol
    }
  }

  private static func nameProblems(_ name: String) -> [String] {
    let isName =
      (1...20).contains(name.utf8.count)
      && name.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x7A).contains($0 | 0x20) || $0 == 0x5F }
    return isName ? [] : ["`\(name)` is not a username; use letters, digits and `_`"]
  }

  private static func placeProblems(_ longitudes: [Double], _ latitudes: [Double]) -> [String] {
    longitudes.filter { !(-180...180).contains($0) }.map { "a longitude has -180 to 180 degrees, not \($0)" }
      + latitudes.filter { !(-90...90).contains($0) }.map { "a latitude has -90 to 90 degrees, not \($0)" }
  }

  private static func isID(_ text: String) -> Bool {
    (1...20).contains(text.utf8.count) && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
  }

  private static func bare(_ name: String, _ sign: Character) -> String {
    name.first == sign ? String(name.dropFirst()) : name
  }

  /// Without an exponent, which X does not read.
  private static func decimal(_ number: Double) -> String {
    guard number.isFinite else { return "\(number)" }
    if number == number.rounded(), abs(number) < 1e6 { return String(Int(number)) }
    // The largest number has 309 digits before its point.
    return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 400) { text in
      guard let start = text.baseAddress else { return "" }
      let count = withVaList([number]) { vsnprintf(start, text.count, "%.6f", $0) }
      return String(decoding: UnsafeRawBufferPointer(text).prefix(Int(max(0, count))), as: UTF8.self)
    }
  }
}

/// The shape of a search that a caller has written in X's language.
private struct RawSearch {
  /// Whether every quotation mark and every parenthesis is closed.
  private(set) var isClosed = false
  /// Whether it is a single operator, which needs no parentheses next to others.
  private(set) var isOneOperator = false

  init(_ text: String) {
    var (depth, isQuoted, isBracketed, isOne) = (0, false, false, !text.isEmpty)
    for character in text {
      if isQuoted {
        isQuoted = character != "\""
        continue
      }
      switch character {
      case "\"": isQuoted = true
      case "[": isBracketed = true
      case "]": isBracketed = false
      case "(":
        depth += 1
        isOne = false
      case ")":
        depth -= 1
        if depth < 0 { return }
      default: if character.isWhitespace, !isBracketed { isOne = false }
      }
    }
    isClosed = depth == 0 && !isQuoted
    isOneOperator = isOne && isClosed
  }
}
