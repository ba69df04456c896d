import Foundation

/// A search query or a stream rule, with X's operators: words, `"phrases"`, `#tags`, `$tags`, `@mentions`, `from:`, `is:`, `has:`
/// and so on, `-` before any of them, `OR` between them, and parentheses.
struct SearchQuery: Sendable {
  /// The reason why a query cannot be read.
  struct Fault: Error, Equatable {
    /// X's message, with the position.
    let message: String

    /// A query that only narrows a search would match far too many posts on its own.
    static let lacksStandaloneOperator = Fault(
      message: "Rules must contain at least one positive, non-stopword clause in each alternative (at position 1)")

    /// The refusal of a request with this query as a parameter.
    func problem(parameter: String, _ text: String) -> Problem {
      .invalidRequest([
        InvalidParameter(
          name: parameter, values: [text], message: "There were errors processing your request: \(message)")
      ])
    }
  }

  indirect enum Node: Sendable {
    case term(SearchCondition)
    case not(Node)
    case all([Node])
    case any([Node])
  }

  private let root: Node

  init(_ text: String) throws(Fault) {
    var reader = SearchQueryReader(text)
    root = try reader.query()
  }

  /// Whether X would accept it: every alternative has a condition that is not negated and can be used on its own.
  var standsAlone: Bool { Self.standsAlone(root) }

  func matches(_ post: PostRecord, in database: Database) -> Bool {
    Self.holds(root, SearchedPost(post, database))
  }

  /// A distance such as `25mi` or `40km`, in kilometres.
  static func kilometres(_ text: String) -> Double? {
    for (unit, factor) in [("mi", 1.609_344), ("km", 1)] where text.hasSuffix(unit) {
      guard let number = Double(text.dropLast(unit.count)), number.isFinite, number > 0 else { return nil }
      return number * factor
    }
    return nil
  }

  private static func holds(_ node: Node, _ post: SearchedPost) -> Bool {
    switch node {
    case .term(let condition): condition.holds(post)
    // A post without a stated language passes both `lang:en` and `-lang:en`.
    case .not(.term(.language(let code))): post.record.language.lowercased() != code
    case .not(let other): !holds(other, post)
    case .all(let nodes): nodes.allSatisfy { holds($0, post) }
    case .any(let nodes): nodes.contains { holds($0, post) }
    }
  }

  private static func standsAlone(_ node: Node) -> Bool {
    switch node {
    case .term(let condition): condition.standsAlone
    case .not: false
    case .all(let nodes): nodes.contains(where: standsAlone)
    case .any(let nodes): nodes.allSatisfy(standsAlone)
    }
  }
}

/// A post with its text split into parts once for all conditions.
final class SearchedPost {
  let record: PostRecord
  let database: Database
  private(set) lazy var entities = PostEntities(record.text)
  private(set) lazy var text = record.text.lowercased()
  private(set) lazy var words = SearchCondition.words(text)

  init(_ record: PostRecord, _ database: Database) {
    (self.record, self.database) = (record, database)
  }
}

/// A condition on a post: an operator with its value.
enum SearchCondition: Sendable {
  /// Consecutive words, and the original text for phrases without words.
  case phrase([String], String)
  /// Two words with at most a number of words between them.
  case near([String], Int)
  case hashtag(String)
  case cashtag(String)
  case mention(String)
  case from(String)
  case to(String)
  case repostsOf(String)
  case conversation(Identifier)
  case repliesToPost(Identifier)
  case quotesOfPost(Identifier)
  case repostsOfPost(Identifier)
  case list(Identifier)
  case url(String)
  case urlPart(String)
  case about([String])
  case location([String])
  case name([String])
  case language(String)
  case isReply, isQuote, isRepost, isVerified, isPromotedOnly
  case hasHashtags, hasCashtags, hasLinks, hasMentions, hasMedia, hasImages, hasVideos, hasPlace
  case source(String)
  /// A place, by its ID or a part of its name.
  case place(String)
  case country(String)
  case circle(GeographicPoint, Double)
  case area(GeographicArea)
  /// Annotations that X adds to a post or to the page behind its link, and affiliations. The sandbox has none.
  case annotation
  /// The similarity of a post to a text, which the sandbox cannot determine.
  case embedding, embeddingThreshold
  case sample(Int)
  case count(Count, ClosedRange<Int>)
  case minimum(Reaction, Int)

  enum Count: String, Sendable, CaseIterable {
    case followers = "followers_count"
    case following = "following_count"
    case posts = "tweets_count"
    case lists = "listed_count"
  }

  enum Reaction: String, Sendable, CaseIterable {
    case likes = "min_likes"
    case replies = "min_replies"
    case reposts = "min_reposts"
  }

  var standsAlone: Bool {
    switch self {
    case .phrase, .near, .hashtag, .cashtag, .mention, .from, .to, .repostsOf, .conversation, .repliesToPost,
      .quotesOfPost, .repostsOfPost, .list, .url, .urlPart, .about, .location, .name, .place, .country, .circle, .area,
      .annotation, .embedding, .source, .count, .minimum:
      true
    default: false
    }
  }

  func holds(_ post: SearchedPost) -> Bool {
    let (record, database) = (post.record, post.database)
    switch self {
    case .phrase(let words, let text):
      return words.isEmpty ? post.text.contains(text) : Self.contains(words, in: post.words)
    case .near(let words, let distance): return Self.isNear(words, distance, in: post.words)
    case .hashtag(let tag): return post.entities.hashtags.contains { $0.text.lowercased() == tag }
    case .cashtag(let tag): return post.entities.cashtags.contains { $0.text.lowercased() == tag }
    case .mention(let name): return post.entities.mentions.contains { $0.text.lowercased() == name }
    case .from(let user): return Self.isUser(user, record.author, database)
    case .to(let user): return record.repliesToUser.map { Self.isUser(user, $0, database) } ?? false
    case .repostsOf(let user):
      return record.reposts.flatMap { database.posts[$0] }.map { Self.isUser(user, $0.author, database) } ?? false
    case .conversation(let id): return record.conversation == id
    case .repliesToPost(let id): return record.repliesTo == id
    case .quotesOfPost(let id): return record.quotes == id
    case .repostsOfPost(let id): return record.reposts == id
    case .list(let id): return database.members[id]?.contains(record.author) ?? false
    case .url(let address): return post.entities.urls.contains { $0.text.lowercased().contains(address) }
    case .urlPart(let part): return post.entities.urls.contains { $0.text.lowercased().contains(part) }
    case .location(let words):
      return Self.contains(words, in: Self.words(database.users[record.author]?.location.lowercased() ?? ""))
    case .about(let words):
      return Self.contains(words, in: Self.words(database.users[record.author]?.about.lowercased() ?? ""))
    case .name(let words):
      return Self.contains(words, in: Self.words(database.users[record.author]?.name.lowercased() ?? ""))
    case .language(let code): return record.language.lowercased() == code || record.language == "und"
    case .isReply: return record.repliesTo != nil
    case .isQuote: return record.quotes != nil
    case .isRepost: return record.reposts != nil
    case .isVerified, .isPromotedOnly, .annotation, .embedding: return false
    // On its own, it is not a condition.
    case .embeddingThreshold: return true
    case .hasPlace: return record.place != nil || record.point != nil
    case .source(let name): return record.source.lowercased() == name
    case .place(let name):
      guard let place = record.place.flatMap({ database.places[$0] }) else { return false }
      return place.key == name || place.fullName.lowercased().contains(name)
    case .country(let code):
      guard let place = record.place.flatMap({ database.places[$0] }) else { return false }
      return place.countryCode.lowercased() == code || place.country.lowercased() == code
    case .circle(let center, let distance): return record.isWithin(distance, of: center, in: database)
    case .area(let area): return record.isWithin(area, in: database)
    case .hasHashtags: return !post.entities.hashtags.isEmpty
    case .hasCashtags: return !post.entities.cashtags.isEmpty
    case .hasLinks: return !post.entities.urls.isEmpty || !record.media.isEmpty
    case .hasMentions: return !post.entities.mentions.isEmpty
    case .hasMedia: return !record.media.isEmpty
    case .hasImages: return Self.media(of: record, database).contains { !$0.isVideo && !$0.isGIF }
    case .hasVideos: return Self.media(of: record, database).contains(where: \.isVideo)
    case .sample(let percent): return Int(record.id >> 22) % 100 < percent
    case .count(let count, let range): return range.contains(count.of(record.author, database))
    case .minimum(let reaction, let least): return reaction.count(record.id, database) >= least
    }
  }

  private static func media(of post: PostRecord, _ database: Database) -> [MediaRecord] {
    post.media.compactMap { database.media[$0] }
  }

  private static func isUser(_ text: String, _ id: Identifier, _ database: Database) -> Bool {
    text == String(id) || database.user(named: text)?.id == id
  }

  /// The words of a text in lowercase, split at white space and punctuation as on X.
  static func words(_ text: String) -> [String] {
    text.split { !$0.isLetter && !$0.isNumber && $0 != "_" }.map(String.init)
  }

  private static func contains(_ words: [String], in text: [String]) -> Bool {
    guard let first = words.first, text.count >= words.count else { return false }
    return text.indices.dropLast(words.count - 1).contains { start in
      text[start] == first && text[start..<start + words.count].elementsEqual(words)
    }
  }

  private static func isNear(_ words: [String], _ distance: Int, in text: [String]) -> Bool {
    guard words.count == 2 else { return contains(words, in: text) }
    let others = text.indices.filter { text[$0] == words[1] }
    return text.indices.contains { index in
      text[index] == words[0] && others.contains { $0 != index && abs($0 - index) <= distance + 1 }
    }
  }
}

extension SearchCondition.Count {
  fileprivate func of(_ user: Identifier, _ database: Database) -> Int {
    switch self {
    case .followers: database.followers[user]?.count ?? 0
    case .following: database.following[user]?.count ?? 0
    case .posts: database.postsOfUser[user]?.count ?? 0
    case .lists: database.memberships[user]?.count ?? 0
    }
  }
}

extension SearchCondition.Reaction {
  fileprivate func count(_ post: Identifier, _ database: Database) -> Int {
    switch self {
    case .likes: database.likingUsers[post]?.count ?? 0
    case .replies: database.replies[post]?.count ?? 0
    case .reposts: database.repostingUsers[post]?.count ?? 0
    }
  }
}

/// Parses a query by recursive descent: alternatives of conjunctions of terms.
private struct SearchQueryReader {
  private let characters: [Character]
  private var index = 0
  private var depth = 0

  private static let deepest = 32
  /// The maximum radius in kilometres: 25 miles.
  private static let widest = 40.3

  init(_ text: String) { characters = Array(text) }

  mutating func query() throws(SearchQuery.Fault) -> SearchQuery.Node {
    skipSpace()
    guard index < characters.count else { throw fault("no viable alternative at input '<EOF>'", at: index) }
    let node = try alternatives()
    guard index == characters.count else { throw fault("missing EOF at '\(characters[index])'", at: index) }
    return node
  }

  private mutating func alternatives() throws(SearchQuery.Fault) -> SearchQuery.Node {
    var nodes = [try conjunction()]
    while isAtWord("OR") {
      index += 2
      nodes.append(try conjunction())
    }
    return nodes.count == 1 ? nodes[0] : .any(nodes)
  }

  private mutating func conjunction() throws(SearchQuery.Fault) -> SearchQuery.Node {
    var nodes: [SearchQuery.Node] = []
    while true {
      skipSpace()
      if index == characters.count || characters[index] == ")" || isAtWord("OR") { break }
      nodes.append(try factor())
    }
    guard let first = nodes.first else {
      let next = index == characters.count ? "<EOF>" : isAtWord("OR") ? "OR" : String(characters[index])
      throw fault("no viable alternative at input '\(next)'", at: index)
    }
    return nodes.count == 1 ? first : .all(nodes)
  }

  private mutating func factor() throws(SearchQuery.Fault) -> SearchQuery.Node {
    let start = index
    var isNegated = false
    if characters[index] == "-" {
      isNegated = true
      index += 1
      guard index < characters.count, !characters[index].isWhitespace, characters[index] != "-" else {
        throw fault("no viable alternative at character '-'", at: start)
      }
    }
    if characters[index] == ")" { throw fault("no viable alternative at input ')'", at: index) }
    if characters[index] == "(" {
      depth += 1
      guard depth <= Self.deepest else { throw fault("too many parentheses inside each other", at: index) }
      index += 1
      let node = try alternatives()
      guard index < characters.count else { throw fault("missing ')' at '<EOF>'", at: index) }
      index += 1
      depth -= 1
      return isNegated ? .not(node) : node
    }
    let condition = try term()
    switch condition {
    case .isPromotedOnly where !isNegated: throw fault("is:nullcast must be negated", at: start)
    case .sample where isNegated: throw fault("sample cannot be negated", at: start)
    case .embedding where isNegated: throw fault("embedding cannot be negated", at: start)
    default: break
    }
    return isNegated ? .not(.term(condition)) : .term(condition)
  }

  private mutating func term() throws(SearchQuery.Fault) -> SearchCondition {
    let start = index
    if characters[index] == "\"" { return try phrase() }
    var name = ""
    while index < characters.count, characters[index].isLetter || characters[index].isNumber || characters[index] == "_"
    {
      name.append(characters[index])
      index += 1
    }
    let isOperator =
      index < characters.count && characters[index] == ":" && !name.isEmpty
      && !["http", "https"].contains(name.lowercased())
    guard isOperator else {
      index = start
      return try word()
    }
    index += 1
    return try condition(name.lowercased(), try value(), at: start)
  }

  /// A word, up to white space or a parenthesis.
  private mutating func word() throws(SearchQuery.Fault) -> SearchCondition {
    let start = index
    while index < characters.count, !characters[index].isWhitespace, !"()\"".contains(characters[index]) { index += 1 }
    let text = String(characters[start..<index])
    if text == "AND" {
      throw fault(
        "Ambiguous use of and as a keyword. Use a space to logically join two clauses, or \"and\" to find occurrences of and in text",
        at: start)
    }
    let name = String(text.dropFirst()).lowercased()
    switch text.first {
    case "#" where !name.isEmpty: return .hashtag(name)
    case "$" where !name.isEmpty && !name.allSatisfy(\.isNumber): return .cashtag(name)
    case "@" where !name.isEmpty: return .mention(name)
    default: return Self.phrase(text)
    }
  }

  private mutating func phrase() throws(SearchQuery.Fault) -> SearchCondition {
    let text = try quoted()
    guard index + 1 < characters.count, characters[index] == "~", let distance = characters[index + 1].wholeNumberValue
    else { return Self.phrase(text) }
    index += 2
    return .near(SearchCondition.words(text.lowercased()), distance)
  }

  private static func phrase(_ text: String) -> SearchCondition {
    .phrase(SearchCondition.words(text.lowercased()), text.lowercased())
  }

  /// A text in quotation marks, without them.
  private mutating func quoted() throws(SearchQuery.Fault) -> String {
    let start = index
    index += 1
    var text = ""
    while index < characters.count, characters[index] != "\"" {
      text.append(characters[index])
      index += 1
    }
    guard index < characters.count else { throw fault("no viable alternative at character '\"'", at: start) }
    index += 1
    return text
  }

  /// The value of an operator: quoted, in brackets, or up to white space or a parenthesis.
  private mutating func value() throws(SearchQuery.Fault) -> String {
    guard index < characters.count else { return "" }
    if characters[index] == "\"" { return try quoted() }
    let isBracketed = characters[index] == "["
    var text = ""
    while index < characters.count, isBracketed || !characters[index].isWhitespace && !"()".contains(characters[index])
    {
      text.append(characters[index])
      index += 1
      if isBracketed, text.last == "]" { break }
    }
    return text
  }

  private func condition(_ name: String, _ value: String, at start: Int) throws(SearchQuery.Fault) -> SearchCondition {
    func user() throws(SearchQuery.Fault) -> String {
      let bare = value.hasPrefix("@") ? String(value.dropFirst()) : value
      guard Pattern.isUsername(bare) || Pattern.isIdentifier(bare) else { throw invalid(name, value, start) }
      return bare
    }
    func id() throws(SearchQuery.Fault) -> Identifier {
      guard Pattern.isIdentifier(value), let id = Identifier(value) else { throw invalid(name, value, start) }
      return id
    }
    func words() throws(SearchQuery.Fault) -> [String] {
      let words = SearchCondition.words(value.lowercased())
      guard !words.isEmpty else { throw invalid(name, value, start) }
      return words
    }
    func text() throws(SearchQuery.Fault) -> String {
      guard !value.isEmpty else { throw invalid(name, value, start) }
      return value.lowercased()
    }
    func number(_ range: ClosedRange<Int>) throws(SearchQuery.Fault) -> Int {
      guard let number = Int(value), range.contains(number) else { throw invalid(name, value, start) }
      return number
    }
    switch name {
    case "from": return .from(try user())
    case "to": return .to(try user())
    case "retweets_of", "retweets_of_user": return .repostsOf(try user())
    case "from_affiliate_of", "to_affiliate_of":
      _ = try user()
      return .annotation
    case "conversation_id": return .conversation(try id())
    case "in_reply_to_tweet_id", "in_reply_to_status_id": return .repliesToPost(try id())
    case "quotes_of_tweet_id", "quotes_of_status_id": return .quotesOfPost(try id())
    case "retweets_of_tweet_id", "retweets_of_status_id": return .repostsOfPost(try id())
    case "list": return .list(try id())
    case "url": return .url(try text())
    case "url_contains": return .urlPart(try text())
    case "bio_location", "user_bio_location": return .location(try words())
    case "source": return .source(try text())
    case "place": return .place(try text())
    case "place_country": return .country(try text())
    case "point_radius", "bounding_box", "geo_bounding_box":
      guard let condition = Self.region(name, value) else { throw invalid(name, value, start) }
      return condition
    case "context":
      guard value.wholeMatch(of: #/(\*|[0-9]+)\.(\*|[0-9]+)/#) != nil else { throw invalid(name, value, start) }
      return .annotation
    case "entity", "url_title", "url_description":
      _ = try words()
      return .annotation
    case "embedding":
      _ = try words()
      return .embedding
    case "embedding_threshold":
      guard let similarity = Double(value), (0...1).contains(similarity) else { throw invalid(name, value, start) }
      return .embeddingThreshold
    case "min_followers": return .count(.followers, try number(0 ... .max) ... .max)
    case "bio", "user_bio": return .about(try words())
    case "bio_name", "user_bio_name": return .name(try words())
    case "lang":
      guard (2...8).contains(value.count) else { throw invalid(name, value, start) }
      return .language(value.lowercased())
    case "sample": return .sample(try number(1...100))
    case "is", "has":
      guard let condition = (name == "is" ? Self.kinds : Self.parts)[value.lowercased()] else {
        throw invalid(name, value, start)
      }
      return condition
    default:
      if let reaction = SearchCondition.Reaction(rawValue: name) { return .minimum(reaction, try number(0 ... .max)) }
      return try count(name, value, at: start)
    }
  }

  /// A number or a range for something counted: `followers_count:10..20`.
  private func count(_ name: String, _ value: String, at start: Int) throws(SearchQuery.Fault) -> SearchCondition {
    guard let count = SearchCondition.Count(rawValue: name) else {
      throw fault(
        "Reference to invalid operator '\(name)'. Operator is not available in current product or product packaging",
        at: start)
    }
    let bounds = value.components(separatedBy: "..").map { Int($0) }
    guard let low = bounds[0], low >= 0, bounds.count <= 2 else { throw invalid(name, value, start) }
    guard bounds.count == 2 else { return .count(count, low ... .max) }
    guard let high = bounds[1], low <= high else { throw invalid(name, value, start) }
    return .count(count, low...high)
  }

  /// `[longitude latitude radius]`, or `[west south east north]`; `nil` for anything else.
  private static func region(_ name: String, _ value: String) -> SearchCondition? {
    guard value.first == "[", value.last == "]" else { return nil }
    let parts = value.dropFirst().dropLast().split(whereSeparator: \.isWhitespace).map(String.init)
    if name != "point_radius" {
      let bounds = parts.compactMap { Double($0) }
      return parts.count == bounds.count ? GeographicArea(bounds).map { .area($0) } : nil
    }
    guard parts.count == 3, let longitude = Double(parts[0]), let latitude = Double(parts[1]),
      let center = GeographicPoint(longitude: longitude, latitude: latitude),
      let radius = SearchQuery.kilometres(parts[2]), radius <= widest
    else { return nil }
    return .circle(center, radius)
  }

  private static let kinds: [String: SearchCondition] = [
    "reply": .isReply, "quote": .isQuote, "retweet": .isRepost, "verified": .isVerified, "nullcast": .isPromotedOnly,
  ]

  private static let parts: [String: SearchCondition] = [
    "hashtags": .hasHashtags, "cashtags": .hasCashtags, "links": .hasLinks, "mentions": .hasMentions,
    "media": .hasMedia, "media_link": .hasMedia,
    "images": .hasImages, "videos": .hasVideos, "video_link": .hasVideos, "geo": .hasPlace,
  ]

  private func invalid(_ name: String, _ value: String, _ index: Int) -> SearchQuery.Fault {
    fault("invalid value '\(value)' for the operator '\(name)'", at: index)
  }

  /// Positions count characters from 1.
  private func fault(_ message: String, at index: Int) -> SearchQuery.Fault {
    SearchQuery.Fault(message: "\(message) (at position \(index + 1))")
  }

  private func isAtWord(_ word: String) -> Bool {
    let end = index + word.count
    guard end <= characters.count, String(characters[index..<end]) == word else { return false }
    return end == characters.count || characters[end].isWhitespace || characters[end] == "("
  }

  private mutating func skipSpace() {
    while index < characters.count, characters[index].isWhitespace { index += 1 }
  }
}
