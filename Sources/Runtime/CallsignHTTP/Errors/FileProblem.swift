import CallsignSupport

/// The error of a file that cannot be uploaded.
public struct FileProblem: Error, Sendable, Hashable {
  /// A kind of problem.
  public enum Kind: Sendable, Hashable {
    /// The URL is not that of a file.
    case notAFileURL
    /// The file does not exist.
    case missing
    /// It is a directory.
    case directory
    /// It is a pipe, a socket or a device.
    case notARegularFile
    /// This process may not read it.
    case unreadable
    /// It has no bytes.
    case empty
    /// It was written to, or cut short, while it was being uploaded.
    case changed
    /// The system could not open or read it; the number is that of `errno`.
    case system(Int32)
    /// The upload is over and has closed it.
    case closed
  }

  /// The kind of the problem.
  public var kind: Kind
  /// The file's name without its folder; empty for bytes in memory.
  public var fileName: String

  /// Creates a problem.
  ///
  /// - Parameters:
  ///   - kind: The kind of the problem.
  ///   - fileName: The file's name without its folder.
  public init(_ kind: Kind, fileName: String) {
    self.kind = kind
    self.fileName = fileName
  }
}

extension FileProblem: CallsignError {
  /// States the problem and how to solve it, in one line.
  public var description: String {
    let name = fileName.isEmpty ? "the data" : "the file `\(fileName.printable)`"
    return switch kind {
    case .notAFileURL: "the URL is not a file's; download what it names first, or make it by URL(fileURLWithPath:)"
    case .missing: "\(name) does not exist; check its path"
    case .directory: "`\(fileName.printable)` is a directory; name a file in it"
    case .notARegularFile: "\(name) is a pipe, socket or device; write what it yields to a file and upload that"
    case .unreadable: "\(name) may not be read by this process; change its permissions"
    case .empty: "\(name) has no bytes; check that it was written completely"
    case .changed: "\(name) changed while it was being uploaded; upload it again when nobody writes to it"
    case .system(let code): "\(name) could not be read: \(String(cString: strerror(code))); check the disk, then retry"
    case .closed: "\(name) is closed because its upload is over; begin another upload"
    }
  }

  /// The same as ``description``.
  public var errorDescription: String? { description }
}
