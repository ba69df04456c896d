import Callsign
import XCore

extension XAPI {
  /// Describes an upload in words, for those who cannot see it.
  ///
  /// - Parameters:
  ///   - text: At most 1000 characters.
  ///   - mediaID: The upload's id.
  ///   - options: What the call does differently from its client.
  /// - Throws: ``UploadError``, always.
  public func setAltText(
    _ text: String, of mediaID: String, options: CallOptions = CallOptions()
  ) async throws(UploadError) {
    try MediaItem.check(altText: text)
    try await describe(mediaID, altText: text, options)
  }

  /// Uploads a file of subtitles, and adds it to a video that is uploaded already.
  ///
  /// - Parameters:
  ///   - subtitles: The file, its language, and the language's name.
  ///   - mediaID: The video's id.
  ///   - category: The video's category. Default: that of videos in posts.
  ///   - options: How the file is uploaded.
  /// - Throws: ``UploadError``, always.
  public func addSubtitles(
    _ subtitles: SubtitleFile, to mediaID: String, category: MediaCategory = .tweetVideo,
    options: UploadOptions = UploadOptions()
  ) async throws(UploadError) {
    try await addSubtitles(subtitles, to: mediaID, category: category.rawValue, options: options)
  }
}
