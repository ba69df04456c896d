import Callsign
import CallsignSupport

/// The requests of one upload.
struct MediaChunks<Media: Sendable>: ChunkedUploadAPI {
  let requests: MediaRequests<Media>
  let item: MediaItem
  let owners: [String]?
  let isShared: Bool?
  let options: CallOptions

  var chunkLimit: Int { MediaItem.segmentLimit }

  func begin(size: Int) async throws(CallError) -> String {
    let announcement = MediaRequests<Media>.Announcement(
      size: size, mediaType: item.format.rawValue, category: item.category, owners: owners, isShared: isShared)
    return try await requests.announce(announcement, options)
  }

  func append(_ chunk: FilePart, index: Int, to id: String) async throws(CallError) {
    do throws(CallError) { try await requests.append(chunk, index, id, options) } catch {
      // The status says that the chunk arrived. The body is not needed, and X has sent it empty. If a response is cut
      // off, the chunk may be cut off too.
      switch error {
      case .unreadableResult(let result):
        if case .unexpectedContent(let content) = result.cause, content.kind != .empty { throw error }
      case .unexpectedContent(let content) where content.kind == .empty: return
      default: throw error
      }
    }
  }

  func finish(_ id: String) async throws(CallError) -> UploadStage<Media> {
    stage(try await requests.finish(id, options))
  }

  func status(of id: String) async throws(CallError) -> UploadStage<Media> {
    stage(try await requests.status(id, options))
  }

  /// Both versions describe the processing in the same words, v2 inside `data`. Only the response has the reason for a
  /// failure; X's description of v2 lacks it.
  private func stage(_ response: MediaRequests<Media>.Reply) -> UploadStage<Media> {
    let document = try? JSONValue(jsonData: response.body)
    let media = document?["data"] ?? document
    let info = media?["processing_info"]
    let state: ProcessingState? =
      switch info?["state"]?.string {
      // Only a complete upload has a size.
      case nil: media?["size"]?.int == nil ? nil : .succeeded
      case "succeeded": .succeeded
      case "failed":
        .failed(
          ProcessingFailure(
            code: info?["error"]?["code"]?.int, name: info?["error"]?["name"]?.string,
            message: info?["error"]?["message"]?.string))
      default:
        .pending(
          checkAfter: info?["check_after_secs"]?.int.map { .seconds($0) }, percent: info?["progress_percent"]?.int)
      }
    return UploadStage(receipt: response.media, processing: state)
  }
}
