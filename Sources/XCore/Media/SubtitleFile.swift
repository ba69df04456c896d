import Callsign
import Foundation

/// A file of subtitles in one language, in the format SubRip (`.srt`) or WebVTT (`.vtt`).
public struct SubtitleFile: Sendable, Hashable {
  /// Where it is.
  public var file: URL
  /// The language's two letters (ISO 639-1), such as `EN`.
  public var language: String
  /// How the language is called for viewers, such as `English`.
  public var displayName: String

  /// Names a file.
  ///
  /// - Parameters:
  ///   - file: Where it is.
  ///   - language: The language's two letters; their case makes no difference.
  ///   - displayName: How the language is called for viewers.
  public init(_ file: URL, language: String, displayName: String) {
    self.file = file
    self.language = language.uppercased()
    self.displayName = displayName
  }

  /// Opens it, as what it has to be.
  ///
  /// - Throws: ``UploadError``.
  public func open() throws(UploadError) -> MediaItem {
    try MediaItem(UploadContent(file: file), category: "subtitles")
  }
}
