import CallsignCatalogue
import CallsignHTTP
import CallsignOpenAPI
import CallsignSupport
import Foundation

/// The current files of a catalogue, and their cached excerpts.
struct CatalogueFiles {
  /// The key of the excerpts in the cache; `nil` if nothing is cached.
  let key: String?
  private let path: String
  private let folders: [String]
  private let cache: CatalogueCache

  private static let sizeLimit = 64 << 20
  private static let fileLimit = 2_000

  /// Reads the bytes of all files.
  ///
  /// - Parameters:
  ///   - path: A folder, a catalogue file or a document.
  ///   - folders: The folders whose files a document can refer to, in addition to its own folder.
  ///   - auth: The credentials to use if a document states none. Default: none.
  init(
    _ path: String, alsoIn folders: [String], auth: [AuthRequirement] = [], cache: CatalogueCache = CatalogueCache()
  ) {
    self.path = path
    self.folders = folders
    self.cache = cache
    let given = auth.isEmpty ? [] : [(path: "--auth", bytes: Array("\(auth)".utf8))]
    key = Self.files(path).flatMap { cache.key($0 + given) }
  }

  /// The excerpts that an earlier call cached.
  var kept: CatalogueExcerpts? {
    let references = ReferencedFiles(beside: path, alsoIn: folders)
    return key.flatMap { cache.excerpts($0) { try? references.bytes($0) } }
  }

  /// Caches a catalogue made from these files.
  ///
  /// - Parameter references: The files that its document refers to.
  /// - Returns: Its excerpts; `nil` if it cannot be split.
  func keep(_ catalogue: Catalogue, _ references: ReferenceRecord) -> CatalogueExcerpts? {
    // The files are written again, because people may put several entries on one line.
    let sources = CatalogueWriter().files(for: catalogue).filter { $0.path != CatalogueExamples.fileName }.map {
      CatalogueSource(path: $0.path, bytes: Array($0.text.utf8))
    }
    guard let excerpts = try? CatalogueExcerpts(catalogue, sources: sources) else { return nil }
    if let key { cache.keep(excerpts, key, references: references.files) }
    return excerpts
  }

  /// `nil` if there is nothing, or too much.
  private static func files(_ path: String) -> [(path: String, bytes: [UInt8])]? {
    guard let isFolder = try? URL(fileURLWithPath: path).resourceValues(forKeys: [.isDirectoryKey]).isDirectory else {
      return nil
    }
    var names = isFolder ? [] : [path, OverlayFile.path(beside: path)]
    if isFolder {
      guard let paths = FileManager.default.enumerator(atPath: path) else { return nil }
      for case let name as String in paths {
        guard ["yaml", "yml", "json"].contains((name as NSString).pathExtension) else { continue }
        names.append(path + "/" + name)
        guard names.count <= fileLimit else { return nil }
      }
      names.sort()
    }
    var files: [(path: String, bytes: [UInt8])] = []
    var total = 0
    for name in names {
      guard let data = try? Data(contentsOf: URL(fileURLWithPath: name)) else { continue }
      total += data.count
      guard total <= sizeLimit else { return nil }
      files.append((String(name.dropFirst(isFolder ? path.count : 0)), [UInt8](data)))
    }
    return files.isEmpty ? nil : files
  }
}

/// Records the files that a document refers to while they are read.
final class ReferenceRecord: Sendable {
  private let read = Locked<[String: String]>([:])

  /// The files so far, by path.
  var files: [CatalogueCache.Reference] {
    read.withLock { $0 }.sorted { $0.key < $1.key }.map { CatalogueCache.Reference(path: $0.key, hash: $0.value) }
  }

  /// A reader that records what it reads.
  func noting(_ references: ReferencedFiles) -> @Sendable (String) throws(ImportError) -> [UInt8]? {
    { path throws(ImportError) in
      // A later call may be allowed to read a file that this one may not.
      self.read.withLock { $0[path] = "" }
      let bytes = try references.bytes(path)
      if let hash = bytes.flatMap(CatalogueCache.hash) { self.read.withLock { $0[path] = hash } }
      return bytes
    }
  }
}
