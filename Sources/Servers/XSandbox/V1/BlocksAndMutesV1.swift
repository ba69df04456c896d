/// The operations for blocks and mutes.
enum BlocksAndMutesV1 {
  static let operations: [Operation] = [
    .v1("POST", "blocks/create", .v1Write, respond: block),
    .v1("POST", "blocks/destroy", .v1Write, respond: unblock),
    .v1("GET", "blocks/list", .v1ReadAsUser, respond: blockedUsers),
    .v1("GET", "blocks/ids", .v1ReadAsUser, respond: blockedIdentifiers),
    .v1("POST", "mutes/users/create", .v1Write, respond: mute),
    .v1("POST", "mutes/users/destroy", .v1Write, respond: unmute),
    .v1("GET", "mutes/users/list", .v1ReadAsUser, respond: mutedUsers),
    .v1("GET", "mutes/users/ids", .v1ReadAsUser, respond: mutedIdentifiers),
  ]

  private static func block(_ context: RequestContext, _ database: inout Database) throws(Problem) -> Response {
    let (user, target) = try users(context, database)
    guard target.id != user else { throw .v1(403, 0, "You can't block yourself.") }
    if !database.isBlocked(target.id, by: user) { database.report(.block(target.id, by: user, isBlocked: true)) }
    database.block(target.id, by: user)
    return Response(json: try RendererV1(database, context).user(target))
  }

  private static func unblock(_ context: RequestContext, _ database: inout Database) throws(Problem) -> Response {
    let (user, target) = try users(context, database)
    if database.blocked[user]?.remove(target.id) == true {
      database.report(.block(target.id, by: user, isBlocked: false))
    }
    return Response(json: try RendererV1(database, context).user(target))
  }

  private static func mute(_ context: RequestContext, _ database: inout Database) throws(Problem) -> Response {
    let (user, target) = try users(context, database)
    guard target.id != user else { throw .v1(403, 271, "You can't mute yourself.") }
    if database.muted[user, default: Relation()].insert(target.id) {
      database.report(.mute(target.id, by: user, isMuted: true))
    }
    return Response(json: try RendererV1(database, context).user(target))
  }

  private static func unmute(_ context: RequestContext, _ database: inout Database) throws(Problem) -> Response {
    let (user, target) = try users(context, database)
    guard database.muted[user]?.remove(target.id) == true else {
      throw .v1(403, 272, "You are not muting the specified user.")
    }
    database.report(.mute(target.id, by: user, isMuted: false))
    return Response(json: try RendererV1(database, context).user(target))
  }

  private static func blockedUsers(_ context: RequestContext, _ database: inout Database) throws(Problem) -> Response {
    try page(database.blocked[try context.authenticatedUser()], context).users(context, in: database)
  }

  private static func blockedIdentifiers(
    _ context: RequestContext, _ database: inout Database
  ) throws(Problem) -> Response {
    try page(database.blocked[try context.authenticatedUser()], context).ids(context)
  }

  private static func mutedUsers(_ context: RequestContext, _ database: inout Database) throws(Problem) -> Response {
    try page(database.muted[try context.authenticatedUser()], context).users(context, in: database)
  }

  private static func mutedIdentifiers(
    _ context: RequestContext, _ database: inout Database
  ) throws(Problem) -> Response {
    try page(database.muted[try context.authenticatedUser()], context).ids(context)
  }

  private static func page(_ relation: Relation?, _ context: RequestContext) throws(Problem) -> CursoredPage {
    try CursoredPage(of: relation, context, defaultCount: 5000, maximum: 5000)
  }

  private static func users(
    _ context: RequestContext, _ database: Database
  ) throws(Problem) -> (user: Identifier, target: UserRecord) {
    (try context.authenticatedUser(), try context.requiredUser(in: database))
  }
}
