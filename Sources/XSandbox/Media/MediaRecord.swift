import Foundation

/// What the store keeps of an upload. Of its bytes only those stay that wait for others before them; the rest is counted and
/// hashed.
struct MediaRecord: Sendable {
  struct Segment: Sendable {
    var size: Int
    var sha256: String
  }

  struct Subtitles: Sendable {
    var media: Identifier
    var language: String
    var displayName: String
  }

  let id: Identifier
  var owner: Identifier
  /// Others who may use it.
  var otherOwners: Set<Identifier> = []
  var mediaType: String
  var category: String
  /// Bytes, as announced.
  var size: Int
  var createdAt: Date

  /// By index.
  var segments: [Int: Segment] = [:]
  /// Those that came before their predecessors.
  var waiting: [Int: Data] = [:]
  /// The index of the segment that is hashed next.
  var nextIndex = 0
  let hash = RunningSHA256()
  /// Of the whole, once it is complete.
  var sha256: String?

  var isComplete = false
  var completedAt: Date?
  var processing: Sandbox.MediaProcessing?
  /// How often its state was asked for since it is complete.
  var checks = 0

  var altText: String?
  var metadata: JSON?
  var subtitles: [Subtitles] = []

  var receivedSize: Int { segments.values.reduce(0) { $0 + $1.size } }
  var isVideo: Bool { category.hasSuffix("_video") }
  var isGIF: Bool { category.hasSuffix("_gif") }
  /// The number in front says of which kind it is, as at X.
  var key: String { "\(isVideo ? 7 : isGIF ? 16 : 3)_\(id)" }

  /// Whether it can be used by someone.
  func belongs(to user: Identifier?) -> Bool { user.map { $0 == owner || otherOwners.contains($0) } ?? false }
}
