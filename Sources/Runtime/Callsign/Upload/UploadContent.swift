import CallsignHTTP
import CallsignSupport

/// A file to upload, or bytes in memory. Of a file, only the pieces being sent are in memory.
public struct UploadContent: Sendable {
  private enum Storage {
    case file(ReadableFile)
    case data(Data)
  }

  private let storage: Storage
  /// The size in bytes, at least one.
  public let size: Int
  /// The file's name without its folder; empty for bytes in memory.
  public let fileName: String

  /// Opens a file. It is closed when its upload is over, or when nothing holds this value any more.
  ///
  /// - Throws: ``UploadError`` with a ``FileProblem`` if the file does not exist, is empty, is not a regular file, or
  ///   may not be read.
  public init(file: URL) throws(UploadError) {
    do throws(FileProblem) {
      let file = try ReadableFile(file)
      guard file.stamp.size > 0 else { throw FileProblem(.empty, fileName: file.name) }
      storage = .file(file)
      size = file.stamp.size
      fileName = file.name
    } catch { throw UploadError(.file(error)) }
  }

  /// Uses bytes in memory.
  ///
  /// - Throws: ``UploadError`` with a ``FileProblem`` if there are none.
  public init(data: Data) throws(UploadError) {
    guard !data.isEmpty else { throw UploadError(.file(FileProblem(.empty, fileName: ""))) }
    storage = .data(data)
    size = data.count
    fileName = ""
  }

  /// Reads at most `count` bytes from an offset; the result is empty at the end.
  ///
  /// - Throws: ``UploadError`` with a ``FileProblem`` if the file cannot be read.
  public func bytes(at offset: Int, upTo count: Int) throws(UploadError) -> Data {
    do throws(FileProblem) { return try read(at: offset, upTo: count) } catch { throw UploadError(.file(error)) }
  }

  func read(at offset: Int, upTo count: Int) throws(FileProblem) -> Data {
    switch storage {
    case .file(let file): return try file.read(at: offset, upTo: count)
    case .data(let data):
      guard (0..<data.count).contains(offset), count > 0 else { return Data() }
      return data.dropFirst(offset).prefix(count)
    }
  }

  /// Identifies the content if an upload is resumed; `nil` for bytes in memory, which are checked only by size.
  var stamp: ReadableFile.Stamp? {
    switch storage {
    case .file(let file): file.stamp
    case .data: nil
    }
  }

  /// - Throws: ``FileProblem/Kind/changed`` if a file was written to since it was opened.
  func checkUnchanged() throws(FileProblem) {
    if case .file(let file) = storage { try file.checkUnchanged() }
  }

  /// Closes a file; the upload is over.
  func close() {
    if case .file(let file) = storage { file.close() }
  }
}

/// Cuts a content into chunks.
struct ChunkPlan: Sendable {
  let size: Int
  let chunkSize: Int

  /// - Parameters:
  ///   - size: The bytes of the whole, at least one.
  ///   - chunkSize: The requested size; raised if there would be more chunks than `limit`.
  init(size: Int, chunkSize: Int, limit: Int) {
    self.size = size
    self.chunkSize = max(1, chunkSize, (size - 1) / max(1, limit) + 1)
  }

  /// Continues with the chunk size of the earlier upload.
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

/// Reads one chunk of an upload, and reports how much of it was read.
///
/// `@unchecked Sendable`: only one caller uses a source, and requests one piece at a time.
final class ChunkSource: BodySource, @unchecked Sendable {
  private let content: UploadContent
  private let range: Range<Int>
  private let report: @Sendable (Result<Int, FileProblem>) -> Void
  private var offset: Int

  /// - Parameter report: Receives the number of bytes of the chunk read so far, or the reason why no more can be read.
  init(
    _ content: UploadContent, _ range: Range<Int>, report: @escaping @Sendable (Result<Int, FileProblem>) -> Void
  ) {
    self.content = content
    self.range = range
    self.report = report
    offset = range.lowerBound
  }

  func next(limit: Int) async throws -> Data? {
    guard offset < range.upperBound else { return nil }
    do throws(FileProblem) {
      let piece = try content.read(at: offset, upTo: min(limit, range.upperBound - offset))
      guard !piece.isEmpty else { throw FileProblem(.changed, fileName: content.fileName) }
      offset += piece.count
      // Before the last piece is sent, so that no chunk is completed with a part of a changed file.
      if offset == range.upperBound { try content.checkUnchanged() }
      report(.success(offset - range.lowerBound))
      return piece
    } catch {
      report(.failure(error))
      throw error
    }
  }
}
