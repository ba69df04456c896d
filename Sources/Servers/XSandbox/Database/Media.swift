import Foundation

/// An upload in the database. Its bytes are counted and hashed. Only segments that arrived before their predecessors are kept.
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
  /// The other users who can attach it.
  var otherOwners: Set<Identifier> = []
  var mediaType: String
  var category: String
  /// The announced size in bytes.
  var size: Int
  var createdAt: Date

  /// The segments, by index.
  var segments: [Int: Segment] = [:]
  /// The segments that arrived before their predecessors, by index.
  var waiting: [Int: Data] = [:]
  /// The size of a complete picture.
  var imageSize: ImageSize?
  /// The bytes so far, for clients that download it; `nil` if they are not kept.
  var content: Data?
  /// Whether a direct message contains it. As long as it does, the message's readers can download it.
  var isInMessage = false
  /// The index of the next segment to hash.
  var nextIndex = 0
  let hash = SHA256Hash()
  /// The hash of all bytes in hexadecimal, after the upload is complete.
  var sha256: String?

  var isComplete = false
  var completedAt: Date?
  var processing: SandboxMediaProcessing?
  /// The number of status requests since the upload was completed.
  var checks = 0

  var altText: String?
  var metadata: JSON?
  var subtitles: [Subtitles] = []

  static let categories = [
    "amplify_video", "tweet_gif", "tweet_image", "tweet_video", "dm_gif", "dm_image", "dm_video", "subtitles",
  ]

  /// The maximum number of bytes of an upload to keep.
  private static let keptSize = 15 << 20
  /// Whether the bytes are kept at first. Videos in posts are large, and nobody downloads them here.
  var mayBeSent: Bool { size <= Self.keptSize && !["tweet_video", "amplify_video"].contains(category) }

  var receivedSize: Int { segments.values.reduce(0) { $0 + $1.size } }
  var isVideo: Bool { category.hasSuffix("_video") }
  var isGIF: Bool { category.hasSuffix("_gif") }
  /// The API's name for the kind.
  var kind: String { isVideo ? "video" : isGIF ? "animated_gif" : "photo" }
  /// The media key. As on X, its first number is the kind.
  var key: String { "\(isVideo ? 7 : isGIF ? 16 : 3)_\(id)" }

  /// Whether a user can attach it.
  func belongs(to user: Identifier?) -> Bool { user.map { $0 == owner || otherOwners.contains($0) } ?? false }
}

/// How videos and animated GIFs are processed after their last segment, as shown in `processing_info`.
public struct SandboxMediaProcessing: Sendable, Hashable {
  enum End: Sendable, Hashable {
    case checks(Int)
    case seconds(TimeInterval)
  }

  /// The reason why an upload fails, as X reports it.
  public struct Failure: Sendable, Hashable {
    /// X's number, such as 1.
    public var code: Int
    /// X's name, such as `InvalidMedia`.
    public var name: String
    /// X's sentence.
    public var message: String

    /// Creates a failure. The defaults are X's values for files that it cannot read.
    public init(code: Int = 1, name: String = "InvalidMedia", message: String = "Unsupported video format") {
      self.code = code
      self.name = name
      self.message = message
    }
  }

  let end: End
  let checkAfter: Int
  let failure: Failure?

  /// Processing that ends after a number of status requests.
  ///
  /// - Parameters:
  ///   - count: The number of responses that report processing; the next one reports the end. With 0, the response to the upload's
  ///     last request reports it.
  ///   - checkAfter: `check_after_secs`.
  ///   - failure: The failure to end with. Default: none, so that processing succeeds.
  public static func afterChecks(_ count: Int, checkAfter: Int = 1, failure: Failure? = nil) -> SandboxMediaProcessing {
    SandboxMediaProcessing(end: .checks(count), checkAfter: checkAfter, failure: failure)
  }

  /// Processing that ends after a number of seconds on the sandbox's clock.
  public static func afterSeconds(
    _ seconds: TimeInterval, checkAfter: Int = 1, failure: Failure? = nil
  ) -> SandboxMediaProcessing {
    SandboxMediaProcessing(end: .seconds(seconds), checkAfter: checkAfter, failure: failure)
  }
}

extension MediaRecord {
  /// The member `processing_info`, if there is any.
  func processingInfo(at now: Date) -> JSON? {
    guard isComplete, let processing else { return nil }
    let share: Double
    switch processing.end {
    case .checks(let count): share = count > 0 ? Double(checks) / Double(count + 1) : 1
    case .seconds(let seconds):
      share = seconds > 0 ? now.timeIntervalSince(completedAt ?? now) / seconds : 1
    }
    let percent = max(0, min(100, Int(share * 100)))
    guard share >= 1 else {
      return [
        "state": checks == 0 ? "pending" : "in_progress", "check_after_secs": .integer(processing.checkAfter),
        "progress_percent": .integer(percent),
      ]
    }
    guard let failure = processing.failure else { return ["state": "succeeded", "progress_percent": 100] }
    return [
      "state": "failed", "progress_percent": .integer(percent),
      "error": [
        "code": .integer(failure.code), "name": .string(failure.name), "message": .string(failure.message),
      ],
    ]
  }

  /// Whether it can be attached.
  func isUsable(at now: Date) -> Bool {
    guard isComplete else { return false }
    return processingInfo(at: now).map { $0["state"]?.string == "succeeded" } ?? true
  }
}

/// The refusal of an upload or of its use. Each version of the API turns it into a problem.
enum MediaRefusal: Error, Equatable {
  case unknown
  case alreadyComplete
  case segmentTooLarge
  case tooManyBytes
  case segmentDiffers(Int)
  case incomplete
  case tooLarge(limit: Int)
  case wrongType(String, category: String)
  case notUsable
  case mixed

  var message: String {
    switch self {
    case .unknown: "A media id was not found."
    case .alreadyComplete: "The upload is finalized already."
    case .segmentTooLarge: "A segment has at most 5 MB."
    case .tooManyBytes: "The segments are larger than the announced total_bytes."
    case .segmentDiffers(let index): "Segment \(index) was sent before with other bytes."
    case .incomplete: "Segments do not add up to provided total file size."
    case .tooLarge(let limit): "File size exceeds \(limit) bytes."
    case .wrongType(let type, let category): "media type \(type) is not supported for media category \(category)."
    case .notUsable: "Your media IDs are invalid."
    case .mixed: "You may attach up to 4 photos, 1 animated GIF or 1 video."
    }
  }
}

extension Database {
  /// The maximum size of a segment: 5 MB.
  private static let segmentLimit = 5 << 20
  /// The maximum total size of uploads kept in case a message uses them. Most uploads are for posts, and a sandbox may receive
  /// thousands.
  static let unsentMediaLimit = 32 << 20
  /// How many seconds an upload can be attached.
  static let mediaLifetime = 86_400

  /// The maximum number of bytes in a category, for the accounts with the highest limit.
  private static func sizeLimit(_ category: String) -> Int {
    switch category {
    case "tweet_image", "dm_image": 5 << 20
    case "tweet_gif", "dm_gif": 15 << 20
    case "dm_video": 1 << 30
    default: 17_179_869_184
    }
  }

  /// The category for a type if the request names none.
  private static func category(ofType type: String) -> String {
    if type.hasPrefix("video/") { return "tweet_video" }
    if type.hasPrefix("text/") { return "subtitles" }
    return "tweet_image"
  }

  private static func accepts(_ category: String, _ type: String) -> Bool {
    switch category {
    case "tweet_gif", "dm_gif": type == "image/gif"
    case "tweet_image", "dm_image": type.hasPrefix("image/")
    case "tweet_video", "dm_video", "amplify_video": type.hasPrefix("video/")
    case "subtitles": type == "text/srt" || type == "text/vtt"
    default: true
    }
  }

  mutating func beginMedia(
    owner: Identifier, otherOwners: [Identifier], mediaType: String, category: String?, size: Int, at date: Date
  ) throws(MediaRefusal) -> MediaRecord {
    let type = mediaType.lowercased()
    let category = category ?? Self.category(ofType: type)
    guard Self.accepts(category, type) else { throw .wrongType(type, category: category) }
    guard size <= Self.sizeLimit(category) else { throw .tooLarge(limit: Self.sizeLimit(category)) }
    var record = MediaRecord(
      id: identifiers.next(), owner: owner, otherOwners: Set(otherOwners), mediaType: type, category: category,
      size: size, createdAt: date)
    if record.mayBeSent {
      makeRoom(for: record)
      record.content = Data()
    }
    media[record.id] = record
    return record
  }

  /// Drops the bytes of the oldest uploads that no message uses.
  private mutating func makeRoom(for record: MediaRecord) {
    unsentMedia.ids.append(record.id)
    unsentMedia.size += record.size
    while unsentMedia.size > Self.unsentMediaLimit, let oldest = unsentMedia.ids.popFirst() {
      unsentMedia.size -= media[oldest]?.size ?? 0
      if media[oldest]?.isInMessage == false { media[oldest]?.content = nil }
    }
  }

  /// Adds a segment. Segments can arrive in any order. A repeated segment with the same bytes changes nothing.
  mutating func appendMedia(_ id: Identifier, index: Int, _ bytes: Data) throws(MediaRefusal) {
    guard var record = media[id] else { throw .unknown }
    guard !record.isComplete else { throw .alreadyComplete }
    guard bytes.count <= Self.segmentLimit else { throw .segmentTooLarge }
    let segment = MediaRecord.Segment(size: bytes.count, sha256: SHA256Hash.hexadecimalDigest(of: bytes))
    if let earlier = record.segments[index] {
      guard earlier.sha256 == segment.sha256 else { throw .segmentDiffers(index) }
      return
    }
    record.segments[index] = segment
    guard record.receivedSize <= record.size else { throw .tooManyBytes }
    record.waiting[index] = bytes
    while let next = record.waiting.removeValue(forKey: record.nextIndex) {
      record.hash.update(next)
      record.content?.append(next)
      record.nextIndex += 1
    }
    media[id] = record
  }

  mutating func finishMedia(_ id: Identifier, at date: Date) throws(MediaRefusal) -> MediaRecord {
    guard var record = media[id] else { throw .unknown }
    guard !record.isComplete else { throw .alreadyComplete }
    guard record.receivedSize == record.size, record.nextIndex == record.segments.count else { throw .incomplete }
    record.isComplete = true
    record.completedAt = date
    record.sha256 = record.hash.finalizeHexadecimal()
    if record.isVideo || record.isGIF { record.processing = mediaProcessing }
    if !record.isVideo { record.imageSize = record.content.flatMap { ImageSize($0) } ?? .unknown }
    media[id] = record
    return record
  }

  /// Returns the upload for a status request, and counts the request.
  mutating func checkMedia(_ id: Identifier, by user: Identifier?) throws(MediaRefusal) -> MediaRecord {
    let record = try ownMedia(id, of: user)
    if record.isComplete { media[id]?.checks += 1 }
    return media[id] ?? record
  }

  func ownMedia(_ id: Identifier?, of user: Identifier?) throws(MediaRefusal) -> MediaRecord {
    guard let id, let record = media[id], record.owner == user else { throw .unknown }
    return record
  }

  /// Returns the IDs of uploads for a post. They must be complete, processed, owned by the author and made for posts, and not
  /// exceed X's maximum number.
  func attachableMedia(_ ids: [Identifier?], for user: Identifier, at date: Date) throws(MediaRefusal) -> [Identifier] {
    var records: [MediaRecord] = []
    for id in ids {
      guard let id, let record = media[id], record.belongs(to: user), record.isUsable(at: date),
        !record.category.hasPrefix("dm_"), record.category != "subtitles",
        date.timeIntervalSince(record.createdAt) < TimeInterval(Self.mediaLifetime)
      else { throw .notUsable }
      records.append(record)
    }
    guard records.count <= 4, records.count == 1 || !records.contains(where: { $0.isVideo || $0.isGIF }) else {
      throw .mixed
    }
    return records.map(\.id)
  }

  /// Returns a complete upload of a user.
  func completeMedia(_ id: Identifier?, of user: Identifier?) throws(MediaRefusal) -> MediaRecord {
    let record = try ownMedia(id, of: user)
    guard record.isComplete else { throw .unknown }
    return record
  }

  /// Adds a subtitle track to a video. It replaces the one for the same language.
  mutating func attachSubtitles(
    _ id: Identifier?, to video: MediaRecord, language: String?, name: String?, of user: Identifier?
  ) throws(MediaRefusal) {
    let subtitles = try ownMedia(id, of: user)
    guard subtitles.category == "subtitles", subtitles.isComplete, video.isVideo else { throw .notUsable }
    let track = MediaRecord.Subtitles(media: subtitles.id, language: language ?? "", displayName: name ?? "")
    media[video.id]?.subtitles.removeAll { $0.language == track.language }
    media[video.id]?.subtitles.append(track)
  }
}
