import CallsignX
import Foundation
import Observation

/// A list of posts: the newest first, older ones when the person gets there.
@MainActor @Observable public final class TimelineModel {
  /// Whose posts they are.
  public enum Kind: String, Sendable, CaseIterable, Identifiable {
    /// Of those whom the person follows.
    case home
    /// That mention the person.
    case mentions
    /// The person's own.
    case posts

    /// The case itself.
    public var id: Self { self }
    /// A title for a tab.
    public var title: String { rawValue.capitalized }
  }

  /// The posts so far.
  public private(set) var rows: [PostRow] = []
  /// Whether more are on their way.
  public private(set) var isLoading = false
  /// Whether there are older ones.
  public private(set) var hasMore = false
  /// Words for the person about what went wrong last.
  public var problem: String?

  /// Whose posts they are.
  @ObservationIgnored public let kind: Kind
  @ObservationIgnored private let x: XAPI
  @ObservationIgnored private let me: XAPI.SignedInUser
  @ObservationIgnored private let avatars: ProfileImageCache
  @ObservationIgnored private var nextToken: String?
  @ObservationIgnored private var liked: Set<String> = []
  /// Likes that are under way, so that two taps are not two calls at once.
  @ObservationIgnored private var pendingLikes: Set<String> = []

  /// Makes a list. Nothing is sent before ``refresh()``.
  ///
  /// - Parameters:
  ///   - kind: Whose posts they are.
  ///   - user: The person.
  ///   - x: The client that calls for them.
  ///   - avatars: The pictures of users, which all lists of the app share. Default: some of its own.
  public init(_ kind: Kind, of user: XAPI.User, x: XAPI, avatars: ProfileImageCache? = nil) {
    self.kind = kind
    self.x = x
    self.avatars = avatars ?? ProfileImageCache(x)
    me = XAPI.SignedInUser(user, x: x)
  }

  /// Loads the newest posts in place of those that are there.
  public func refresh() async {
    guard !isLoading else { return }
    await load {
      // A post does not say whether one likes it.
      self.liked = Set(try await self.x.getUsersLikedPosts(id: self.me.id, maxResults: 100).data.map(\.id))
      let (rows, token) = try await self.page(nil)
      self.rows = rows
      self.nextToken = token
    }
  }

  /// Loads older posts, when the last of the rows is about to be seen.
  public func loadMore(after row: PostRow) async {
    guard !isLoading, let token = nextToken, row.id == rows.last?.id else { return }
    await load {
      let (older, next) = try await self.page(token)
      let known = Set(self.rows.map(\.id))
      self.rows += older.filter { !known.contains($0.id) }
      self.nextToken = next
    }
  }

  /// Likes a post, or takes the like back. It shows at once, and is undone if X refuses it.
  public func toggleLike(_ row: PostRow) async {
    guard pendingLikes.insert(row.id).inserted else { return }
    defer { pendingLikes.remove(row.id) }
    let likes = !row.isLiked
    problem = nil
    mark(row.id, likes)
    do {
      if likes { try await me.like(row.post) } else { try await me.unlike(row.post) }
    } catch {
      mark(row.id, !likes)
      problem = Words.problem(error)
    }
  }

  /// Puts a post that the person has just written on top.
  public func add(_ id: String) async {
    await load {
      let response = try await self.x.getPostsById(
        id: id, postFields: .standard, expansions: .standard, userFields: .standard, mediaFields: .standard)
      self.rows.insert(PostRow(response.data, in: response.includes, isLiked: false), at: 0)
    }
  }

  /// The picture of a post's author, in a size that suits a list; `nil` where there is none, or it cannot be had.
  public func avatar(of row: PostRow) async -> Data? {
    guard let address = row.avatar else { return nil }
    return try? await avatars.image(at: address, size: .bigger)
  }

  /// The same if it was there before, at once: a row that comes back does not flicker.
  public func keptAvatar(of row: PostRow) -> Data? {
    row.avatar.flatMap { avatars.cachedImage(at: $0, size: .bigger) }
  }

  private func load(_ work: @MainActor () async throws -> Void) async {
    isLoading = true
    problem = nil
    do { try await work() } catch { problem = Words.problem(error) }
    hasMore = nextToken != nil
    isLoading = false
  }

  private func mark(_ id: String, _ isLiked: Bool) {
    if isLiked { liked.insert(id) } else { liked.remove(id) }
    guard let index = rows.firstIndex(where: { $0.id == id }), rows[index].isLiked != isLiked else { return }
    rows[index].isLiked = isLiked
    rows[index].likeCount = max(0, rows[index].likeCount + (isLiked ? 1 : -1))
  }

  private func page(_ token: String?) async throws -> ([PostRow], String?) {
    let (posts, includes, next): ([XAPI.Post], XAPI.Expansions?, String?)
    switch kind {
    case .home:
      let response = try await x.getUsersTimeline(
        id: me.id, maxResults: 20, paginationToken: token, postFields: .standard, expansions: .standard,
        userFields: .standard, mediaFields: .standard)
      (posts, includes, next) = (response.data, response.includes, response.meta?.nextToken)
    case .mentions:
      let response = try await x.getUsersMentions(
        id: me.id, maxResults: 20, paginationToken: token, postFields: .standard, expansions: .standard,
        userFields: .standard, mediaFields: .standard)
      (posts, includes, next) = (response.data, response.includes, response.meta?.nextToken)
    case .posts:
      let response = try await x.getUsersPosts(
        id: me.id, maxResults: 20, paginationToken: token, postFields: .standard, expansions: .standard,
        userFields: .standard, mediaFields: .standard)
      (posts, includes, next) = (response.data, response.includes, response.meta?.nextToken)
    }
    return (posts.map { PostRow($0, in: includes, isLiked: liked.contains($0.id)) }, next)
  }
}
