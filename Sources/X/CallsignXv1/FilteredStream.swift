import Callsign
import XCore

extension XAPIv1 {
  /// Public tweets with any of some keywords, as they are posted. `wholeText` contains the text of each. Other messages of the
  /// stream are skipped; if you need them, use `postStatusesFilter`.
  ///
  /// ```swift
  /// for try await tweet in v1.tweets(tracking: ["swift lang", "#linux"]) { … }
  /// ```
  ///
  /// - Parameters:
  ///   - keywords: Phrases of up to 60 bytes each. All words of a phrase must occur, in any order; a comma in a phrase makes two
  ///     phrases. Without any, the sequence throws immediately and nothing is sent.
  ///   - languages: BCP 47 codes of the languages to include. Default: all.
  ///   - policy: When to reconnect after a lost connection.
  ///   - options: The settings for this call that differ from the client's.
  @available(*, deprecated, message: "Retired by X; use `streamPosts` of `XAPI`, with rules from `updateRules`.")
  public func tweets(
    tracking keywords: [String], languages: [String]? = nil, reconnecting policy: ReconnectPolicy = .default,
    options: CallOptions = CallOptions()
  ) -> AsyncCompactMapSequence<EventStream<StreamMessage>.Values, Tweet> {
    postStatusesFilter(
      track: keywords.isEmpty ? nil : keywords, language: languages, options: options
    ).reconnecting(policy).values.compactMap { message in
      if case .tweet(let tweet) = message { tweet } else { nil }
    }
  }
}
