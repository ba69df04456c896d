import Callsign
import CallsignSupport
import XCore

extension XAPIv1 {
  /// The result of a user lookup: the users found, and those that were not.
  public struct UserLookup: Sendable, Hashable {
    /// The users, in the order of the request. A user requested twice appears twice.
    public var found: [User] = []
    /// The requested IDs or names of accounts that are deleted, suspended or renamed.
    public var missing: [String] = []
  }

  /// Looks up any number of users by ID, a hundred per call, one call after the other.
  ///
  /// - Parameters:
  ///   - ids: The users to look up. If there are none, nothing is sent.
  ///   - includeEntities: Whether to include links and mentions.
  ///   - tweetMode: The form of the users' latest tweets.
  ///   - options: The settings for these calls that differ from the client's.
  /// - Throws: `CallError` as soon as one of the calls fails.
  public func users(
    ids: [UserID], includeEntities: Bool? = nil, tweetMode: TweetMode? = nil, options: CallOptions = CallOptions()
  ) async throws(CallError) -> UserLookup {
    try await lookUp(BatchLookup(ids), by: \.idStr, as: UsersReference.ids, includeEntities, tweetMode, options)
  }

  /// Looks up any number of users by name, a hundred per call, one call after the other. Case does not matter.
  ///
  /// - Parameters:
  ///   - screenNames: Names without the `@`. If there are none, nothing is sent.
  ///   - includeEntities: Whether to include links and mentions.
  ///   - tweetMode: The form of the users' latest tweets.
  ///   - options: The settings for these calls that differ from the client's.
  /// - Throws: `CallError` as soon as one of the calls fails.
  public func users(
    screenNames: [String], includeEntities: Bool? = nil, tweetMode: TweetMode? = nil,
    options: CallOptions = CallOptions()
  ) async throws(CallError) -> UserLookup {
    try await lookUp(
      BatchLookup(screenNames) { $0.lowercased() }, by: { $0.screenName?.lowercased() },
      as: UsersReference.screenNames, includeEntities, tweetMode, options)
  }

  private func lookUp(
    _ lookup: BatchLookup, by key: (User) -> String?, as reference: ([String]) -> UsersReference,
    _ includeEntities: Bool?, _ tweetMode: TweetMode?, _ options: CallOptions
  ) async throws(CallError) -> UserLookup {
    var users: [User] = []
    for batch in lookup.batches {
      do throws(CallError) {
        users += try await postUsersLookup(
          users: reference(batch), includeEntities: includeEntities, tweetMode: tweetMode, options: options
        ).value
      } catch {
        // The response if X knows none of the batch.
        guard error.v1Codes.contains(.noUserMatches) else { throw error }
      }
    }
    let (found, missing) = lookup.sorted(users, by: key)
    return UserLookup(found: found, missing: missing)
  }
}

extension XAPIv1.User {
  /// A size of profile images on X.
  public typealias ProfileImageSize = XCore.ProfileImageSize

  /// The URL of the user's image in a size; `nil` if the response contains none.
  public func profileImageURL(_ size: ProfileImageSize) -> String? {
    (profileImageURLHTTPS ?? profileImageURL).map(size.url)
  }

  /// The URL of the user's banner in a size; `nil` if the user has none.
  public func profileBannerURL(_ size: ProfileBannerSize) -> String? { profileBannerURL.map(size.url) }
}

extension ProfileImageCache {
  /// The image of a user; `nil` if the response contains none.
  ///
  /// - Throws: `CallError`.
  public func image(of user: XAPIv1.User, size: ProfileImageSize = .normal) async throws(CallError) -> Data? {
    guard let url = user.profileImageURL(size) else { return nil }
    return try await image(at: url, size: size)
  }

  /// The banner of a user; `nil` where the user has none.
  ///
  /// - Throws: `CallError`.
  public func banner(of user: XAPIv1.User, size: ProfileBannerSize = .large) async throws(CallError) -> Data? {
    guard let url = user.profileBannerURL(size) else { return nil }
    return try await banner(at: url, size: size)
  }
}
