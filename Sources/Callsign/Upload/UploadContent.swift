import CallsignHTTP
import Foundation

/// What is uploaded: a file on disk, of which only what is on its way is ever in memory, or bytes in memory.
public struct UploadContent: Sendable {
  private enum Storage {
    case file(ReadableFile)
    case data(Data)
  }

  private let storage: Storage
  /// How many bytes it has, at least one.
  public let size: Int
  /// The file's name without its folder; empty for bytes in memory.
  public let fileName: String

  /// Opens a file. It is closed when its upload is over, or when nobody holds this value.
  ///
  /// - Throws: ``UploadError`` with a ``FileProblem`` if it is not there, empty, no regular file, or may not be read.
  public init(file: URL) throws(UploadError) {
    do throws(FileProblem) {
      let file = try ReadableFile(file)
      guard file.stamp.size > 0 else { throw FileProblem(.empty, fileName: file.name) }
      storage = .file(file)
      size = file.stamp.size
      fileName = file.name
    } catch { throw UploadError(.file(error)) }
  }

  /// Takes bytes in memory.
  ///
  /// - Throws: ``UploadError`` with a ``FileProblem`` if there are none.
  public init(data: Data) throws(UploadError) {
    guard !data.isEmpty else { throw UploadError(.file(FileProblem(.empty, fileName: ""))) }
    storage = .data(data)
    size = data.count
    fileName = ""
  }

  /// Reads what is there from an offset on, at most `count` bytes; empty from the end on.
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

  /// By which an upload that is resumed knows the same content; `nil` for bytes in memory, of which only the size counts.
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
