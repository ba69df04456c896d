import CallsignCatalogue
import CallsignGenerator
import Foundation

/// The names and paths of a package for one API.
struct PackageLayout {
  let folder: URL
  /// The name of the Swift client type.
  let apiName: String
  /// The name of the package, its library and its target. It differs from the type's name, because Swift cannot distinguish a
  /// module from a type with the same name.
  let module: String

  /// - Parameters:
  ///   - folder: The package's folder, whose name the package gets.
  ///   - apiName: The name of the Swift client type.
  init(folder: String, apiName: String) {
    self.folder = URL(fileURLWithPath: folder, isDirectory: true).standardizedFileURL
    self.apiName = apiName
    let name = SwiftName.module(self.folder.lastPathComponent)
    module = name.isEmpty || name == apiName || Self.takenModules.contains(name) ? apiName + "Kit" : name
  }

  /// The layout of an earlier run with a known module.
  init(folder: URL, apiName: String, module: String) {
    self.folder = folder
    self.apiName = apiName
    self.module = module
  }

  /// Modules that the package imports, directly or indirectly.
  private static let takenModules: Set<String> = [
    "Callsign", "CallsignAuth", "CallsignHTTP", "CallsignJSON", "CallsignSupport", "Foundation",
    "FoundationEssentials", "HTTPTypes", "Logging", "Swift", "Testing",
  ]

  var sources: String { "Sources/\(module)" }
  var catalogue: String { "\(sources)/Catalogue" }
  var generated: String { "\(sources)/Generated" }
  var settings: String { "\(sources)/callsign.yaml" }
  var tests: String { "\(module)Tests" }
  var test: String { "Tests/\(tests)/\(apiName)CallTests.swift" }
  /// The overlay is next to the manifest. In a target, SwiftPM would ask for its purpose.
  var overlay: String { "\(apiName).overlay.yaml" }

  /// A Swift file next to the catalogue, because SwiftPM treats a target with only plugin-generated sources as empty.
  var conveniences: String { "\(sources)/\(apiName)+Conveniences.swift" }
  /// The initial content of the file.
  var begunConveniences: String {
    "// Write your own extensions of `\(apiName)` here. No run writes this file again.\n"
  }

  func path(_ relative: String) -> String { folder.appendingPathComponent(relative).path }
}

/// Where a package gets Callsign from: the line in its manifest.
struct CallsignDependency: Equatable {
  /// `.package(url: "…", from: "0.2.0")`
  let text: String

  init(url: String, version: String) {
    text = ".package(url: \(SwiftLiteral.string(url)), from: \(SwiftLiteral.string(version)))"
  }

  /// - Parameters:
  ///   - path: A checkout of Callsign.
  ///   - folder: The package's folder. The path of the checkout is relative to it.
  init(path: String, from folder: URL) {
    let checkout = URL(fileURLWithPath: path, isDirectory: true).standardizedFileURL
    let relative = checkout.relativePath(from: folder)
    text = ".package(name: \"callsign\", path: \(SwiftLiteral.string(relative)))"
  }

  private init(text: String) { self.text = text }

  /// Whether the source is a folder by its absolute path, which other machines do not have.
  var isOnThisMachineOnly: Bool { text.contains("path: \"/") }

  /// The one that a manifest of an earlier run has, so that it need not be said again.
  init?(inManifest text: String) {
    let lines = text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
    let known = lines.first { $0.hasPrefix(".package(") && $0.lowercased().contains("callsign") }
    guard var line = known, PackageFile.isMarked(text) else { return nil }
    if line.hasSuffix(",") { line.removeLast() }
    self.init(text: line)
  }

  /// The checkout that the running tool was built in; `nil` if there is none.
  static var checkoutOfTool: String? {
    guard var folder = Bundle.main.executableURL?.resolvingSymlinksInPath().deletingLastPathComponent() else {
      return nil
    }
    while folder.pathComponents.count > 1 {
      let files = ["Package.swift", "Plugins/GenerateAPI/GenerateAPI.swift"]
      let isCheckout = files.allSatisfy {
        FileManager.default.fileExists(atPath: folder.appendingPathComponent($0).path)
      }
      if isCheckout { return folder.path }
      folder.deleteLastPathComponent()
    }
    return nil
  }
}

extension URL {
  /// The path of the file relative to the folder.
  func relativePath(from folder: URL) -> String {
    let target = resolvingSymlinksInPath().pathComponents
    let folder = folder.resolvingSymlinksInPath().pathComponents
    let common = zip(target, folder).prefix { $0 == $1 }.count
    // The paths share only the root, so a relative path would say less.
    if common <= 1 { return "/" + target.dropFirst().joined(separator: "/") }
    let steps = Array(repeating: "..", count: folder.count - common) + target[common...]
    return steps.isEmpty ? "." : steps.joined(separator: "/")
  }
}
