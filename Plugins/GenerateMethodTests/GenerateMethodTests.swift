import Foundation
import PackagePlugin

/// Writes tests for each method of the catalogue whose `.yaml` files are in a test target. Only for this package.
@main struct GenerateMethodTests: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
    guard let module = target.sourceModule else { return [] }
    let files = module.sourceFiles.map(\.url).filter { $0.pathExtension == "yaml" }.sorted { $0.path < $1.path }
    let examples = module.sourceFiles.map(\.url).filter { $0.lastPathComponent == "examples.json" }
    let modules = target.dependencies.compactMap { dependency -> String? in
      if case .target(let target) = dependency { target.name } else { nil }
    }
    let folder = context.pluginWorkDirectoryURL
    let names = files.map { $0.deletingPathExtension().lastPathComponent + "-methods" } + ["tested-endpoints"]
    return [
      .buildCommand(
        displayName: "Writing tests for the methods of \(target.name)",
        executable: try context.tool(named: "MethodTestsTool").url,
        arguments: [folder.path, modules.joined(separator: ",")] + files.map(\.path),
        inputFiles: files + examples,
        outputFiles: names.map { folder.appending(path: "\($0).generated.swift") })
    ]
  }
}
