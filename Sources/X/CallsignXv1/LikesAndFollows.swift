import Callsign
import XCore

extension XAPIv1 {
  /// Likes a tweet, or removes the like. Liking a tweet again changes nothing and is not an error.
  ///
  /// - Parameters:
  ///   - isFavorite: Whether to like the tweet.
  ///   - id: The tweet.
  ///   - options: The settings for this call that differ from the client's.
  /// - Throws: `CallError`; with ``XErrorCode/tweetNotFound`` if the tweet does not exist, or there is no like to remove.
  public func setFavorite(
    _ isFavorite: Bool, on id: TweetID, options: CallOptions = CallOptions()
  ) async throws(CallError) {
    guard isFavorite else {
      try await postFavoritesDestroy(id: id, options: options)
      return
    }
    do throws(CallError) {
      try await postFavoritesCreate(id: id, options: options)
    } catch {
      guard error.v1Codes.contains(.alreadyFavorited) else { throw error }
    }
  }
}

extension XAPIv1 {
  /// Follows a user. If the user is protected, sends a request.
  ///
  /// - Parameters:
  ///   - user: The user to follow.
  ///   - notifying: Whether to be notified of their tweets. Default: unchanged.
  ///   - options: The settings for this call that differ from the client's.
  /// - Returns: The user as before the call.
  /// - Throws: `CallError`; with ``XErrorCode/followAlreadyRequested`` if a protected user already has a request.
  @discardableResult
  public func follow(
    _ user: UserReference, notifying: Bool? = nil, options: CallOptions = CallOptions()
  ) async throws(CallError) -> Response<User> {
    try await postFriendshipsCreate(user: user, follow: notifying, options: options)
  }

  /// Stops following a user. It is not an error if you did not follow them.
  ///
  /// - Returns: The user as before the call.
  /// - Throws: `CallError`.
  @discardableResult
  public func unfollow(
    _ user: UserReference, options: CallOptions = CallOptions()
  ) async throws(CallError) -> Response<User> {
    try await postFriendshipsDestroy(user: user, options: options)
  }
}
