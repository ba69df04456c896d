import Callsign
import XCore

extension XAPI: MediaUploading {
  /// The requests for uploads in X's API v2.
  public var mediaRequests: MediaRequests<MediaUpload> {
    MediaRequests(
      client, id: { $0.id },
      announce: { upload, options async throws(CallError) in
        try await initializeMediaUpload(
          additionalOwners: upload.owners, mediaCategory: upload.category.map(MediaCategory.init(rawValue:)),
          mediaType: MediaType(rawValue: upload.mediaType), shared: upload.isShared, totalBytes: upload.size,
          options: options
        ).data.id
      },
      append: { chunk, index, id, options async throws(CallError) in
        _ = try await appendMediaUpload(id: id, media: chunk, segmentIndex: index, options: options)
      },
      finish: { id, options async throws(CallError) in
        let response = try await finalizeMediaUpload(id: id, options: options)
        return (response.data, response.body)
      },
      status: { id, options async throws(CallError) in
        let response = try await getMediaUploadStatus(mediaID: id, command: .status, options: options)
        return (response.data, response.body)
      },
      describe: { id, text, options async throws(CallError) in
        _ = try await createMediaMetadata(
          id: id, metadata: MediaMetadata(altText: MediaMetadataAltText(text: text)), options: options)
      },
      addSubtitles: { subtitles, options async throws(CallError) in
        _ = try await createMediaSubtitles(
          id: subtitles.videoID,
          mediaCategory: subtitles.videoCategory == "amplify_video" ? .amplifyVideo : .tweetVideo,
          subtitles: CreateMediaSubtitles(
            displayName: subtitles.displayName, id: subtitles.id, languageCode: subtitles.language),
          options: options)
      })
  }
}

extension XAPI: MessageMediaDownloading {}
