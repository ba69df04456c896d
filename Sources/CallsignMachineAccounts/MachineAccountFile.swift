import Foundation

/// A file in which a command-line tool keeps accounts.
public struct MachineAccountFile: Sendable, Hashable {
  /// Whose file it is, which says how it is laid out.
  public let source: MachineAccount.Source
  /// Where it is. For `xurl` it may be the folder that its newer versions keep `auth.yml` in.
  public let url: URL

  /// `xurl`'s file.
  ///
  /// - Parameter url: Where it is; `~/.xurl` by default.
  public static func xurl(_ url: URL = home(".xurl")) -> MachineAccountFile {
    MachineAccountFile(source: .xurl, url: url)
  }

  /// `twurl`'s file.
  ///
  /// - Parameter url: Where it is; `~/.twurlrc` by default.
  public static func twurl(_ url: URL = home(".twurlrc")) -> MachineAccountFile {
    MachineAccountFile(source: .twurl, url: url)
  }

  /// A file of the user's home folder.
  public static func home(_ name: String) -> URL {
    let home = ProcessInfo.processInfo.environment["HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
    return URL(fileURLWithPath: home ?? NSHomeDirectory()).appendingPathComponent(name)
  }

  /// The file itself.
  var path: String {
    var isFolder: ObjCBool = false
    let exists = FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder)
    return exists && isFolder.boolValue ? url.appendingPathComponent("auth.yml").path : url.path
  }

  private static let sizeLimit = 1 << 20

  /// The file's bytes; `nil` when there is none.
  func read(allowingOthers: Bool) throws(MachineAccountError) -> Data? {
    let path = path
    // A pipe would keep the thread until somebody writes into it.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else {
      if errno == ENOENT || errno == ENOTDIR { return nil }
      throw unreadable(String(cString: strerror(errno)))
    }
    let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw unreadable(String(cString: strerror(errno))) }
    guard status.st_mode & S_IFMT == S_IFREG else { throw unreadable("it is no ordinary file") }
    guard allowingOthers || status.st_mode & 0o077 == 0 else {
      throw MachineAccountError(
        .readableByOthers,
        advice: """
          others can read or write \(path); run `chmod 600 '\(path)'`, or allow it where the file is read, if that is \
          meant to be
          """)
    }
    let data: Data?
    do { data = try handle.read(upToCount: Self.sizeLimit + 1) } catch { throw unreadable("\(error)") }
    guard let data else { return Data() }
    guard data.count <= Self.sizeLimit else { throw malformed("is bigger than such a file gets") }
    return data
  }

  private func unreadable(_ why: String) -> MachineAccountError {
    MachineAccountError(
      .unreadable, advice: "\(path) cannot be read: \(why); give this program permission, or name another file")
  }

  /// - Parameter problem: What is wrong with the file, without any of its values.
  func malformed(_ problem: String) -> MachineAccountError {
    MachineAccountError(
      .malformed,
      advice: "\(path) \(problem); mend it, or move it away and log in with \(source.rawValue) again"
        .filter { !$0.isNewline })
  }
}
