import CallsignCatalogue
import Foundation

/// The files that an earlier run left in a package's folder under other names of API and module.
struct EarlierRun {
  private let old: PackageLayout
  private let files = FileManager.default

  /// - Returns: `nil` if no run has created a package in the folder.
  init?(in folder: URL) {
    let sources = folder.appendingPathComponent("Sources")
    let modules = ((try? files.contentsOfDirectory(atPath: sources.path)) ?? []).filter { module in
      CatalogueFolderWriter(path: sources.appendingPathComponent("\(module)/Catalogue").path).isImport
    }
    guard modules.count == 1, let module = modules.first,
      let name = CatalogueLoader().load(folder: sources.appendingPathComponent("\(module)/Catalogue").path)
        .catalogue?.api.name
    else { return nil }
    old = PackageLayout(folder: folder, apiName: name, module: module)
  }

  /// The layout of this run. If the user has edited the manifest, which names the module, the earlier module name is kept.
  func layout(apiName: String) -> PackageLayout {
    let manifest = try? String(contentsOfFile: old.path("Package.swift"), encoding: .utf8)
    if let manifest, !PackageFile.isUnedited(manifest) {
      return PackageLayout(folder: old.folder, apiName: apiName, module: old.module)
    }
    return PackageLayout(folder: old.folder.path, apiName: apiName)
  }

  /// Renames the files of the earlier run to this run's names. Files written by people are moved unchanged; files that only the
  /// command wrote are removed, because they are written again.
  ///
  /// - Parameter overlay: The overlay that this run has read.
  /// - Returns: One line for each file that people may look for.
  /// - Throws: A file system error.
  func move(to new: PackageLayout, overlay: String?) throws -> [String] {
    var lines: [String] = []
    if old.module != new.module {
      lines += try move(old.sources, to: new.sources, in: new)
      lines += try move("Tests/\(old.tests)", to: "Tests/\(new.tests)", in: new)
    }
    let before = PackageLayout(folder: old.folder, apiName: old.apiName, module: new.module)
    if let overlay, URL(fileURLWithPath: overlay).lastPathComponent != new.overlay {
      lines += try move(URL(fileURLWithPath: overlay).lastPathComponent, to: new.overlay, in: new)
    }
    guard before.apiName != new.apiName else { return lines }
    if let text = try? String(contentsOfFile: new.path(before.test), encoding: .utf8) {
      if PackageFile.isUnedited(text) {
        try files.removeItem(atPath: new.path(before.test))
      } else {
        lines.append(
          "kept \(before.test): it has been edited, and calls `\(before.apiName)`, which is `\(new.apiName)` now")
      }
    }
    if let text = try? String(contentsOfFile: new.path(before.conveniences), encoding: .utf8) {
      if text == before.begunConveniences {
        try files.removeItem(atPath: new.path(before.conveniences))
      } else {
        lines += try move(before.conveniences, to: new.conveniences, in: new)
        lines.append("`\(before.apiName)` is `\(new.apiName)` now; what you wrote may name it")
      }
    }
    return lines
  }

  private func move(_ source: String, to target: String, in layout: PackageLayout) throws -> [String] {
    guard files.fileExists(atPath: layout.path(source)) else { return [] }
    guard !files.fileExists(atPath: layout.path(target)) else {
      return ["kept \(source): \(target) also exists, and is used"]
    }
    try files.moveItem(atPath: layout.path(source), toPath: layout.path(target))
    return ["moved \(source) to \(target)"]
  }
}
