import Foundation

extension World {
  /// Segments have at most 5 MB.
  private static let segmentLimit = 5 << 20
  /// In seconds; afterwards an upload can't be attached.
  static let mediaLifetime = 86_400

  /// The most bytes of a category, for the accounts that may upload most.
  private static func sizeLimit(_ category: String) -> Int {
    switch category {
    case "tweet_image", "dm_image": 5 << 20
    case "tweet_gif", "dm_gif": 15 << 20
    case "dm_video": 1 << 30
    default: 17_179_869_184
    }
  }

  /// What a type is taken for without a category.
  private static func category(ofType type: String) -> String {
    if type.hasPrefix("video/") { return "tweet_video" }
    if type.hasPrefix("text/") { return "subtitles" }
    return "tweet_image"
  }

  private static func takes(_ category: String, _ type: String) -> Bool {
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
    guard Self.takes(category, type) else { throw .wrongType(type, category: category) }
    guard size <= Self.sizeLimit(category) else { throw .tooLarge(limit: Self.sizeLimit(category)) }
    let record = MediaRecord(
      id: identifiers.next(), owner: owner, otherOwners: Set(otherOwners), mediaType: type, category: category,
      size: size, createdAt: date)
    media[record.id] = record
    return record
  }

  /// A segment that is sent again, with the same bytes, changes nothing. In any order.
  mutating func appendMedia(_ id: Identifier, index: Int, _ bytes: Data) throws(MediaRefusal) {
    guard var record = media[id] else { throw .unknown }
    guard !record.isComplete else { throw .alreadyComplete }
    guard bytes.count <= Self.segmentLimit else { throw .segmentTooLarge }
    let segment = MediaRecord.Segment(size: bytes.count, sha256: RunningSHA256.hash(bytes))
    if let earlier = record.segments[index] {
      guard earlier.sha256 == segment.sha256 else { throw .segmentDiffers(index) }
      return
    }
    record.segments[index] = segment
    guard record.receivedSize <= record.size else { throw .tooManyBytes }
    record.waiting[index] = bytes
    while let next = record.waiting.removeValue(forKey: record.nextIndex) {
      record.hash.update(next)
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
    record.sha256 = record.hash.finish()
    if record.isVideo || record.isGIF { record.processing = mediaProcessing }
    media[id] = record
    return record
  }

  /// Counts as a question about the state.
  mutating func checkMedia(_ id: Identifier, by user: Identifier?) throws(MediaRefusal) -> MediaRecord {
    let record = try ownMedia(id, of: user)
    if record.isComplete { media[id]?.checks += 1 }
    return media[id] ?? record
  }

  func ownMedia(_ id: Identifier?, of user: Identifier?) throws(MediaRefusal) -> MediaRecord {
    guard let id, let record = media[id], record.owner == user else { throw .unknown }
    return record
  }

  /// What a post is to show: all of it there, processed, of the author, made for posts, and in a number that X allows.
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
}
