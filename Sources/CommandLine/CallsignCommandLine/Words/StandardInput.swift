import CallsignHTTP
import CallsignJSON
import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Standard input, which can be read only once: for a value or for the body. Bodies can also be in files and pipes.
package final class StandardInput {
  private var isRead = false

  package init() {}

  /// The maximum number of bytes to read, because a device may be endless.
  private static let sizeLimit = 1 << 30

  /// Reads all of it.
  package func read() throws(CommandLineError) -> Data {
    guard !isRead else { throw CommandLineError("- is given twice, and standard input is there once") }
    isRead = true
    return try Self.all(of: .standardInput, "standard input")
  }

  /// Reads a body from a file, a pipe or a device, or from standard input for `-`.
  package func body(_ path: String) throws(CommandLineError) -> Data {
    path == "-" ? try read() : try Self.contents(of: path, as: "the body's file")
  }

  /// The contents of a file, a pipe or a device.
  ///
  /// - Parameter kind: Its name in a message, such as `the body's file`.
  package static func contents(of path: String, as kind: String) throws(CommandLineError) -> Data {
    let name = "\(kind) \(path.printable)"
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw CommandLineError("\(name) cannot be read: \(String(cString: strerror(errno)))", .noInput)
    }
    let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT != S_IFDIR else {
      throw CommandLineError("\(name) cannot be read: it is a folder", .noInput)
    }
    return try all(of: handle, name)
  }

  /// Parses a body's JSON.
  package static func json(ofBody body: Data) throws(CommandLineError) -> JSONValue {
    do { return try JSONValue(jsonData: body) } catch {
      throw CommandLineError("the body is not JSON: \(error)", .invalidInput)
    }
  }

  private static func all(of handle: FileHandle, _ name: String) throws(CommandLineError) -> Data {
    var data = Data()
    while true {
      let piece: Data?
      do { piece = try handle.read(upToCount: 1 << 20) } catch {
        throw CommandLineError("\(name) cannot be read", .noInput)
      }
      guard let piece, !piece.isEmpty else { return data }
      data.append(piece)
      guard data.count <= sizeLimit else {
        throw CommandLineError("\(name) has more than \(sizeLimit >> 20) MiB", .invalidInput)
      }
    }
  }
}
