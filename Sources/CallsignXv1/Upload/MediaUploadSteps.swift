import Callsign
import XCore

/// The requests of which an upload by X's REST API v1.1 consists.
///
/// Source: <https://developer.x.com/en/docs/x-api/v1/media/upload-media/uploading-media/chunked-media-upload>
struct MediaUploadSteps: ChunkedUploadAPI {
  let v1: XAPIv1
  let item: MediaItem
  let owners: [XAPIv1.UserID]?
  let isShared: Bool?
  let options: CallOptions

  var chunkLimit: Int { MediaItem.segmentLimit }

  func begin(size: Int) async throws(CallError) -> String {
    try await v1.postMediaUploadInit(
      totalBytes: size, mediaType: item.format.rawValue,
      mediaCategory: item.category.map(XAPIv1.MediaCategory.init(rawValue:)), additionalOwners: owners,
      shared: isShared,
      options: options
    ).mediaIDString
  }

  func append(_ chunk: FilePart, index: Int, to id: String) async throws(CallError) {
    _ = try await v1.postMediaUploadAppend(mediaID: id, segmentIndex: index, media: chunk, options: options)
  }

  func finish(_ id: String) async throws(CallError) -> UploadStage<XAPIv1.Media> {
    stage(try await v1.postMediaUploadFinalize(mediaID: id, options: options))
  }

  func status(of id: String) async throws(CallError) -> UploadStage<XAPIv1.Media> {
    stage(try await v1.getMediaUpload(mediaID: id, options: options))
  }

  private func stage(_ response: Response<XAPIv1.Media>) -> UploadStage<XAPIv1.Media> {
    let info = response.processingInfo
    let state: ProcessingState? =
      switch info?.state {
      // Only a complete upload has a size.
      case nil: response.size == nil ? nil : .succeeded
      case .succeeded: .succeeded
      case .failed:
        .failed(
          ProcessingFailure(code: info?.error?.code, name: info?.error?.name, message: info?.error?.message))
      case .pending, .inProgress, .unknown:
        .pending(checkAfter: info?.checkAfterSecs.map { .seconds($0) }, percent: info?.progressPercent)
      }
    return UploadStage(receipt: response.value, processing: state)
  }
}
