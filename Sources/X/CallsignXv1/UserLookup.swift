import Callsign
import CallsignSupport
import XCore

extension XAPIv1 {
  /// Users that were looked up, and those that could not be found.
  public struct UserLookup: Sendable, Hashable {
    /// In the order in which they were asked for; asked for twice, a user is here twice.
    public var found: [User] = []
    /// The ids or names, as they were given, of accounts that are gone, suspended or renamed.
    public var missing: [String] = []
  }

  /// Users by their ids, however many: a hundred with each call, one call after the other.
  ///
  /// - Parameters:
  ///   - ids: The users to look up; nothing is sent for none.
  ///   - includeEntities: Whether links and mentions come along.
  ///   - tweetMode: The form of the users' latest tweets.
  ///   - options: The settings for these calls that differ from the client's.
  /// - Throws: `CallError`, as soon as one of the calls fails.
  public func users(
    ids: [UserID], includeEntities: Bool? = nil, tweetMode: TweetMode? = nil, options: CallOptions = CallOptions()
  ) async throws(CallError) -> UserLookup {
    try await lookUp(BatchLookup(ids), by: \.idStr, as: UsersReference.ids, includeEntities, tweetMode, options)
  }

  /// Users by their names, however many: a hundred with each call, one call after the other. Case does not matter.
  ///
  /// - Parameters:
  ///   - screenNames: Names without the `@`; nothing is sent for none.
  ///   - includeEntities: Whether links and mentions come along.
  ///   - tweetMode: The form of the users' latest tweets.
  ///   - options: The settings for these calls that differ from the client's.
  /// - Throws: `CallError`, as soon as one of the calls fails.
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
        // How X says that it knows nobody of the batch.
        guard error.v1Codes.contains(.noUserMatches) else { throw error }
      }
    }
    let (found, missing) = lookup.sorted(users, by: key)
    return UserLookup(found: found, missing: missing)
  }
}

extension XAPIv1.User {
  /// A size in which X keeps a profile image.
  public typealias ProfileImageSize = XCore.ProfileImageSize

  /// The address of the user's image in a size; `nil` where the user came without one.
  public func profileImageURL(_ size: ProfileImageSize) -> String? {
    (profileImageURLHTTPS ?? profileImageURL).map(size.url)
  }

  /// The address of the user's banner in a size; `nil` where the user has none.
  public func profileBannerURL(_ size: ProfileBannerSize) -> String? { profileBannerURL.map(size.url) }
}

extension ProfileImageCache {
  /// The image of a user; `nil` where the user came without one.
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
