/// How far an upload has come.
public struct UploadProgress: Sendable, Hashable {
  /// What is being done.
  public enum Phase: Sendable, Hashable {
    /// Chunks are sent.
    case sending
    /// All is sent, and the API processes it; how many percent are done, where it tells.
    case processing(percent: Int?)
    /// The API has taken the upload.
    case finished
  }

  /// What is being done.
  public var phase: Phase
  /// The bytes of the file that were handed to the network. It never falls, and bytes that are sent again count once.
  public var sentBytes: Int
  /// The bytes of the whole file.
  public var totalBytes: Int

  /// From 0 to 1, by the bytes sent.
  public var fractionCompleted: Double { totalBytes > 0 ? Double(sentBytes) / Double(totalBytes) : 0 }
}
