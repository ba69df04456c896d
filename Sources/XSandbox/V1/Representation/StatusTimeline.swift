/// The newest posts of a relation between `since_id` and `max_id`, both of which are ids: `max_id` is part of the page, `since_id` is not.
struct StatusTimeline {
  let posts: [PostRecord]
  /// Whether there are older posts.
  let hasMore: Bool

  /// - Parameter isIncluded: which posts belong to the timeline at all.
  init(
    of relation: Relation?, _ exchange: Exchange, in world: World, defaultCount: Int = 20, maximum: Int = 200,
    isIncluded: (PostRecord) -> Bool = { _ in true }
  ) throws(Problem) {
    let since = try exchange.identifierParameter("since_id") ?? 0
    let newest = try exchange.identifierParameter("max_id") ?? .max
    let count = try exchange.count(default: defaultCount, atMost: maximum)
    let skipped = (try exchange.count("page", default: 1, atMost: 1_000) - 1) * count
    let all = (relation?.entries ?? []).reversed().lazy.map(\.member)
      .filter { $0 <= newest && $0 > since }
      .compactMap { world.posts[$0] }
      .filter(isIncluded)
    let page = Array(all.dropFirst(skipped).prefix(count + 1))
    posts = Array(page.prefix(count))
    hasMore = page.count > count
  }

  /// The answer without what `exclude_replies` and `include_rts` leave out. As at X they leave it out of the page that `count` made, which may become shorter.
  func answer(
    _ exchange: Exchange, in world: World, includesRetweets: Bool = true
  ) throws(Problem) -> Answer {
    let rendering = try RenderingV1(world, exchange)
    let leavesOutReplies = try exchange.flag("exclude_replies") ?? false
    let showsRetweets = try exchange.flag("include_rts") ?? includesRetweets
    let shown = posts.filter { post in
      !(leavesOutReplies && post.repliesTo != nil) && (showsRetweets || post.reposts == nil)
    }
    return Answer(json: .array(shown.map { rendering.status($0) }))
  }
}
