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

/// Files that their owner alone can read, from their first byte on.
package enum PrivateFile {
  /// Writes a new file beside the place and moves it there, so that neither an old file's permissions nor a link decide
  /// who reads it, and nobody reads half of it.
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

  /// Makes a folder, and those around it, that others cannot enter. One that is there already stays as it is.
  package static func makeFolder(_ path: String) throws {
    try FileManager.default.createDirectory(
      atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
  }

  /// The contents of a file with secrets; `nil` where there is none.
  ///
  /// - Parameters:
  ///   - path: Where it is. A link is followed, and the file's own permissions count.
  ///   - kind: Its name in a message, such as `the profile`.
  /// - Throws: `CommandLineError` where others can read or write it, and where it cannot be read. Pipes are read as they
  ///   are.
  package static func read(_ path: String, as kind: String) throws(CommandLineError) -> Data? {
    // A pipe that nobody writes into must not hold the program, unless it was named for that.
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

  /// Whether a path leads to something that is there once, such as a pipe, and not to a file.
  static func isReadOnce(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT != S_IFREG
  }

  /// The reason why a file or folder is not its owner's alone, and what to do; `nil` where it is, or is not there.
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
