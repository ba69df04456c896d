import Foundation

/// The bodies for webhooks: the activity of their users, the posts of the filtered stream, and single kinds of events.
struct WebhookEvents {
  struct Delivery {
    var webhook: WebhookRecord
    var body: JSON
  }

  private(set) var deliveries: [Delivery] = []
  private let database: Database
  private let now: Date

  init(_ changes: Store.Changes, _ database: Database, at now: Date) {
    self.database = database
    self.now = now
    for id in changes.created { if let post = database.posts[id] { add(post) } }
    for post in changes.deleted { add(deleted: post) }
    for event in changes.events { add(event) }
  }

  private var milliseconds: JSON { .string(String(Int(now.timeIntervalSince1970 * 1000))) }

  // MARK: Posts

  private mutating func add(_ post: PostRecord) {
    let mentioned = PostEntities(post.text).mentions.compactMap { database.user(named: $0.text)?.id }
    let original = [post.quotes, post.reposts].compactMap { $0 }.compactMap { database.posts[$0]?.author }
    let concerned = [post.author] + mentioned + original + [post.repliesToUser].compactMap { $0 }
    tell(concerned, "tweet_create_events") { renderer in .array([renderer.status(post)]) }
    report("post.create", of: post.author, matching: post.text) { Self.payload($0, post) }
    for user in Set(mentioned) {
      report("post.mention.create", of: user, matching: post.text) { Self.payload($0, post) }
    }
    if post.repliesTo != nil {
      report("post.reply.create", of: post.repliesToUser, matching: post.text) { Self.payload($0, post) }
    }
    if let id = post.quotes {
      report("post.quote.create", of: database.posts[id]?.author, matching: post.text) { Self.payload($0, post) }
    }
    if let id = post.reposts {
      report("post.repost.create", of: database.posts[id]?.author, matching: post.text) { Self.payload($0, post) }
    }
    for webhook in database.webhooks.values where webhook.linkedAt != nil && webhook.isValid {
      let matching = database.rules(of: webhook.app).filter { rule in
        (try? SearchQuery(rule.value))?.matches(post, in: database) == true
      }
      guard !matching.isEmpty else { continue }
      let rules = matching.map { rule -> JSON in ["id": .string(String(rule.id)), "tag": .string(rule.tag ?? "")] }
      deliveries.append(Delivery(webhook: webhook, body: ["data": Self.data(post), "matching_rules": .array(rules)]))
    }
  }

  private mutating func add(deleted post: PostRecord) {
    let status: JSON = ["id": .text(post.id), "user_id": .text(post.author)]
    let time = milliseconds
    tell([post.author], "tweet_delete_events") { _ in [["status": status, "timestamp_ms": time]] }
    report("post.delete", of: post.author) { _ in ["id": .text(post.id)] }
  }

  private static func data(_ post: PostRecord) -> JSON {
    [
      "id": .text(post.id), "text": .string(EscapedText(post.text).text), "author_id": .text(post.author),
      "created_at": .string(Timestamp.text(post.createdAt)), "edit_history_post_ids": [.text(post.id)],
    ]
  }

  private static func payload(_ database: Database, _ post: PostRecord) -> JSON { data(post) }

  // MARK: Other events

  private mutating func add(_ event: AccountEvent) {
    let time = milliseconds
    switch event {
    case .like(let id, let user):
      guard let post = database.posts[id], let liking = database.users[user] else { return }
      tell([user, post.author], "favorite_events") { renderer in
        [
          [
            "id": .string("\(user)-\(id)"), "timestamp_ms": time, "favorited_status": renderer.status(post),
            "user": renderer.user(liking, hasStatus: false),
          ]
        ]
      }
      report("like.create", of: post.author) { _ in ["post_id": .text(id), "user_id": .text(user)] }
    case .follow(let target, let user, let isFollowing):
      relate(user, target, "follow_events", isFollowing ? "follow" : "unfollow", telling: [user, target])
      report(isFollowing ? "follow.follow" : "follow.unfollow", of: target) { _ in Self.pair(user, target) }
    case .block(let target, let user, let isBlocked):
      relate(user, target, "block_events", isBlocked ? "block" : "unblock", telling: [user])
      report(isBlocked ? "block.block" : "block.unblock", of: user) { _ in Self.pair(user, target) }
    case .mute(let target, let user, let isMuted):
      relate(user, target, "mute_events", isMuted ? "mute" : "unmute", telling: [user])
      report(isMuted ? "mute.mute" : "mute.unmute", of: user) { _ in Self.pair(user, target) }
    case .message(let id):
      guard let message = database.messages[id] else { return }
      let others =
        message.recipient.map { [$0] } ?? message.group.flatMap { database.conversations[$0]?.participants } ?? []
      let readers = [message.sender] + others
      tell(readers, "direct_message_events") { renderer in [renderer.event(message)] }
      let payload: JSON = [
        "id": .text(id), "text": .string(message.text), "sender_id": .text(message.sender),
        "dm_conversation_id": .string(message.conversation),
      ]
      report("dm.sent", of: message.sender, matching: message.text) { _ in payload }
      for user in Set(others) where user != message.sender {
        report("dm.received", of: user, matching: message.text) { _ in payload }
      }
    }
  }

  private static func pair(_ source: Identifier, _ target: Identifier) -> JSON {
    ["source_id": .text(source), "target_id": .text(target)]
  }

  private mutating func relate(
    _ source: Identifier, _ target: Identifier, _ member: String, _ type: String, telling users: [Identifier]
  ) {
    guard let first = database.users[source], let second = database.users[target] else { return }
    let time = milliseconds
    tell(users, member) { renderer in
      [
        [
          "type": .string(type), "created_timestamp": time, "source": renderer.user(first, hasStatus: false),
          "target": renderer.user(second, hasStatus: false),
        ]
      ]
    }
  }

  // MARK: Recipients

  /// Notifies the webhooks of subscribed users, with the events as each user sees them.
  private mutating func tell(_ users: [Identifier], _ member: String, _ events: (RendererV1) -> JSON) {
    var told: Set<Identifier> = []
    for user in users where told.insert(user).inserted {
      for webhook in database.webhooks.values.sorted(by: { $0.id < $1.id })
      where webhook.isValid && webhook.subscribers.contains(user) {
        let context = RequestContext(
          principal: Principal(kind: .oauth1, consumerKey: webhook.app, user: user), operation: "", path: [:],
          query: [:], body: .null, now: now, pageScope: "", source: "Sandbox App")
        guard let renderer = try? RendererV1(database, context, isDelivery: true) else { continue }
        deliveries.append(
          Delivery(webhook: webhook, body: ["for_user_id": .text(user), .init(member): events(renderer)]))
      }
    }
  }

  /// Notifies those who have subscribed to one kind of event, for one user or for all.
  ///
  /// - Parameter text: The original text, which must contain a subscription's keyword.
  private mutating func report(
    _ type: String, of user: Identifier?, matching text: String? = nil, _ payload: (Database) -> JSON
  ) {
    let subscriptions = database.activitySubscriptions.values.sorted { $0.id < $1.id }
    for subscription in subscriptions where subscription.eventType == type {
      guard let id = subscription.webhook, let webhook = database.webhooks[id], webhook.isValid,
        subscription.user == nil || subscription.user == user
      else { continue }
      let payload = payload(database)
      if let word = subscription.keyword?.lowercased() {
        guard text?.lowercased().contains(word) == true else { continue }
      }
      var filter: [String: JSON] = [:]
      filter["user_id"] = user.map { .text($0) }
      var data: [String: JSON] = [
        "event_type": .string(type), "filter": .object(filter), "payload": payload,
        "event_uuid": .string(UUID().uuidString.lowercased()),
      ]
      data["tag"] = subscription.tag.map(JSON.string)
      deliveries.append(Delivery(webhook: webhook, body: ["data": .object(data)]))
    }
  }
}
