import Foundation
import PackagePlugin

/// `swift package generate-api`: writes the Swift sources of a catalogue into the package, for those who would rather
/// commit them than generate them in every build.
@main struct GenerateAPICommand: CommandPlugin {
  func performCommand(context: PluginContext, arguments: [String]) throws {
    var extractor = ArgumentExtractor(arguments)
    let help = extractor.extractFlag(named: "help")
    let targets = extractor.extractOption(named: "target")
    let catalogues = extractor.extractOption(named: "catalogue")
    let into = extractor.extractOption(named: "into")
    let access = extractor.extractOption(named: "access")
    let only = extractor.extractOption(named: "only")
    if help > 0 { return print(Self.usage) }
    if let unknown = extractor.remainingArguments.first { throw Problem("unknown argument `\(unknown)`") }
    guard let into = into.last else { throw Problem("--into FOLDER is missing") }
    let package = context.package.directoryURL

    var inputs = catalogues.map { URL(fileURLWithPath: $0, relativeTo: package).path }
    for target in try context.package.targets(named: targets) {
      let files = target.sourceModule?.sourceFiles.map(\.url) ?? []
      inputs += files.filter(Self.isCatalogue).map(\.path).sorted()
    }
    guard !inputs.isEmpty else {
      throw Problem("there is no catalogue file (.yaml); name a folder with --catalogue, or a target with --target")
    }
    var command = ["--output-dir", URL(fileURLWithPath: into, relativeTo: package).path, "--catalogue"] + inputs
    for level in access { command += ["--access", level] }
    for name in only { command += ["--only", name] }
    try run(context.tool(named: "GenerateAPITool").url, command)
  }

  private static func isCatalogue(_ file: URL) -> Bool {
    ["yaml", "yml"].contains(file.pathExtension.lowercased())
      && file.deletingPathExtension().lastPathComponent != "callsign"
  }

  private func run(_ tool: URL, _ arguments: [String]) throws {
    let process = Process()
    process.executableURL = tool
    process.arguments = arguments
    try process.run()
    process.waitUntilExit()
    guard process.terminationReason == .exit, process.terminationStatus == 0 else {
      throw Problem("nothing was written; see the messages above")
    }
  }

  private static let usage = """
    Writes the Swift sources of a catalogue into a folder of the package.

    usage: swift package generate-api (--target NAME | --catalogue FOLDER) --into FOLDER
                                      [--access public|package|internal] [--only ENDPOINT_OR_GROUP]...
    """
}

/// A mistake in the command line.
struct Problem: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
