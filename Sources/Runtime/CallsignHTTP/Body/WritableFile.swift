// Sound: the system reads the path during the call only.

import CallsignSupport

/// A new file that one task writes from its start to its end.
package final class WritableFile {
  private let descriptor: Int32
  private let name: String

  /// Creates the file, with the default permissions of the process.
  ///
  /// - Throws: ``FileProblem``, also if the file already exists.
  package init(making url: URL) throws(FileProblem) {
    name = url.lastPathComponent
    guard url.isFileURL else { throw FileProblem(.notAFileURL, fileName: name) }
    descriptor = url.withUnsafeFileSystemRepresentation { path in
      path.map { open($0, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666) } ?? -1
    }
    guard descriptor >= 0 else { throw FileProblem(.system(errno), fileName: name) }
  }

  deinit { close(descriptor) }

  /// Writes all of the bytes.
  package func write(_ data: Data) throws(FileProblem) {
    do throws(POSIXError) { try writeAll(data, to: descriptor) } catch {
      throw FileProblem(.system(error.code.rawValue), fileName: name)
    }
  }
}
