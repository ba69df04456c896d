import Foundation

extension World {
  mutating func addMessage(from sender: Identifier, to recipient: Identifier, text: String, at date: Date)
    -> MessageRecord
  {
    let message = MessageRecord(
      id: identifiers.next(), sender: sender, recipient: recipient, text: text, createdAt: date)
    messages[message.id] = message
    messagesOfUser[sender, default: Relation()].insert(message.id)
    messagesOfUser[recipient, default: Relation()].insert(message.id)
    return message
  }

  /// A message as one of its two sides sees it.
  func message(_ id: Identifier, of user: Identifier) -> MessageRecord? {
    messagesOfUser[user]?.contains(id) == true ? messages[id] : nil
  }

  /// The other side keeps it.
  mutating func removeMessage(_ id: Identifier, of user: Identifier) {
    guard let message = message(id, of: user) else { return }
    messagesOfUser[user]?.remove(id)
    let isKept = [message.sender, message.recipient].contains { messagesOfUser[$0]?.contains(id) == true }
    if !isKept { messages[id] = nil }
  }
}
