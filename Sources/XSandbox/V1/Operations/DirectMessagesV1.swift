import Foundation

/// Direct messages, as events. Everybody may write to everybody.
enum DirectMessagesV1 {
  private static let requestSchema = BodySchema.object([
    .required(
      "event",
      .object([
        .required("type", .choice(of: ["message_create"])),
        .required(
          "message_create",
          .object([
            .required("target", .object([.required("recipient_id", .identifier)])),
            .required(
              "message_data",
              .object([
                .required("text", .anyString), .optional("attachment", .anyValue), .optional("quick_reply", .anyValue),
                .optional("ctas", .anyValue),
              ])), .optional("custom_profile_id", .identifier),
          ])),
      ]))
  ])

  static let operations: [Operation] = [
    .v1("POST", "direct_messages/events/new", .v1Write, body: requestSchema, respond: send),
    .v1("GET", "direct_messages/events/show", .v1ReadAsUser, respond: show),
    .v1("GET", "direct_messages/events/list", .v1ReadAsUser, respond: list),
    .v1("DELETE", "direct_messages/events/destroy", .v1Write, respond: destroy),
  ]

  /// Longer ones are refused; in characters.
  private static let maximumLength = 10_000
  /// How long messages are listed, in seconds.
  private static let listedFor: TimeInterval = 30 * 24 * 3600

  @Sendable private static func send(_ exchange: Exchange, _ world: inout World) throws(Problem) -> Answer {
    let sender = try exchange.authenticatedUser()
    let create = exchange.body["event"]?["message_create"]
    let data = create?["message_data"]
    for member in ["attachment", "quick_reply", "ctas"] where data?[member] != nil {
      throw .notImplemented("`\(member)` in a direct message")
    }
    if create?["custom_profile_id"] != nil { throw .notImplemented("`custom_profile_id` in a direct message") }
    let text = data?["text"]?.string ?? ""
    guard !text.isEmpty else {
      throw .badRequest("event.message_create.message_data.text: must not be empty")
    }
    guard text.count <= maximumLength else {
      throw .v1(403, 354, "The text of your direct message is over the max character limit.")
    }
    let recipient = create?["target"]?["recipient_id"]?.string.flatMap { Identifier($0) }
    guard let recipient, world.users[recipient] != nil else {
      throw .v1(404, 108, "Cannot find specified user.")
    }
    let message = world.addMessage(from: sender, to: recipient, text: text, at: exchange.now)
    return Answer(json: ["event": try RenderingV1(world, exchange).event(message)])
  }

  @Sendable private static func show(_ exchange: Exchange, _ world: inout World) throws(Problem) -> Answer {
    let message = try message(exchange, in: world)
    return Answer(json: [
      "event": try RenderingV1(world, exchange).event(message), "apps": RenderingV1.apps(exchange),
    ])
  }

  @Sendable private static func list(_ exchange: Exchange, _ world: inout World) throws(Problem) -> Answer {
    let user = try exchange.authenticatedUser()
    let start = exchange.now.addingTimeInterval(-listedFor)
    let world = world
    var token: PageToken?
    if let text = exchange.parameter("cursor") {
      token = PageToken(text, scope: exchange.pageScope)
      guard token != nil else { throw .invalidParameter("cursor") }
    }
    let page = Page(
      of: world.messagesOfUser[user], size: try exchange.count(default: 20, atMost: 50), from: token
    ) { id in (world.messages[id]?.createdAt ?? .distantPast) >= start }
    let rendering = try RenderingV1(world, exchange)
    var members: [String: JSON] = [
      "events": .array(page.members.compactMap { world.messages[$0].map(rendering.event) }),
      "apps": RenderingV1.apps(exchange),
    ]
    members["next_cursor"] = page.next.map { .string($0.text(scope: exchange.pageScope)) }
    return Answer(json: .object(members))
  }

  @Sendable private static func destroy(_ exchange: Exchange, _ world: inout World) throws(Problem) -> Answer {
    world.removeMessage(try message(exchange, in: world).id, of: try exchange.authenticatedUser())
    return Answer(status: 204)
  }

  private static func message(_ exchange: Exchange, in world: World) throws(Problem) -> MessageRecord {
    guard let id = try exchange.identifierParameter("id") else { throw .missingParameter("id") }
    guard let message = world.message(id, of: try exchange.authenticatedUser()) else { throw .noSuchPage }
    return message
  }
}
