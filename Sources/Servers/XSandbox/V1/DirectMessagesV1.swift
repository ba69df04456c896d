import Foundation

/// The operations for direct messages, as events. Every user can write to every other.
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
                .required("text", .anyString), .optional("attachment", .anyValue),
                .optional("quick_reply", quickReply), .optional("ctas", .array(of: button, count: 1...3)),
              ])), .optional("custom_profile_id", .identifier),
          ])),
      ]))
  ])

  private static let quickReply = BodySchema.object([
    .required("type", .choice(of: ["options"])),
    .required(
      "options",
      .array(
        of: .object([
          .required("label", .string(length: 1...36)), .optional("description", .string(length: 0...72)),
          .optional("metadata", .string(length: 0...1000)),
        ]), count: 1...20)),
  ])

  private static let button = BodySchema.object([
    .required("type", .choice(of: ["web_url"])), .required("label", .string(length: 1...36)),
    .required("url", .anyString),
  ])

  static let operations: [Operation] = [
    .v1("POST", "direct_messages/events/new", .v1Write, body: requestSchema, respond: send),
    .v1("GET", "direct_messages/events/show", .v1ReadAsUser, respond: show),
    .v1("GET", "direct_messages/events/list", .v1ReadAsUser, respond: list),
    .v1("DELETE", "direct_messages/events/destroy", .v1Write, respond: destroy),
  ]

  /// The maximum number of characters in a message.
  private static let maximumLength = 10_000
  /// How many seconds messages stay in the list.
  private static let listedFor: TimeInterval = 30 * 24 * 3600

  private static func send(_ context: RequestContext, _ database: inout Database) throws(Problem) -> Response {
    let sender = try context.authenticatedUser()
    let create = context.body["event"]?["message_create"]
    let data = create?["message_data"]
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
    var extras = MessageExtras()
    (extras.choices, extras.buttons) = (try choices(data), try buttons(data))
    extras.profile = create?["custom_profile_id"]?.string
    var media: [Identifier] = []
    if let attachment = data?["attachment"] {
      if attachment["type"]?.string == "location" {
        extras.location = try location(attachment["location"], database)
      } else {
        media = [try file(attachment, of: sender, context, database)]
      }
    }
    let message = database.addMessage(
      from: sender, to: recipient, text: text, media: media, extras: extras, at: context.now)
    return Response(json: ["event": try RendererV1(database, context).event(message)])
  }

  private static let place = "event.message_create.message_data"

  private static func choices(_ data: JSON?) throws(Problem) -> [MessageExtras.Choice] {
    guard case .array(let options)? = data?["quick_reply"]?["options"] else { return [] }
    let choices = options.map { option in
      MessageExtras.Choice(
        label: option["label"]?.string ?? "", description: option["description"]?.string,
        metadata: option["metadata"]?.string)
    }
    guard Set(choices.map { $0.description != nil }).count == 1 else {
      throw .badRequest("\(place).quick_reply.options: all of them have a description, or none has")
    }
    return choices
  }

  private static func buttons(_ data: JSON?) throws(Problem) -> [MessageExtras.Button] {
    guard case .array(let buttons)? = data?["ctas"] else { return [] }
    var all: [MessageExtras.Button] = []
    for button in buttons {
      let text = button["url"]?.string ?? ""
      guard let url = URL(string: text), ["http", "https"].contains(url.scheme?.lowercased()), url.host != nil else {
        throw .badRequest("\(place).ctas.url: must be an address with http or https")
      }
      all.append(MessageExtras.Button(label: button["label"]?.string ?? "", url: text))
    }
    return all
  }

  /// An attached upload.
  private static func file(
    _ attachment: JSON, of sender: Identifier, _ context: RequestContext, _ database: Database
  ) throws(Problem) -> Identifier {
    guard attachment["type"]?.string == "media" else {
      throw .badRequest("\(place).attachment.type: must be media or location")
    }
    guard let id = database.messageMedia(attachment["media"]?["id"]?.string ?? "", of: sender, at: context.now) else {
      throw .v1(400, 324, MediaRefusal.notUsable.message)
    }
    return id
  }

  /// A shared place or point.
  private static func location(_ value: JSON?, _ database: Database) throws(Problem) -> MessageExtras.Location {
    switch value?["type"]?.string {
    case "shared_place":
      guard let place = database.place(value?["shared_place"]?["place"]?["id"]?.string ?? "") else {
        throw .badRequest("\(place).attachment.location.shared_place: this place does not exist")
      }
      return .place(place.id)
    case "shared_coordinate":
      let shape = value?["shared_coordinate"]?["coordinates"]
      guard shape?["type"]?.string == "Point", case .array(let numbers)? = shape?["coordinates"], numbers.count == 2,
        let longitude = numbers[0].double, let latitude = numbers[1].double,
        let point = GeographicPoint(longitude: longitude, latitude: latitude)
      else { throw .v1(400, 3, "Invalid coordinates.") }
      return .point(point)
    default: throw .badRequest("\(place).attachment.location.type: must be shared_coordinate or shared_place")
    }
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
    // v1.1 has no groups.
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
