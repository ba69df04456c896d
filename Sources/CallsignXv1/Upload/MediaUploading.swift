import Callsign
import XCore

/// One upload with all that belongs to it: the file, then its alternative text and subtitles.
struct MediaUploading: Sendable {
  var v1: XAPIv1
  var type: MediaFormat?
  var use: UploadPurpose
  var category: XAPIv1.MediaCategory?
  var altText: String?
  var subtitles: [SubtitleFile] = []
  var owners: [XAPIv1.UserID]?
  var isShared: Bool?
  var resumption: UploadResumption?
  var options: UploadOptions

  func run(_ content: UploadContent, _ reporter: UploadReporter) async throws(UploadError) -> XAPIv1.Media {
    let item = try MediaItem(
      content, format: type, for: use, category: category?.rawValue, sizeLimit: options.sizeLimit)
    try item.check(altText: altText, hasSubtitles: !subtitles.isEmpty)
    // What is wrong with them is better known before a long upload than after it.
    for file in subtitles { _ = try file.open() }
    let media = try await send(item, reporter)
    if let altText { try await v1.describe(media.mediaIDString, altText: altText, options.call) }
    for file in subtitles {
      try await v1.addSubtitles(file, to: media.mediaIDString, category: item.category ?? "", options: options)
    }
    return media
  }

  private func send(_ item: MediaItem, _ reporter: UploadReporter) async throws(UploadError) -> XAPIv1.Media {
    let steps = MediaUploadSteps(v1: v1, item: item, owners: owners, isShared: isShared, options: options.callOnce)
    return try await ChunkedUpload(
      item.content, mediaType: item.format.rawValue, by: steps, options: options, time: v1.client.configuration.time,
      resuming: resumption
    ).run(reporter)
  }
}

extension XAPIv1 {
  func describe(_ id: String, altText: String, _ options: CallOptions) async throws(UploadError) {
    do throws(CallError) {
      _ = try await postMediaMetadataCreate(mediaID: id, altText: AltText(text: altText), options: options)
    } catch { throw UploadError(error, .describe, uploadID: id) }
  }

  func addSubtitles(
    _ file: SubtitleFile, to id: String, category: String, options: UploadOptions
  ) async throws(UploadError) {
    let item = try file.open()
    do throws(UploadError) {
      let track = try await MediaUploading(
        v1: self, type: item.format, use: .post, category: .subtitles, options: options
      ).run(item.content, UploadReporter.silent)
      do throws(CallError) {
        let subtitle = Subtitle(
          languageCode: file.language, mediaID: track.mediaIDString, displayName: file.displayName)
        _ = try await postMediaSubtitlesCreate(
          mediaID: id, mediaCategory: MediaCategory(rawValue: category),
          subtitleInfo: SubtitleInfo(subtitles: [subtitle]),
          options: options.call)
      } catch { throw UploadError(error, .describe, uploadID: id) }
    } catch {
      // The video is there; only what belongs to it is not.
      throw UploadError(error.cause, uploadID: id)
    }
  }
}
