import Foundation

/// What the store keeps of a user.
struct UserRecord: Sendable {
  let id: Identifier
  var username: String
  var name: String
  var about: String
  var createdAt: Date
  var pinnedPost: Identifier?
}

/// What the store keeps of a post.
struct PostRecord: Sendable {
  let id: Identifier
  var author: Identifier
  var text: String
  var createdAt: Date
  var conversation: Identifier
  var repliesTo: Identifier?
  /// The author of the post that this one replies to, kept although that post may be deleted.
  var repliesToUser: Identifier?
  var quotes: Identifier?
  /// The post that this one repeats; `text` is then `RT @…`.
  var reposts: Identifier?
  var replySettings: String = "everyone"
  var isPaidPartnership = false
  var isSensitive = false
  /// How many Unicode scalars at the beginning are mentions that the server put there for a reply, and that aren't shown.
  var hiddenPrefix = 0
  var source: String
  /// The uploads that it shows.
  var media: [Identifier] = []
}

/// What the store keeps of a list.
struct ListRecord: Sendable {
  let id: Identifier
  var owner: Identifier
  var name: String
  var about: String
  var isPrivate: Bool
  var createdAt: Date
}

/// What the store keeps of a direct message.
struct MessageRecord: Sendable {
  let id: Identifier
  var sender: Identifier
  var recipient: Identifier
  var text: String
  var createdAt: Date
}

/// What the store keeps of a saved search.
struct SavedSearchRecord: Sendable {
  let id: Identifier
  var owner: Identifier
  var query: String
  var createdAt: Date
}
