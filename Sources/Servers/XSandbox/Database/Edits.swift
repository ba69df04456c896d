import Foundation

extension PostRecord {
  /// How often a post can be edited.
  static let editLimit = 5
  /// How many seconds after the first version it can be edited.
  static let editTime: TimeInterval = 3600

  /// Replies, reposts and polls cannot be edited.
  var mayBeEdited: Bool { repliesTo == nil && reposts == nil && poll == nil }
}

extension Database {
  /// The first version of a post. The time limit for edits counts from it.
  func firstVersion(of post: PostRecord) -> PostRecord { post.versions.first.flatMap { posts[$0] } ?? post }

  /// Replaces an older version with a new post. The older version can then be found only by its ID.
  mutating func replace(_ older: Identifier, by newer: Identifier) {
    guard let old = posts[older] else { return }
    posts[older]?.replacement = newer
    posts[newer]?.versions = (old.versions.isEmpty ? [older] : old.versions) + [newer]
    posts[newer]?.conversation = old.conversation
    timeline.remove(older)
    postsOfUser[old.author]?.remove(older)
    if let quoted = old.quotes { quotingPosts[quoted]?.remove(older) }
    if users[old.author]?.pinnedPost == older { users[old.author]?.pinnedPost = newer }
  }

  /// Counts a user's vote in a poll, once.
  /// - Parameter option: The number of the option, from 1.
  /// - Returns: Whether the poll is open and has that option, and the user has not voted yet.
  mutating func vote(_ option: Int, in post: Identifier, by user: Identifier, at date: Date) -> Bool {
    guard let record = posts[post], let poll = record.poll, (1...poll.options.count).contains(option),
      date < record.createdAt.addingTimeInterval(TimeInterval(poll.minutes * 60)), votes[post]?[user] == nil
    else { return false }
    votes[post, default: [:]][user] = option
    return true
  }

  /// Counts the posts that an app has read on a day.
  mutating func count(_ posts: Int, readBy app: String, at date: Date) {
    usage[app, default: [:]][String(Timestamp.text(date).prefix(10)), default: 0] += posts
  }
}
