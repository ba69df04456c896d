import CallsignHTTP
import CallsignSupport
import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Files that only their owner can read, from their first byte on.
package enum PrivateFile {
  /// Writes a new file in the same folder and moves it into place. Permissions of an old file or a link then cannot decide who
  /// reads it, and nobody reads a half-written file.
  package static func write(_ contents: Data, to path: String) throws(POSIXError) {
    let temporary = path + ".\(UInt64.random(in: 0 ... .max))"
    let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode_t(0o600))
    guard descriptor >= 0 else { throw .last }
    let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    var failure: POSIXError?
    do {
      try handle.write(contentsOf: contents)
      try handle.synchronize()
      try handle.close()
      if rename(temporary, path) != 0 { failure = POSIXError.last }
    } catch {
      failure = (error as? POSIXError) ?? POSIXError(.EIO)
    }
    if let failure {
      _ = unlink(temporary)
      throw failure
    }
  }

  /// Creates a folder, and its parent folders, that others cannot enter. An existing folder is unchanged.
  package static func makeFolder(_ path: String) throws {
    try FileManager.default.createDirectory(
      atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
  }

  /// The contents of a file with secrets; `nil` if it does not exist.
  ///
  /// - Parameters:
  ///   - path: The path of the file. A link is followed, and the file's own permissions count.
  ///   - kind: Its name in a message, such as `the profile`.
  /// - Throws: `CommandLineError` if others can read or write it, or it cannot be read. Pipes are read without this check.
  package static func read(_ path: String, as kind: String) throws(CommandLineError) -> Data? {
    // A pipe without a writer must not block the program, unless it was named for that.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      if errno == ENOENT || errno == ENOTDIR { return nil }
      throw CommandLineError("\(kind) \(path) cannot be read: \(String(cString: strerror(errno)))", .noInput)
    }
    let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT != S_IFDIR else {
      throw CommandLineError("\(kind) \(path) is not a file", .noInput)
    }
    if status.st_mode & S_IFMT == S_IFREG, let problem = problem(status, path) {
      throw CommandLineError("\(kind) \(path) is not safe: \(problem)")
    }
    do { return try handle.read(upToCount: sizeLimit) ?? Data() } catch {
      throw CommandLineError("\(kind) \(path) cannot be read", .noInput)
    }
  }

  private static let sizeLimit = 4 << 20

  /// Whether a path leads to something that can be read only once, such as a pipe, instead of a file.
  static func isReadOnce(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT != S_IFREG
  }

  /// The reason why others can access a file or folder, and what to do; `nil` if only its owner can, or it does not exist.
  package static func problem(at path: String) -> String? {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    return problem(status, path)
  }

  private static func problem(_ status: stat, _ path: String) -> String? {
    let isFolder = status.st_mode & S_IFMT == S_IFDIR
    if status.st_uid != geteuid(), geteuid() != 0 { return "it belongs to somebody else; make your own" }
    guard status.st_mode & 0o077 != 0 else { return nil }
    return "others can read or write it; run `chmod \(isFolder ? 700 : 600) \(path.shellQuoted)`"
  }
}
