import Foundation

/// All users, posts, lists, messages, searches and uploads, and how they relate.
struct World: Sendable {
  var identifiers = IdentifierSource()
  /// How many followers seeding has made, so that each gets a name of its own.
  var seededFollowers = 0

  var users: [Identifier: UserRecord] = [:]
  /// By user name in lower case.
  var usernames: [String: Identifier] = [:]
  var posts: [Identifier: PostRecord] = [:]
  var lists: [Identifier: ListRecord] = [:]
  var messages: [Identifier: MessageRecord] = [:]
  var savedSearches: [Identifier: SavedSearchRecord] = [:]
  var media: [Identifier: MediaRecord] = [:]
  /// Of the uploads that are finalized from now on.
  var mediaProcessing = Sandbox.MediaProcessing.afterChecks(2)

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

/// Keeps the world, and lets one request at a time look at it or change it.
actor Store {
  private var world = World()

  func perform<Result: Sendable, Failure: Error>(
    _ body: @Sendable (inout World) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try body(&world)
  }
}
