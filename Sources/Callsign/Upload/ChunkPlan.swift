/// How a content is cut into chunks.
struct ChunkPlan: Sendable {
  let size: Int
  let chunkSize: Int

  /// - Parameters:
  ///   - size: The bytes of the whole, at least one.
  ///   - chunkSize: As wished; raised if there would be more chunks than `limit`.
  init(size: Int, chunkSize: Int, limit: Int) {
    self.size = size
    self.chunkSize = max(1, chunkSize, (size - 1) / max(1, limit) + 1)
  }

  /// Continues as it was begun.
  init(_ resumption: UploadResumption) {
    size = resumption.size
    chunkSize = max(1, resumption.chunkSize)
  }

  var count: Int { (size - 1) / chunkSize + 1 }

  /// The bytes of a chunk.
  func range(_ index: Int) -> Range<Int> {
    let start = index * chunkSize
    return start..<min(size, start + chunkSize)
  }
}
