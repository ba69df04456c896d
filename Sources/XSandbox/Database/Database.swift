import Foundation

/// All users, posts, lists, messages, saved searches, uploads and stream rules, and the relations between them.
struct Database: Sendable {
  var identifiers = IdentifierSource()
  /// The number of followers made by seeding; each gets a name of its own.
  var seededFollowers = 0

  var users: [Identifier: UserRecord] = [:]
  /// By user name in lower case.
  var usernames: [String: Identifier] = [:]
  var posts: [Identifier: PostRecord] = [:]
  var lists: [Identifier: ListRecord] = [:]
  var messages: [Identifier: MessageRecord] = [:]
  var savedSearches: [Identifier: SavedSearchRecord] = [:]
  var media: [Identifier: MediaRecord] = [:]
  /// The processing of uploads that are finalized from now on.
  var mediaProcessing = SandboxMediaProcessing.afterChecks(2)

  var streamRules: [Identifier: StreamRuleRecord] = [:]

  /// The posts created since the last ``Store/Changes``.
  var createdPosts: [Identifier] = []
  var deletedPosts: [PostRecord] = []

  /// By user.
  var followers: [Identifier: Relation] = [:]
  var following: [Identifier: Relation] = [:]
  var postsOfUser: [Identifier: Relation] = [:]
  var likedPosts: [Identifier: Relation] = [:]
  var ownedLists: [Identifier: Relation] = [:]
  var followedLists: [Identifier: Relation] = [:]
  var memberships: [Identifier: Relation] = [:]
  /// Sent and received messages that the user has not deleted.
  var messagesOfUser: [Identifier: Relation] = [:]
  var savedSearchesOfUser: [Identifier: Relation] = [:]

  /// By post.
  var likingUsers: [Identifier: Relation] = [:]
  var repostingUsers: [Identifier: Relation] = [:]
  var quotingPosts: [Identifier: Relation] = [:]
  var replies: [Identifier: Relation] = [:]

  /// By list.
  var members: [Identifier: Relation] = [:]
  var listFollowers: [Identifier: Relation] = [:]

  /// All posts, oldest first.
  var timeline = Relation()
}

// MARK: Users

extension Database {
  func user(named username: String) -> UserRecord? { usernames[username.lowercased()].flatMap { users[$0] } }

  mutating func addUser(username: String, name: String, about: String = "", at date: Date) -> UserRecord {
    let user = UserRecord(id: identifiers.next(), username: username, name: name, about: about, createdAt: date)
    users[user.id] = user
    usernames[username.lowercased()] = user.id
    return user
  }

  /// - Returns: whether this is new.
  @discardableResult
  mutating func follow(_ target: Identifier, by user: Identifier) -> Bool {
    followers[target, default: Relation()].insert(user)
    return following[user, default: Relation()].insert(target)
  }

  @discardableResult
  mutating func unfollow(_ target: Identifier, by user: Identifier) -> Bool {
    followers[target]?.remove(user)
    return following[user]?.remove(target) ?? false
  }
}

// MARK: Posts

extension Database {
  mutating func addPost(
    by author: Identifier, text: String, at date: Date, source: String, repliesTo: Identifier? = nil,
    quotes: Identifier? = nil, reposts: Identifier? = nil, language: String = "und"
  ) -> PostRecord {
    let id = identifiers.next()
    let parent = repliesTo.flatMap { posts[$0] }
    let post = PostRecord(
      id: id, author: author, text: text, createdAt: date, conversation: parent?.conversation ?? id,
      repliesTo: repliesTo, repliesToUser: parent?.author, quotes: quotes, reposts: reposts, language: language,
      source: source)
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

  /// Whether one of the author's last posts equals a new one.
  func hasRecentPost(
    by author: Identifier, text: String, repliesTo: Identifier?, quotes: Identifier?
  ) -> Bool {
    (postsOfUser[author]?.entries.suffix(20) ?? []).lazy.compactMap { posts[$0.member] }
      .contains { $0.text == text && $0.repliesTo == repliesTo && $0.quotes == quotes }
  }

  mutating func addRepost(of original: PostRecord, by user: Identifier, at date: Date, source: String) -> PostRecord {
    let author = users[original.author]?.username ?? ""
    return addPost(
      by: user, text: "RT @\(author): \(original.text)", at: date, source: source, reposts: original.id,
      language: original.language)
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

// MARK: Lists

extension Database {
  mutating func addList(
    owner: Identifier, name: String, about: String = "", isPrivate: Bool = false, at date: Date
  ) -> ListRecord {
    let list = ListRecord(
      id: identifiers.next(), owner: owner, name: name, about: about, isPrivate: isPrivate, createdAt: date)
    lists[list.id] = list
    ownedLists[owner, default: Relation()].insert(list.id)
    return list
  }

  mutating func removeList(_ id: Identifier) {
    guard let list = lists.removeValue(forKey: id) else { return }
    ownedLists[list.owner]?.remove(id)
    for entry in members.removeValue(forKey: id)?.entries ?? [] { memberships[entry.member]?.remove(id) }
    for entry in listFollowers.removeValue(forKey: id)?.entries ?? [] { followedLists[entry.member]?.remove(id) }
  }

  /// A list as `viewer` may see it: private lists show to their owners only.
  func list(_ id: Identifier, visibleTo viewer: Identifier?) -> ListRecord? {
    guard let list = lists[id], !list.isPrivate || list.owner == viewer else { return nil }
    return list
  }

  mutating func addMember(_ user: Identifier, to list: Identifier) {
    members[list, default: Relation()].insert(user)
    memberships[user, default: Relation()].insert(list)
  }

  mutating func removeMember(_ user: Identifier, from list: Identifier) {
    members[list]?.remove(user)
    memberships[user]?.remove(list)
  }

  mutating func follow(list: Identifier, by user: Identifier) {
    listFollowers[list, default: Relation()].insert(user)
    followedLists[user, default: Relation()].insert(list)
  }

  mutating func unfollow(list: Identifier, by user: Identifier) {
    listFollowers[list]?.remove(user)
    followedLists[user]?.remove(list)
  }
}

// MARK: Direct messages

extension Database {
  mutating func addMessage(from sender: Identifier, to recipient: Identifier, text: String, at date: Date)
    -> MessageRecord
  {
    let message = MessageRecord(
      id: identifiers.next(), sender: sender, recipient: recipient, text: text, createdAt: date)
    messages[message.id] = message
    messagesOfUser[sender, default: Relation()].insert(message.id)
    messagesOfUser[recipient, default: Relation()].insert(message.id)
    return message
  }

  /// A message as one of its two sides sees it.
  func message(_ id: Identifier, of user: Identifier) -> MessageRecord? {
    messagesOfUser[user]?.contains(id) == true ? messages[id] : nil
  }

  /// The other side keeps it.
  mutating func removeMessage(_ id: Identifier, of user: Identifier) {
    guard let message = message(id, of: user) else { return }
    messagesOfUser[user]?.remove(id)
    let isKept = [message.sender, message.recipient].contains { messagesOfUser[$0]?.contains(id) == true }
    if !isKept { messages[id] = nil }
  }
}

// MARK: Saved searches

extension Database {
  mutating func saveSearch(_ query: String, of owner: Identifier, at date: Date) -> SavedSearchRecord {
    let search = SavedSearchRecord(id: identifiers.next(), owner: owner, query: query, createdAt: date)
    savedSearches[search.id] = search
    savedSearchesOfUser[owner, default: Relation()].insert(search.id)
    return search
  }

  mutating func removeSavedSearch(_ id: Identifier) {
    guard let search = savedSearches.removeValue(forKey: id) else { return }
    savedSearchesOfUser[search.owner]?.remove(id)
  }
}

// MARK: Stream rules

extension Database {
  /// An app's rules, oldest first.
  func rules(of app: String) -> [StreamRuleRecord] {
    streamRules.values.filter { $0.app == app }.sorted { $0.id < $1.id }
  }

  mutating func addRule(_ value: String, tag: String?, app: String) -> StreamRuleRecord {
    let rule = StreamRuleRecord(id: identifiers.next(), app: app, value: value, tag: tag)
    streamRules[rule.id] = rule
    return rule
  }
}

// MARK: Access

/// The database of a sandbox. One request at a time reads or changes it.
actor Store {
  /// The posts that one access created and deleted.
  struct Changes: Sendable {
    var created: [Identifier]
    var deleted: [PostRecord]
  }

  private var database = Database()
  private let onChange: @Sendable (Changes, Database) -> Void

  /// - Parameter onChange: called after each access that created or deleted posts.
  init(onChange: @escaping @Sendable (Changes, Database) -> Void) { self.onChange = onChange }

  func perform<Result: Sendable, Failure: Error>(
    _ body: @Sendable (inout Database) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    defer { publishChanges() }
    return try body(&database)
  }

  private func publishChanges() {
    guard !database.createdPosts.isEmpty || !database.deletedPosts.isEmpty else { return }
    let changes = Changes(created: database.createdPosts, deleted: database.deletedPosts)
    (database.createdPosts, database.deletedPosts) = ([], [])
    onChange(changes, database)
  }
}
