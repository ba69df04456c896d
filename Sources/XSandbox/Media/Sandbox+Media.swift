import Foundation

extension Sandbox {
  /// What has arrived of an upload.
  public struct Media: Sendable, Hashable {
    /// The id, as the API writes it.
    public let id: String
    /// The id of the user who uploads it.
    public let owner: String
    /// As announced, such as `video/mp4`.
    public let mediaType: String
    /// As announced, or what X assumes.
    public let category: String
    /// The bytes that have arrived.
    public let size: Int
    /// How many segments have arrived.
    public let segments: Int
    /// The SHA-256 of all bytes in hexadecimal; `nil` until the upload is finalized.
    public let sha256: String?
    /// The alternative text.
    public let altText: String?
    /// The ids of the uploads that are its subtitles, by language.
    public let subtitles: [String: String]
  }

  /// What has arrived of an upload; `nil` if there is none with this id.
  public func media(_ id: String) async -> Media? {
    guard let record = await pipeline.store.perform({ world in Identifier(id).flatMap { world.media[$0] } }) else {
      return nil
    }
    let subtitles = record.subtitles.map { ($0.language, String($0.media)) }
    return Media(
      id: String(record.id), owner: String(record.owner), mediaType: record.mediaType, category: record.category,
      size: record.receivedSize, segments: record.segments.count, sha256: record.sha256, altText: record.altText,
      subtitles: Dictionary(subtitles, uniquingKeysWith: { $1 }))
  }

  /// Says what happens to the videos and animated GIFs whose upload is finalized from now on. At first, the third question
  /// about the state is answered with success.
  public func setMediaProcessing(_ processing: MediaProcessing) async {
    await pipeline.store.perform { $0.mediaProcessing = processing }
  }
}
