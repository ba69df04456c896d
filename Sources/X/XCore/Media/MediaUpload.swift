import Callsign
import CallsignHTTP
import CallsignSupport

/// A version of X's API that accepts pictures and videos: `XAPI` or `XAPIv1`. This protocol has what both versions have
/// in common.
public protocol MediaUploading: Sendable {
  /// The version's description of an uploaded file.
  associatedtype UploadReceipt: Sendable
  /// The version's names for X's categories.
  associatedtype MediaCategory: OpenEnum

  /// The version's requests for uploads.
  var mediaRequests: MediaRequests<UploadReceipt> { get }
}

/// The requests for uploads of one version of X's API.
///
/// Source: <https://docs.x.com/x-api/media/quickstart/media-upload-chunked> (v2),
/// <https://developer.x.com/en/docs/x-api/v1/media/upload-media/uploading-media/chunked-media-upload> (v1.1)
public struct MediaRequests<Media: Sendable>: Sendable {
  /// The arguments that announce an upload, in terms that the versions share.
  package struct Announcement: Sendable {
    package var size: Int
    package var mediaType: String
    package var category: String?
    package var owners: [String]?
    package var isShared: Bool?
  }

  /// A file of subtitles that has been uploaded for a video.
  package struct Subtitles: Sendable {
    package var id: String
    package var language: String
    package var displayName: String
    package var videoID: String
    package var videoCategory: String
  }

  /// A response's media, and its body, which contains more than X's description of it.
  package typealias Reply = (media: Media, body: Data)

  let time: any TimeSource
  let id: @Sendable (Media) -> String
  let announce: @Sendable (Announcement, CallOptions) async throws(CallError) -> String
  let append: @Sendable (FilePart, Int, String, CallOptions) async throws(CallError) -> Void
  let finish: @Sendable (String, CallOptions) async throws(CallError) -> Reply
  let status: @Sendable (String, CallOptions) async throws(CallError) -> Reply
  let describe: @Sendable (String, String, CallOptions) async throws(CallError) -> Void
  let addSubtitles: @Sendable (Subtitles, CallOptions) async throws(CallError) -> Void

  /// Describes a version.
  ///
  /// - Parameters:
  ///   - client: The client that sends the requests.
  ///   - id: Reads the media's id.
  ///   - announce: Begins an upload, and returns its id.
  ///   - append: Sends a chunk, with its number, to the upload with this id.
  ///   - finish: Reports that all chunks were sent to the upload with this id.
  ///   - status: Asks for the processing state of this id.
  ///   - describe: Gives the media with this id an alternative text.
  ///   - addSubtitles: Adds uploaded subtitles to a video.
  package init(
    _ client: Client, id: @escaping @Sendable (Media) -> String,
    announce: @escaping @Sendable (Announcement, CallOptions) async throws(CallError) -> String,
    append: @escaping @Sendable (FilePart, Int, String, CallOptions) async throws(CallError) -> Void,
    finish: @escaping @Sendable (String, CallOptions) async throws(CallError) -> Reply,
    status: @escaping @Sendable (String, CallOptions) async throws(CallError) -> Reply,
    describe: @escaping @Sendable (String, String, CallOptions) async throws(CallError) -> Void,
    addSubtitles: @escaping @Sendable (Subtitles, CallOptions) async throws(CallError) -> Void
  ) {
    time = client.configuration.time
    self.id = id
    self.announce = announce
    self.append = append
    self.finish = finish
    self.status = status
    self.describe = describe
    self.addSubtitles = addSubtitles
  }
}

extension MediaUploading {
  /// Uploads a picture, GIF, video or subtitles from a file of any size. Only the chunks in transit are in memory.
  ///
  /// Type and category are detected from the first bytes and the file's name, and the size is checked before anything
  /// is sent. Several chunks are sent at a time, with retries. The call returns when X has processed the file. If you
  /// cancel the task, the upload ends.
  ///
  /// ```swift
  /// let media = try await x.upload(file: url, altText: "A cat on a keyboard")
  /// ```
  ///
  /// Source: <https://docs.x.com/x-api/media/quickstart/media-upload-chunked>
  ///
  /// - Parameters:
  ///   - file: The URL of the file.
  ///   - type: A media type that replaces the one detected from the first bytes.
  ///   - use: The purpose, which decides the category. Default: a post.
  ///   - category: X's category that replaces the one for the use.
  ///   - altText: A description of the picture for people who cannot see it; at most 1000 characters.
  ///   - subtitles: Files of subtitles that are also uploaded, and added to the video.
  ///   - additionalOwners: The ids of other users who may use it.
  ///   - shared: Whether it may be used in several direct messages.
  ///   - resumption: The point where an earlier upload of the same file stopped: ``UploadError/resumption``.
  ///   - options: The size of chunks, how many to send at a time, how many attempts each gets, how long processing may
  ///     take.
  ///   - progress: Called with the progress of the upload, one call at a time.
  /// - Throws: ``UploadError``.
  @discardableResult
  public func upload(
    file: URL, type: MediaFormat? = nil, for use: UploadPurpose = .post, category: MediaCategory? = nil,
    altText: String? = nil, subtitles: [SubtitleFile] = [], additionalOwners: [String]? = nil, shared: Bool? = nil,
    resuming resumption: UploadResumption? = nil, options: UploadOptions = UploadOptions(),
    progress: (@Sendable (UploadProgress) -> Void)? = nil
  ) async throws(UploadError) -> UploadReceipt {
    let upload = MediaUpload(
      requests: mediaRequests, type: type, use: use, category: category?.rawValue, altText: altText,
      subtitles: subtitles, owners: additionalOwners, isShared: shared, resumption: resumption, options: options)
    let content = try UploadContent(file: file)
    return try await UploadReporter.observing(progress) { (reporter) throws(UploadError) in
      try await upload.run(content, reporter)
    }
  }

  /// Uploads bytes in memory; otherwise the same as
  /// ``upload(file:type:for:category:altText:subtitles:additionalOwners:shared:resuming:options:progress:)``.
  ///
  /// - Throws: ``UploadError``.
  @discardableResult
  public func upload(
    data: Data, type: MediaFormat? = nil, for use: UploadPurpose = .post, category: MediaCategory? = nil,
    altText: String? = nil, subtitles: [SubtitleFile] = [], additionalOwners: [String]? = nil, shared: Bool? = nil,
    resuming resumption: UploadResumption? = nil, options: UploadOptions = UploadOptions(),
    progress: (@Sendable (UploadProgress) -> Void)? = nil
  ) async throws(UploadError) -> UploadReceipt {
    let upload = MediaUpload(
      requests: mediaRequests, type: type, use: use, category: category?.rawValue, altText: altText,
      subtitles: subtitles, owners: additionalOwners, isShared: shared, resumption: resumption, options: options)
    let content = try UploadContent(data: data)
    return try await UploadReporter.observing(progress) { (reporter) throws(UploadError) in
      try await upload.run(content, reporter)
    }
  }

  /// Starts the upload of a file in a new task, so that you can read its progress as a sequence; otherwise the same as
  /// ``upload(file:type:for:category:altText:subtitles:additionalOwners:shared:resuming:options:progress:)``.
  ///
  /// ```swift
  /// let upload = x.startUpload(file: url)
  /// for await progress in upload.progress { print(progress.fractionCompleted) }
  /// let media = try await upload.value
  /// ```
  public func startUpload(
    file: URL, type: MediaFormat? = nil, for use: UploadPurpose = .post, category: MediaCategory? = nil,
    altText: String? = nil, subtitles: [SubtitleFile] = [], additionalOwners: [String]? = nil, shared: Bool? = nil,
    resuming resumption: UploadResumption? = nil, options: UploadOptions = UploadOptions()
  ) -> Upload<UploadReceipt> {
    let upload = MediaUpload(
      requests: mediaRequests, type: type, use: use, category: category?.rawValue, altText: altText,
      subtitles: subtitles, owners: additionalOwners, isShared: shared, resumption: resumption, options: options)
    return Upload { (reporter) throws(UploadError) in try await upload.run(UploadContent(file: file), reporter) }
  }

  /// Starts the upload of bytes in memory in a new task; otherwise the same as
  /// ``startUpload(file:type:for:category:altText:subtitles:additionalOwners:shared:resuming:options:)``.
  public func startUpload(
    data: Data, type: MediaFormat? = nil, for use: UploadPurpose = .post, category: MediaCategory? = nil,
    altText: String? = nil, subtitles: [SubtitleFile] = [], additionalOwners: [String]? = nil, shared: Bool? = nil,
    resuming resumption: UploadResumption? = nil, options: UploadOptions = UploadOptions()
  ) -> Upload<UploadReceipt> {
    let upload = MediaUpload(
      requests: mediaRequests, type: type, use: use, category: category?.rawValue, altText: altText,
      subtitles: subtitles, owners: additionalOwners, isShared: shared, resumption: resumption, options: options)
    return Upload { (reporter) throws(UploadError) in try await upload.run(UploadContent(data: data), reporter) }
  }

  /// Adds a description to an upload, for people who cannot see it.
  ///
  /// - Parameters:
  ///   - text: At most 1000 characters.
  ///   - mediaID: The upload's id.
  ///   - options: Options of this call that differ from the client's configuration.
  /// - Throws: ``UploadError``.
  public func setAltText(
    _ text: String, of mediaID: String, options: CallOptions = CallOptions()
  ) async throws(UploadError) {
    try MediaItem.check(altText: text)
    do throws(CallError) { try await mediaRequests.describe(mediaID, text, options) } catch {
      throw UploadError(error, .describe, uploadID: mediaID)
    }
  }

  /// Uploads a file of subtitles, and adds it to a video that was uploaded before.
  ///
  /// - Parameters:
  ///   - subtitles: The file, its language, and the language's name.
  ///   - mediaID: The video's id.
  ///   - category: The video's category. Default: `nil`, the category of videos in posts.
  ///   - options: How to upload the file. Its checkpoint is not called, because this upload cannot be resumed.
  /// - Throws: ``UploadError``.
  public func addSubtitles(
    _ subtitles: SubtitleFile, to mediaID: String, category: MediaCategory? = nil,
    options: UploadOptions = UploadOptions()
  ) async throws(UploadError) {
    try await mediaRequests.add(
      subtitles, to: mediaID, category: category?.rawValue ?? MediaCategoryRule.postVideo, options)
  }
}

/// One upload with everything that belongs to it: the file, then its alternative text and subtitles.
private struct MediaUpload<Media: Sendable>: Sendable {
  var requests: MediaRequests<Media>
  var type: MediaFormat?
  var use: UploadPurpose = .post
  var category: String?
  var altText: String?
  var subtitles: [SubtitleFile] = []
  var owners: [String]?
  var isShared: Bool?
  var resumption: UploadResumption?
  var options: UploadOptions

  func run(_ content: UploadContent, _ reporter: UploadReporter) async throws(UploadError) -> Media {
    let item = try MediaItem(content, format: type, for: use, category: category, sizeLimit: options.sizeLimit)
    try item.check(altText: altText, hasSubtitles: !subtitles.isEmpty)
    // Mistakes in them are better found before a long upload than after it.
    for file in subtitles { _ = try file.open() }
    let chunks = MediaChunks(
      requests: requests, item: item, owners: owners, isShared: isShared, options: options.singleAttemptOptions)
    let point = Locked(resumption)
    var noting = options
    noting.checkpoint = { [checkpoint = options.checkpoint] reached in
      point.withLock { $0 = reached }
      await checkpoint?(reached)
    }
    let media = try await ChunkedUpload(
      item.content, mediaType: item.format.rawValue, by: chunks, options: noting, time: requests.time,
      resuming: resumption
    ).run(reporter)
    let id = requests.id(media)
    do throws(UploadError) {
      if let altText {
        // Sending it twice changes nothing, so it is retried as the chunks are.
        do throws(CallError) {
          try await options.attempt(by: requests.time) { () throws(CallError) in
            try await requests.describe(id, altText, options.singleAttemptOptions)
          }
        } catch { throw UploadError(error, .describe, uploadID: id) }
      }
      // The file's own limit applies.
      var others = options
      others.sizeLimit = nil
      for file in subtitles { try await requests.add(file, to: id, category: item.category ?? "", others) }
    } catch {
      // The file is uploaded: resuming adds what belongs to it, and does not send the file again.
      throw UploadError(error.cause, uploadID: id, resumption: point.withLock { $0 })
    }
    return media
  }
}

extension MediaRequests {
  fileprivate func add(
    _ file: SubtitleFile, to id: String, category: String, _ options: UploadOptions
  ) async throws(UploadError) {
    let item = try file.open()
    // Its checkpoints would be mistaken for the video's.
    var options = options
    options.checkpoint = nil
    do throws(UploadError) {
      let track = try await MediaUpload(
        requests: self, type: item.format, category: item.category, options: options
      ).run(item.content, UploadReporter.silent)
      let subtitles = Subtitles(
        id: self.id(track), language: file.language, displayName: file.displayName, videoID: id, videoCategory: category
      )
      do throws(CallError) {
        try await options.attempt(by: time) { () throws(CallError) in
          try await addSubtitles(subtitles, options.singleAttemptOptions)
        }
      } catch { throw UploadError(error, .describe, uploadID: id) }
    } catch {
      // The video is uploaded; only what belongs to it is missing.
      guard case .call(let refusal, _) = error.cause else { throw UploadError(error.cause, uploadID: id) }
      throw UploadError(refusal, .describe, uploadID: id)
    }
  }
}
