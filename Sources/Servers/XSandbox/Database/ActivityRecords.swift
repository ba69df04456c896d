import Foundation

/// A webhook of an app in the database.
struct WebhookRecord: Sendable {
  let id: Identifier
  /// The app's consumer key.
  var app: String
  var url: String
  var createdAt: Date
  /// Whether it passed the last challenge.
  var isValid: Bool
  /// The users whose activity it receives.
  var subscribers = Relation()
  /// When the filtered stream was linked to it.
  var linkedAt: Date?
}

/// A subscription to one kind of event, in the database.
struct ActivitySubscriptionRecord: Sendable {
  let id: Identifier
  var app: String
  var eventType: String
  var user: Identifier?
  var keyword: String?
  var direction: String?
  var tag: String?
  var webhook: Identifier?
  var createdAt: Date
  var updatedAt: Date
}

/// A batch compliance job in the database.
struct ComplianceJobRecord: Sendable {
  let id: Identifier
  var app: String
  /// `tweets` or `users`.
  var type: String
  var name: String?
  var isResumable: Bool
  var createdAt: Date
  /// The uploaded IDs; `nil` until they arrive.
  var uploaded: [String]?
  /// A text that nobody can guess, in the URLs for upload and result.
  var key: String
}

/// An event that concerns users, for those who have subscribed to their activity.
enum AccountEvent: Sendable {
  case like(Identifier, by: Identifier)
  case follow(Identifier, by: Identifier, isFollowing: Bool)
  case block(Identifier, by: Identifier, isBlocked: Bool)
  case mute(Identifier, by: Identifier, isMuted: Bool)
  case message(Identifier)
}

extension Database {
  /// Reports an event after this access.
  mutating func report(_ event: AccountEvent) { events.append(event) }

  /// An app's webhooks, oldest first.
  func webhooks(of app: String) -> [WebhookRecord] {
    webhooks.values.filter { $0.app == app }.sorted { $0.id < $1.id }
  }

  mutating func addWebhook(_ url: String, app: String, at date: Date) -> WebhookRecord {
    let webhook = WebhookRecord(id: identifiers.next(), app: app, url: url, createdAt: date, isValid: true)
    webhooks[webhook.id] = webhook
    return webhook
  }

  mutating func removeWebhook(_ id: Identifier) {
    webhooks[id] = nil
    for subscription in activitySubscriptions.values where subscription.webhook == id {
      activitySubscriptions[subscription.id]?.webhook = nil
    }
  }

  /// An app's subscriptions, oldest first.
  func activitySubscriptions(of app: String) -> [ActivitySubscriptionRecord] {
    activitySubscriptions.values.filter { $0.app == app }.sorted { $0.id < $1.id }
  }
}
