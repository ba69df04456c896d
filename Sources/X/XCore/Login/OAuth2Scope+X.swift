import CallsignAuth

/// X's scopes. What each one permits: <https://docs.x.com/fundamentals/authentication/oauth-2-0/authorization-code>
extension OAuth2Scope {
  /// `block.read`
  public static let blockRead: Self = "block.read"
  /// `block.write`
  public static let blockWrite: Self = "block.write"
  /// `bookmark.read`
  public static let bookmarkRead: Self = "bookmark.read"
  /// `bookmark.write`
  public static let bookmarkWrite: Self = "bookmark.write"
  /// `broadcast.read`
  public static let broadcastRead: Self = "broadcast.read"
  /// `broadcast.write`
  public static let broadcastWrite: Self = "broadcast.write"
  /// `dm.read`
  public static let directMessageRead: Self = "dm.read"
  /// `dm.write`
  public static let directMessageWrite: Self = "dm.write"
  /// `follows.read`
  public static let followsRead: Self = "follows.read"
  /// `follows.write`
  public static let followsWrite: Self = "follows.write"
  /// `like.read`
  public static let likeRead: Self = "like.read"
  /// `like.write`
  public static let likeWrite: Self = "like.write"
  /// `list.read`
  public static let listRead: Self = "list.read"
  /// `list.write`
  public static let listWrite: Self = "list.write"
  /// `media.write`
  public static let mediaWrite: Self = "media.write"
  /// `mute.read`
  public static let muteRead: Self = "mute.read"
  /// `mute.write`
  public static let muteWrite: Self = "mute.write"
  /// `space.read`
  public static let spaceRead: Self = "space.read"
  /// `timeline.read`
  public static let timelineRead: Self = "timeline.read"
  /// `tweet.moderate.write`
  public static let tweetModerateWrite: Self = "tweet.moderate.write"
  /// `tweet.read`
  public static let tweetRead: Self = "tweet.read"
  /// `tweet.write`
  public static let tweetWrite: Self = "tweet.write"
  /// `users.email`
  public static let usersEmail: Self = "users.email"
  /// `users.read`
  public static let usersRead: Self = "users.read"
}
