/// Turns records into v1.1's JSON, in the form that a request asked for.
struct RenderingV1 {
  let world: World
  let viewer: Identifier?
  /// `tweet_mode=extended`: the whole text, in `full_text`.
  let isExtended: Bool
  /// `trim_user`: of authors the ids only.
  let trimsUsers: Bool
  let includesEntities: Bool
  /// `skip_status`: users without their latest tweet.
  let skipsStatus: Bool
  /// `include_my_retweet`
  let includesOwnRetweet: Bool

  init(_ world: World, _ exchange: Exchange) throws(Problem) {
    self.world = world
    viewer = exchange.caller.user
    switch exchange.parameter("tweet_mode") {
    case nil, "compat": isExtended = false
    case "extended": isExtended = true
    default: throw .invalidParameter("tweet_mode")
    }
    trimsUsers = try exchange.flag("trim_user") ?? false
    let isAskedForUsers = try exchange.flag("include_user_entities")
    includesEntities = try exchange.flag("include_entities") ?? isAskedForUsers ?? true
    skipsStatus = try exchange.flag("skip_status") ?? false
    includesOwnRetweet = try exchange.flag("include_my_retweet") ?? false
  }
}

extension JSON {
  /// An id as the number that v1.1 also gives.
  static func number(_ id: Identifier) -> JSON { .integer(Int(clamping: id)) }

  /// An id as text.
  static func text(_ id: Identifier) -> JSON { .string(String(id)) }

  /// A member that v1.1 writes as null when there is nothing to say.
  static func nullable(_ value: JSON?) -> JSON { value ?? .null }
}
