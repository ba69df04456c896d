// The command plugin also compiles this file (through a symbolic link).

import Foundation

/// The catalogue of a target: the YAML files below its folder `Catalogue`, and their settings. Callsign ignores other YAML files of
/// the target.
struct CatalogueFiles {
  /// The files, sorted by path.
  private(set) var catalogue: [URL] = []
  /// `callsign.yaml`, in the target's folder or in `Catalogue`.
  private(set) var settings: [URL] = []
  /// `examples.json` in `Catalogue`. Nothing is generated from it, but SwiftPM warns about files that no command uses.
  private(set) var examples: [URL] = []
  /// Whether the target has YAML files elsewhere.
  private(set) var hasOthers = false

  /// - Parameters:
  ///   - files: The target's files.
  ///   - folder: The target's folder; `nil` if it has none, as in an Xcode project.
  init(_ files: [URL], in folder: URL?) {
    // `Catalogue` may be a link, and the files may be named by the link's target.
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

  /// Explains why there is nothing to generate.
  func problem(ofTarget target: String) -> String {
    "the target \(target) has no catalogue: its folder `\(Self.folderName)` has no file (.yaml)"
      + (hasOthers ? "; YAML files elsewhere in the target are left alone" : "")
  }
}
