// The command plugin compiles this file, too (through a symbolic link).

import Foundation

/// The catalogue of a target: the YAML files below its folder `Catalogue`, and the settings that go with them. Other YAML
/// files of the target are none of Callsign's business.
struct CatalogueFiles {
  /// Sorted by path.
  private(set) var catalogue: [URL] = []
  /// `callsign.yaml`, in the target's folder or in `Catalogue`.
  private(set) var settings: [URL] = []
  /// `examples.json` in `Catalogue`: nothing is generated of it, but a file that nobody takes is a warning of SwiftPM's.
  private(set) var examples: [URL] = []
  /// Whether the target has YAML files elsewhere.
  private(set) var hasOthers = false

  /// - Parameters:
  ///   - files: The target's files.
  ///   - folder: The target's folder; `nil` where it has none of its own, as in an Xcode project.
  init(_ files: [URL], in folder: URL?) {
    // `Catalogue` may be a link to elsewhere, and the files may be named by where it leads.
    let roots = folder.map { folder -> [String] in
      let catalogue = folder.appending(path: Self.folderName)
      return [catalogue.path + "/", catalogue.resolvingSymlinksInPath().path + "/"]
    }
    for file in files where ["yaml", "yml", "json"].contains(file.pathExtension.lowercased()) {
      let isInside =
        roots.map { $0.contains { file.path.hasPrefix($0) } }
        ?? file.deletingLastPathComponent().pathComponents.contains(Self.folderName)
      if file.pathExtension.lowercased() == "json" {
        if isInside, file.lastPathComponent == "examples.json" { examples.append(file) }
      } else if file.deletingPathExtension().lastPathComponent == "callsign" {
        settings.append(file)
      } else if isInside {
        catalogue.append(file)
      } else {
        hasOthers = true
      }
    }
    catalogue.sort { $0.path < $1.path }
  }

  private static let folderName = "Catalogue"

  /// States why there is nothing to generate.
  func problem(ofTarget target: String) -> String {
    "the target \(target) has no catalogue: its folder `\(Self.folderName)` has no file (.yaml)"
      + (hasOthers ? "; YAML files elsewhere in the target are left alone" : "")
  }
}
