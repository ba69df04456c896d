import Foundation

/// `since_id`, `until_id`, `start_time`, `end_time` and `exclude`.
struct TimelineFilter {
  private let world: World
  private let since: Identifier
  private let until: Identifier
  private let start: Date
  private let end: Date
  private let excluded: Set<String>

  init(_ exchange: Exchange, _ world: World) {
    self.world = world
    since = exchange.string("since_id").flatMap { Identifier($0) } ?? 0
    until = exchange.string("until_id").flatMap { Identifier($0) } ?? .max
    start = exchange.string("start_time").flatMap(Timestamp.parse) ?? .distantPast
    end = exchange.string("end_time").flatMap(Timestamp.parse) ?? .distantFuture
    excluded = Set(exchange.strings("exclude"))
  }

  func includes(_ id: Identifier) -> Bool {
    guard let post = world.posts[id], id > since, id < until, post.createdAt >= start, post.createdAt < end else {
      return false
    }
    if excluded.contains("replies"), post.repliesTo != nil { return false }
    if excluded.contains("retweets"), post.reposts != nil { return false }
    return true
  }

  static let bounds = [
    QueryParameter(name: "start_time", kind: .date), QueryParameter(name: "end_time", kind: .date),
    QueryParameter(name: "since_id", kind: .identifier), QueryParameter(name: "until_id", kind: .identifier),
  ]
}
