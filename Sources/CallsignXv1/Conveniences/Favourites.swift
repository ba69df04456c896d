extension XAPIv1 {
  /// Likes a tweet, or takes the like back. A tweet that is liked already stays so, and that is no error.
  ///
  /// - Parameters:
  ///   - isFavourite: Whether the tweet shall be liked.
  ///   - id: The tweet.
  /// - Throws: `CallError`; with ``ErrorCode/tweetNotFound`` where there is no such tweet, or no like to take back.
  public func setFavourite(
    _ isFavourite: Bool, on id: TweetID, options: CallOptions = CallOptions()
  ) async throws(CallError) {
    guard isFavourite else {
      try await postFavoritesDestroy(id: id, options: options)
      return
    }
    do throws(CallError) {
      try await postFavoritesCreate(id: id, options: options)
    } catch {
      guard error.v1Codes.contains(.alreadyFavourited) else { throw error }
    }
  }
}
