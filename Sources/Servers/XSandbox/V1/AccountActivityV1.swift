import Foundation

/// The operations for webhooks and for users' subscriptions to them. Both versions of the API share them.
enum AccountActivityV1 {
  static let operations = Operation.catalogued(
    [
      .init("postAccountActivityWebhooks", create, preparing: challengeNew),
      .init("getAccountActivityWebhooks", list),
      .init("putAccountActivityWebhooks", challenge, preparing: challengeKnown),
      .init("deleteAccountActivityWebhooks", delete),
      .init("postAccountActivityWebhooksSubscriptionsAll", subscribe),
      .init("getAccountActivityWebhooksSubscriptionsAll", isSubscribed),
      .init("deleteAccountActivityWebhooksSubscriptionsAll", unsubscribe),
      .init("getAccountActivityWebhooksSubscriptionsAllList", subscribers),
      .init("deleteAccountActivityWebhooksSubscriptionsByUserIdAll", unsubscribeUser),
      .init("getAccountActivitySubscriptionsCount", count),
    ], in: .v1)

  private static func challengeNew(_ context: inout RequestContext, _ services: Services) async throws(Problem) {
    let (url, app) = (try context.required("url"), context.principal.consumerKey)
    guard let reason = await WebhookOperations.failure(of: url, app, services) else { return }
    throw refusal(reason)
  }

  private static func challengeKnown(_ context: inout RequestContext, _ services: Services) async throws(Problem) {
    let id = Identifier(context.path["webhook_id"] ?? "")
    let webhook = await services.store.perform { database in id.flatMap { database.webhooks[$0] } }
    guard let webhook, webhook.app == context.principal.consumerKey else { return }
    context.parameters["failure"] = await services.challenge(webhook.url, webhook.app)
  }

  private static func refusal(_ reason: String) -> Problem {
    .v1(400, 214, "Webhook URL does not meet the requirements: \(reason).")
  }

  // MARK: Webhooks

  private static func create(_ context: RequestContext, _ database: inout Database) throws(Problem) -> Response {
    let (url, app) = (try context.required("url"), context.principal.consumerKey)
    let known = database.webhooks(of: app)
    guard !known.contains(where: { $0.url == url }) else { throw refusal("it is registered already") }
    guard known.count < WebhookOperations.limit else { throw .v1(400, 214, "Too many resources already created.") }
    return Response(json: database.addWebhook(url, app: app, at: context.now).documentV1)
  }

  private static func list(_ context: RequestContext, _ database: inout Database) throws(Problem) -> Response {
    Response(json: .array(database.webhooks(of: context.principal.consumerKey).map(\.documentV1)))
  }

  private static func challenge(_ context: RequestContext, _ database: inout Database) throws(Problem) -> Response {
    let id = try webhook(context, database).id
    let failure = context.parameters["failure"]
    database.webhooks[id]?.isValid = failure == nil
    // The state has changed nevertheless, so this is a response instead of an error that would undo the change.
    return failure.map { Response(v1: refusal($0)) } ?? Response(status: 204)
  }

  private static func delete(_ context: RequestContext, _ database: inout Database) throws(Problem) -> Response {
    database.removeWebhook(try webhook(context, database).id)
    return Response(status: 204)
  }

  // MARK: Subscriptions

  private static func subscribe(_ context: RequestContext, _ database: inout Database) throws(Problem) -> Response {
    let webhook = try webhook(context, database)
    guard webhook.isValid else { throw refusal("it has not responded to its last challenge") }
    guard database.webhooks[webhook.id]?.subscribers.insert(try context.authenticatedUser()) == true else {
      throw .v1(409, 355, "Subscription already exists.")
    }
    return Response(status: 204)
  }

  private static func isSubscribed(_ context: RequestContext, _ database: inout Database) throws(Problem) -> Response {
    guard try webhook(context, database).subscribers.contains(try context.authenticatedUser()) else {
      throw .noSuchPage
    }
    return Response(status: 204)
  }

  private static func unsubscribe(_ context: RequestContext, _ database: inout Database) throws(Problem) -> Response {
    let id = try webhook(context, database).id
    guard database.webhooks[id]?.subscribers.remove(try context.authenticatedUser()) == true else { throw .noSuchPage }
    return Response(status: 204)
  }

  private static func unsubscribeUser(
    _ context: RequestContext, _ database: inout Database
  ) throws(Problem) -> Response {
    let id = try webhook(context, database).id
    guard let user = Identifier(context.path["user_id"] ?? ""),
      database.webhooks[id]?.subscribers.remove(user) == true
    else { throw .noSuchPage }
    return Response(status: 204)
  }

  private static func subscribers(_ context: RequestContext, _ database: inout Database) throws(Problem) -> Response {
    let users = try webhook(context, database).subscribers.entries.map { entry -> JSON in
      ["user_id": .text(entry.member)]
    }
    return Response(json: ["environment": "sandbox", "application_id": "1", "subscriptions": .array(users)])
  }

  private static func count(_ context: RequestContext, _ database: inout Database) throws(Problem) -> Response {
    let count = database.webhooks(of: context.principal.consumerKey).reduce(0) { $0 + $1.subscribers.count }
    return Response(json: [
      "account_name": .string(context.source), "subscriptions_count": .integer(count), "provisioned_count": 1000,
    ])
  }

  private static func webhook(_ context: RequestContext, _ database: Database) throws(Problem) -> WebhookRecord {
    guard let webhook = Identifier(context.path["webhook_id"] ?? "").flatMap({ database.webhooks[$0] }),
      webhook.app == context.principal.consumerKey
    else { throw .noSuchPage }
    return webhook
  }
}

extension WebhookRecord {
  /// `2026-01-31 09:00:00 +0000`, the format of v1.1.
  fileprivate var documentV1: JSON {
    let time = Timestamp.text(createdAt)
    return [
      "id": .text(id), "url": .string(url), "valid": .boolean(isValid),
      "created_timestamp": .string("\(time.prefix(10)) \(time.dropFirst(11).prefix(8)) +0000"),
    ]
  }
}
