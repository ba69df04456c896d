/// A part of a post that X turns into a link.
public struct PostEntity: Sendable, Hashable {
  /// The kinds of entities, with their names.
  public enum Kind: Sendable, Hashable {
    /// A URL as written; its scheme may be missing.
    case url(String)
    /// A user, without the `@`.
    case mention(username: String)
    /// A user's list, without the `@` and the `/`.
    case list(username: String, name: String)
    /// A hashtag without its sign.
    case hashtag(String)
    /// A stock symbol, without the `$`.
    case cashtag(String)
  }

  /// Its kind and name.
  public let kind: Kind
  /// Its position, including its sign.
  public let range: TextRange

  init(kind: Kind, range: TextRange) {
    self.kind = kind
    self.range = range
  }

  /// An entity from X's response, at the position that the response gives.
  ///
  /// - Parameters:
  ///   - kind: Its kind and name.
  ///   - codePoints: Its position in the text, including its sign.
  ///   - text: The text.
  /// - Returns: `nil` if the text is shorter.
  public init?(_ kind: Kind, codePoints: Range<Int>, in text: String) {
    let (start, end) = (codePoints.lowerBound, codePoints.upperBound)
    guard let range = TextRange(codePointsFrom: start, to: end, in: text) else { return nil }
    self.init(kind: kind, range: range)
  }
}

/// The entities of a text, as X finds them.
///
/// The rules are those of twitter-text; <https://docs.x.com/fundamentals/data-dictionary>. Entities are in the order of
/// the text. Finding them takes linear time for any text.
public struct PostEntities: Sendable, Hashable {
  /// All entities, except those that overlap one that begins earlier: a `#` within a URL is not a hashtag.
  public let all: [PostEntity]

  /// Finds the entities of a text.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - urlsWithoutScheme: Whether `example.com` is a URL, as in a post that you send. Default: yes.
  public init(_ text: String, urlsWithoutScheme: Bool = true) {
    let scanned = ScannedText(text)
    var found = scanned.urls(withoutScheme: urlsWithoutScheme)
    found += scanned.mentionsAndLists
    found += scanned.hashtags
    found += scanned.cashtags
    all = scanned.entities(found.withoutOverlaps)
  }

  /// The URLs among ``all``.
  public var urls: [PostEntity] { all.filter { if case .url = $0.kind { true } else { false } } }
  /// The mentions of users among ``all``.
  public var mentions: [PostEntity] { all.filter { if case .mention = $0.kind { true } else { false } } }
  /// The lists among ``all``.
  public var lists: [PostEntity] { all.filter { if case .list = $0.kind { true } else { false } } }
  /// The hashtags among ``all``.
  public var hashtags: [PostEntity] { all.filter { if case .hashtag = $0.kind { true } else { false } } }
  /// The cashtags among ``all``.
  public var cashtags: [PostEntity] { all.filter { if case .cashtag = $0.kind { true } else { false } } }
}

// One kind at a time. Unlike `all`, these also find a mention within a URL.
extension PostEntities {
  /// The URLs of a text.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - withoutScheme: Whether `example.com` is a URL. Default: yes.
  public static func urls(in text: String, withoutScheme: Bool = true) -> [PostEntity] {
    let scanned = ScannedText(text)
    return scanned.entities(scanned.urls(withoutScheme: withoutScheme))
  }

  /// The users that a text mentions, without lists.
  public static func mentions(in text: String) -> [PostEntity] {
    mentionsAndLists(in: text).filter { if case .mention = $0.kind { true } else { false } }
  }

  /// The users and lists that a text mentions.
  public static func mentionsAndLists(in text: String) -> [PostEntity] {
    let scanned = ScannedText(text)
    return scanned.entities(scanned.mentionsAndLists)
  }

  /// The user whom a text replies to because it begins with a mention, without the `@`; `nil` if it does not.
  public static func reply(in text: String) -> String? {
    let values = [CodePoint](codePointsOf: text)
    return MentionScanner.reply(in: values).map { String(codePoints: values[$0]) }
  }

  /// The hashtags of a text, without those within a URL.
  public static func hashtags(in text: String) -> [PostEntity] {
    let scanned = ScannedText(text)
    let found = (scanned.urls(withoutScheme: true) + scanned.hashtags).withoutOverlaps
    return scanned.entities(found.filter { if case .hashtag = $0.kind { true } else { false } })
  }

  /// The cashtags of a text.
  public static func cashtags(in text: String) -> [PostEntity] {
    let scanned = ScannedText(text)
    return scanned.entities(scanned.cashtags)
  }
}

/// A text and what the scanners find in it.
struct ScannedText {
  typealias Finding = (range: Range<Int>, kind: PostEntity.Kind)

  let text: String
  let values: [CodePoint]

  init(_ text: String) {
    self.text = text
    values = [CodePoint](codePointsOf: text)
  }

  private func string(_ range: Range<Int>) -> String { String(codePoints: values[range]) }

  func urls(withoutScheme: Bool) -> [Finding] {
    URLScanner.urls(in: values, withoutScheme: withoutScheme).map { ($0, .url(string($0))) }
  }

  var mentionsAndLists: [Finding] {
    MentionScanner.mentions(in: values).map { mention in
      let username = string(mention.username)
      return (
        mention.range, mention.list.map { .list(username: username, name: string($0)) } ?? .mention(username: username)
      )
    }
  }

  var hashtags: [Finding] {
    HashtagScanner.hashtags(in: values).map { ($0, .hashtag(string($0.dropFirst()))) }
  }

  var cashtags: [Finding] {
    CashtagScanner.cashtags(in: values).map { ($0, .cashtag(string($0.dropFirst()))) }
  }

  /// The scanners' results as entities, in the text's order.
  func entities(_ findings: [Finding]) -> [PostEntity] {
    var cursor = TextRange.Cursor(text)
    return findings.map { PostEntity(kind: $0.kind, range: cursor.range($0.range)) }
  }
}

extension [ScannedText.Finding] {
  /// In the text's order, except those that begin within an earlier one.
  fileprivate var withoutOverlaps: [ScannedText.Finding] {
    var kept: [ScannedText.Finding] = []
    for finding in sorted(by: { $0.range.lowerBound < $1.range.lowerBound }) {
      if let last = kept.last, last.range.upperBound > finding.range.lowerBound { continue }
      kept.append(finding)
    }
    return kept
  }
}
