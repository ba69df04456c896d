import Foundation

/// The timelines, with `max_id` and `since_id` for paging.
enum TimelinesV1 {
  static let operations: [Operation] = [
    .v1("GET", "statuses/user_timeline", .v1Read, respond: user),
    .v1("GET", "statuses/home_timeline", .v1ReadAsUser, respond: home),
    .v1("GET", "statuses/mentions_timeline", .v1ReadAsUser, respond: mentions),
  ]

  private static func user(_ context: RequestContext, _ database: inout Database) throws(Problem) -> Response {
    let user = try context.namedOrAuthenticatedUser(in: database)
    return try StatusTimeline(of: database.postsOfUser[user.id], context, in: database).response(context, in: database)
  }

  private static func home(_ context: RequestContext, _ database: inout Database) throws(Problem) -> Response {
    let user = try context.authenticatedUser()
    let database = database
    return try StatusTimeline(of: database.timeline, context, in: database) { post in
      database.isInHomeTimeline(post, of: user)
    }.response(context, in: database)
  }

  private static func mentions(_ context: RequestContext, _ database: inout Database) throws(Problem) -> Response {
    let user = try context.authenticatedUser()
    return try StatusTimeline(of: database.timeline, context, in: database) { post in
      post.author != user && post.reposts == nil && post.mentions(user, in: database)
    }.response(context, in: database)
  }
}

/// Searches tweets.
enum SearchV1 {
  static let operations: [Operation] = [.v1("GET", "search/tweets", .v1Read, respond: tweets)]

  private static func tweets(_ context: RequestContext, _ database: inout Database) throws(Problem) -> Response {
    guard let text = context.parameter("q") else { throw .v1(400, 25, "Query parameters are missing.") }
    let query: SearchQuery
    do throws(SearchQuery.Fault) { query = try SearchQuery(text) } catch {
      throw .v1(400, 195, "Missing or invalid url parameter: \(error.message)")
    }
    let end = try end(context)
    let circle = try circle(context)
    let timeline = try StatusTimeline(of: database.timeline, context, in: database, defaultCount: 15, maximum: 100) {
      $0.createdAt < end && query.matches($0, in: database)
        && circle.map { [post = $0] circle in post.isWithin(circle.radius, of: circle.center, in: database) } ?? true
    }
    let renderer = try RendererV1(database, context)
    let statuses = timeline.posts.map { post -> JSON in
      guard case .object(var members) = renderer.status(post) else { return .null }
      members["metadata"] = ["iso_language_code": .string(post.language), "result_type": "recent"]
      return .object(members)
    }
    return Response(json: [
      "statuses": .array(statuses), "search_metadata": try metadata(timeline, text, context),
    ])
  }

  /// The centre, and the radius in kilometres, in `geocode`.
  private static func circle(
    _ context: RequestContext
  ) throws(Problem) -> (center: GeographicPoint, radius: Double)? {
    guard let text = context.parameter("geocode") else { return nil }
    let parts = text.components(separatedBy: ",")
    guard parts.count == 3, let latitude = Double(parts[0]), let longitude = Double(parts[1]),
      let center = GeographicPoint(longitude: longitude, latitude: latitude),
      let radius = SearchQuery.kilometres(parts[2])
    else { throw .v1(400, 195, "Missing or invalid url parameter: geocode") }
    return (center, radius)
  }

  /// The day in `until`. Only earlier tweets are found.
  private static func end(_ context: RequestContext) throws(Problem) -> Date {
    guard let text = context.parameter("until") else { return .distantFuture }
    guard let date = try? Date(text, strategy: Date.ISO8601FormatStyle().year().month().day()) else {
      throw .invalidParameter("until")
    }
    return date
  }

  private static func metadata(
    _ timeline: StatusTimeline, _ query: String, _ context: RequestContext
  ) throws(Problem) -> JSON {
    let since = try context.identifierParameter("since_id") ?? 0
    let newest = timeline.posts.first?.id ?? 0
    let encoded = PercentEncoding.encode(query)
    let count = try context.count(default: 15, atMost: 100)
    var members: [String: JSON] = [
      "completed_in": .number(0.001), "query": .string(encoded), "count": .integer(count),
      "max_id": .number(newest), "max_id_str": .text(newest), "since_id": .number(since),
      "since_id_str": .text(since),
      "refresh_url": .string("?since_id=\(newest)&q=\(encoded)&include_entities=1"),
    ]
    if timeline.hasMore, let oldest = timeline.posts.last?.id {
      members["next_results"] = .string("?max_id=\(oldest - 1)&q=\(encoded)&count=\(count)&include_entities=1")
    }
    return .object(members)
  }
}

/// The operations for saved searches.
enum SavedSearchesV1 {
  static let operations: [Operation] = [
    .v1("GET", "saved_searches/list", .v1ReadAsUser, respond: list),
    .v1("GET", "saved_searches/show/{id}", .v1ReadAsUser, respond: show),
    .v1("POST", "saved_searches/create", .v1Write, respond: create),
    .v1("POST", "saved_searches/destroy/{id}", .v1Write, respond: destroy),
  ]

  private static func list(_ context: RequestContext, _ database: inout Database) throws(Problem) -> Response {
    let searches = database.savedSearchesOfUser[try context.authenticatedUser()]?.entries ?? []
    return Response(json: .array(searches.compactMap { database.savedSearches[$0.member].map(document) }))
  }

  private static func show(_ context: RequestContext, _ database: inout Database) throws(Problem) -> Response {
    Response(json: document(try search(context, in: database)))
  }

  private static func create(_ context: RequestContext, _ database: inout Database) throws(Problem) -> Response {
    let query = try context.required("query")
    guard query.unicodeScalars.count <= 100 else { throw .invalidParameter("query") }
    return Response(
      json: document(database.saveSearch(query, of: try context.authenticatedUser(), at: context.now)))
  }

  private static func destroy(_ context: RequestContext, _ database: inout Database) throws(Problem) -> Response {
    let search = try search(context, in: database)
    database.removeSavedSearch(search.id)
    return Response(json: document(search))
  }

  private static func search(_ context: RequestContext, in database: Database) throws(Problem) -> SavedSearchRecord {
    guard let search = database.savedSearches[try context.pathIdentifier()], search.owner == context.principal.user
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
