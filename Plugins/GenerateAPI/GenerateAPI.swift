import Foundation
import PackagePlugin

/// Generates the Swift sources for a target's catalogue, the YAML files in its folder `Catalogue`, at build time.
@main struct GenerateAPI: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
    guard let module = target.sourceModule else { return [] }
    return commands(
      target: target.name, files: module.sourceFiles.map(\.url), in: module.directoryURL,
      tool: try context.tool(named: "GenerateAPITool").url, into: context.pluginWorkDirectoryURL)
  }

  /// One command for all files: they are checked together, and the tool does not touch unchanged outputs.
  private func commands(target: String, files: [URL], in directory: URL?, tool: URL, into folder: URL) -> [Command] {
    let found = CatalogueFiles(files, in: directory)
    guard !found.catalogue.isEmpty else {
      Diagnostics.warning(found.problem(ofTarget: target))
      return []
    }
    let sources = files.filter { $0.pathExtension.lowercased() == "swift" }.map(\.lastPathComponent)
    let names = OutputNames.names(for: found.catalogue.map { ($0.path, size(of: $0)) }, avoiding: sources)
    // SwiftPM builds the tool in the configuration of the build, and only the tool's folder reveals which one. With separate output
    // folders, debug and release builds can alternate without recompiling everything.
    let isDebugBuild = ["debug", "Debug-linux"].contains(tool.deletingLastPathComponent().lastPathComponent)
    let folder = isDebugBuild ? folder.appending(path: "debug") : folder
    var arguments = ["--output-dir", folder.path, "--target", target]
    if isDebugBuild { arguments.append("--debug") }
    arguments += ["--state", folder.appending(path: "generation.state").path]
    for file in found.settings { arguments += ["--config", file.path] }
    for (file, names) in zip(found.catalogue, names) { arguments += ["--file", file.path] + names }
    return [
      .buildCommand(
        displayName: "Generating the API of \(target)", executable: tool, arguments: arguments,
        inputFiles: found.catalogue + found.settings + found.examples,
        outputFiles: names.joined().map { folder.appending(path: $0) })
    ]
  }

  /// The size in bytes, of the target if it is a link.
  private func size(of file: URL) -> Int {
    (try? file.resolvingSymlinksInPath().resourceValues(forKeys: [.fileSizeKey]))?.fileSize ?? 0
  }
}

#if canImport(XcodeProjectPlugin)
  import XcodeProjectPlugin

  extension GenerateAPI: XcodeBuildToolPlugin {
    func createBuildCommands(context: XcodePluginContext, target: XcodeTarget) throws -> [Command] {
      commands(
        target: target.displayName, files: target.inputFiles.map(\.url), in: nil,
        tool: try context.tool(named: "GenerateAPITool").url, into: context.pluginWorkDirectoryURL)
    }
  }
#endif
