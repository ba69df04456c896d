/// Where an upload that failed or was cancelled can go on. An app may keep it, as any `Codable` value, and hand it to an
/// upload of the same file later, as long as the API keeps what it has: X does so for a day.
public struct UploadResumption: Sendable, Hashable, Codable {
  /// The API's id of the upload.
  public var uploadID: String
  /// The bytes of each chunk but the last.
  public var chunkSize: Int
  /// The numbers of the chunks that the API has, in ascending order.
  public var finishedChunks: [Int]
  /// Whether the API knows that it has all of them.
  public var isFinished: Bool
  /// The bytes of the whole file.
  public var size: Int
  /// When the file was last changed, in whole seconds since 1970; `nil` for bytes in memory.
  public var modified: Int?
}

extension UploadResumption {
  /// Whether this is about such a content.
  func matches(_ content: UploadContent) -> Bool {
    size == content.size && modified == content.stamp?.modified && chunkSize > 0
  }
}
