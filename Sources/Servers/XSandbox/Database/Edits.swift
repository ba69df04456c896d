import Foundation

extension PostRecord {
  /// The number of times that a post may be edited.
  static let editLimit = 5
  /// The seconds from the first version on in which it may be edited.
  static let editTime: TimeInterval = 3600

  /// Replies, reposts and polls cannot be edited.
  var mayBeEdited: Bool { repliesTo == nil && reposts == nil && poll == nil }
}

extension Database {
  /// The first version of a post, from which the time for edits counts.
  func firstVersion(of post: PostRecord) -> PostRecord { post.versions.first.flatMap { posts[$0] } ?? post }

  /// Puts a new post in the place of an older version, which only its id finds from then on.
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

  /// Counts a user's choice in a poll, once.
  /// - Parameter option: From 1 on.
  /// - Returns: whether the poll is open, has that choice, and the user has not voted.
  mutating func vote(_ option: Int, in post: Identifier, by user: Identifier, at date: Date) -> Bool {
    guard let record = posts[post], let poll = record.poll, (1...poll.options.count).contains(option),
      date < record.createdAt.addingTimeInterval(TimeInterval(poll.minutes * 60)), votes[post]?[user] == nil
    else { return false }
    votes[post, default: [:]][user] = option
    return true
  }

  /// Counts posts that an app has read on a day.
  mutating func count(_ posts: Int, readBy app: String, at date: Date) {
    usage[app, default: [:]][String(Timestamp.text(date).prefix(10)), default: 0] += posts
  }
}
