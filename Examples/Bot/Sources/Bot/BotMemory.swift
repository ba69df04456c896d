import Foundation

/// The posts that were replied, in a file that is replaced as a whole, so that a crash leaves the old one or the new one.
struct BotMemory {
  private struct Content: Codable {
    var begun: String?
    var replied: [String] = []
  }

  private let file: URL
  private var content = Content()

  /// X sends again what is at most five minutes old; more than it can be in that time need not be remembered.
  private static let limit = 10_000

  /// - Throws: An error where the file is there and cannot be read. To begin anew would reply posts twice.
  init(file: URL) throws {
    self.file = file
    guard FileManager.default.fileExists(atPath: file.path) else { return }
    content = try JSONDecoder().decode(Content.self, from: Data(contentsOf: file))
  }

  /// The post whose reply was under way when this was last saved.
  var begun: String? { content.begun }

  /// Notes that a post is about to be replied.
  ///
  /// - Returns: Whether it has to be; `false` for one that was replied before.
  mutating func begin(_ id: String) -> Bool {
    guard content.begun != id, !content.replied.contains(id) else { return false }
    content.begun = id
    return true
  }

  /// Notes that a post was replied, or cannot be.
  mutating func finish(_ id: String) {
    content.begun = nil
    content.replied.append(id)
    if content.replied.count > Self.limit { content.replied.removeFirst(content.replied.count - Self.limit) }
  }

  /// Notes that a post has to be replied after all.
  mutating func forget(_ id: String) { content.replied.removeAll { $0 == id } }

  func save() throws { try JSONEncoder().encode(content).write(to: file, options: .atomic) }
}
