import ArgumentParser
import Callsign
import CallsignCatalogue
import CallsignCommandLine
import CallsignGenerator
import CallsignOpenAPI
import CallsignSupport
import Foundation

/// `callsign package DOCUMENT --into FOLDER`
struct PackageCommand: BlockingCommand {
  static let configuration = CommandConfiguration(
    commandName: "package",
    abstract: "Makes a Swift package of an OpenAPI document: catalogue, plugin, README and a test.",
    discussion: """
      `swift build` and `swift test` pass in it at once. Running it again writes what the document says, and keeps what you \
      have written: NAME.overlay.yaml and callsign.yaml are yours, and so is every file that you edit. The package is \
      named after its folder.
      """)

  @Argument(help: "The OpenAPI 3 or Swagger 2.0 document: a file, an `https` URL, or - for standard input.")
  var document: String

  @Option(help: "The package's folder; it is made if need be.", completion: .directory)
  var into: String

  @Option(help: "The Swift type that carries the methods. Default: the document's title.")
  var name: String?

  @Option(
    help: ArgumentHelp(
      "Operations to take, separated by commas, with the models that they need; may be repeated. Default: all.",
      valueName: "names"))
  var operations: [String] = []

  @Option(name: [.customLong("tag"), .customLong("tags")], help: "Tags whose operations to take, likewise.")
  var tags: [String] = []

  @Flag(help: "Write the generated Swift into the package, instead of making it by the plugin in every build.")
  var committed = false

  @Flag(
    inversion: .prefixedNo,
    help: "Take the document's summaries if the overlay has none; they are its authors' words.")
  var summaries = true

  @Option(
    name: .customLong("server"),
    help: "The base URL, instead of the document's servers; NAME=URL instead of one that operations name.")
  var servers: [String] = []

  @Option(
    name: .customLong("auth"),
    help: ArgumentHelp(
      """
      The credentials to use if the document does not name any, such as bearer; may be repeated. See `callsign import-openapi`.
      """, valueName: "scheme"))
  var auth: [String] = []

  @OptionGroup var references: ReferenceOptions

  @Flag(
    name: .customLong("fetch-references"),
    help:
      "Fetch what the document refers to by `https://` URLs. A document by URL may refer to its own server without it.")
  var fetchesReferences = false

  @Flag(help: "Refuse a document with a broken part, or with a part that would be lost, instead of a warning.")
  var strict = false

  @Option(
    help: ArgumentHelp(
      "A checkout of Callsign. Default: the one that this tool was built in, or what the package has already.",
      valueName: "folder"))
  var callsignPath: String?

  @Option(help: ArgumentHelp("The URL of Callsign's repository, instead of a checkout.", valueName: "url"))
  var callsignURL: String?

  @Option(help: ArgumentHelp("The lowest version of Callsign, with its URL.", valueName: "version"))
  var callsignVersion = "0.2.0"

  @Flag(name: .shortAndLong, help: "Report errors only.")
  var quiet = false

  func validate() throws {
    if callsignPath != nil, callsignURL != nil {
      throw ValidationError("--callsign-path and --callsign-url say the same thing; give one")
    }
    if into.isEmpty { throw ValidationError("--into is empty; name the package's folder") }
    if !operations.isEmpty || !tags.isEmpty, choice.isEmpty {
      throw ValidationError("--operations and --tag name nothing; leave them out to take all operations")
    }
    _ = try APIOptions.hosts(of: servers)
    if callsignVersion.wholeMatch(of: /[0-9]+\.[0-9]+\.[0-9]+(-[0-9A-Za-z.-]+)?(\+[0-9A-Za-z.-]+)?/) == nil {
      throw ValidationError("--callsign-version is a version of three numbers, such as 0.2.0")
    }
    if let callsignURL, callsignURL.isEmpty || callsignURL.contains(where: { $0.isWhitespace || "\"\\".contains($0) }) {
      throw ValidationError("--callsign-url is the URL of a repository, such as https://git.example/callsign.git")
    }
    if let name { try APIOptions.check(name: name) }
    if let problem = name.flatMap(APIOptions.problem(ofPackage:)) { throw ValidationError(problem) }
  }

  func work() throws {
    let imported = FileManager.default.temporaryDirectory.appendingPathComponent(
      "callsign-package-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: imported) }
    let folder = URL(fileURLWithPath: into, isDirectory: true).standardizedFileURL
    try refuseForeignPackage(at: folder)
    let dependency = try dependency(for: folder)

    let overlay = try overlay(in: folder)
    let outcome = try importDocument(into: imported.path, overlay: overlay)
    var messages = outcome.messages
    if let callsignPath, !quiet, !FileManager.default.fileExists(atPath: callsignPath + "/Package.swift") {
      messages.append(
        "\(callsignPath): warning: this folder has no checkout of Callsign; the package builds once it has one")
    }
    if dependency.isOnThisMachineOnly, !quiet {
      messages.append(
        "\(folder.path)/Package.swift: note: it names Callsign's folder on this machine; to share the package, run this again "
          + "with --callsign-url URL")
    }
    var catalogue = try CatalogueInput.load(folder: imported.path)
    let files = try selectedFiles(
      of: &catalogue, in: imported, templates: try templates(of: overlay), keeping: outcome.addedModels)

    let earlier = EarlierRun(in: folder)
    let apiName = catalogue.api.name
    if let problem = APIOptions.problem(ofPackage: apiName) {
      StandardError.write("\(document): error: \(problem)")
      throw InputFile.invalidInput
    }
    let layout = earlier?.layout(apiName: apiName) ?? PackageLayout(folder: into, apiName: apiName)
    try refuseLinks(in: layout)
    var moves: [String] = []
    try write(to: layout.folder) {
      try FileManager.default.createDirectory(at: layout.folder, withIntermediateDirectories: true)
      moves = try earlier?.move(to: layout, overlay: overlay) ?? []
    }
    let changed = try CatalogueFolderWriter(path: layout.path(layout.catalogue)).write(files)
    let settings = readSettings(layout)
    let visible = settings.only.isEmpty ? catalogue : CatalogueSelection(settings.only).applied(to: catalogue)
    let texts = PackageTexts(
      layout: layout, catalogue: visible, dependency: dependency, isCommitted: committed,
      origin: origin(of: files), command: commandLine(in: layout.folder), access: settings.access ?? "public",
      sample: SampleCall(visible),
      sampleModel: visible.groups.allSatisfy(\.endpoints.isEmpty) ? SampleModel(visible) : nil)
    var outcomes: [(path: String, outcome: PackageFile.Outcome)] = []
    try write(to: layout.folder) {
      for file in texts.files { outcomes.append((file.path, try file.write(into: layout.folder))) }
    }
    try generate(layout)
    for message in messages { StandardError.write(message) }
    if !quiet {
      for line in moves { print(line) }
      report(layout, visible, changed: changed, outcomes)
    }
  }

  // MARK: The document

  private func importDocument(into path: String, overlay: String?) throws -> ImportOpenAPI.Outcome {
    var arguments = [document, "--into", path]
    // A package keeps its API's name, even if the document's title changes.
    if let name = name ?? overlay.flatMap(Self.apiName(ofOverlay:)) { arguments += ["--name", name] }
    if let overlay { arguments += ["--overlay", overlay] }
    for server in servers { arguments += ["--server", server] }
    for scheme in auth { arguments += ["--auth", scheme] }
    for folder in references.folders { arguments += ["--allow-references", folder] }
    if summaries { arguments.append("--summaries") }
    if fetchesReferences { arguments.append("--fetch-references") }
    if strict { arguments.append("--strict") }
    if quiet { arguments.append("--quiet") }
    // The counts and warnings concern only the chosen part.
    return try ImportOpenAPI.parse(arguments).importDocument(
      for: choice, overlayName: { PackageLayout(folder: self.into, apiName: $0.api.name).overlay })
  }

  private var choice: OperationChoice { OperationChoice(operations: operations, tags: tags) }

  /// The catalogue's files; only those of the chosen operations, with their models, if some were chosen.
  private func selectedFiles(
    of catalogue: inout Catalogue, in folder: URL, templates: [ModelTemplate], keeping addedModels: Set<String>
  ) throws -> [CatalogueFile] {
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter {
      $0.hasSuffix(".yaml") || $0 == CatalogueExamples.fileName
    }
    let files = try names.sorted().map { name in
      CatalogueFile(path: name, text: try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8))
    }
    let chosen = try choice.names(in: catalogue)
    guard !chosen.isEmpty else { return files }
    catalogue = CatalogueSelection(chosen, models: addedModels).applied(to: catalogue)
    catalogue.groups.removeAll { $0.endpoints.isEmpty && $0.models.isEmpty && $0.name != "api" }
    func header(where isWanted: (CatalogueFile) -> Bool) -> [String]? {
      files.first(where: isWanted)?.text.split(separator: "\n", omittingEmptySubsequences: false)
        .prefix { $0.hasPrefix("#") }.map { String($0.dropFirst().drop { $0 == " " }) }
    }
    var writer = CatalogueWriter(header: header { $0.path != Self.apiFile } ?? [])
    writer.apiHeader = header { $0.path == Self.apiFile }
    writer.sharesParts = true
    writer.templates = templates
    return writer.files(for: catalogue)
  }

  private func templates(of overlay: String?) throws -> [ModelTemplate] {
    guard let overlay else { return [] }
    return try OverlayFile(given: overlay, beside: [])?.overlay.templates ?? []
  }

  /// The file that names the document of all files.
  private static let apiFile = "api.yaml"

  /// The document's title and version, from the first line of the API's file.
  private func origin(of files: [CatalogueFile]) -> String {
    let line = files.first { $0.path == Self.apiFile }?.text.split(separator: "\n").first ?? ""
    guard let open = line.firstIndex(of: "“"), let close = line.lastIndex(of: "”"), open < close else {
      return "the API"
    }
    return "“\(line[line.index(after: open)..<close])”"
  }

  // MARK: The package

  /// A folder whose manifest was not written by this command belongs to someone else.
  private func refuseForeignPackage(at folder: URL) throws {
    let manifest = folder.appendingPathComponent("Package.swift")
    guard let text = try? String(contentsOf: manifest, encoding: .utf8), !PackageFile.isMarked(text) else { return }
    let catalogues = try? FileManager.default.contentsOfDirectory(atPath: folder.path).contains {
      $0.hasSuffix(".overlay.yaml")
    }
    if catalogues == true { return }
    StandardError.write("\(manifest.path): error: this is a package already; choose another folder")
    throw ExitCode(73)
  }

  /// With a symbolic link inside the package, files would be written and removed elsewhere. The user names the package's folder
  /// itself.
  private func refuseLinks(in layout: PackageLayout) throws {
    let paths = [
      "Package.swift", "README.md", ".gitignore", layout.catalogue, layout.generated, layout.settings, layout.overlay,
      layout.conveniences, layout.test,
    ]
    for path in paths {
      var place = layout.folder
      for part in path.split(separator: "/") {
        place.appendPathComponent(String(part))
        guard (try? FileManager.default.destinationOfSymbolicLink(atPath: place.path)) != nil else { continue }
        StandardError.write(
          "\(place.path): error: this is a symbolic link, and its target is not written; remove it, or name the "
            + "folder that it leads to by --into")
        throw ExitCode(73)
      }
    }
  }

  private static let overlayEnding = ".overlay.yaml"

  /// The overlay of an earlier run: the one with the given name, or the only one, so that the command line need not repeat its
  /// name.
  private func overlay(in folder: URL) throws -> String? {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    let overlays = names.filter { $0.hasSuffix(Self.overlayEnding) }.sorted()
    let wanted = name.map { $0 + Self.overlayEnding }
    if let found = overlays.first(where: { $0 == wanted }) ?? (overlays.count == 1 ? overlays.first : nil) {
      return folder.appendingPathComponent(found).path
    }
    guard overlays.count > 1 else { return nil }
    let list = overlays.joined(separator: ", ")
    StandardError.write(
      "\(folder.path): error: there are several overlays, \(list); "
        + "say which one is the API's by --name, or move the others away")
    throw InputFile.invalidInput
  }

  /// The name of the API in the name of an overlay file.
  private static func apiName(ofOverlay path: String) -> String? {
    let name = String(URL(fileURLWithPath: path).lastPathComponent.dropLast(overlayEnding.count))
    return name == SwiftName.module(name) && name.first?.isUppercase == true ? name : nil
  }

  private func dependency(for folder: URL) throws -> CallsignDependency {
    if let callsignURL { return CallsignDependency(url: callsignURL, version: callsignVersion) }
    if let callsignPath { return CallsignDependency(path: callsignPath, from: folder) }
    if let manifest = try? String(contentsOf: folder.appendingPathComponent("Package.swift"), encoding: .utf8),
      let known = CallsignDependency(inManifest: manifest)
    {
      return known
    }
    if let checkout = CallsignDependency.checkoutOfTool {
      return CallsignDependency(path: checkout, from: folder)
    }
    throw ValidationError("choose where the package gets Callsign from: --callsign-url or --callsign-path")
  }

  private func readSettings(_ layout: PackageLayout) -> GenerationSettings {
    let path = layout.path(layout.settings)
    guard let bytes = FileManager.default.contents(atPath: path) else { return GenerationSettings() }
    // Mistakes are reported when the Swift code is generated.
    return GenerationSettings.read(CatalogueSource(path: path, bytes: [UInt8](bytes))).settings
  }

  /// Writes the Swift code, or removes that of an earlier run.
  private func generate(_ layout: PackageLayout) throws {
    if committed {
      let job = GenerationJob(
        input: .folder(layout.path(layout.catalogue)), outputFolder: layout.path(layout.generated), removesStale: true,
        moduleName: layout.module)
      var diagnostics: [Diagnostic] = []
      try write(to: layout.folder) { diagnostics = try job.run().diagnostics }
      for diagnostic in diagnostics { StandardError.write(diagnostic.description) }
      if diagnostics.hasErrors { throw ExitCode.failure }
    } else {
      try write(to: layout.folder) { try GenerationJob.removeOutputs(in: layout.path(layout.generated)) }
    }
  }

  private func write(to folder: URL, _ body: () throws -> Void) throws {
    do { try body() } catch let error as ExitCode { throw error } catch {
      StandardError.write("\(folder.path): error: the package cannot be written: \(error.fileErrorReason)")
      throw ExitCode(73)
    }
  }

  /// The command that recreates the package, run from its folder.
  private func commandLine(in folder: URL) -> String {
    func path(_ path: String) -> String {
      URL(fileURLWithPath: path).standardizedFileURL.relativePath(from: folder).shellQuoted
    }
    // A document without references can be anywhere, so its place is left out. One with references must stay in place.
    let isAlone = references.folders.isEmpty
    let name =
      !DocumentSource(document).isFile
      ? document.shellQuoted : isAlone ? URL(fileURLWithPath: document).lastPathComponent.shellQuoted : path(document)
    var words = ["callsign package \(name)", "--into ."]
    if let name = self.name { words.append("--name \(name.shellQuoted)") }
    if !operations.isEmpty { words.append("--operations \(operations.joined(separator: ",").shellQuoted)") }
    if !tags.isEmpty { words.append("--tag \(tags.joined(separator: ",").shellQuoted)") }
    if committed { words.append("--committed") }
    if !summaries { words.append("--no-summaries") }
    for server in servers { words.append("--server \(server.shellQuoted)") }
    for scheme in auth { words.append("--auth \(scheme.shellQuoted)") }
    for folder in references.folders { words.append("--allow-references \(path(folder))") }
    if fetchesReferences { words.append("--fetch-references") }
    if strict { words.append("--strict") }
    return words.joined(separator: " ")
  }

  private func report(
    _ layout: PackageLayout, _ catalogue: Catalogue, changed: Int,
    _ outcomes: [(path: String, outcome: PackageFile.Outcome)]
  ) {
    let people = Set([layout.overlay, layout.settings, ".gitignore", layout.conveniences])
    for (path, outcome) in outcomes {
      switch outcome {
      case .written: print("wrote \(path)")
      case .kept where !people.contains(path):
        print("kept \(path): it has been edited; remove it to have it written again")
      case .kept, .unchanged: break
      }
    }
    let endpoints = catalogue.endpointCount
    let content = endpoints == 0 ? catalogue.modelCount.counting("model") : endpoints.counting("operation")
    print("\(layout.module): \(content) of \(layout.apiName), \(changed.counting("file")) of the catalogue changed")
    print("Next: cd \(into.shellQuoted) && swift test")
  }
}
