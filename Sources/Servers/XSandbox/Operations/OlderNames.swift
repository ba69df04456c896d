import Foundation

/// A query with names from before version 2.167 of X's document: `tweet.fields`, `referenced_tweets.id`. X's documentation and most
/// clients send them, and responses to them use the older names.
struct OlderNames {
  /// The query with the document's names.
  private(set) var query: String
  /// The requested values without a name in the document, by parameter: for `post.fields`, fields that are only expansions there.
  private(set) var further: [String: Set<String>] = [:]
  /// Whether the query contains an older name.
  private(set) var isPresent = false

  private static let parameters = ["tweet.fields": "post.fields"]
  private static let values = [
    "edit_history_tweet_ids": "edit_history_post_ids", "most_recent_tweet_id": "most_recent_post_id",
    "note_tweet": "note_post", "pinned_tweet_id": "pinned_post_id", "referenced_tweets": "referenced_posts",
    "referenced_tweets.id": "referenced_posts",
  ]
  /// Expansions of objects that posts refer to. The document has no such steps.
  private static let steps = [
    "referenced_tweets.id.author_id": "referenced_posts.author_id",
    "referenced_tweets.id.attachments.media_keys": "referenced_posts.attachments.media_keys",
    "entities.note.mentions.username": "note_post.mentions",
  ]
  /// Fields that are visible only through an expansion in the document.
  private static let joins: [String: Set<String>] = [
    "post.fields": ["author_id", "edit_history_post_ids", "in_reply_to_user_id", "referenced_posts"],
    "user.fields": ["most_recent_post_id", "pinned_post_id"],
  ]

  /// - Parameter accepted: The operation's parameters in the document. If they include `tweet.fields`, the query is unchanged.
  init(_ query: String, accepted: some Sequence<String>) {
    self.query = query
    let accepted = Set(accepted)
    let isTranslated = accepted.isDisjoint(with: Self.parameters.keys)
    let pairs = query.split(separator: "&", omittingEmptySubsequences: false).map { pair -> String? in
      guard let parameter = RequestParameter.parse(form: String(pair)).first else { return String(pair) }
      let sent = parameter.nameText
      let name = Self.parameters[sent] ?? sent
      guard name == "expansions" || name.hasSuffix(".fields") else { return String(pair) }
      let isOlder = name != sent
      if isOlder { isPresent = true }
      let elements = parameter.valueText.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
      let names = elements.compactMap { read($0, of: name, isOlder: isOlder) }
      guard isTranslated, isOlder && accepted.contains(name) || names != elements else { return String(pair) }
      if names.isEmpty, !elements.isEmpty { return nil }
      return "\(name)=\(PercentEncoding.encode(Self.unique(names).joined(separator: ",")))"
    }
    if isTranslated { self.query = pairs.compactMap(\.self).joined(separator: "&") }
  }

  /// The document's name for a value; `nil` if it has none.
  private mutating func read(_ value: String, of parameter: String, isOlder: Bool) -> String? {
    if parameter == "expansions", let step = Self.steps[value] {
      isPresent = true
      further[parameter, default: []].insert(step)
      return step.hasPrefix("referenced_posts") ? "referenced_posts" : nil
    }
    let name = Self.values[value] ?? value
    if name != value { isPresent = true }
    guard isOlder || name != value, Self.joins[parameter]?.contains(name) == true else { return name }
    further[parameter, default: []].insert(name)
    return nil
  }

  private static func unique(_ names: [String]) -> [String] {
    var seen: Set<String> = []
    return names.filter { seen.insert($0).inserted }
  }
}
