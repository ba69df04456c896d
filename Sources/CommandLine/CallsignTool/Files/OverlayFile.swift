import CallsignCatalogue
import CallsignCommandLine
import CallsignOpenAPI
import Foundation

/// The file with people's changes and additions to an import.
struct OverlayFile {
  var path: String
  var overlay: CatalogueOverlay
  /// The overlays that would have been read instead of this one.
  private var others: [String] = []

  /// The name without folders, for the first lines of the imported files.
  var name: String { (path as NSString).lastPathComponent }

  /// The given file or, without one, `NAME.overlay.yaml` next to the first of the folders and documents that has one; `nil` if
  /// there is neither.
  init?(given: String?, beside paths: [String]) throws {
    let candidates = given.map { [$0] } ?? paths.map(Self.path)
    guard let path = given ?? candidates.first(where: { FileManager.default.fileExists(atPath: $0) }) else {
      for path in paths.map(Self.pathOfNotes) where FileManager.default.fileExists(atPath: path) {
        StandardError.write(
          "\(path): error: notes are no longer read; write an overlay instead (\((Self.path(beside: path) as NSString).lastPathComponent)), "
            + "as spec/README.md describes")
        throw InputFile.invalidInput
      }
      return nil
    }
    self.path = path
    overlay = CatalogueOverlay(CatalogueSource(path: path, bytes: try InputFile.bytes(path)))
    guard given == nil else { return }
    // A folder's overlay is already part of its files.
    others = paths.filter(Self.isFile).map(Self.path).filter {
      $0 != path && FileManager.default.fileExists(atPath: $0)
    }
  }

  /// One line for each overlay that is next to a document and is not read.
  var warnings: [String] {
    others.map { other in
      "\(other): warning: nothing of this is merged, as \(path) is; move its lines there, or name one with --overlay"
    }
  }

  /// `pets` and `pets.json` have the overlay `pets.overlay.yaml`.
  static func path(beside path: String) -> String { stem(path) + ".overlay.yaml" }

  private static func isFile(_ path: String) -> Bool {
    var isFolder: ObjCBool = false
    return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && !isFolder.boolValue
  }

  private static func pathOfNotes(beside path: String) -> String { stem(path) + ".notes.yaml" }

  private static func stem(_ path: String) -> String {
    var stem = path[...]
    while stem.count > 1, stem.hasSuffix("/") { stem = stem.dropLast() }
    for suffix in [".json", ".yaml", ".yml", ".notes"] where stem.hasSuffix(suffix) {
      stem = stem.dropLast(suffix.count)
    }
    return String(stem)
  }
}
