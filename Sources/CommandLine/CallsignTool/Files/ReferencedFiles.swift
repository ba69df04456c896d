import ArgumentParser
import CallsignOpenAPI
import Foundation

/// The option for folders whose files a document can refer to, in addition to its own folder.
struct ReferenceOptions: ParsableArguments {
  @Option(
    name: .customLong("allow-references"),
    help: ArgumentHelp(
      "A folder whose files the document may refer to, besides its own folder; may be repeated.", valueName: "folder"),
    completion: .directory)
  var folders: [String] = []
}

/// The files that a document can refer to. Its author may be untrusted and must not make the program read arbitrary files. Files
/// are read below the document's folder, below folders that the user names, and below the current folder if it contains the
/// document. A home folder, or a folder that contains home folders, counts only if the user names it.
struct ReferencedFiles: Sendable {
  /// The document's own name.
  let fileName: String
  private let folder: URL
  /// The folders, with symbolic links resolved.
  private let allowed: [String]

  /// - Parameters:
  ///   - document: The document's path.
  ///   - folders: The folders that the user names.
  init(beside document: String, alsoIn folders: [String] = []) {
    let file = URL(fileURLWithPath: document)
    fileName = file.lastPathComponent
    folder = file.deletingLastPathComponent()
    let own = Self.resolved(folder.path)
    let homes = [
      FileManager.default.homeDirectoryForCurrentUser.path, ProcessInfo.processInfo.environment["HOME"] ?? "",
    ]
    .compactMap(Self.resolved)
    // A home folder contains keys and passwords, whether the document is in it or the command runs in it.
    func isHarmless(_ folder: String) -> Bool { !homes.contains { Self.contains(folder, $0) } }
    var allowed = folders.compactMap(Self.resolved)
    if let own {
      if isHarmless(own) { allowed.append(own) }
      if let current = Self.resolved(FileManager.default.currentDirectoryPath), Self.contains(current, own),
        isHarmless(current)
      {
        allowed.append(current)
      }
    }
    self.allowed = allowed
  }

  /// The bytes of a file; `nil` if it does not exist.
  ///
  /// - Parameter path: The path relative to the document's folder.
  /// - Throws: ``ImportError`` for a file that may not be read, with what to do.
  func bytes(_ path: String) throws(ImportError) -> [UInt8]? {
    guard let file = Self.resolved(folder.appending(path: path).path) else { return nil }
    guard allowed.contains(where: { Self.contains($0, file) }) else {
      throw .reference(
        "`\(path)` is outside the document's folder, or that is a home folder, and it is not read; name a folder that it "
          + "is in by --allow-references",
        at: path)
    }
    return (try? Data(contentsOf: URL(fileURLWithPath: file))).map { [UInt8]($0) }
  }

  /// The path with symbolic links resolved; `nil` if nothing exists there.
  private static func resolved(_ path: String) -> String? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  private static func contains(_ folder: String, _ path: String) -> Bool {
    path == folder || path.hasPrefix(folder == "/" ? folder : folder + "/")
  }
}
