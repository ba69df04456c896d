import Callsign
import Foundation
import XCore

extension XAPIv1 {
  /// Uploads a picture, GIF, video or subtitles from a file of any size. Only what is on its way is ever in memory.
  ///
  /// Type and category are worked out from the first bytes and the file's name, and the size is checked before anything is
  /// sent. Chunks are sent several at a time, and each again where that helps; then X's processing is waited for. To cancel
  /// the task ends all of it.
  ///
  /// ```swift
  /// let media = try await v1.upload(file: url, altText: "A cat on a keyboard")
  /// ```
  ///
  /// Source: <https://docs.x.com/x-api/media/quickstart/media-upload-chunked>
  ///
  /// - Parameters:
  ///   - file: Where it is.
  ///   - type: What it is, in place of what its first bytes tell.
  ///   - use: What it is for; decides on the category. Default: a post.
  ///   - category: X's category, in place of the one for the use.
  ///   - altText: What is seen, in words, for those who cannot; at most 1000 characters.
  ///   - subtitles: Files of subtitles that are uploaded too, and added to the video.
  ///   - additionalOwners: The ids of other users who may use it.
  ///   - shared: Whether it may be used in several direct messages.
  ///   - resumption: Where an earlier upload of the same file stopped: ``UploadError/resumption``.
  ///   - options: The size of chunks, how many at a time, how often each, how long processing may take.
  ///   - progress: Is told how far the upload has come, one call at a time.
  /// - Throws: ``UploadError``, always.
  @discardableResult
  public func upload(
    file: URL, type: MediaFormat? = nil, for use: UploadPurpose = .post, category: MediaCategory? = nil,
    altText: String? = nil, subtitles: [SubtitleFile] = [], additionalOwners: [UserID]? = nil, shared: Bool? = nil,
    resuming resumption: UploadResumption? = nil, options: UploadOptions = UploadOptions(),
    progress: (@Sendable (UploadProgress) -> Void)? = nil
  ) async throws(UploadError) -> Media {
    let uploading = MediaUploading(
      v1: self, type: type, use: use, category: category, altText: altText, subtitles: subtitles,
      owners: additionalOwners, isShared: shared, resumption: resumption, options: options)
    let content = try UploadContent(file: file)
    return try await UploadReporter.observing(progress) { (reporter) throws(UploadError) in
      try await uploading.run(content, reporter)
    }
  }

  /// Uploads bytes in memory; otherwise as ``upload(file:type:for:category:altText:subtitles:additionalOwners:shared:resuming:options:progress:)``.
  ///
  /// - Throws: ``UploadError``, always.
  @discardableResult
  public func upload(
    data: Data, type: MediaFormat? = nil, for use: UploadPurpose = .post, category: MediaCategory? = nil,
    altText: String? = nil, subtitles: [SubtitleFile] = [], additionalOwners: [UserID]? = nil, shared: Bool? = nil,
    resuming resumption: UploadResumption? = nil, options: UploadOptions = UploadOptions(),
    progress: (@Sendable (UploadProgress) -> Void)? = nil
  ) async throws(UploadError) -> Media {
    let uploading = MediaUploading(
      v1: self, type: type, use: use, category: category, altText: altText, subtitles: subtitles,
      owners: additionalOwners, isShared: shared, resumption: resumption, options: options)
    let content = try UploadContent(data: data)
    return try await UploadReporter.observing(progress) { (reporter) throws(UploadError) in
      try await uploading.run(content, reporter)
    }
  }

  /// Starts the upload of a file in a task of its own, so that its progress can be read as a sequence; otherwise as
  /// ``upload(file:type:for:category:altText:subtitles:additionalOwners:shared:resuming:options:progress:)``.
  ///
  /// ```swift
  /// let upload = v1.startUpload(file: url)
  /// for await progress in upload.progress { print(progress.fractionCompleted) }
  /// let media = try await upload.value
  /// ```
  public func startUpload(
    file: URL, type: MediaFormat? = nil, for use: UploadPurpose = .post, category: MediaCategory? = nil,
    altText: String? = nil, subtitles: [SubtitleFile] = [], additionalOwners: [UserID]? = nil, shared: Bool? = nil,
    resuming resumption: UploadResumption? = nil, options: UploadOptions = UploadOptions()
  ) -> Upload<Media> {
    let uploading = MediaUploading(
      v1: self, type: type, use: use, category: category, altText: altText, subtitles: subtitles,
      owners: additionalOwners, isShared: shared, resumption: resumption, options: options)
    return Upload { (reporter) throws(UploadError) in try await uploading.run(UploadContent(file: file), reporter) }
  }

  /// Starts the upload of bytes in memory in a task of its own; otherwise as
  /// ``startUpload(file:type:for:category:altText:subtitles:additionalOwners:shared:resuming:options:)``.
  public func startUpload(
    data: Data, type: MediaFormat? = nil, for use: UploadPurpose = .post, category: MediaCategory? = nil,
    altText: String? = nil, subtitles: [SubtitleFile] = [], additionalOwners: [UserID]? = nil, shared: Bool? = nil,
    resuming resumption: UploadResumption? = nil, options: UploadOptions = UploadOptions()
  ) -> Upload<Media> {
    let uploading = MediaUploading(
      v1: self, type: type, use: use, category: category, altText: altText, subtitles: subtitles,
      owners: additionalOwners, isShared: shared, resumption: resumption, options: options)
    return Upload { (reporter) throws(UploadError) in try await uploading.run(UploadContent(data: data), reporter) }
  }
}
