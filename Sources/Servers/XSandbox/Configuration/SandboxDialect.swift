import Foundation

/// The names of members in v2 responses for which X's document and X's servers use different ones.
///
/// It applies to requests that do not show which names they expect. A request with an older name, such as `tweet.fields`, gets a
/// response with the older names.
public enum SandboxDialect: String, Sendable, Hashable, CaseIterable {
  /// The names in X's document, version 2.167: `referenced_posts`, `includes.posts`, `repost_count`.
  case document
  /// The previous names, which X's servers still send: `referenced_tweets`, `includes.tweets`, `retweet_count`.
  case older

  /// The older names of members, wherever they are.
  private static let olderNames = [
    "edit_history_post_ids": "edit_history_tweet_ids", "most_recent_post_id": "most_recent_tweet_id",
    "note_post": "note_tweet", "pinned_post_id": "pinned_tweet_id", "post.fields": "tweet.fields",
    "post_count": "tweet_count",
    "posts": "tweets", "referenced_posts": "referenced_tweets", "repost_count": "retweet_count", "rest_id": "id",
    "total_post_count": "total_tweet_count",
  ]

  /// Converts a document of the API to this dialect.
  func document(_ value: JSON) -> JSON {
    guard self == .older else { return value }
    switch value {
    case .null, .boolean, .integer, .number, .string: return value
    case .array(let elements): return .array(elements.map(document))
    case .object(let members):
      return .object(
        Dictionary(
          members.map { (Self.olderNames[$0.key] ?? $0.key, document(member: $0.key, $0.value)) },
          uniquingKeysWith: { first, _ in first }))
    }
  }

  /// A member's value; the `message` of an error names parameters.
  private func document(member name: String, _ value: JSON) -> JSON {
    guard name == "message", case .string(let text) = value else { return document(value) }
    return .string(text.replacing("post.fields", with: "tweet.fields"))
  }

  /// Converts the bytes of a document to this dialect. Bytes that are not JSON are unchanged.
  func document(_ bytes: Data) -> Data {
    guard self == .older, let value = try? JSON(parsing: bytes) else { return bytes }
    return document(value).bytes
  }
}
