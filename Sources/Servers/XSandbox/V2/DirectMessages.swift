import Foundation

/// The operations for direct messages, between two users and in groups. Both versions of the API share the messages.
enum DirectMessages {
  static let operations = Operation.catalogued([
    .init("createDirectMessagesConversation", createGroup), .init("createDirectMessagesByParticipantId", sendToUser),
    .init("createDirectMessagesByConversationId", sendToConversation), .init("getDirectMessagesEvents", all),
    .init("getDirectMessagesEventsByParticipantId", withUser),
    .init("getDirectMessagesEventsByConversationId", inConversation),
    .init("getDirectMessagesEventsById", byIdentifier), .init("deleteDirectMessagesEvents", delete),
  ])

  // MARK: Sending

  private static func createGroup(_ context: RequestContext, _ database: inout Database) throws(Problem) -> Response {
    let sender = try context.authenticatedUser()
    guard case .array(let ids)? = context.body["participant_ids"] else { throw .missingMember("participant_ids") }
    var participants = [sender]
    for text in ids.compactMap(\.string) {
      let user = try recipient(text, "participant_ids", of: sender, database)
      if !participants.contains(user) { participants.append(user) }
    }
    let draft = try Draft(context.body["message"], context, database)
    let message = draft.send(from: sender, to: nil, in: database.addGroup(participants), &database, at: context.now)
    return sent(message)
  }

  private static func sendToUser(_ context: RequestContext, _ database: inout Database) throws(Problem) -> Response {
    let sender = try context.authenticatedUser()
    let user = try recipient(context.path["participant_id"] ?? "", "participant_id", of: sender, database)
    let draft = try Draft(context.body, context, database)
    return sent(draft.send(from: sender, to: user, in: nil, &database, at: context.now))
  }

  private static func sendToConversation(
    _ context: RequestContext, _ database: inout Database
  ) throws(Problem) -> Response {
    let sender = try context.authenticatedUser()
    let draft = try Draft(context.body, context, database)
    switch try conversation("dm_conversation_id", context, database) {
    case .group(let group): return sent(draft.send(from: sender, to: nil, in: group, &database, at: context.now))
    case .pair(let user):
      let user = try recipient(String(user), "dm_conversation_id", of: sender, database)
      return sent(draft.send(from: sender, to: user, in: nil, &database, at: context.now))
    }
  }

  /// A text and files from a body.
  private struct Draft {
    var text: String
    var media: [Identifier] = []

    init(_ body: JSON?, _ context: RequestContext, _ database: Database) throws(Problem) {
      text = body?["text"]?.string ?? ""
      guard text.count <= 10_000 else {
        throw .forbidden("The text of your direct message is over the max character limit.")
      }
      guard case .array(let attachments)? = body?["attachments"] else { return }
      for text in attachments.compactMap({ $0["media_id"]?.string }) {
        guard let id = database.messageMedia(text, of: context.principal.user, at: context.now) else {
          throw .invalidRequest([
            InvalidParameter(
              name: "$.attachments", values: [text], message: "[$.attachments: \(MediaRefusal.notUsable.message)]")
          ])
        }
        media.append(id)
      }
    }

    func send(
      from sender: Identifier, to user: Identifier?, in group: ConversationRecord?, _ database: inout Database,
      at date: Date
    ) -> MessageRecord {
      database.addMessage(from: sender, to: user, in: group, text: text, media: media, at: date)
    }
  }

  private static func recipient(
    _ text: String, _ parameter: String, of sender: Identifier, _ database: Database
  ) throws(Problem) -> Identifier {
    guard let id = Identifier(text), database.users[id] != nil else {
      throw .missing(MissingResource(kind: .user, parameter: parameter, value: text))
    }
    guard database.accepts(messagesFrom: sender, id) else {
      throw .forbidden("You cannot send messages to this user.")
    }
    return id
  }

  private static func sent(_ message: MessageRecord) -> Response {
    Response(
      status: 201,
      json: [
        "data": [
          "dm_conversation_id": .string(message.conversation), "dm_event_id": .string(String(message.id)),
        ]
      ])
  }

  // MARK: Reading

  private enum Conversation {
    case group(ConversationRecord)
    /// The conversation with this user.
    case pair(Identifier)
  }

  /// Parses the ID of a conversation: two user IDs with a hyphen between them, or a group's ID.
  private static func conversation(
    _ placeholder: String, _ context: RequestContext, _ database: Database
  ) throws(Problem) -> Conversation {
    let user = try context.authenticatedUser()
    let text = context.path[placeholder] ?? ""
    let ids = text.split(separator: "-").compactMap { Identifier($0) }
    if ids.count == 1, let group = database.group(ids[0], of: user) { return .group(group) }
    if ids.count == 2, ids.contains(user), ids[0] != ids[1] { return .pair(ids[0] == user ? ids[1] : ids[0]) }
    throw .missing(MissingResource(kind: .conversation, parameter: placeholder, value: text))
  }

  private static func all(_ context: RequestContext, _ database: inout Database) throws(Problem) -> Response {
    try events(context, database) { _ in true }
  }

  private static func withUser(_ context: RequestContext, _ database: inout Database) throws(Problem) -> Response {
    let other = try context.lookUpUser("participant_id", in: database).required().id
    return try events(context, database) { $0.isBetween(other) }
  }

  private static func inConversation(
    _ context: RequestContext, _ database: inout Database
  ) throws(Problem) -> Response {
    switch try conversation("id", context, database) {
    case .group(let group): return try events(context, database) { $0.group == group.id }
    case .pair(let other): return try events(context, database) { $0.isBetween(other) }
    }
  }

  private static func events(
    _ context: RequestContext, _ database: Database, isIncluded: (MessageRecord) -> Bool
  ) throws(Problem) -> Response {
    let user = try context.authenticatedUser()
    // Nobody joins or leaves a group in the sandbox.
    let types = context.strings("event_types")
    let hasMessages = types.isEmpty || types.contains("MessageCreate")
    let page = try context.page(of: database.messagesOfUser[user], defaultSize: 100) { id in
      hasMessages && database.messages[id].map(isIncluded) == true
    }
    var renderer = Renderer(database, context)
    let data = page.members.compactMap { database.messages[$0] }.map { renderer.message($0, context) }
    return renderer.response(data: data.isEmpty ? nil : .array(data), meta: page.meta(resultCount: data.count))
  }

  private static func byIdentifier(_ context: RequestContext, _ database: inout Database) throws(Problem) -> Response {
    var renderer = Renderer(database, context)
    let data = renderer.message(try message(context, database), context)
    return renderer.response(data: data)
  }

  private static func delete(_ context: RequestContext, _ database: inout Database) throws(Problem) -> Response {
    database.removeMessage(try message(context, database).id, of: try context.authenticatedUser())
    return Response(json: ["data": ["deleted": true]])
  }

  private static func message(_ context: RequestContext, _ database: Database) throws(Problem) -> MessageRecord {
    let (text, id) = try context.identifier("event_id")
    guard
      let message = try id.flatMap({ (id) throws(Problem) in database.message(id, of: try context.authenticatedUser()) }
      )
    else {
      throw .missing(MissingResource(kind: .message, parameter: "event_id", value: text))
    }
    return message
  }
}

extension MessageRecord {
  /// The conversation's ID: both users, the smaller ID first, or the group.
  var conversation: String {
    if let group { return String(group) }
    let other = recipient ?? sender
    return "\(min(sender, other))-\(max(sender, other))"
  }

  /// Whether it is between its owner and another user.
  fileprivate func isBetween(_ other: Identifier) -> Bool {
    group == nil && (sender == other || recipient == other)
  }
}

extension Renderer {
  mutating func message(_ message: MessageRecord, _ context: RequestContext) -> JSON {
    let asked = Set(context.strings("dm_event.fields"))
    if expansions.contains("sender_id") { include(user: message.sender) }
    if expansions.contains("attachments.media_keys") {
      for id in message.media { include(media: id, at: MessageMedia.url(of: id, in: message)) }
    }
    let all: [String: JSON?] = [
      "id": .string(String(message.id)), "event_type": "MessageCreate", "text": .string(message.text),
      "created_at": .string(Timestamp.text(message.createdAt)),
      "dm_conversation_id": .string(message.conversation), "sender_id": .string(String(message.sender)),
      "attachments": message.media.isEmpty
        ? nil : ["media_keys": .array(message.media.compactMap { database.media[$0].map { .string($0.key) } })],
      "entities": entities(PostEntities(message.text)),
    ]
    return Self.select(all, asked.union(["id", "event_type", "text"]).union(expansions.map(Self.member)))
  }

  /// The member that an expansion refers to.
  private static func member(of expansion: String) -> String {
    String(expansion.prefix { $0 != "." })
  }
}

extension Problem {
  static func missingMember(_ name: String) -> Problem {
    .invalidRequest([InvalidParameter(name: "$.\(name)", message: "[$.\(name): is missing but it is required]")])
  }
}
