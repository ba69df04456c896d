import Callsign
import XCore

/// One upload with all that belongs to it: the file, then its alternative text and subtitles.
struct MediaUploading: Sendable {
  var x: XAPI
  var type: MediaFormat?
  var use: UploadPurpose
  var category: XAPI.MediaCategory?
  var altText: String?
  var subtitles: [SubtitleFile] = []
  var owners: [String]?
  var isShared: Bool?
  var resumption: UploadResumption?
  var options: UploadOptions

  func run(_ content: UploadContent, _ reporter: UploadReporter) async throws(UploadError) -> XAPI.MediaUpload {
    let item = try MediaItem(
      content, format: type, for: use, category: category?.rawValue, sizeLimit: options.sizeLimit)
    try item.check(altText: altText, hasSubtitles: !subtitles.isEmpty)
    // What is wrong with them is better known before a long upload than after it.
    for file in subtitles { _ = try file.open() }
    let media = try await send(item, reporter)
    if let altText { try await x.describe(media.id, altText: altText, options.call) }
    for file in subtitles {
      try await x.addSubtitles(file, to: media.id, category: item.category ?? "", options: options)
    }
    return media
  }

  private func send(_ item: MediaItem, _ reporter: UploadReporter) async throws(UploadError) -> XAPI.MediaUpload {
    let steps = MediaUploadSteps(x: x, item: item, owners: owners, isShared: isShared, options: options.callOnce)
    return try await ChunkedUpload(
      item.content, mediaType: item.format.rawValue, by: steps, options: options, time: x.client.configuration.time,
      resuming: resumption
    ).run(reporter)
  }
}

extension XAPI {
  func describe(_ id: String, altText: String, _ options: CallOptions) async throws(UploadError) {
    do throws(CallError) {
      _ = try await createMediaMetadata(
        id: id, metadata: MediaMetadata(altText: MediaMetadataAltText(text: altText)), options: options)
    } catch { throw UploadError(error, .describe, uploadID: id) }
  }

  func addSubtitles(
    _ file: SubtitleFile, to id: String, category: String, options: UploadOptions
  ) async throws(UploadError) {
    let item = try file.open()
    do throws(UploadError) {
      let track = try await MediaUploading(
        x: self, type: item.format, use: .post, category: .subtitles, options: options
      ).run(item.content, UploadReporter.silent)
      do throws(CallError) {
        _ = try await createMediaSubtitles(
          id: id, mediaCategory: category == "amplify_video" ? .amplifyVideo : .tweetVideo,
          subtitles: CreateMediaSubtitles(
            displayName: file.displayName, id: track.id, languageCode: file.language),
          options: options.call)
      } catch { throw UploadError(error, .describe, uploadID: id) }
    } catch {
      // The video is there; only what belongs to it is not.
      throw UploadError(error.cause, uploadID: id)
    }
  }
}
