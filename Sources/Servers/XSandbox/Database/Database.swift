import Foundation

/// All users, posts, lists, messages, saved searches, uploads and stream rules, and the relations between them.
struct Database: Sendable {
  var identifiers = IdentifierSource()
  /// The number of followers created by seeding. Each gets a different name.
  var seededFollowers = 0

  var users: [Identifier: UserRecord] = [:]
  /// The users, by lowercase user name.
  var usernames: [String: Identifier] = [:]
  var posts: [Identifier: PostRecord] = [:]
  var lists: [Identifier: ListRecord] = [:]
  var messages: [Identifier: MessageRecord] = [:]
  var savedSearches: [Identifier: SavedSearchRecord] = [:]
  var media: [Identifier: MediaRecord] = [:]
  /// The uploads whose bytes are kept although no message used them at first, oldest first, and their total size.
  var unsentMedia: (ids: ArraySlice<Identifier>, size: Int) = ([], 0)
  /// The processing of uploads that are finalized from now on.
  var mediaProcessing = SandboxMediaProcessing.afterChecks(2)

  var streamRules: [Identifier: StreamRuleRecord] = [:]
  var bookmarkFolders: [Identifier: BookmarkFolderRecord] = [:]
  var conversations: [Identifier: ConversationRecord] = [:]
  var complianceJobs: [Identifier: ComplianceJobRecord] = [:]
  var webhooks: [Identifier: WebhookRecord] = [:]
  var activitySubscriptions: [Identifier: ActivitySubscriptionRecord] = [:]
  var spaces: [Identifier: SpaceRecord] = [:]
  var communities: [Identifier: CommunityRecord] = [:]
  var places = Database.firstPlaces
  /// The number of posts that each app has read, by day in the form `2026-01-31`.
  var usage: [String: [String: Int]] = [:]

  /// The events for webhooks since the last ``Store/Changes``.
  var events: [AccountEvent] = []

  /// The posts created since the last ``Store/Changes``.
  var createdPosts: [Identifier] = []
  var deletedPosts: [PostRecord] = []

  /// The followers, by user.
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
  var bookmarks: [Identifier: Relation] = [:]
  var foldersOfUser: [Identifier: Relation] = [:]
  var pinnedLists: [Identifier: Relation] = [:]
  /// The users whom a user blocks, mutes, or does not accept messages from.
  var blocked: [Identifier: Relation] = [:]
  var muted: [Identifier: Relation] = [:]
  var blockedSenders: [Identifier: Relation] = [:]
  /// The votes in a poll, by the poll's post and the user.
  var votes: [Identifier: [Identifier: Int]] = [:]

  /// The users, by post.
  var likingUsers: [Identifier: Relation] = [:]
  var repostingUsers: [Identifier: Relation] = [:]
  var quotingPosts: [Identifier: Relation] = [:]
  var replies: [Identifier: Relation] = [:]

  /// The members, by list.
  var members: [Identifier: Relation] = [:]
  var listFollowers: [Identifier: Relation] = [:]

  /// All posts, oldest first.
  var timeline = Relation()
}

// MARK: Users

extension Database {
  func user(named username: String) -> UserRecord? { usernames[username.lowercased()].flatMap { users[$0] } }

  /// - Parameter id: The user's ID. Default: the next one.
  mutating func addUser(
    username: String, name: String, about: String = "", id: Identifier? = nil, at date: Date
  ) -> UserRecord {
    let user = UserRecord(
      id: id ?? identifiers.next(), username: username, name: name, about: about, createdAt: date)
    users[user.id] = user
    usernames[username.lowercased()] = user.id
    return user
  }

  /// Adds a new user who follows another, named `follower00001` and so on.
  mutating func addFollower(to user: Identifier, at date: Date) {
    var number = ""
    repeat {
      seededFollowers += 1
      number = String(format: "%05d", seededFollowers)
    } while self.user(named: "follower\(number)") != nil
    let follower = addUser(username: "follower\(number)", name: "Follower \(number)", at: date)
    follow(user, by: follower.id)
  }

  /// - Returns: Whether this is new.
  @discardableResult
  mutating func follow(_ target: Identifier, by user: Identifier) -> Bool {
    followers[target, default: Relation()].insert(user)
    let isNew = following[user, default: Relation()].insert(target)
    if isNew { report(.follow(target, by: user, isFollowing: true)) }
    return isNew
  }

  @discardableResult
  mutating func unfollow(_ target: Identifier, by user: Identifier) -> Bool {
    followers[target]?.remove(user)
    let was = following[user]?.remove(target) ?? false
    if was { report(.follow(target, by: user, isFollowing: false)) }
    return was
  }
}

// MARK: Posts

extension Database {
  mutating func addPost(
    by author: Identifier, text: String, at date: Date, source: String, repliesTo: Identifier? = nil,
    quotes: Identifier? = nil, reposts: Identifier? = nil, language: String = "und", id: Identifier? = nil
  ) -> PostRecord {
    let id = id ?? identifiers.next()
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
    for user in bookmarks.keys { bookmarks[user]?.remove(id) }
    for folder in bookmarkFolders.keys { bookmarkFolders[folder]?.posts.remove(id) }
    if users[post.author]?.pinnedPost == id { users[post.author]?.pinnedPost = nil }
  }

  /// Whether one of the author's recent posts equals a new one.
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
    if likingUsers[post, default: Relation()].insert(user) { report(.like(post, by: user)) }
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
    owner: Identifier, name: String, about: String = "", isPrivate: Bool = false, id: Identifier? = nil, at date: Date
  ) -> ListRecord {
    let list = ListRecord(
      id: id ?? identifiers.next(), owner: owner, name: name, about: about, isPrivate: isPrivate, createdAt: date)
    lists[list.id] = list
    ownedLists[owner, default: Relation()].insert(list.id)
    return list
  }

  mutating func removeList(_ id: Identifier) {
    guard let list = lists.removeValue(forKey: id) else { return }
    ownedLists[list.owner]?.remove(id)
    for entry in members.removeValue(forKey: id)?.entries ?? [] { memberships[entry.member]?.remove(id) }
    for user in pinnedLists.keys { pinnedLists[user]?.remove(id) }
    for entry in listFollowers.removeValue(forKey: id)?.entries ?? [] { followedLists[entry.member]?.remove(id) }
  }

  /// A list as `viewer` can see it: private lists are visible only to their owners.
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
  /// - Parameter recipient: The other user; `nil` in a group.
  mutating func addMessage(
    from sender: Identifier, to recipient: Identifier?, in group: ConversationRecord? = nil, text: String,
    media: [Identifier] = [], extras: MessageExtras = MessageExtras(), at date: Date
  ) -> MessageRecord {
    var message = MessageRecord(
      id: identifiers.next(), sender: sender, recipient: recipient, group: group?.id, media: media, text: text,
      createdAt: date, extras: extras)
    // On X, a person taps an option, which sends its label.
    if let recipient, let last = lastMessage(between: sender, recipient), last.sender == recipient {
      message.extras.chosen = last.extras.choices.first { $0.label == text }
    }
    messages[message.id] = message
    for id in media { self.media[id]?.isInMessage = true }
    for user in Set([sender, recipient ?? sender] + (group?.participants ?? [])) {
      messagesOfUser[user, default: Relation()].insert(message.id)
    }
    report(.message(message.id))
    return message
  }

  /// The newest message between two users that at least one of them has not deleted.
  private func lastMessage(between user: Identifier, _ other: Identifier) -> MessageRecord? {
    (messagesOfUser[user]?.entries.reversed() ?? []).lazy.compactMap { messages[$0.member] }.first { message in
      message.group == nil && Set([message.sender, message.recipient ?? message.sender]) == [user, other]
    }
  }

  /// A message as seen by one of its readers.
  func message(_ id: Identifier, of user: Identifier) -> MessageRecord? {
    messagesOfUser[user]?.contains(id) == true ? messages[id] : nil
  }

  /// The other users keep it.
  mutating func removeMessage(_ id: Identifier, of user: Identifier) {
    guard messagesOfUser[user]?.remove(id) == true else { return }
    if !messagesOfUser.values.contains(where: { $0.contains(id) }) { messages[id] = nil }
  }

  /// Returns the group that a user belongs to.
  func group(_ id: Identifier, of user: Identifier) -> ConversationRecord? {
    conversations[id].flatMap { $0.participants.contains(user) ? $0 : nil }
  }

  mutating func addGroup(_ participants: [Identifier]) -> ConversationRecord {
    let group = ConversationRecord(id: identifiers.next(), participants: participants)
    conversations[group.id] = group
    return group
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

/// The database of a sandbox. Only one request at a time reads or changes it.
actor Store {
  /// The posts that one access created and deleted, and other events that concern users.
  struct Changes: Sendable {
    var created: [Identifier]
    var deleted: [PostRecord]
    var events: [AccountEvent]
  }

  private var database = Database()
  private let onChange: @Sendable (Changes, Database) -> Void

  /// - Parameter onChange: Called after each access that changed something that streams or webhooks report.
  init(onChange: @escaping @Sendable (Changes, Database) -> Void) { self.onChange = onChange }

  func perform<Result: Sendable, Failure: Error>(
    _ body: @Sendable (inout Database) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    defer { publishChanges() }
    return try body(&database)
  }

  private func publishChanges() {
    let changes = Changes(
      created: database.createdPosts, deleted: database.deletedPosts, events: database.events)
    guard !changes.created.isEmpty || !changes.deleted.isEmpty || !changes.events.isEmpty else { return }
    (database.createdPosts, database.deletedPosts, database.events) = ([], [], [])
    onChange(changes, database)
  }
}
