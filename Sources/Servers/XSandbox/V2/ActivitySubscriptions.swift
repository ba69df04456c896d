import Foundation

/// The operations for subscriptions to single kinds of events.
enum ActivitySubscriptions {
  static let operations = Operation.catalogued([
    .init("getActivitySubscriptions", list), .init("createActivitySubscription", create),
    .init("updateActivitySubscription", update),
    .init("deleteActivitySubscription", delete), .init("deleteActivitySubscriptionsByIds", deleteAll),
  ])

  private static func list(_ context: RequestContext, _ database: inout Database) throws(Problem) -> Response {
    var all = Relation()
    let subscriptions = database.activitySubscriptions(of: context.principal.consumerKey)
    for subscription in subscriptions { all.insert(subscription.id) }
    let page = try context.page(of: all, defaultSize: 1000)
    let data = page.members.compactMap { database.activitySubscriptions[$0]?.document }
    var meta = page.meta(resultCount: data.count)
    (meta["result_count"], meta["previous_token"]) = (nil, nil)
    meta["total_subscriptions"] = .integer(subscriptions.count)
    var document: [String: JSON] = ["meta": .object(meta)]
    if !data.isEmpty { document["data"] = .array(data) }
    return Response(json: .object(document))
  }

  private static func create(_ context: RequestContext, _ database: inout Database) throws(Problem) -> Response {
    let filter = context.body["filter"]
    let user = try filter?["user_id"]?.string.map { (text) throws(Problem) in
      guard let id = Identifier(text), database.users[id] != nil else {
        throw .missing(MissingResource(kind: .user, parameter: "filter.user_id", value: text))
      }
      return id
    }
    let subscription = ActivitySubscriptionRecord(
      id: database.identifiers.next(), app: context.principal.consumerKey,
      eventType: context.text("event_type") ?? "", user: user, keyword: filter?["keyword"]?.string,
      direction: filter?["direction"]?.string, tag: context.text("tag"),
      webhook: try webhook(context, database), createdAt: context.now, updatedAt: context.now)
    database.activitySubscriptions[subscription.id] = subscription
    return Response(status: 201, json: ["data": ["subscription": subscription.document]])
  }

  private static func update(_ context: RequestContext, _ database: inout Database) throws(Problem) -> Response {
    var subscription = try own(context, database)
    if let tag = context.text("tag") { subscription.tag = tag }
    if let webhook = try webhook(context, database) { subscription.webhook = webhook }
    subscription.updatedAt = context.now
    database.activitySubscriptions[subscription.id] = subscription
    return Response(json: [
      "data": ["subscription": subscription.document, "total_subscriptions": .integer(count(context, database))]
    ])
  }

  private static func delete(_ context: RequestContext, _ database: inout Database) throws(Problem) -> Response {
    let subscription = try own(context, database)
    database.activitySubscriptions[subscription.id] = nil
    return Response(json: ["data": ["deleted": true]])
  }

  private static func deleteAll(_ context: RequestContext, _ database: inout Database) throws(Problem) -> Response {
    var (data, errors): ([JSON], [JSON]) = ([], [])
    for text in context.strings("ids") {
      let known = Identifier(text).flatMap { database.activitySubscriptions[$0] }
      if let known, known.app == context.principal.consumerKey {
        database.activitySubscriptions[known.id] = nil
        data.append(["subscription_id": .string(text), "deleted": true])
      } else {
        errors.append([
          "subscription_id": .string(text), "reason": "not_found", "message": "No subscription has this id.",
        ])
      }
    }
    var document: [String: JSON] = ["meta": ["total_subscriptions": .integer(count(context, database))]]
    if !data.isEmpty { document["data"] = .array(data) }
    if !errors.isEmpty { document["errors"] = .array(errors) }
    return Response(json: .object(document))
  }

  private static func count(_ context: RequestContext, _ database: Database) -> Int {
    database.activitySubscriptions(of: context.principal.consumerKey).count
  }

  private static func own(
    _ context: RequestContext, _ database: Database
  ) throws(Problem) -> ActivitySubscriptionRecord {
    let (text, id) = try context.identifier("subscription_id")
    guard let subscription = id.flatMap({ database.activitySubscriptions[$0] }),
      subscription.app == context.principal.consumerKey
    else { throw .missing(MissingResource(kind: .subscription, parameter: "subscription_id", value: text)) }
    return subscription
  }

  private static func webhook(_ context: RequestContext, _ database: Database) throws(Problem) -> Identifier? {
    guard let text = context.text("webhook_id") else { return nil }
    guard let id = Identifier(text), database.webhooks[id]?.app == context.principal.consumerKey else {
      throw .missing(MissingResource(kind: .webhook, parameter: "webhook_id", value: text))
    }
    return id
  }
}

extension ActivitySubscriptionRecord {
  var document: JSON {
    var filter: [String: JSON] = [:]
    filter["user_id"] = user.map { .string(String($0)) }
    filter["keyword"] = keyword.map(JSON.string)
    filter["direction"] = direction.map(JSON.string)
    var members: [String: JSON] = [
      "subscription_id": .string(String(id)), "event_type": .string(eventType), "filter": .object(filter),
      "created_at": .string(Timestamp.text(createdAt)), "updated_at": .string(Timestamp.text(updatedAt)),
    ]
    members["tag"] = tag.map(JSON.string)
    members["webhook_id"] = webhook.map { .string(String($0)) }
    return .object(members)
  }
}
