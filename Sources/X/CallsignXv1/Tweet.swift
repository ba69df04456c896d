import XCore

extension XAPIv1.Tweet {
  /// The whole text, wherever it stands: of the original, where the tweet is a retweet, and there in `extended_tweet`, in
  /// `full_text` or in `text`.
  ///
  /// `tweet_mode=extended` asks for `full_text`. Streams and webhooks pay no heed to it: there `text` of a long tweet
  /// is cut, and `extended_tweet` has the whole. `text` of a retweet begins with `RT` and is cut everywhere. As in each
  /// of these, `&`, `<` and `>` are escaped. `nil` where the response has no text at all. See "Support for Longform
  /// Posts" in X's documentation.
  public var wholeText: String? { original.extendedTweet?.fullText ?? original.fullText ?? original.text }

  /// The links, mentions and tags of ``wholeText``, with their places in it.
  public var wholeEntities: XAPIv1.Entities? {
    guard let extended = original.extendedTweet else { return original.entities }
    // Those of the tweet itself have places in the text that is cut.
    return extended.entities
  }

  private var original: XAPIv1.Tweet { retweetedStatus ?? self }
}

// The app by which a tweet was posted. X sends it as a link in HTML: `<a href="https://…" rel="nofollow">Name</a>`.
extension XAPIv1.Tweet {
  /// The name of the app that posted it, such as `X Web App`; `nil` where X does not say.
  public var sourceName: String? {
    guard let source else { return nil }
    let name = source.hasPrefix("<") ? source.drop { $0 != ">" }.dropFirst().prefix { $0 != "<" } : source[...]
    return name.isEmpty ? nil : PostText.unescaped(String(name))
  }

  /// The address of the app that posted it; `nil` where X does not say.
  public var sourceURL: String? {
    guard let source, source.hasPrefix("<") else { return nil }
    let tag = source.prefix { $0 != ">" }
    guard let start = tag.firstRange(of: "href=\"")?.upperBound else { return nil }
    let address = tag[start...].prefix { $0 != "\"" }
    return address.isEmpty ? nil : PostText.unescaped(String(address))
  }
}
