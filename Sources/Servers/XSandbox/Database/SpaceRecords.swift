import Foundation

/// A Space in the database. By the sandbox's clock, it is scheduled until it starts, live until it ends, and then over.
struct SpaceRecord: Sendable {
  let id: Identifier
  var creator: Identifier
  var title: String
  var createdAt: Date
  var starts: Date
  var ends: Date?
  var language: String?
  var isTicketed = false
  var speakers: [Identifier] = []
  var invited: [Identifier] = []
  /// The users who have bought a ticket.
  var buyers = Relation()
  /// The posts shared in it.
  var posts = Relation()

  init(id: Identifier, creator: Identifier, title: String, createdAt: Date, starts: Date) {
    self.id = id
    self.creator = creator
    self.title = title
    self.createdAt = createdAt
    self.starts = starts
  }

  /// The ID in X's format for Spaces, in letters and digits.
  var key: String { String(id, radix: 36) }

  /// Parses a ``key``.
  static func identifier(_ key: String) -> Identifier? {
    guard (1...13).contains(key.utf8.count), key.allSatisfy({ $0.isASCII && ($0.isNumber || $0.isLowercase) }) else {
      return nil
    }
    return Identifier(key, radix: 36)
  }

  /// `scheduled`, `live` or `ended`.
  func state(at now: Date) -> String {
    now < starts ? "scheduled" : ends.map { now >= $0 } ?? false ? "ended" : "live"
  }
}

/// A community in the database.
struct CommunityRecord: Sendable {
  let id: Identifier
  var name: String
  var about: String
  /// Whether only its members can see its posts.
  var isClosed: Bool
  var createdAt: Date
  var members = Relation()
}
