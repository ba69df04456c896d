import Callsign
import XCore

/// The requests of which an upload by X's API v2 consists.
///
/// Source: <https://docs.x.com/x-api/media/quickstart/media-upload-chunked>
struct MediaUploadSteps: ChunkedUploadAPI {
  let x: XAPI
  let item: MediaItem
  let owners: [String]?
  let isShared: Bool?
  let options: CallOptions

  var chunkLimit: Int { MediaItem.segmentLimit }

  func begin(size: Int) async throws(CallError) -> String {
    try await x.initializeMediaUpload(
      additionalOwners: owners, mediaCategory: item.category.map(XAPI.MediaCategory.init(rawValue:)),
      mediaType: XAPI.MediaType(rawValue: item.format.rawValue), shared: isShared, totalBytes: size, options: options
    ).data.id
  }

  func append(_ chunk: FilePart, index: Int, to id: String) async throws(CallError) {
    do throws(CallError) {
      _ = try await x.appendMediaUpload(id: id, media: chunk, segmentIndex: index, options: options)
    } catch {
      // The status says that the chunk arrived; nothing is needed of the answer, and X has sent it empty.
      if case .unexpectedContent(let content) = error, content.kind == .empty { return }
      throw error
    }
  }

  func finish(_ id: String) async throws(CallError) -> UploadStage<XAPI.MediaUpload> {
    stage(try await x.finalizeMediaUpload(id: id, options: options))
  }

  func status(of id: String) async throws(CallError) -> UploadStage<XAPI.MediaUpload> {
    stage(try await x.getMediaUploadStatus(mediaID: id, command: .status, options: options))
  }

  private func stage(_ response: Response<XAPI.MediaUploadResponse>) -> UploadStage<XAPI.MediaUpload> {
    let info = response.data.processingInfo
    let state: ProcessingState? =
      switch info?.state {
      // Only a complete upload has a size.
      case nil: response.data.size == nil ? nil : .succeeded
      case "succeeded": .succeeded
      case "failed": .failed(failure(response))
      default: .pending(checkAfter: info?.checkAfterSecs.map { .seconds($0) }, percent: info?.progressPercent)
      }
    return UploadStage(receipt: response.data, processing: state)
  }

  /// The reason is not in X's description of the answer, but it is in the answer.
  private func failure(_ response: Response<XAPI.MediaUploadResponse>) -> ProcessingFailure {
    let answer = try? JSONValue(jsonData: response.body)
    let error = answer?["data"]?["processing_info"]?["error"]
    return ProcessingFailure(
      code: error?["code"]?.int, name: error?["name"]?.string, message: error?["message"]?.string)
  }
}
