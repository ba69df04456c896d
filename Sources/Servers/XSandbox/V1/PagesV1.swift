/// A page of a collection with cursors. Cursors are numbers: positive for the next page, negative for the previous one, and 0 for
/// none.
struct CursoredPage {
  let members: [Identifier]
  private let next: Int
  private let previous: Int

  /// The number below all cursors. As on X, they are too large for a `Double` or for 32 bits, and none is -1, the cursor of the
  /// first page.
  private static let base: UInt64 = 1_500_000_000_000_000_000

  init(
    of relation: Relation?, _ context: RequestContext, defaultCount: Int, maximum: Int,
    isIncluded: (Identifier) -> Bool = { _ in true }
  ) throws(Problem) {
    let page = Page(
      of: relation, size: try context.count(default: defaultCount, atMost: maximum),
      from: try Self.place(context.parameter("cursor")), isIncluded: isIncluded)
    members = page.members
    next = page.next.map { Int(clamping: Self.base + $0.position) } ?? 0
    previous = page.previous.map { -Int(clamping: Self.base + $0.position) } ?? 0
  }

  private static func place(_ text: String?) throws(Problem) -> PageToken? {
    guard let text, text != "-1" else { return nil }
    guard let cursor = Int(text), cursor.magnitude > UInt(base) else { throw .invalidParameter("cursor") }
    return PageToken(direction: cursor > 0 ? .forward : .backward, position: UInt64(cursor.magnitude) - base)
  }

  func response(_ name: String, _ elements: [JSON]) -> Response {
    Response(json: [
      .init(name): .array(elements), "next_cursor": .integer(next), "next_cursor_str": .string(String(next)),
      "previous_cursor": .integer(previous), "previous_cursor_str": .string(String(previous)), "total_count": .null,
    ])
  }

  /// The response with IDs, as strings if `stringify_ids` requests it.
  func ids(_ context: RequestContext) throws(Problem) -> Response {
    let areTexts = try context.flag("stringify_ids") ?? false
    return response("ids", members.map(areTexts ? JSON.text : JSON.number))
  }

  func users(_ context: RequestContext, in database: Database) throws(Problem) -> Response {
    response("users", try RendererV1(database, context).users(members))
  }
}

/// The newest posts of a relation after `since_id`, up to and including `max_id`.
struct StatusTimeline {
  let posts: [PostRecord]
  /// Whether there are older posts.
  let hasMore: Bool

  /// - Parameter isIncluded: Whether a post belongs to the timeline.
  init(
    of relation: Relation?, _ context: RequestContext, in database: Database, defaultCount: Int = 20,
    maximum: Int = 200,
    isIncluded: (PostRecord) -> Bool = { _ in true }
  ) throws(Problem) {
    let since = try context.identifierParameter("since_id") ?? 0
    let newest = try context.identifierParameter("max_id") ?? .max
    let count = try context.count(default: defaultCount, atMost: maximum)
    let skipped = (try context.count("page", default: 1, atMost: 1_000) - 1) * count
    let all = (relation?.entries ?? []).reversed().lazy.map(\.member)
      .filter { $0 <= newest && $0 > since }
      .compactMap { database.posts[$0] }
      .filter(isIncluded)
    let page = Array(all.dropFirst(skipped).prefix(count + 1))
    posts = Array(page.prefix(count))
    hasMore = page.count > count
  }

  /// The response without the posts that `exclude_replies` and `include_rts` remove. As on X, a page can become shorter.
  func response(
    _ context: RequestContext, in database: Database, includesRetweets: Bool = true
  ) throws(Problem) -> Response {
    let renderer = try RendererV1(database, context)
    let leavesOutReplies = try context.flag("exclude_replies") ?? false
    let showsRetweets = try context.flag("include_rts") ?? includesRetweets
    let shown = posts.filter { post in
      !(leavesOutReplies && post.repliesTo != nil) && (showsRetweets || post.reposts == nil)
    }
    return Response(json: .array(shown.map { renderer.status($0) }))
  }
}
