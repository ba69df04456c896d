import Callsign
import CallsignHTTP
import XCore

extension XAPI {
  /// The user whom the client calls for, so that you can act for them without repeating their ID.
  ///
  /// ```swift
  /// let me = try await x.me()
  /// try await me.like(post)
  /// ```
  ///
  /// It asks X only once: further calls through the same client return the stored result, unless they need members that were not
  /// requested before. A client with other credentials asks again, and so does one in whose credentials another account has logged
  /// in.
  ///
  /// - Parameters:
  ///   - fields: The members to include for the user.
  ///   - refreshes: Whether to ask again in any case. Default: no.
  ///   - options: The settings for this call that differ from the client's.
  /// - Throws: `CallError`.
  public func me(
    fields: [UserField]? = nil, refreshes: Bool = false, options: CallOptions = CallOptions()
  ) async throws(CallError) -> SignedInUser {
    let wanted = Set(fields ?? [])
    if !refreshes, let known = await KnownUser.of(client), wanted.isSubset(of: known.fields) {
      return SignedInUser(known.user, x: self)
    }
    let identities = await KnownUser.identities(of: client)
    let user = try await getUsersMe(userFields: fields, options: options).data
    KnownUser(user: user, fields: wanted, identities: identities).keep(for: client)
    return SignedInUser(user, x: self)
  }

  /// The user whom a client calls for; see ``XAPI/me(fields:refreshes:options:)``.
  public struct SignedInUser: Sendable, Identifiable {
    /// The user, as described by X.
    public let user: User
    /// The client that makes the calls.
    public let x: XAPI

    /// Creates a user from a known ID, so that X need not be asked.
    ///
    /// - Parameters:
    ///   - user: The user whose credentials the client has.
    ///   - x: The client.
    public init(_ user: User, x: XAPI) {
      self.user = user
      self.x = x
    }

    /// The user's id.
    public var id: UserID { user.id }
  }
}

/// The user of a client, and the members that were requested.
private struct KnownUser: Sendable {
  let user: XAPI.User
  let fields: Set<XAPI.UserField>
  /// The identities of the client's credentials at the time. A login of another account changes them.
  let identities: [CredentialIdentity]

  static func of(_ client: Client) async -> KnownUser? {
    guard let known = client.learned.withLock({ $0[ObjectIdentifier(KnownUser.self)] as? KnownUser }) else {
      return nil
    }
    return await identities(of: client) == known.identities ? known : nil
  }

  static func identities(of client: Client) async -> [CredentialIdentity] {
    var identities: [CredentialIdentity] = []
    for authenticator in client.authenticators {
      await authenticator.prepare()
      identities.append(authenticator.identity)
    }
    return identities
  }

  func keep(for client: Client) { client.learned.withLock { $0[ObjectIdentifier(KnownUser.self)] = self } }
}

// Actions on posts.
extension XAPI.SignedInUser {
  /// Likes a post. Liking it again changes nothing.
  ///
  /// - Throws: `CallError`.
  @discardableResult
  public func like(
    _ post: XAPI.Post, options: CallOptions = CallOptions()
  ) async throws(CallError) -> Response<XAPI.LikedResponse> {
    try await x.likePost(id: id, tweetID: post.id, options: options)
  }

  /// Removes a like.
  ///
  /// - Throws: `CallError`.
  @discardableResult
  public func unlike(
    _ post: XAPI.Post, options: CallOptions = CallOptions()
  ) async throws(CallError) -> Response<XAPI.LikedResponse> {
    try await x.unlikePost(id: id, tweetID: post.id, options: options)
  }

  /// Reposts a post.
  ///
  /// - Throws: `CallError`.
  @discardableResult
  public func repost(
    _ post: XAPI.Post, options: CallOptions = CallOptions()
  ) async throws(CallError) -> Response<XAPI.RepostPostResponse> {
    try await x.repostPost(id: id, tweetID: post.id, options: options)
  }

  /// Removes a repost.
  ///
  /// - Throws: `CallError`.
  @discardableResult
  public func unrepost(
    _ post: XAPI.Post, options: CallOptions = CallOptions()
  ) async throws(CallError) -> Response<XAPI.UnrepostPostResponse> {
    try await x.unrepostPost(id: id, tweetID: post.id, options: options)
  }

  /// Bookmarks a post.
  ///
  /// - Parameters:
  ///   - post: The post.
  ///   - folderID: A folder to put the bookmark in.
  ///   - options: The settings for this call that differ from the client's.
  /// - Throws: `CallError`.
  @discardableResult
  public func bookmark(
    _ post: XAPI.Post, folderID: XAPI.BookmarkFolderID? = nil, options: CallOptions = CallOptions()
  ) async throws(CallError) -> Response<XAPI.BookmarkedResponse> {
    try await x.createUsersBookmark(id: id, tweetID: post.id, folderID: folderID, options: options)
  }

  /// Removes a bookmark.
  ///
  /// - Throws: `CallError`.
  @discardableResult
  public func removeBookmark(
    of post: XAPI.Post, options: CallOptions = CallOptions()
  ) async throws(CallError) -> Response<XAPI.BookmarkedResponse> {
    try await x.deleteUsersBookmark(id: id, tweetID: post.id, options: options)
  }
}

// Actions on users and lists.
extension XAPI.SignedInUser {
  /// Follows a user. If the user is protected, sends a request, which `data.pendingFollow` reports.
  ///
  /// - Throws: `CallError`.
  @discardableResult
  public func follow(
    _ other: XAPI.User, options: CallOptions = CallOptions()
  ) async throws(CallError) -> Response<XAPI.FollowUserResponse> {
    try await x.followUser(id: id, targetUserID: other.id, options: options)
  }

  /// Stops following a user.
  ///
  /// - Throws: `CallError`.
  @discardableResult
  public func unfollow(
    _ other: XAPI.User, options: CallOptions = CallOptions()
  ) async throws(CallError) -> Response<XAPI.FollowingResponse> {
    try await x.unfollowUser(id: id, targetUserID: other.id, options: options)
  }

  /// Mutes a user.
  ///
  /// - Throws: `CallError`.
  @discardableResult
  public func mute(
    _ other: XAPI.User, options: CallOptions = CallOptions()
  ) async throws(CallError) -> Response<XAPI.MutingResponse> {
    try await x.muteUser(id: id, targetUserID: other.id, options: options)
  }

  /// Unmutes a user.
  ///
  /// - Throws: `CallError`.
  @discardableResult
  public func unmute(
    _ other: XAPI.User, options: CallOptions = CallOptions()
  ) async throws(CallError) -> Response<XAPI.MutingResponse> {
    try await x.unmuteUser(id: id, targetUserID: other.id, options: options)
  }

  /// Follows a list.
  ///
  /// - Throws: `CallError`.
  @discardableResult
  public func follow(
    _ list: XAPI.List, options: CallOptions = CallOptions()
  ) async throws(CallError) -> Response<XAPI.FollowingResponse> {
    try await x.followList(id: id, listID: list.id, options: options)
  }

  /// Stops following a list.
  ///
  /// - Throws: `CallError`.
  @discardableResult
  public func unfollow(
    _ list: XAPI.List, options: CallOptions = CallOptions()
  ) async throws(CallError) -> Response<XAPI.FollowingResponse> {
    try await x.unfollowList(id: id, listID: list.id, options: options)
  }

  /// Pins a list.
  ///
  /// - Throws: `CallError`.
  @discardableResult
  public func pin(
    _ list: XAPI.List, options: CallOptions = CallOptions()
  ) async throws(CallError) -> Response<XAPI.PinnedResponse> {
    try await x.pinList(id: id, listID: list.id, options: options)
  }

  /// Unpins a list.
  ///
  /// - Throws: `CallError`.
  @discardableResult
  public func unpin(
    _ list: XAPI.List, options: CallOptions = CallOptions()
  ) async throws(CallError) -> Response<XAPI.PinnedResponse> {
    try await x.unpinList(id: id, listID: list.id, options: options)
  }
}
