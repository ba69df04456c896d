extension XAPIv1 {
  /// One tweet with its whole text, in `fullText`.
  ///
  /// - Throws: `CallError`; with ``ErrorCode/tweetNotFound`` where there is no such tweet.
  @available(*, deprecated, message: "Retired by X on 2023-11-20; use `getPostsById` of `XAPI`.")
  public func show(_ id: TweetID, options: CallOptions = CallOptions()) async throws(CallError) -> Tweet {
    try await getStatusesShow(id: id, tweetMode: .extended, options: options).value
  }
}
