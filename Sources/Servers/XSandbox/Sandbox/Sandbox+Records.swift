import Foundation

extension Sandbox {
  /// Adds a user.
  /// - Parameters:
  ///   - username: 1 to 15 letters, digits and underscores, not in use yet.
  ///   - name: The display name. Default: the user name.
  ///   - about: The description in the profile.
  ///   - followers: The number of new users that follow this one, named `follower00001` and so on.
  /// - Throws: ``SandboxError/invalidUsername(_:)``.
  @discardableResult
  public func addUser(
    username: String, name: String? = nil, about: String = "", followers: Int = 0
  ) async throws(SandboxError) -> User {
    let now = pipeline.configuration.clock.now()
    let record = await pipeline.store.perform { database -> UserRecord? in
      guard Pattern.isUsername(username), database.user(named: username) == nil else { return nil }
      let user = database.addUser(username: username, name: name ?? username, about: about, at: now)
      Self.addFollowers(followers, to: user.id, in: &database, at: now)
      return user
    }
    guard let record else { throw SandboxError.invalidUsername(username) }
    return await Self.issueCredentials(to: record, app: app, by: pipeline.authorization)
  }

  /// Adds new users that follow a user. The last one added is the first on the newest page.
  /// - Throws: ``SandboxError/notFound(_:)`` if the user does not belong to this sandbox.
  public func addFollowers(_ count: Int, to user: User) async throws(SandboxError) {
    let now = pipeline.configuration.clock.now()
    let id = try await record(of: user).id
    await pipeline.store.perform { Self.addFollowers(count, to: id, in: &$0, at: now) }
  }

  /// Adds a follow.
  /// - Throws: ``SandboxError/notFound(_:)`` if one of them does not belong to this sandbox.
  public func follow(_ target: User, by user: User) async throws(SandboxError) {
    let (follower, followed) = (try await record(of: user).id, try await record(of: target).id)
    await pipeline.store.perform { _ = $0.follow(followed, by: follower) }
  }

  /// Adds a post.
  /// - Parameters:
  ///   - text: The text. Its length is not checked.
  ///   - author: The author.
  ///   - replyingTo: The ID of the post that it replies to.
  ///   - quoting: The ID of the post that it quotes.
  ///   - language: The language of the text as a BCP 47 code. The sandbox does not guess one.
  /// - Returns: The post's ID.
  /// - Throws: ``SandboxError/notFound(_:)``.
  @discardableResult
  public func addPost(
    _ text: String, by author: User, replyingTo: String? = nil, quoting: String? = nil, language: String = "und"
  ) async throws(SandboxError) -> String {
    let now = pipeline.configuration.clock.now()
    let id = try await record(of: author).id
    for reference in [replyingTo, quoting].compactMap({ $0 }) { _ = try await existingPost(reference) }
    let post = await pipeline.store.perform {
      $0.addPost(
        by: id, text: text, at: now, source: "Sandbox App", repliesTo: replyingTo.flatMap { Identifier($0) },
        quotes: quoting.flatMap { Identifier($0) }, language: language)
    }
    return String(post.id)
  }

  /// Adds a like.
  /// - Throws: ``SandboxError/notFound(_:)``.
  public func like(post: String, by user: User) async throws(SandboxError) {
    let (post, user) = (try await existingPost(post), try await record(of: user).id)
    await pipeline.store.perform { $0.like(post, by: user) }
  }

  /// Votes in the poll of a post.
  /// - Parameters:
  ///   - choice: The number of the option, from 1.
  ///   - post: The ID of the post with the poll.
  ///   - user: The user who votes.
  /// - Throws: ``SandboxError/notFound(_:)``; ``SandboxError/cannotVote(_:)`` if the poll is over or has no such option, or the
  ///   user has already voted.
  public func vote(_ choice: Int, in post: String, by user: User) async throws(SandboxError) {
    let (id, user) = (try await existingPost(post), try await record(of: user).id)
    let now = pipeline.configuration.clock.now()
    guard await pipeline.store.perform({ $0.vote(choice, in: id, by: user, at: now) }) else {
      throw .cannotVote(post)
    }
  }

  /// Pins a post to the profile of its author.
  /// - Throws: ``SandboxError/notFound(_:)``.
  public func pin(post: String) async throws(SandboxError) {
    let id = try await existingPost(post)
    await pipeline.store.perform { database in
      guard let author = database.posts[id]?.author else { return }
      database.users[author]?.pinnedPost = id
    }
  }

  /// Adds a list.
  /// - Parameters:
  ///   - name: The list's name.
  ///   - owner: The owner.
  ///   - description: The list's description.
  ///   - isPrivate: Whether only the owner can see it.
  ///   - members: The list's members.
  /// - Returns: The list's ID.
  /// - Throws: ``SandboxError/notFound(_:)``.
  @discardableResult
  public func addList(
    _ name: String, owner: User, description: String = "", isPrivate: Bool = false, members: [User] = []
  ) async throws(SandboxError) -> String {
    let now = pipeline.configuration.clock.now()
    let ownerID = try await record(of: owner).id
    var memberIDs: [Identifier] = []
    for member in members { memberIDs.append(try await record(of: member).id) }
    let list = await pipeline.store.perform { [memberIDs] database in
      let list = database.addList(owner: ownerID, name: name, about: description, isPrivate: isPrivate, at: now)
      for member in memberIDs { database.addMember(member, to: list.id) }
      return list
    }
    return String(list.id)
  }

  func record(of user: User) async throws(SandboxError) -> UserRecord {
    guard let record = await pipeline.store.perform({ database in Identifier(user.id).flatMap { database.users[$0] } })
    else {
      throw SandboxError.notFound(user.id)
    }
    return record
  }

  private func existingPost(_ text: String) async throws(SandboxError) -> Identifier {
    guard let id = Identifier(text), await pipeline.store.perform({ $0.posts[id] != nil }) else {
      throw SandboxError.notFound(text)
    }
    return id
  }

  private static func addFollowers(_ count: Int, to user: Identifier, in database: inout Database, at date: Date) {
    for _ in 0..<max(0, count) { database.addFollower(to: user, at: date) }
  }
}

extension Sandbox {
  /// An upload, as far as it has arrived.
  public struct Media: Sendable, Hashable {
    /// The ID, as the API writes it.
    public let id: String
    /// The ID of the user who uploads it.
    public let owner: String
    /// The announced media type, such as `video/mp4`.
    public let mediaType: String
    /// The announced category, or the one that X assumes.
    public let category: String
    /// The number of bytes received so far.
    public let size: Int
    /// The number of segments received so far.
    public let segments: Int
    /// The SHA-256 of all bytes in hexadecimal; `nil` until the upload is finalized.
    public let sha256: String?
    /// The alternative text.
    public let altText: String?
    /// The IDs of its subtitle uploads, by language.
    public let subtitles: [String: String]
  }

  /// Returns an upload, or `nil` if none has this ID.
  public func media(_ id: String) async -> Media? {
    guard let record = await pipeline.store.perform({ database in Identifier(id).flatMap { database.media[$0] } })
    else {
      return nil
    }
    let subtitles = record.subtitles.map { ($0.language, String($0.media)) }
    return Media(
      id: String(record.id), owner: String(record.owner), mediaType: record.mediaType, category: record.category,
      size: record.receivedSize, segments: record.segments.count, sha256: record.sha256, altText: record.altText,
      subtitles: Dictionary(subtitles, uniquingKeysWith: { $1 }))
  }

  /// Sets how videos and animated GIFs are processed if they are finalized from now on. By default, the third status request
  /// reports success.
  public func setMediaProcessing(_ processing: MediaProcessing) async {
    await pipeline.store.perform { $0.mediaProcessing = processing }
  }
}
