import XCore

extension XAPIv1.Tweet {
  /// The whole text, wherever it is: from the original if the tweet is a retweet, and there from `extended_tweet`, `full_text` or
  /// `text`.
  ///
  /// `tweet_mode=extended` requests `full_text`. Streams and webhooks ignore it: there, `text` of a long tweet is truncated and
  /// `extended_tweet` contains the whole text. `text` of a retweet begins with `RT` and is always truncated. As in each of these,
  /// `&`, `<` and `>` are escaped. `nil` if the response contains no text. See "Support for Longform Posts" in X's documentation.
  public var wholeText: String? { original.extendedTweet?.fullText ?? original.fullText ?? original.text }

  /// The links, mentions and tags in ``wholeText``, with their positions.
  public var wholeEntities: XAPIv1.Entities? {
    guard let extended = original.extendedTweet else { return original.entities }
    // The entities of the tweet itself have positions in the truncated text.
    return extended.entities
  }

  private var original: XAPIv1.Tweet { retweetedStatus ?? self }
}

// The app that posted a tweet. X sends it as an HTML link: `<a href="https://…" rel="nofollow">Name</a>`.
extension XAPIv1.Tweet {
  /// The name of the app that posted it, such as `X Web App`; `nil` if X does not say.
  public var sourceName: String? {
    guard let source else { return nil }
    let name = source.hasPrefix("<") ? source.drop { $0 != ">" }.dropFirst().prefix { $0 != "<" } : source[...]
    return name.isEmpty ? nil : PostText.unescaped(String(name))
  }

  /// The URL of the app that posted it; `nil` if X does not say.
  public var sourceURL: String? {
    guard let source, source.hasPrefix("<") else { return nil }
    let tag = source.prefix { $0 != ">" }
    guard let start = tag.firstRange(of: "href=\"")?.upperBound else { return nil }
    let address = tag[start...].prefix { $0 != "\"" }
    return address.isEmpty ? nil : PostText.unescaped(String(address))
  }
}
