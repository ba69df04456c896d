import CallsignSupport

/// The catalogue files in a folder and its subfolders.
struct CatalogueFolder {
  var path: String

  /// The name of the folder in a target that contains its catalogue.
  static let name = "Catalogue"

  /// Whether a file contains examples instead of a catalogue.
  static func isExamples(_ path: String) -> Bool {
    path == CatalogueExamples.fileName || path.hasSuffix("/" + CatalogueExamples.fileName)
  }

  private static let maximumFileCount = 2_000
  private static let maximumFolderDepth = 16
  private static let maximumTotalByteCount = 64 << 20

  /// Reads all files, sorted by relative path. Files that cannot be read are reported as diagnostics.
  func sources() -> (sources: [CatalogueSource], diagnostics: [Diagnostic]) {
    guard let isFolder = Self.isFolder(path) else {
      let reason = "the file or folder does not exist; name a folder with catalogue files (*.yaml)"
      return ([], [error(reason, path.shownPath)])
    }
    var diagnostics: [Diagnostic] = []
    var files = [path]
    if isFolder {
      files = []
      collect(path, depth: 0, into: &files, &diagnostics)
      files = Self.sorted(files)
      if files.allSatisfy(Self.isExamples), diagnostics.isEmpty {
        diagnostics.append(error("no catalogue file (*.yaml) is in this folder; `callsign new` begins one", path))
      }
      if files.count > Self.maximumFileCount {
        return ([], [error("\(files.count) catalogue files are too many; at most \(Self.maximumFileCount)", path)])
      }
    }
    var sources: [CatalogueSource] = []
    var total = 0
    for file in files {
      switch read(file) {
      case .success(let bytes):
        total += bytes.count
        guard total <= Self.maximumTotalByteCount else {
          diagnostics.append(
            error(
              "the catalogue has more than \(Self.maximumTotalByteCount >> 20) MB with this file; remove some", file))
          return (sources, diagnostics)
        }
        sources.append(CatalogueSource(path: file, bytes: bytes))
      case .failure(let unreadable):
        diagnostics.append(error(unreadable.message, file))
      }
    }
    return (sources, diagnostics)
  }

  private static func sorted(_ names: [String]) -> [String] {
    names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  private func collect(_ folder: String, depth: Int, into files: inout [String], _ diagnostics: inout [Diagnostic]) {
    guard depth <= Self.maximumFolderDepth, files.count <= Self.maximumFileCount else {
      diagnostics.append(error("this nests too many folders; a link may point back up", folder))
      return
    }
    let names: [String]
    do {
      names = Self.sorted(try FileManager.default.contentsOfDirectory(atPath: folder))
    } catch let failure {
      diagnostics.append(error("the folder cannot be read: \(failure.fileErrorReason)", folder))
      return
    }
    for name in names where !name.hasPrefix(".") {
      let full = folder.hasSuffix("/") ? folder + name : folder + "/" + name
      guard let isFolder = Self.isFolder(full) else { continue }
      if isFolder {
        collect(full, depth: depth + 1, into: &files, &diagnostics)
        // A link to a parent folder would report the same error for every path through it.
        if diagnostics.hasErrors { return }
      } else if name.hasSuffix(".yaml") || name.hasSuffix(".yml"), !GenerationSettings.fileNames.contains(name) {
        files.append(full)
      } else if name == CatalogueExamples.fileName {
        files.append(full)
      }
    }
  }

  /// Whether the path is a folder; `nil` if nothing exists there. Links are followed.
  private static func isFolder(_ path: String) -> Bool? { status(path).map { $0.st_mode & S_IFMT == S_IFDIR } }

  private static func status(_ path: String) -> stat? {
    var status = stat()
    return stat(path, &status) == 0 ? status : nil
  }

  private struct Unreadable: Error { var message: String }

  /// The file's bytes, unless it is not a regular file or is larger than the loader accepts.
  private func read(_ file: String) -> Result<[UInt8], Unreadable> {
    guard let status = Self.status(file) else {
      return .failure(Unreadable(message: "the file cannot be read; check its permissions"))
    }
    guard status.st_mode & S_IFMT == S_IFREG else {
      return .failure(Unreadable(message: "this is not a regular file; a catalogue is read from plain files"))
    }
    guard status.st_size <= SourceText.maximumByteCount else {
      return .failure(
        Unreadable(
          message: "the file has \(status.st_size / 1_000_000) MB; a catalogue file may have "
            + "\(SourceText.maximumByteCount >> 20) MB: split it by groups of endpoints"))
    }
    do throws(POSIXError) {
      let descriptor = open(file, O_RDONLY | O_CLOEXEC)
      guard descriptor >= 0 else { throw .last }
      defer { close(descriptor) }
      // One byte more than allowed, so that a file that has grown in the meantime is rejected for its size.
      return .success([UInt8](try readAll(from: descriptor, limit: SourceText.maximumByteCount + 1)))
    } catch {
      return .failure(Unreadable(message: "the file cannot be read: \(error.fileErrorReason)"))
    }
  }

  private func error(_ message: String, _ file: String) -> Diagnostic {
    Diagnostic(.error, message, at: SourceLocation(file: file, line: 0, column: 0))
  }
}

extension String {
  /// The path as shown in messages. If it is a URL instead of a file, the user, password, query and fragment are removed.
  package var shownPath: String {
    guard let sign = firstRange(of: "://") else { return self }
    // A password may contain a question mark.
    let rest = self[sign.upperBound...]
    let host = rest.lastIndex(of: "@").map { rest[rest.index(after: $0)...] } ?? rest
    return String(self[..<sign.upperBound]) + host.prefix { $0 != "?" && $0 != "#" }
  }
}
