extension Database {
  /// Blocks a user, and ends the follows between the two.
  mutating func block(_ target: Identifier, by user: Identifier) {
    blocked[user, default: Relation()].insert(target)
    unfollow(target, by: user)
    unfollow(user, by: target)
  }

  func isBlocked(_ user: Identifier, by other: Identifier) -> Bool { blocked[other]?.contains(user) == true }

  /// Whether messages of a sender reach a user.
  func accepts(messagesFrom sender: Identifier, _ recipient: Identifier) -> Bool {
    !isBlocked(sender, by: recipient) && blockedSenders[recipient]?.contains(sender) != true
  }

  /// Whether a post belongs to a user's home timeline: own ones and those of followed users who are not muted.
  func isInHomeTimeline(_ post: PostRecord, of user: Identifier) -> Bool {
    if post.author == user { return true }
    return following[user]?.contains(post.author) == true && muted[user]?.contains(post.author) != true
  }
}
