import Foundation
import PackagePlugin

/// `swift package generate-api`: writes the Swift sources of a catalogue into the package, for those who prefer to commit them
/// instead of generating them in every build.
@main struct GenerateAPICommand: CommandPlugin {
  func performCommand(context: PluginContext, arguments: [String]) throws {
    var extractor = ArgumentExtractor(arguments)
    let help = extractor.extractFlag(named: "help")
    let targets = extractor.extractOption(named: "target")
    let catalogues = extractor.extractOption(named: "catalogue")
    let into = extractor.extractOption(named: "into")
    let access = extractor.extractOption(named: "access")
    let only = extractor.extractOption(named: "only")
    let protocols = extractor.extractOption(named: "protocol")
    if help > 0 { return print(Self.usage) }
    if let unknown = extractor.remainingArguments.first { throw Problem("unknown argument `\(unknown)`") }
    guard let into = into.last else { throw Problem("--into FOLDER is missing") }
    let package = context.package.directoryURL

    var inputs = catalogues.map { URL(fileURLWithPath: $0, relativeTo: package).path }
    var settings: [String] = []
    for target in try context.package.targets(named: targets) {
      guard let module = target.sourceModule else { continue }
      let found = CatalogueFiles(module.sourceFiles.map(\.url), in: module.directoryURL)
      if found.catalogue.isEmpty { throw Problem(found.problem(ofTarget: target.name)) }
      inputs += found.catalogue.map(\.path)
      settings += found.settings.map(\.path)
    }
    guard !inputs.isEmpty else {
      throw Problem("there is no catalogue; name a folder with --catalogue, or a target with --target")
    }
    if settings.count > 1 { throw Problem("two settings files: \(settings.joined(separator: ", ")); name one target") }
    var command = ["--output-dir", URL(fileURLWithPath: into, relativeTo: package).path, "--catalogue"] + inputs
    for file in settings { command += ["--config", file] }
    for level in access { command += ["--access", level] }
    for name in only { command += ["--only", name] }
    for name in protocols { command += ["--protocol", name] }
    try run(context.tool(named: "GenerateAPITool").url, command)
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
                                      [--protocol NAME]

    A target's catalogue is in its folder Catalogue. The settings of its callsign.yaml hold as they do in a build; options come
    before them.
    """
}

/// A mistake in the command line.
struct Problem: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
