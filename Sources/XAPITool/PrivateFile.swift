import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A file that its owner alone can read, from its first byte on.
enum PrivateFile {
  /// Writes a new file beside the place and moves it there, so that neither an old file's permissions nor a link decide who reads it.
  static func write(_ contents: Data, to path: String) throws {
    let temporary = path + ".\(UInt64.random(in: 0 ... .max))"
    let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode_t(0o600))
    guard descriptor >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    do {
      try handle.write(contentsOf: contents)
      try handle.close()
      guard rename(temporary, path) == 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    } catch {
      _ = unlink(temporary)
      throw error
    }
  }
}
