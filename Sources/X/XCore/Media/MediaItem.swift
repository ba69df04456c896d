import Callsign
import CallsignSupport

/// Content to upload to X, with its media type and category determined and checked.
public struct MediaItem: Sendable {
  /// The maximum number of segments in one upload (`segment_index` is 0 to 999).
  public static let segmentLimit = 1000
  /// The maximum number of characters of alternative text.
  public static let altTextLimit = 1000

  /// The bytes.
  public let content: UploadContent
  /// Their media type.
  public let format: MediaFormat
  /// X's name of the category; `nil` leaves it to X.
  public let category: String?

  /// Determines type and category, and checks them and the size before anything is sent.
  ///
  /// - Parameters:
  ///   - content: The bytes.
  ///   - format: Their media type. If it is `nil`, it is detected from the first bytes and the file's name.
  ///   - use: The purpose of the upload.
  ///   - category: X's name of a category that replaces the one for the use.
  ///   - sizeLimit: A limit in bytes that replaces the category's.
  /// - Throws: ``UploadError``.
  public init(
    _ content: UploadContent, format: MediaFormat? = nil, for use: UploadPurpose = .post, category: String? = nil,
    sizeLimit: Int? = nil
  ) throws(UploadError) {
    var found = format
    if found == nil { found = try MediaFormat.detected(in: content) }
    guard let found else { throw UploadError(.content(.unknownType)) }
    // A caller who names a type may know a new one.
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
  public var takesSubtitles: Bool { category == MediaCategoryRule.postVideo || category == "amplify_video" }

  /// Checks the text and the subtitles to add, before anything is sent.
  ///
  /// - Throws: ``UploadError``.
  public func check(altText: String?, hasSubtitles: Bool) throws(UploadError) {
    if let altText { try Self.check(altText: altText) }
    if hasSubtitles, !takesSubtitles {
      throw UploadError(.content(.noSubtitles(category: category ?? format.rawValue)))
    }
  }

  /// - Throws: ``UploadError`` if the alternative text is longer than X accepts.
  public static func check(altText: String) throws(UploadError) {
    let count = altText.unicodeScalars.count
    guard count <= altTextLimit else {
      throw UploadError(.content(.textTooLong(count: count, limit: altTextLimit)))
    }
  }
}

/// The formats and the size that X accepts in a category.
///
/// Source: <https://docs.x.com/x-api/media/quickstart/best-practices>. The limits are those of the accounts that may
/// upload the most, so nothing is refused here that X would accept.
struct MediaCategoryRule {
  /// The category's name on the wire.
  var name: String
  /// In bytes.
  var limit: Int
  var takes: @Sendable (MediaFormat) -> Bool

  /// The category of videos in posts.
  static let postVideo = "tweet_video"

  /// The maximum of `total_bytes`: 16 GiB.
  static let mostBytes = 17_179_869_184

  static let all = [
    MediaCategoryRule(name: "tweet_image", limit: 5 << 20, takes: \.isImage),
    MediaCategoryRule(name: "dm_image", limit: 5 << 20, takes: \.isImage),
    MediaCategoryRule(name: "tweet_gif", limit: 15 << 20) { $0 == .gif },
    MediaCategoryRule(name: "dm_gif", limit: 15 << 20) { $0 == .gif },
    MediaCategoryRule(name: postVideo, limit: mostBytes, takes: \.isVideo),
    MediaCategoryRule(name: "amplify_video", limit: mostBytes, takes: \.isVideo),
    MediaCategoryRule(name: "dm_video", limit: 1 << 30, takes: \.isVideo),
    MediaCategoryRule(name: "subtitles", limit: mostBytes, takes: \.isSubtitles),
  ]

  /// The category of a format for a use; `nil` for formats without a category on X.
  static func name(for format: MediaFormat, isAnimated: Bool, _ use: UploadPurpose) -> String? {
    if format.isSubtitles { return "subtitles" }
    let isMessage = use == .directMessage
    if isAnimated { return isMessage ? "dm_gif" : "tweet_gif" }
    if format.isImage { return isMessage ? "dm_image" : "tweet_image" }
    guard format.isVideo else { return nil }
    switch use {
    case .post: return postVideo
    case .directMessage: return "dm_video"
    case .advertisement: return "amplify_video"
    }
  }
}

/// The purpose of an upload. X has a category for each, with different limits.
public enum UploadPurpose: Sendable, Hashable {
  /// For a post.
  case post
  /// For a direct message.
  case directMessage
  /// For an advertisement; only makes a difference for videos.
  case advertisement
}

/// A file of subtitles in one language, in the format SubRip (`.srt`) or WebVTT (`.vtt`).
public struct SubtitleFile: Sendable, Hashable {
  /// The URL of the file.
  public var file: URL
  /// The language's two-letter code (ISO 639-1), such as `EN`.
  public var language: String
  /// The name of the language for viewers, such as `English`.
  public var displayName: String

  /// Describes a file.
  ///
  /// - Parameters:
  ///   - file: The URL of the file.
  ///   - language: The language's two-letter code, in any case.
  ///   - displayName: The name of the language for viewers.
  public init(_ file: URL, language: String, displayName: String) {
    self.file = file
    self.language = language.uppercased()
    self.displayName = displayName
  }

  /// Opens it, as the format that it must have.
  ///
  /// - Throws: ``UploadError``.
  public func open() throws(UploadError) -> MediaItem {
    try MediaItem(UploadContent(file: file), category: "subtitles")
  }
}
