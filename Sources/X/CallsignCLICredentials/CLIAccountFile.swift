import CallsignHTTP
import CallsignSupport
import CallsignYAML
import Foundation

/// A file that contains a command-line tool's accounts.
public struct CLIAccountFile: Sendable, Hashable {
  /// The tool that owns the file. It determines the file's layout.
  public let source: CLIAccount.Source
  /// The URL of the file. For `xurl`, it can be the folder in which newer versions store `auth.yml`.
  public let url: URL

  /// `xurl`'s file.
  ///
  /// - Parameter url: The URL of the file. Default: `~/.xurl`.
  public static func xurl(_ url: URL = home(".xurl")) -> CLIAccountFile {
    CLIAccountFile(source: .xurl, url: url)
  }

  /// `twurl`'s file.
  ///
  /// - Parameter url: The URL of the file. Default: `~/.twurlrc`.
  public static func twurl(_ url: URL = home(".twurlrc")) -> CLIAccountFile {
    CLIAccountFile(source: .twurl, url: url)
  }

  /// A file in the user's home folder.
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

  /// The file's bytes; `nil` if it does not exist.
  func read(allowingOthers: Bool) throws(CLIAccountError) -> Data? {
    let path = path
    // A pipe would block the thread until someone writes to it.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else {
      if errno == ENOENT || errno == ENOTDIR { return nil }
      throw unreadable(String(cString: strerror(errno)))
    }
    let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw unreadable(String(cString: strerror(errno))) }
    guard status.st_mode & S_IFMT == S_IFREG else { throw unreadable("it is not an ordinary file") }
    guard allowingOthers || status.st_mode & 0o077 == 0 else {
      throw CLIAccountError(
        .readableByOthers,
        advice: """
          others can read or write \(path); run `chmod 600 \(path.shellQuoted)`, or allow it where the file is read, if \
          that is meant to be
          """)
    }
    let data: Data?
    do { data = try handle.read(upToCount: Self.sizeLimit + 1) } catch { throw unreadable("\(error)") }
    guard let data else { return Data() }
    guard data.count <= Self.sizeLimit else { throw malformed("is too big for such a file") }
    return data
  }

  private func unreadable(_ why: String) -> CLIAccountError {
    CLIAccountError(
      .unreadable, advice: "\(path) cannot be read: \(why); give this program permission, or name another file")
  }

  /// - Parameter problem: The mistake in the file, without any of its values.
  func malformed(_ problem: String) -> CLIAccountError {
    CLIAccountError(
      .malformed,
      advice: "\(path) \(problem); correct it, or move it away and log in with \(source.rawValue) again"
        .filter { !$0.isNewline })
  }
}

/// The reason why accounts of command-line tools cannot be read or used.
public struct CLIAccountError: Error, Sendable, Hashable {
  /// The problem.
  public enum Reason: Sendable, Hashable {
    /// The file does not exist.
    case missingFile
    /// The system does not let this program read the file.
    case unreadable
    /// Others can read or write the file.
    case readableByOthers
    /// The file is not YAML, or has unexpected content.
    case malformed
    /// The account does not exist, or there are no accounts.
    case noSuchAccount
    /// The account lacks credentials for signing requests.
    case incomplete
    /// The access token has expired.
    case expired
  }

  /// The problem.
  public var reason: Reason
  /// What to do, in one sentence. It may name a path and accounts, but never a secret.
  public var advice: String

  /// Creates a problem.
  public init(_ reason: Reason, advice: String) {
    self.reason = reason
    self.advice = advice
  }
}

extension CLIAccountError: CallsignError {
  /// The advice, in one line.
  public var description: String { advice }
  /// The same as ``description``.
  public var errorDescription: String? { description }
}

extension CLIAccountFile {
  /// The file's YAML; `nil` if it is empty.
  func yaml(_ bytes: Data) throws(CLIAccountError) -> YAMLNode? {
    let document: YAMLDocument
    do throws(YAMLError) {
      document = try YAMLDocument([UInt8](bytes), rules: .init(maximumDepth: 15, aliases: .ofScalars))
    } catch {
      // Only the location, because the parser's message can repeat content of the file.
      let place = "(line \(error.line), column \(error.column))"
      switch error.problem {
      case .notUTF8: throw malformed("is not UTF-8 \(place)")
      case .anchoredCollection: throw malformed("has an anchor on a list or mapping \(place)")
      case .tooDeep: throw malformed("nests too deeply \(place)")
      default: throw malformed("is not YAML \(place)")
      }
    }
    if let key = document.duplicateKeys.first {
      throw malformed("is not YAML (the key of line \(key.first.line) is there again in line \(key.second.line))")
    }
    return document.root
  }
}

extension YAMLNode {
  /// The members of a mapping whose names are strings; `nil` if this is not such a mapping. An empty value is an empty mapping.
  var members: [(name: String, value: YAMLNode)]? {
    switch content {
    case .mapping(let mapping):
      mapping.entries.compactMap { entry in
        guard case .scalar(let name) = entry.key.content else { return nil }
        return (name.text, entry.value)
      }
    case .scalar(let scalar): Self.isNullText(scalar.text) ? [] : nil
    case .list: nil
    }
  }

  subscript(_ name: String) -> YAMLNode? { members?.first { $0.name == name }?.value }

  /// A string that is not empty, quoted or not.
  var text: String? {
    guard case .scalar(let scalar) = content, !Self.isNullText(scalar.text) else { return nil }
    return scalar.text
  }
}
