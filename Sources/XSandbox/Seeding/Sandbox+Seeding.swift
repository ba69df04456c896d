import Foundation

extension Sandbox {
  /// Adds a user.
  /// - Parameters:
  ///   - username: 1 to 15 letters, digits and underscores, not in use yet.
  ///   - name: the display name; the user name unless it is given.
  ///   - about: the profile's description.
  ///   - followers: how many users are made to follow this one, named `follower00001` and so on.
  /// - Throws: ``SandboxError/invalidUsername(_:)``.
  @discardableResult
  public func addUser(
    username: String, name: String? = nil, about: String = "", followers: Int = 0
  ) async throws(SandboxError) -> User {
    let now = pipeline.configuration.clock.now()
    let record = await pipeline.store.perform { world -> UserRecord? in
      guard Pattern.isUsername(username), world.user(named: username) == nil else { return nil }
      let user = world.addUser(username: username, name: name ?? username, about: about, at: now)
      Self.addFollowers(followers, to: user.id, in: &world, at: now)
      return user
    }
    guard let record else { throw SandboxError.invalidUsername(username) }
    return await credentials.issue(to: record)
  }

  /// Makes new users and lets them follow a user; the last one is the first of the newest page.
  /// - Throws: ``SandboxError/notFound(_:)`` if the user isn't this sandbox's.
  public func addFollowers(_ count: Int, to user: User) async throws(SandboxError) {
    let now = pipeline.configuration.clock.now()
    let id = try await known(user).id
    await pipeline.store.perform { Self.addFollowers(count, to: id, in: &$0, at: now) }
  }

  /// Lets one user follow another.
  /// - Throws: ``SandboxError/notFound(_:)`` if one of them isn't this sandbox's.
  public func follow(_ target: User, by user: User) async throws(SandboxError) {
    let (follower, followed) = (try await known(user).id, try await known(target).id)
    await pipeline.store.perform { _ = $0.follow(followed, by: follower) }
  }

  /// Adds a post.
  /// - Parameters:
  ///   - text: what it says; not checked for length.
  ///   - author: whose post it is.
  ///   - replyingTo: the id of the post that it replies to.
  ///   - quoting: the id of the post that it quotes.
  /// - Returns: the post's id.
  /// - Throws: ``SandboxError/notFound(_:)``.
  @discardableResult
  public func addPost(
    _ text: String, by author: User, replyingTo: String? = nil, quoting: String? = nil
  ) async throws(SandboxError) -> String {
    let now = pipeline.configuration.clock.now()
    let id = try await known(author).id
    for reference in [replyingTo, quoting].compactMap({ $0 }) { _ = try await knownPost(reference) }
    let post = await pipeline.store.perform {
      $0.addPost(
        by: id, text: text, at: now, source: "Sandbox App", repliesTo: replyingTo.flatMap { Identifier($0) },
        quotes: quoting.flatMap { Identifier($0) })
    }
    return String(post.id)
  }

  /// Lets a user like a post.
  /// - Throws: ``SandboxError/notFound(_:)``.
  public func like(post: String, by user: User) async throws(SandboxError) {
    let (post, user) = (try await knownPost(post), try await known(user).id)
    await pipeline.store.perform { $0.like(post, by: user) }
  }

  /// Pins a post to the profile of its author.
  /// - Throws: ``SandboxError/notFound(_:)``.
  public func pin(post: String) async throws(SandboxError) {
    let id = try await knownPost(post)
    await pipeline.store.perform { world in
      guard let author = world.posts[id]?.author else { return }
      world.users[author]?.pinnedPost = id
    }
  }

  /// Adds a list.
  /// - Parameters:
  ///   - name: its name.
  ///   - owner: whose list it is.
  ///   - description: what it is for.
  ///   - isPrivate: whether its owner alone sees it.
  ///   - members: who is in it.
  /// - Returns: the list's id.
  /// - Throws: ``SandboxError/notFound(_:)``.
  @discardableResult
  public func addList(
    _ name: String, owner: User, description: String = "", isPrivate: Bool = false, members: [User] = []
  ) async throws(SandboxError) -> String {
    let now = pipeline.configuration.clock.now()
    let ownerID = try await known(owner).id
    var memberIDs: [Identifier] = []
    for member in members { memberIDs.append(try await known(member).id) }
    let list = await pipeline.store.perform { [memberIDs] world in
      let list = world.addList(owner: ownerID, name: name, about: description, isPrivate: isPrivate, at: now)
      for member in memberIDs { world.addMember(member, to: list.id) }
      return list
    }
    return String(list.id)
  }

  func known(_ user: User) async throws(SandboxError) -> UserRecord {
    guard let record = await pipeline.store.perform({ world in Identifier(user.id).flatMap { world.users[$0] } }) else {
      throw SandboxError.notFound(user.id)
    }
    return record
  }

  private func knownPost(_ text: String) async throws(SandboxError) -> Identifier {
    guard let id = Identifier(text), await pipeline.store.perform({ $0.posts[id] != nil }) else {
      throw SandboxError.notFound(text)
    }
    return id
  }

  private static func addFollowers(_ count: Int, to user: Identifier, in world: inout World, at date: Date) {
    for _ in 0..<max(0, count) {
      var number = ""
      repeat {
        world.seededFollowers += 1
        number = String(format: "%05d", world.seededFollowers)
      } while world.user(named: "follower\(number)") != nil
      let follower = world.addUser(username: "follower\(number)", name: "Follower \(number)", at: date)
      world.follow(user, by: follower.id)
    }
  }
}
