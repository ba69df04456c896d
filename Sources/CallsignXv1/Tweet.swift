import XCore

extension XAPIv1.Tweet {
  /// The whole text, wherever it stands: of the original, where the tweet is a retweet, and there in `extended_tweet`, in
  /// `full_text` or in `text`.
  ///
  /// `tweet_mode=extended` asks for `full_text`. Streams and webhooks pay no heed to it: there `text` of a long tweet is cut,
  /// and `extended_tweet` has the whole. `text` of a retweet begins with `RT` and is cut everywhere. As in each of these,
  /// `&`, `<` and `>` are escaped. `nil` where the answer has no text at all. See "Support for Longform Posts" in X's
  /// documentation.
  public var wholeText: String? { original.extendedTweet?.fullText ?? original.fullText ?? original.text }

  /// The links, mentions and tags of ``wholeText``, with their places in it.
  public var wholeEntities: XAPIv1.Entities? {
    guard let extended = original.extendedTweet else { return original.entities }
    // Those of the tweet itself have places in the text that is cut.
    return extended.entities
  }

  private var original: XAPIv1.Tweet { retweetedStatus ?? self }
}
