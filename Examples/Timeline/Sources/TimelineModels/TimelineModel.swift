import CallsignX
import Foundation
import Observation

/// A list of posts: the newest first, and older ones when the person scrolls to them.
@MainActor @Observable public final class TimelineModel {
  /// The kind of list.
  public enum Kind: String, Sendable, CaseIterable, Identifiable {
    /// Posts of the accounts that the person follows.
    case home
    /// Posts that mention the person.
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
  /// Whether more are being loaded.
  public private(set) var isLoading = false
  /// Whether there are older ones.
  public private(set) var hasMore = false
  /// The last problem, in words for the person.
  public var problem: String?

  /// The kind of list.
  @ObservationIgnored public let kind: Kind
  @ObservationIgnored private let x: XAPI
  @ObservationIgnored private let me: XAPI.SignedInUser
  @ObservationIgnored private let avatars: ProfileImageCache
  @ObservationIgnored private var nextToken: String?
  @ObservationIgnored private var liked: Set<String> = []
  /// Likes in progress, so that two taps do not become two calls at once.
  @ObservationIgnored private var pendingLikes: Set<String> = []

  /// Creates a list. Nothing is sent before ``refresh()``.
  ///
  /// - Parameters:
  ///   - kind: The kind of list.
  ///   - user: The person.
  ///   - x: The client that makes calls for them.
  ///   - avatars: The pictures of users, which all lists of the app share. Default: a separate cache.
  public init(_ kind: Kind, of user: XAPI.User, x: XAPI, avatars: ProfileImageCache? = nil) {
    self.kind = kind
    self.x = x
    self.avatars = avatars ?? ProfileImageCache(x)
    me = XAPI.SignedInUser(user, x: x)
  }

  /// Loads the newest posts and replaces the existing ones.
  public func refresh() async {
    guard !isLoading else { return }
    await load {
      // A post does not say whether the person likes it.
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

  /// Likes a post, or removes the like. This shows at once, and is undone if X refuses it.
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

  /// Puts a post that the person has just written at the top.
  public func add(_ id: String) async {
    await load {
      let response = try await self.x.getPostsById(
        id: id, postFields: .standard, expansions: .standard, userFields: .standard, mediaFields: .standard)
      self.rows.insert(PostRow(response.data, in: response.includes, isLiked: false), at: 0)
    }
  }

  /// The picture of a post's author, in a size for lists; `nil` if there is none, or it cannot be loaded.
  public func avatar(of row: PostRow) async -> Data? {
    guard let address = row.avatar else { return nil }
    return try? await avatars.image(at: address, size: .bigger)
  }

  /// The same picture at once if it was loaded before, so that a row that comes back does not flicker.
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
