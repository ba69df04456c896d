extension Database {
  /// Blocks a user, and removes the follows between the two.
  mutating func block(_ target: Identifier, by user: Identifier) {
    blocked[user, default: Relation()].insert(target)
    unfollow(target, by: user)
    unfollow(user, by: target)
  }

  func isBlocked(_ user: Identifier, by other: Identifier) -> Bool { blocked[other]?.contains(user) == true }

  /// Whether a user receives messages from a sender.
  func accepts(messagesFrom sender: Identifier, _ recipient: Identifier) -> Bool {
    !isBlocked(sender, by: recipient) && blockedSenders[recipient]?.contains(sender) != true
  }

  /// Whether a post belongs in a user's home timeline: the user's own posts and those of followed users who are not muted.
  func isInHomeTimeline(_ post: PostRecord, of user: Identifier) -> Bool {
    if post.author == user { return true }
    return following[user]?.contains(post.author) == true && muted[user]?.contains(post.author) != true
  }
}
