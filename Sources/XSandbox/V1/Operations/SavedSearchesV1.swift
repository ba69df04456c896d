/// Saved searches.
enum SavedSearchesV1 {
  static let operations: [Operation] = [
    .v1("GET", "saved_searches/list", .v1ReadAsUser, respond: list),
    .v1("GET", "saved_searches/show/{id}", .v1ReadAsUser, respond: show),
    .v1("POST", "saved_searches/create", .v1Write, respond: create),
    .v1("POST", "saved_searches/destroy/{id}", .v1Write, respond: destroy),
  ]

  @Sendable private static func list(_ exchange: Exchange, _ world: inout World) throws(Problem) -> Answer {
    let searches = world.savedSearchesOfUser[try exchange.authenticatedUser()]?.entries ?? []
    return Answer(json: .array(searches.compactMap { world.savedSearches[$0.member].map(document) }))
  }

  @Sendable private static func show(_ exchange: Exchange, _ world: inout World) throws(Problem) -> Answer {
    Answer(json: document(try search(exchange, in: world)))
  }

  @Sendable private static func create(_ exchange: Exchange, _ world: inout World) throws(Problem) -> Answer {
    let query = try exchange.required("query")
    guard query.unicodeScalars.count <= 100 else { throw .invalidParameter("query") }
    return Answer(
      json: document(world.saveSearch(query, of: try exchange.authenticatedUser(), at: exchange.now)))
  }

  @Sendable private static func destroy(_ exchange: Exchange, _ world: inout World) throws(Problem) -> Answer {
    let search = try search(exchange, in: world)
    world.removeSavedSearch(search.id)
    return Answer(json: document(search))
  }

  private static func search(_ exchange: Exchange, in world: World) throws(Problem) -> SavedSearchRecord {
    guard let search = world.savedSearches[try exchange.pathIdentifier()], search.owner == exchange.caller.user
    else { throw .noSuchPage }
    return search
  }

  private static func document(_ search: SavedSearchRecord) -> JSON {
    [
      "id": .number(search.id), "id_str": .text(search.id), "name": .string(search.query),
      "query": .string(search.query), "position": .null, "created_at": .string(Timestamp.v1(search.createdAt)),
    ]
  }
}
