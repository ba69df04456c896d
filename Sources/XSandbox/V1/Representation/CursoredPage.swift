/// A page of a collection with cursors: numbers, positive for what comes next, negative for what came before, 0 for nothing.
struct CursoredPage {
  let members: [Identifier]
  private let next: Int
  private let previous: Int

  /// Cursors are larger than what a `Double` or 32 bits hold, as X's are, and none is -1, with which the first page is asked for.
  private static let base: UInt64 = 1_500_000_000_000_000_000

  init(
    of relation: Relation?, _ exchange: Exchange, defaultCount: Int, maximum: Int,
    isIncluded: (Identifier) -> Bool = { _ in true }
  ) throws(Problem) {
    let page = Page(
      of: relation, size: try exchange.count(default: defaultCount, atMost: maximum),
      from: try Self.place(exchange.parameter("cursor")), isIncluded: isIncluded)
    members = page.members
    next = page.next.map { Int(clamping: Self.base + $0.position) } ?? 0
    previous = page.previous.map { -Int(clamping: Self.base + $0.position) } ?? 0
  }

  private static func place(_ text: String?) throws(Problem) -> PageToken? {
    guard let text, text != "-1" else { return nil }
    guard let cursor = Int(text), cursor.magnitude > UInt(base) else { throw .invalidParameter("cursor") }
    return PageToken(direction: cursor > 0 ? .forward : .backward, position: UInt64(cursor.magnitude) - base)
  }

  func answer(_ name: String, _ elements: [JSON]) -> Answer {
    Answer(json: [
      .init(name): .array(elements), "next_cursor": .integer(next), "next_cursor_str": .string(String(next)),
      "previous_cursor": .integer(previous), "previous_cursor_str": .string(String(previous)), "total_count": .null,
    ])
  }

  /// The answer with ids, as text where `stringify_ids` asks for it.
  func ids(_ exchange: Exchange) throws(Problem) -> Answer {
    let areTexts = try exchange.flag("stringify_ids") ?? false
    return answer("ids", members.map(areTexts ? JSON.text : JSON.number))
  }

  func users(_ exchange: Exchange, in world: World) throws(Problem) -> Answer {
    answer("users", try RenderingV1(world, exchange).users(members))
  }
}
