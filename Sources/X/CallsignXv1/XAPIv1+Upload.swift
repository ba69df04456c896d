import Callsign
import XCore

extension XAPIv1: MediaUploading {
  /// The requests for uploads in X's REST API v1.1.
  public var mediaRequests: MediaRequests<Media> {
    MediaRequests(
      client, id: { $0.mediaIDString },
      announce: { upload, options async throws(CallError) in
        try await postMediaUploadInit(
          totalBytes: upload.size, mediaType: upload.mediaType,
          mediaCategory: upload.category.map(MediaCategory.init(rawValue:)), additionalOwners: upload.owners,
          shared: upload.isShared, options: options
        ).mediaIDString
      },
      append: { chunk, index, id, options async throws(CallError) in
        _ = try await postMediaUploadAppend(mediaID: id, segmentIndex: index, media: chunk, options: options)
      },
      finish: { id, options async throws(CallError) in
        let response = try await postMediaUploadFinalize(mediaID: id, options: options)
        return (response.value, response.body)
      },
      status: { id, options async throws(CallError) in
        let response = try await getMediaUpload(mediaID: id, options: options)
        return (response.value, response.body)
      },
      describe: { id, text, options async throws(CallError) in
        _ = try await postMediaMetadataCreate(mediaID: id, altText: AltText(text: text), options: options)
      },
      addSubtitles: { subtitles, options async throws(CallError) in
        let track = Subtitle(
          languageCode: subtitles.language, mediaID: subtitles.id, displayName: subtitles.displayName)
        _ = try await postMediaSubtitlesCreate(
          mediaID: subtitles.videoID, mediaCategory: MediaCategory(rawValue: subtitles.videoCategory),
          subtitleInfo: SubtitleInfo(subtitles: [track]), options: options)
      })
  }
}

extension XAPIv1: MessageMediaDownloading {}
