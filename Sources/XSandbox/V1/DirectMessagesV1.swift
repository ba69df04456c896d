import Foundation

/// The operations on direct messages, as events. Every user may write to every other.
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

  /// The most characters of a message.
  private static let maximumLength = 10_000
  /// The age in seconds up to which messages are listed.
  private static let listedFor: TimeInterval = 30 * 24 * 3600

  private static func send(_ context: RequestContext, _ database: inout Database) throws(Problem) -> Response {
    let sender = try context.authenticatedUser()
    let create = context.body["event"]?["message_create"]
    let data = create?["message_data"]
    for member in ["quick_reply", "ctas"] where data?[member] != nil {
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
    guard let recipient, database.users[recipient] != nil else {
      throw .v1(404, 108, "Cannot find specified user.")
    }
    guard database.accepts(messagesFrom: sender, recipient) else {
      throw .v1(403, 349, "You cannot send messages to this user.")
    }
    var media: [Identifier] = []
    if let attachment = data?["attachment"] {
      guard attachment["type"]?.string == "media" else {
        throw .notImplemented("an attachment of another type than `media` in a direct message")
      }
      let text = attachment["media"]?["id"]?.string ?? ""
      guard let id = database.messageMedia(text, of: sender, at: context.now) else {
        throw .v1(400, 324, MediaRefusal.notUsable.message)
      }
      media = [id]
    }
    let message = database.addMessage(from: sender, to: recipient, text: text, media: media, at: context.now)
    return Response(json: ["event": try RendererV1(database, context).event(message)])
  }

  private static func show(_ context: RequestContext, _ database: inout Database) throws(Problem) -> Response {
    let message = try message(context, in: database)
    return Response(json: [
      "event": try RendererV1(database, context).event(message), "apps": RendererV1.apps(context),
    ])
  }

  private static func list(_ context: RequestContext, _ database: inout Database) throws(Problem) -> Response {
    let user = try context.authenticatedUser()
    let start = context.now.addingTimeInterval(-listedFor)
    var token: PageToken?
    if let text = context.parameter("cursor") {
      token = PageToken(text, scope: context.pageScope)
      guard token != nil else { throw .invalidParameter("cursor") }
    }
    // v1.1 knows no groups.
    let page = Page(
      of: database.messagesOfUser[user], size: try context.count(default: 20, atMost: 50), from: token
    ) { id in database.messages[id].map { $0.recipient != nil && $0.createdAt >= start } ?? false }
    let renderer = try RendererV1(database, context)
    var members: [String: JSON] = [
      "events": .array(page.members.compactMap { database.messages[$0].map(renderer.event) }),
      "apps": RendererV1.apps(context),
    ]
    members["next_cursor"] = page.next.map { .string($0.text(scope: context.pageScope)) }
    return Response(json: .object(members))
  }

  private static func destroy(_ context: RequestContext, _ database: inout Database) throws(Problem) -> Response {
    database.removeMessage(try message(context, in: database).id, of: try context.authenticatedUser())
    return Response(status: 204)
  }

  private static func message(_ context: RequestContext, in database: Database) throws(Problem) -> MessageRecord {
    guard let id = try context.identifierParameter("id") else { throw .missingParameter("id") }
    guard let message = database.message(id, of: try context.authenticatedUser()), message.recipient != nil else {
      throw .noSuchPage
    }
    return message
  }
}
