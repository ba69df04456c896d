import Foundation

/// The posts that the bot replied to, in a file that is replaced as a whole, so that a crash leaves the old or the new one.
struct BotMemory {
  private struct Content: Codable {
    var begun: String?
    var replied: [String] = []
  }

  private let file: URL
  private var content = Content()

  /// X sends posts again that are at most five minutes old, so older posts need not be remembered.
  private static let limit = 10_000

  /// - Throws: An error if the file exists but cannot be read. Without it, the bot would reply to posts twice.
  init(file: URL) throws {
    self.file = file
    guard FileManager.default.fileExists(atPath: file.path) else { return }
    content = try JSONDecoder().decode(Content.self, from: Data(contentsOf: file))
  }

  /// The post whose reply was in progress when this was last saved.
  var begun: String? { content.begun }

  /// Saves that a reply to a post is about to be posted.
  ///
  /// - Returns: Whether a reply is needed; `false` if the bot replied before.
  mutating func begin(_ id: String) -> Bool {
    guard content.begun != id, !content.replied.contains(id) else { return false }
    content.begun = id
    return true
  }

  /// Saves that a reply was posted, or cannot be.
  mutating func finish(_ id: String) {
    content.begun = nil
    content.replied.append(id)
    if content.replied.count > Self.limit { content.replied.removeFirst(content.replied.count - Self.limit) }
  }

  /// Saves that a post needs a reply after all.
  mutating func forget(_ id: String) { content.replied.removeAll { $0 == id } }

  func save() throws { try JSONEncoder().encode(content).write(to: file, options: .atomic) }
}
