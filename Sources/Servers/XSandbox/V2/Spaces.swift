import Foundation

/// The operations for Spaces. These come from the seed, because the API cannot open them.
enum Spaces {
  static let operations = Operation.catalogued([
    .init("getSpacesByIds", byIdentifiers), .init("getSpacesByCreatorIds", byCreators), .init("searchSpaces", search),
    .init("getSpacesById", byIdentifier), .init("getSpacesBuyers", buyers), .init("getSpacesPosts", posts),
  ])

  private static func byIdentifiers(_ context: RequestContext, _ database: inout Database) throws(Problem) -> Response {
    var renderer = Renderer(database, context)
    var data: [JSON] = []
    for text in context.strings("ids") {
      if let space = SpaceRecord.identifier(text).flatMap({ database.spaces[$0] }) {
        data.append(renderer.space(space, context))
      } else {
        renderer.report(missing: MissingResource(kind: .space, parameter: "ids", value: text))
      }
    }
    return renderer.response(data: data.isEmpty ? nil : .array(data))
  }

  /// A finished Space can be found only by its ID.
  private static func byCreators(_ context: RequestContext, _ database: inout Database) throws(Problem) -> Response {
    let creators = Set(context.strings("user_ids").compactMap { Identifier($0) })
    return list(context, database) { creators.contains($0.creator) && $0.state(at: context.now) != "ended" }
  }

  private static func search(_ context: RequestContext, _ database: inout Database) throws(Problem) -> Response {
    let words = (context.string("query") ?? "").lowercased().split(whereSeparator: \.isWhitespace)
    let state = context.string("state") ?? "all"
    return list(context, database) { space in
      let current = space.state(at: context.now)
      let title = space.title.lowercased()
      return (state == "all" ? current != "ended" : current == state) && words.allSatisfy { title.contains($0) }
    }
  }

  /// The newest come first.
  private static func list(
    _ context: RequestContext, _ database: Database, _ isIncluded: (SpaceRecord) -> Bool
  ) -> Response {
    var renderer = Renderer(database, context)
    let found = database.spaces.values.filter(isIncluded).sorted { $0.id > $1.id }
    let data = found.prefix(context.integer("max_results") ?? 100).map { renderer.space($0, context) }
    return renderer.response(
      data: data.isEmpty ? nil : .array(data), meta: ["result_count": .integer(data.count)])
  }

  private static func byIdentifier(_ context: RequestContext, _ database: inout Database) throws(Problem) -> Response {
    try lookUp(context, database).response { (space) throws(Problem) in
      var renderer = Renderer(database, context)
      let data = renderer.space(space, context)
      return renderer.response(data: data)
    }
  }

  private static func buyers(_ context: RequestContext, _ database: inout Database) throws(Problem) -> Response {
    let user = try context.authenticatedUser()
    return try lookUp(context, database).response { (space) throws(Problem) in
      guard space.creator == user else { throw .forbidden("Only the creator of a Space may see who bought a ticket.") }
      return try context.users(space.buyers, in: database)
    }
  }

  private static func posts(_ context: RequestContext, _ database: inout Database) throws(Problem) -> Response {
    try lookUp(context, database).response { (space) throws(Problem) in
      let page = try context.page(of: space.posts, defaultSize: 100) { database.posts[$0] != nil }
      return context.posts(page, in: database, withBorders: false)
    }
  }

  private static func lookUp(_ context: RequestContext, _ database: Database) throws(Problem) -> Lookup<SpaceRecord> {
    let text = context.path["id"] ?? ""
    guard let space = SpaceRecord.identifier(text).flatMap({ database.spaces[$0] }) else {
      return .missing(MissingResource(kind: .space, parameter: "id", value: text))
    }
    return .found(space)
  }
}

extension Renderer {
  mutating func space(_ space: SpaceRecord, _ context: RequestContext) -> JSON {
    let state = space.state(at: context.now)
    let people: [(member: String, users: [Identifier])] = [
      ("creator_id", [space.creator]), ("host_ids", [space.creator]), ("speaker_ids", space.speakers),
      ("invited_user_ids", space.invited),
    ]
    var all: [String: JSON?] = [
      "id": .string(space.key), "state": .string(state), "title": .string(space.title),
      "created_at": .string(Timestamp.text(space.createdAt)), "updated_at": .string(Timestamp.text(space.createdAt)),
      "scheduled_start": .string(Timestamp.text(space.starts)), "lang": space.language.map(JSON.string),
      "is_ticketed": .boolean(space.isTicketed), "participant_count": .integer(space.speakers.count + 1),
      "subscriber_count": .integer(space.invited.count),
    ]
    if state != "scheduled" { all["started_at"] = .string(Timestamp.text(space.starts)) }
    if state == "ended", let ends = space.ends { all["ended_at"] = .string(Timestamp.text(ends)) }
    for (member, users) in people {
      all[member] = member == "creator_id" ? .text(space.creator) : .array(users.map { .text($0) })
      if expansions.contains(member) { for user in users { include(user: user) } }
    }
    return Self.select(all, Set(context.strings("space.fields")).union(["id", "state"]).union(expansions))
  }
}
