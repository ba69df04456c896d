import Callsign
import Foundation

/// What is uploaded to X: a content with its media type and category worked out and checked.
public struct MediaItem: Sendable {
  /// The most segments of one upload (`segment_index` is 0 to 999).
  public static let segmentLimit = 1000
  /// The most characters of alternative text.
  public static let altTextLimit = 1000

  /// The bytes.
  public let content: UploadContent
  /// What they are.
  public let format: MediaFormat
  /// X's name of the category; `nil` leaves it to X.
  public let category: String?

  /// Works out type and category, and checks them and the size before anything is sent.
  ///
  /// - Parameters:
  ///   - content: The bytes.
  ///   - format: What they are; found out from the first bytes and the file's name if it is `nil`.
  ///   - use: What they are uploaded for.
  ///   - category: X's name of the category, in place of the one for the use.
  ///   - sizeLimit: In bytes, in place of the category's own.
  /// - Throws: ``UploadError``.
  public init(
    _ content: UploadContent, format: MediaFormat? = nil, for use: UploadPurpose = .post, category: String? = nil,
    sizeLimit: Int? = nil
  ) throws(UploadError) {
    var found = format
    if found == nil { found = try MediaFormat.detected(in: content) }
    guard let found else { throw UploadError(.content(.unknownType)) }
    // Who names a type may know of one that is new.
    guard format != nil || MediaFormat.accepted.contains(found) else {
      throw UploadError(.content(.unacceptedType(found.rawValue)))
    }
    var isAnimated = false
    if category == nil, found == .gif { isAnimated = try GIFFrames.isAnimated(content) }
    self.content = content
    self.format = found
    self.category = category ?? MediaCategoryRule.name(for: found, isAnimated: isAnimated, use)
    let rule = MediaCategoryRule.all.first { $0.name == self.category }
    if let rule, !rule.takes(self.format) {
      throw UploadError(.content(.wrongCategory(rule.name, type: self.format.rawValue)))
    }
    let limit = sizeLimit ?? rule?.limit ?? MediaCategoryRule.mostBytes
    guard content.size <= limit else {
      throw UploadError(
        .content(.tooLarge(size: content.size, limit: limit, category: self.category ?? self.format.rawValue)))
    }
  }

  /// Whether subtitles can be added to it.
  public var takesSubtitles: Bool { category == "tweet_video" || category == "amplify_video" }

  /// Checks what is to be added to it, before anything is sent.
  ///
  /// - Throws: ``UploadError``.
  public func check(altText: String?, hasSubtitles: Bool) throws(UploadError) {
    if let altText { try Self.check(altText: altText) }
    if hasSubtitles, !takesSubtitles {
      throw UploadError(.content(.noSubtitles(category: category ?? format.rawValue)))
    }
  }

  /// - Throws: ``UploadError`` if the alternative text is longer than X takes.
  public static func check(altText: String) throws(UploadError) {
    let count = altText.unicodeScalars.count
    guard count <= altTextLimit else {
      throw UploadError(.content(.textTooLong(count: count, limit: altTextLimit)))
    }
  }
}
