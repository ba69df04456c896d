import Foundation

extension RenderingV1 {
  /// The number by which events name the app that sent them.
  private static let appIdentifier = "268278"

  func event(_ message: MessageRecord) -> JSON {
    [
      "type": "message_create", "id": .text(message.id),
      "created_timestamp": .string(String(Int(message.createdAt.timeIntervalSince1970 * 1000))),
      "message_create": [
        "target": ["recipient_id": .text(message.recipient)], "sender_id": .text(message.sender),
        "source_app_id": .string(Self.appIdentifier),
        "message_data": ["text": .string(message.text), "entities": entities(of: PostEntities(message.text))],
      ],
    ]
  }

  static func apps(_ exchange: Exchange) -> JSON {
    .object([
      appIdentifier: [
        "id": .string(appIdentifier), "name": .string(exchange.source), "url": "https://example.com/",
      ]
    ])
  }
}
