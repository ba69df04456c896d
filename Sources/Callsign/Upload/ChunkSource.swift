import CallsignHTTP
import Foundation

/// Reads one chunk of what is uploaded, and tells how far it has come.
///
/// `@unchecked Sendable`: a source is asked for one piece at a time, and by nobody else.
final class ChunkSource: BodySource, @unchecked Sendable {
  private let content: UploadContent
  private let range: Range<Int>
  private let report: @Sendable (Result<Int, FileProblem>) -> Void
  private var offset: Int

  /// - Parameter report: Is told how many bytes of the chunk were read so far, or why no more can be.
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
      // Before the last piece goes out, so that no chunk is complete of which a part may be another's.
      if offset == range.upperBound { try content.checkUnchanged() }
      report(.success(offset - range.lowerBound))
      return piece
    } catch {
      report(.failure(error))
      throw error
    }
  }
}
