import Callsign
import XCore

extension XAPIv1 {
  /// Likes a tweet, or takes the like back. A tweet that is liked already stays so, and that is no error.
  ///
  /// - Parameters:
  ///   - isFavorite: Whether the tweet shall be liked.
  ///   - id: The tweet.
  ///   - options: The settings for this call that differ from the client's.
  /// - Throws: `CallError`; with ``XErrorCode/tweetNotFound`` where there is no such tweet, or no like to take back.
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
  /// Follows a user, or asks a protected one to be let in.
  ///
  /// - Parameters:
  ///   - user: Whom to follow.
  ///   - notifying: Whether to be notified of their tweets; left out, as it was.
  ///   - options: The settings for this call that differ from the client's.
  /// - Returns: The user, as they were before.
  /// - Throws: `CallError`; with ``XErrorCode/followAlreadyRequested`` where a protected user was asked before.
  @discardableResult
  public func follow(
    _ user: UserReference, notifying: Bool? = nil, options: CallOptions = CallOptions()
  ) async throws(CallError) -> Response<User> {
    try await postFriendshipsCreate(user: user, follow: notifying, options: options)
  }

  /// Stops following a user. It is no error if they were not followed.
  ///
  /// - Returns: The user, as they were before.
  /// - Throws: `CallError`.
  @discardableResult
  public func unfollow(
    _ user: UserReference, options: CallOptions = CallOptions()
  ) async throws(CallError) -> Response<User> {
    try await postFriendshipsDestroy(user: user, options: options)
  }
}
