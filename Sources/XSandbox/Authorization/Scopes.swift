/// The scopes of X's OAuth 2.0 (<https://docs.x.com/fundamentals/authentication/oauth-2-0/authorization-code>).
enum Scopes {
  static let all: Set<String> = [
    "tweet.read", "tweet.write", "tweet.moderate.write", "users.read", "users.email", "follows.read",
    "follows.write", "offline.access", "space.read", "mute.read", "mute.write", "like.read", "like.write",
    "list.read", "list.write", "block.read", "block.write", "bookmark.read", "bookmark.write", "dm.read",
    "dm.write", "media.write", "timeline.read",
  ]

  /// The one for which a refresh token is given.
  static let offline = "offline.access"

  /// Scopes as they are written in requests and answers (RFC 6749 §3.3).
  static func parse(_ text: String) -> [String] { text.split(separator: " ").map(String.init) }
}
