import Foundation

/// The operations for webhooks and for users' subscriptions to them.
enum WebhookOperations {
  static let operations = Operation.catalogued(
    [
      .init("getWebhooks", list), .init("createWebhooks", create, preparing: challengeNew),
      .init("validateWebhooks", validate, preparing: challengeKnown), .init("deleteWebhooks", delete),
      .init("getWebhooksStreamLinks", links), .init("createWebhooksStreamLink", link),
      .init("deleteWebhooksStreamLink", unlink),
      .init("getAccountActivitySubscriptionCount", count), .init("validateAccountActivitySubscription", isSubscribed),
      .init("createAccountActivitySubscription", subscribe), .init("getAccountActivitySubscriptions", subscribers),
      .init("deleteAccountActivitySubscription", unsubscribe),
    ])

  /// The maximum number of webhooks of an app.
  static let limit = 5

  private static func challengeNew(_ context: inout RequestContext, _ services: Services) async throws(Problem) {
    let url = context.text("url") ?? ""
    let app = context.principal.consumerKey
    guard let reason = await failure(of: url, app, services) else { return }
    throw refusal("CrcValidationFailed: \(reason)", url)
  }

  private static func challengeKnown(_ context: inout RequestContext, _ services: Services) async throws(Problem) {
    let id = Identifier(context.path["webhook_id"] ?? "")
    let webhook = await services.store.perform { database in id.flatMap { database.webhooks[$0] } }
    guard let webhook, webhook.app == context.principal.consumerKey else { return }
    let isValid = await services.challenge(webhook.url, webhook.app) == nil
    context.parameters["valid"] = String(isValid)
  }

  /// Only a URL that is not registered yet gets a challenge.
  static func failure(of url: String, _ app: String, _ services: Services) async -> String? {
    let isKnown = await services.store.perform { $0.webhooks(of: app).contains { $0.url == url } }
    return isKnown ? nil : await services.challenge(url, app)
  }

  static func refusal(_ message: String, _ url: String) -> Problem {
    .invalidRequest([InvalidParameter(name: "url", values: [url], message: message)])
  }

  // MARK: Webhooks

  private static func list(_ context: RequestContext, _ database: inout Database) throws(Problem) -> Response {
    let asked = Set(context.strings("webhook_config.fields"))
    let data = database.webhooks(of: context.principal.consumerKey).map { webhook in
      asked.isEmpty ? webhook.document : Renderer.select(webhook.members, asked.union(["id"]))
    }
    var document: [String: JSON] = ["meta": ["result_count": .integer(data.count)]]
    if !data.isEmpty { document["data"] = .array(data) }
    return Response(json: .object(document))
  }

  private static func create(_ context: RequestContext, _ database: inout Database) throws(Problem) -> Response {
    let url = context.text("url") ?? ""
    let app = context.principal.consumerKey
    let known = database.webhooks(of: app)
    guard !known.contains(where: { $0.url == url }) else { throw refusal("DuplicateUrlFailed", url) }
    guard known.count < limit else { throw refusal("WebhookLimitExceeded", url) }
    return Response(json: ["data": database.addWebhook(url, app: app, at: context.now).document])
  }

  private static func validate(_ context: RequestContext, _ database: inout Database) throws(Problem) -> Response {
    let webhook = try context.webhook(in: database)
    let isValid = context.parameters["valid"] == "true"
    database.webhooks[webhook.id]?.isValid = isValid
    return Response(json: ["data": ["valid": .boolean(isValid)]])
  }

  private static func delete(_ context: RequestContext, _ database: inout Database) throws(Problem) -> Response {
    database.removeWebhook(try context.webhook(in: database).id)
    return Response(json: ["data": ["deleted": true]])
  }

  // MARK: The filtered stream

  private static func links(_ context: RequestContext, _ database: inout Database) throws(Problem) -> Response {
    let data = database.webhooks(of: context.principal.consumerKey).compactMap { webhook -> JSON? in
      webhook.linkedAt.map { date in
        [
          "application_id": "1", "instance_id": .string(String(webhook.id)),
          "webhook_id": .string(String(webhook.id)), "created_at": .string(Timestamp.text(date)),
          "fields": ["id", "text"],
        ]
      }
    }
    return Response(json: data.isEmpty ? [:] : ["data": .array(data)])
  }

  private static func link(_ context: RequestContext, _ database: inout Database) throws(Problem) -> Response {
    let webhook = try context.webhook(in: database)
    if webhook.linkedAt == nil { database.webhooks[webhook.id]?.linkedAt = context.now }
    return Response(json: ["data": ["provisioned": true]])
  }

  private static func unlink(_ context: RequestContext, _ database: inout Database) throws(Problem) -> Response {
    let webhook = try context.webhook(in: database)
    database.webhooks[webhook.id]?.linkedAt = nil
    return Response(json: ["data": ["deleted": true]])
  }

  // MARK: The activity of users

  private static func count(_ context: RequestContext, _ database: inout Database) throws(Problem) -> Response {
    let count = database.webhooks(of: context.principal.consumerKey).reduce(0) { $0 + $1.subscribers.count }
    return Response(json: [
      "data": [
        "account_name": .string(context.source), "provisioned_count": "1000",
        "subscriptions_count_all": .string(String(count)), "subscriptions_count_direct_messages": "0",
      ]
    ])
  }

  private static func subscribe(_ context: RequestContext, _ database: inout Database) throws(Problem) -> Response {
    let webhook = try context.webhook(in: database)
    guard webhook.isValid else { throw .forbidden("The webhook has not responded to its last challenge.") }
    database.webhooks[webhook.id]?.subscribers.insert(try context.authenticatedUser())
    return Response(json: ["data": ["subscribed": true]])
  }

  private static func isSubscribed(_ context: RequestContext, _ database: inout Database) throws(Problem) -> Response {
    let webhook = try context.webhook(in: database)
    let isThere = webhook.subscribers.contains(try context.authenticatedUser())
    return Response(json: ["data": ["subscribed": .boolean(isThere)]])
  }

  private static func subscribers(_ context: RequestContext, _ database: inout Database) throws(Problem) -> Response {
    let webhook = try context.webhook(in: database)
    let users = webhook.subscribers.entries.map { entry -> JSON in ["user_id": .string(String(entry.member))] }
    return Response(json: [
      "data": [
        "application_id": "1", "webhook_id": .string(String(webhook.id)), "webhook_url": .string(webhook.url),
        "subscriptions": .array(users),
      ]
    ])
  }

  private static func unsubscribe(_ context: RequestContext, _ database: inout Database) throws(Problem) -> Response {
    let webhook = try context.webhook(in: database)
    let (text, id) = try context.identifier("user_id")
    guard let id, database.webhooks[webhook.id]?.subscribers.remove(id) == true else {
      throw .missing(MissingResource(kind: .subscription, parameter: "user_id", value: text))
    }
    return Response(json: ["data": ["subscribed": false]])
  }
}

extension RequestContext {
  /// Returns the app's webhook in the path.
  func webhook(in database: Database) throws(Problem) -> WebhookRecord {
    let (text, id) = try identifier("webhook_id")
    guard let webhook = id.flatMap({ database.webhooks[$0] }), webhook.app == principal.consumerKey else {
      throw .missing(MissingResource(kind: .webhook, parameter: "webhook_id", value: text))
    }
    return webhook
  }
}

extension WebhookRecord {
  var members: [String: JSON?] {
    [
      "id": .string(String(id)), "url": .string(url), "valid": .boolean(isValid),
      "created_at": .string(Timestamp.text(createdAt)),
    ]
  }

  var document: JSON { .object(members.compactMapValues { $0 }) }
}
