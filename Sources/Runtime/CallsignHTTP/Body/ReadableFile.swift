// Sound: the system gets each buffer with its size, and uses it during the call only.

import CallsignSupport

/// A regular file that is open for reading at any position, by several tasks at once.
///
/// It reads with `pread`, so there is no common position that tasks could disturb. If another file replaces it under
/// its name, the original is still read.
package final class ReadableFile: Sendable {
  private struct State {
    /// Negative once it is closed.
    var descriptor: Int32
    /// The number of reads that are under way; the descriptor's number must not be given to another file while they
    /// are.
    var readers = 0
    var isClosing = false
  }

  /// A mark that shows whether the file was changed.
  package struct Stamp: Hashable, Sendable {
    package var size: Int
    /// Since 1970.
    package var modified: Int
    var modifiedNanoseconds: Int
  }

  package let name: String
  /// As it was when it was opened.
  package let stamp: Stamp
  private let state: Locked<State>

  /// - Throws: ``FileProblem``.
  package init(_ url: URL) throws(FileProblem) {
    let name = url.lastPathComponent
    self.name = name
    guard url.isFileURL else { throw FileProblem(.notAFileURL, fileName: name) }
    // Without O_NONBLOCK, opening a pipe would wait for its writer.
    let descriptor = url.withUnsafeFileSystemRepresentation { path in
      path.map { open($0, O_RDONLY | O_NONBLOCK | O_CLOEXEC) } ?? -1
    }
    guard descriptor >= 0 else { throw FileProblem(Self.kind(ofCode: errno), fileName: name) }
    do throws(FileProblem) {
      stamp = try Self.stamp(of: descriptor, name)
      state = Locked(State(descriptor: descriptor))
    } catch {
      CallsignSupport.close(descriptor)
      throw error
    }
  }

  deinit { close() }

  /// Reads the available bytes, at most `count`; empty at the file's end.
  package func read(at offset: Int, upTo count: Int) throws(FileProblem) -> Data {
    let descriptor = try beginReading()
    defer { endReading() }
    var data = Data(count: max(0, count))
    while true {
      let result = data.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, $0.count, off_t(offset)) }
      if result >= 0 {
        // Most reads fill it; only a short one is worth a copy.
        return result == data.count ? data : Data(data.prefix(result))
      }
      let code = errno
      guard code == EINTR else { throw FileProblem(.system(code), fileName: name) }
    }
  }

  /// - Throws: ``FileProblem/Kind/changed`` if it was written to since it was opened.
  package func checkUnchanged() throws(FileProblem) {
    let descriptor = try beginReading()
    defer { endReading() }
    guard try Self.stamp(of: descriptor, name) == stamp else { throw FileProblem(.changed, fileName: name) }
  }

  /// Closes it as soon as no read is under way; further reads fail.
  package func close() {
    let idle = state.withLock { state -> Int32? in
      state.isClosing = true
      guard state.readers == 0, state.descriptor >= 0 else { return nil }
      defer { state.descriptor = -1 }
      return state.descriptor
    }
    if let idle { CallsignSupport.close(idle) }
  }

  private func beginReading() throws(FileProblem) -> Int32 {
    let descriptor = state.withLock { state -> Int32? in
      guard !state.isClosing, state.descriptor >= 0 else { return nil }
      state.readers += 1
      return state.descriptor
    }
    guard let descriptor else { throw FileProblem(.closed, fileName: name) }
    return descriptor
  }

  private func endReading() {
    let isLast = state.withLock { state in
      state.readers -= 1
      return state.isClosing && state.readers == 0
    }
    if isLast { close() }
  }

  private static func stamp(of descriptor: Int32, _ name: String) throws(FileProblem) -> Stamp {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw FileProblem(.system(errno), fileName: name) }
    switch status.st_mode & S_IFMT {
    case S_IFREG: break
    case S_IFDIR: throw FileProblem(.directory, fileName: name)
    default: throw FileProblem(.notARegularFile, fileName: name)
    }
    let modified = status.modified
    return Stamp(size: Int(status.st_size), modified: Int(modified.tv_sec), modifiedNanoseconds: Int(modified.tv_nsec))
  }

  private static func kind(ofCode code: Int32) -> FileProblem.Kind {
    switch code {
    case ENOENT, ENOTDIR: .missing
    case EACCES, EPERM: .unreadable
    case EISDIR: .directory
    // A socket's file, or a device that does not exist.
    case ENXIO, ENODEV: .notARegularFile
    default: .system(code)
    }
  }
}
