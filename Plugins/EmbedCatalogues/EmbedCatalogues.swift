import Foundation
import PackagePlugin

/// Writes the catalogues in a target's folders as Swift sources, split into excerpts. Only for this package.
@main struct EmbedCatalogues: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
    guard let module = target.sourceModule else { return [] }
    let folders = ["V1", "V2"]
    return try folders.map { folder in
      let root = module.directoryURL.appending(path: folder)
      // A folder may be a link, and its files may be named by the link's target.
      let roots = [root.path + "/", root.resolvingSymlinksInPath().path + "/"]
      let files = module.sourceFiles.map(\.url).filter { file in
        file.pathExtension == "yaml" && roots.contains { file.path.hasPrefix($0) }
      }.sorted { $0.path < $1.path }
      // Not embedded, but SwiftPM warns about files that no command uses.
      let examples = module.sourceFiles.map(\.url).filter { $0.lastPathComponent == "examples.json" }
      let output = context.pluginWorkDirectoryURL.appending(path: "Embedded\(folder).generated.swift")
      return .buildCommand(
        displayName: "Embedding the catalogue \(folder) of \(target.name)",
        executable: try context.tool(named: "GenerateAPITool").url,
        arguments: ["--excerpts", folder.lowercased(), output.path] + files.map(\.path), inputFiles: files + examples,
        outputFiles: [output])
    }
  }
}
