import Foundation

extension World {
  mutating func addPost(
    by author: Identifier, text: String, at date: Date, source: String, repliesTo: Identifier? = nil,
    quotes: Identifier? = nil, reposts: Identifier? = nil
  ) -> PostRecord {
    let id = identifiers.next()
    let parent = repliesTo.flatMap { posts[$0] }
    let post = PostRecord(
      id: id, author: author, text: text, createdAt: date, conversation: parent?.conversation ?? id,
      repliesTo: repliesTo, repliesToUser: parent?.author, quotes: quotes, reposts: reposts, source: source)
    posts[id] = post
    timeline.insert(id)
    createdPosts.append(id)
    postsOfUser[author, default: Relation()].insert(id)
    if let repliesTo { replies[repliesTo, default: Relation()].insert(id) }
    if let quotes { quotingPosts[quotes, default: Relation()].insert(id) }
    if let reposts { repostingUsers[reposts, default: Relation()].insert(author) }
    return post
  }

  /// Removes a post, its reposts, and its likes.
  mutating func removePost(_ id: Identifier) {
    guard let post = posts.removeValue(forKey: id) else { return }
    timeline.remove(id)
    deletedPosts.append(post)
    postsOfUser[post.author]?.remove(id)
    if let parent = post.repliesTo { replies[parent]?.remove(id) }
    if let quoted = post.quotes { quotingPosts[quoted]?.remove(id) }
    if let original = post.reposts { repostingUsers[original]?.remove(post.author) }
    for entry in likingUsers.removeValue(forKey: id)?.entries ?? [] { likedPosts[entry.member]?.remove(id) }
    for entry in repostingUsers[id]?.entries ?? [] {
      if let repost = repost(of: id, by: entry.member) { removePost(repost.id) }
    }
    repostingUsers[id] = nil
    if users[post.author]?.pinnedPost == id { users[post.author]?.pinnedPost = nil }
  }

  func repost(of post: Identifier, by user: Identifier) -> PostRecord? {
    guard repostingUsers[post]?.contains(user) == true else { return nil }
    return postsOfUser[user]?.entries.lazy.compactMap { posts[$0.member] }.first { $0.reposts == post }
  }

  mutating func like(_ post: Identifier, by user: Identifier) {
    likingUsers[post, default: Relation()].insert(user)
    likedPosts[user, default: Relation()].insert(post)
  }

  mutating func unlike(_ post: Identifier, by user: Identifier) {
    likingUsers[post]?.remove(user)
    likedPosts[user]?.remove(post)
  }
}
