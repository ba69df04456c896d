import Foundation
import PackagePlugin

/// Generates the Swift sources of the catalogue files (`.yaml`, `.yml`) in a target, at build time.
@main struct GenerateAPI: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
    guard let module = target.sourceModule else { return [] }
    return commands(
      target: target.name, files: module.sourceFiles.map(\.url), tool: try context.tool(named: "GenerateAPITool").url,
      into: context.pluginWorkDirectoryURL)
  }

  /// One command for all files: they are checked together, and the tool leaves alone what did not change.
  private func commands(target: String, files: [URL], tool: URL, into folder: URL) -> [Command] {
    var catalogue: [URL] = []
    var configuration: [URL] = []
    var sources: [String] = []
    for file in files {
      switch file.pathExtension.lowercased() {
      case "swift": sources.append(file.lastPathComponent)
      case "yaml", "yml":
        if file.deletingPathExtension().lastPathComponent == "callsign" {
          configuration.append(file)
        } else {
          catalogue.append(file)
        }
      default: break
      }
    }
    guard !catalogue.isEmpty else {
      Diagnostics.warning("the target \(target) has no catalogue file (.yaml), so GenerateAPI has nothing to generate")
      return []
    }
    catalogue.sort { $0.path < $1.path }
    let names = OutputNames.names(for: catalogue.map(\.path), avoiding: sources)
    var arguments = ["--output-dir", folder.path, "--target", target]
    for file in configuration { arguments += ["--config", file.path] }
    for (file, name) in zip(catalogue, names) { arguments += ["--file", file.path, name] }
    return [
      .buildCommand(
        displayName: "Generating the API of \(target)", executable: tool, arguments: arguments,
        inputFiles: catalogue + configuration, outputFiles: names.map { folder.appending(path: $0) })
    ]
  }
}

#if canImport(XcodeProjectPlugin)
  import XcodeProjectPlugin

  extension GenerateAPI: XcodeBuildToolPlugin {
    func createBuildCommands(context: XcodePluginContext, target: XcodeTarget) throws -> [Command] {
      commands(
        target: target.displayName, files: target.inputFiles.map(\.url),
        tool: try context.tool(named: "GenerateAPITool").url, into: context.pluginWorkDirectoryURL)
    }
  }
#endif
