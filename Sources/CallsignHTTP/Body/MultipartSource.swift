import Foundation

/// Reads a multipart body's segments one after the other.
///
/// `@unchecked Sendable`: a source is asked for one piece at a time, and by nobody else.
final class MultipartSource: BodySource, @unchecked Sendable {
  enum Problem: Error {
    /// The file has fewer bytes than when the body's length was told.
    case fileShrank
    /// A part's source yields more or fewer bytes than it announced.
    case wrongLength
  }

  private var segments: ArraySlice<MultipartSegment>
  private var rest = Data()
  private var file: (handle: FileHandle, left: Int)?
  private var source: (source: any BodySource, left: Int)?

  init(_ segments: [MultipartSegment]) { self.segments = segments[...] }

  deinit { try? file?.handle.close() }

  func next(limit: Int) async throws -> Data? {
    while true {
      if !rest.isEmpty {
        let piece = rest.prefix(limit)
        rest = rest.dropFirst(limit)
        return piece
      }
      if let piece = try readFile(limit) { return piece }
      if let piece = try await readSource(limit) { return piece }
      guard let segment = segments.popFirst() else { return nil }
      switch segment {
      case .bytes(let data): rest = data
      case .file(let url, let length): file = (try FileHandle(forReadingFrom: url), length)
      case .source(let part): source = (try part.open(), part.length)
      }
    }
  }

  private func readSource(_ limit: Int) async throws -> Data? {
    guard let (source, left) = source else { return nil }
    guard let piece = try await source.next(limit: limit) else {
      guard left == 0 else { throw Problem.wrongLength }
      self.source = nil
      return nil
    }
    guard piece.count <= left else { throw Problem.wrongLength }
    self.source = (source, left - piece.count)
    return piece
  }

  /// No more than was announced, even if the file has grown.
  private func readFile(_ limit: Int) throws -> Data? {
    guard let (handle, left) = file else { return nil }
    guard left > 0 else {
      try handle.close()
      file = nil
      return nil
    }
    guard let piece = try handle.read(upToCount: min(limit, left)), !piece.isEmpty else { throw Problem.fileShrank }
    file = (handle, left - piece.count)
    return piece
  }
}
