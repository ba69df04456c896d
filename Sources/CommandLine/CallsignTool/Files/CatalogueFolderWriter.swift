import ArgumentParser
import CallsignCatalogue
import CallsignCommandLine
import CallsignOpenAPI
import CallsignSupport
import Foundation

/// Writes the files of an imported catalogue, and removes those of an earlier import that it no longer contains.
struct CatalogueFolderWriter {
  let path: String

  /// The beginning of every imported file.
  private static let mark = "# Imported from the OpenAPI document"

  /// Whether the existing files come from an import.
  var isImport: Bool { hasFile { _ in true } }

  /// Whether the existing files come from an import with an overlay.
  var isImportWithOverlay: Bool { hasFile { head in head.contains { $0.contains(".overlay.yaml") } } }

  private func hasFile(whose isWanted: ([Substring]) -> Bool) -> Bool {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    return names.contains { name in
      guard name.hasSuffix(".yaml"), let text = try? String(contentsOfFile: path + "/" + name, encoding: .utf8) else {
        return false
      }
      let head = text.prefix(2_000).split(separator: "\n").prefix { $0.hasPrefix("#") }
      return head.first?.hasPrefix(Self.mark) == true && isWanted(Array(head))
    }
  }

  /// - Returns: The number of files written or removed. Files with the same text are not touched, so that a build sees no change.
  func write(_ files: [CatalogueFile]) throws -> Int {
    let folder = URL(fileURLWithPath: path, isDirectory: true)
    try refuseForeignFiles(of: files, in: folder)
    do {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      var changed = 0
      for file in files {
        let target = folder.appendingPathComponent(file.path)
        let bytes = Data(file.text.utf8)
        if let old = try? Data(contentsOf: target), old == bytes { continue }
        try bytes.write(to: target, options: .atomic)
        changed += 1
      }
      let kept = Set(files.map(\.path))
      for name in try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
      where (name.hasSuffix(".yaml") || name == CatalogueExamples.fileName) && !kept.contains(name) {
        let old = folder.appendingPathComponent(name)
        guard let text = try? String(contentsOf: old, encoding: .utf8), Self.isImported(text) else { continue }
        try FileManager.default.removeItem(at: old)
        changed += 1
      }
      return changed
    } catch {
      StandardError.write("\(path): error: the folder cannot be written: \(error.fileErrorReason)")
      throw ExitCode(73)
    }
  }

  private static func isImported(_ text: String) -> Bool {
    text.hasPrefix(mark) || text.hasPrefix(CatalogueExamples.mark)
  }

  /// A file with the same name that was not written by an import is someone's work.
  private func refuseForeignFiles(of files: [CatalogueFile], in folder: URL) throws {
    for file in files {
      let target = folder.appendingPathComponent(file.path)
      guard let old = try? String(contentsOf: target, encoding: .utf8), !old.isEmpty, !Self.isImported(old) else {
        continue
      }
      StandardError.write(
        "\(target.path): error: no import has written this file, and it would be overwritten; "
          + "choose another folder, or move it away")
      throw ExitCode(73)
    }
  }
}
