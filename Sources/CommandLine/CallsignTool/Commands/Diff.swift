import ArgumentParser
import CallsignCatalogue
import CallsignCommandLine
import CallsignHTTP
import CallsignOpenAPI
import Foundation

/// `callsign diff OLD NEW`, or `callsign diff DOCUMENT`
struct Diff: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Shows what changed between two catalogues, and which changes break callers.",
    discussion: """
      OLD and NEW are catalogue folders, or OpenAPI documents (files, `https` URLs, or - for standard input), which are imported for the comparison with the same \
      overlay. A document without NEW is compared with itself, first without and then with its overlay: what the \
      overlay changes. Summaries are not compared, nor is what a catalogue does not say of a document \
      (`additionalProperties: false`, `multipleOf`, `uniqueItems`). Lines begin with `!` if callers of the \
      generated Swift may have to change something, including the values they send: a narrower bound, another pattern. \
      The exit status is 1 if there are such lines, 0 if not, 65 when a catalogue is not usable.
      """)

  @Argument(help: "The catalogue or document before.", completion: .directory)
  var old: String

  @Argument(help: "The catalogue or document now.", completion: .directory)
  var new: String?

  @Option(
    help: "The overlay of documents. Default: NAME.overlay.yaml next to the catalogue folder or document.")
  var overlay: String?

  @OptionGroup var references: ReferenceOptions

  enum Format: String, ExpressibleByArgument, CaseIterable { case text, json }

  @Option(name: .shortAndLong, help: "text for people, or json: an array of changes.")
  var output: Format = .text

  @Flag(help: "The same as -o json.")
  var json = false

  @Flag(name: .shortAndLong, help: "Print only how many changes there are.")
  var quiet = false

  func run() throws {
    // The names in a catalogue and in a document can be compared only if they come from the same overlay.
    let file = try OverlayFile(given: overlay, beside: [new, old].compactMap { $0 })
    for warning in file?.warnings ?? [] { StandardError.write(warning) }
    let overlay = file?.overlay
    if new == nil, DocumentSource(old).isFile, !FileManager.default.fileExists(atPath: old) {
      _ = try InputFile.bytes(old)
    }
    if new == nil, overlay == nil {
      throw ValidationError("name a second catalogue, or the overlay of a document with --overlay")
    }
    let before = try catalogue(at: old, overlay, mergesOverlay: new != nil)
    let diff = CatalogueDiff(
      from: before.catalogue, to: try catalogue(at: new ?? old, overlay).catalogue,
      renames: before.renames.map { (old: $0.old, new: $0.new) })
    let report = DiffReport(diff)
    print(json || output == .json ? report.json.printableJSON : (quiet ? report.summary : report.text).printableLines)
    if diff.hasBreaks { throw ExitCode.failure }
  }

  private func catalogue(
    at path: String, _ overlay: CatalogueOverlay?, mergesOverlay: Bool = true
  ) throws -> (catalogue: Catalogue, renames: [ModelRename]) {
    var source = DocumentSource(path)
    var isFolder: ObjCBool = false
    let exists = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
    if !source.isFile || exists && !isFolder.boolValue {
      let bytes = try source.bytes()
      if !source.isFile || OpenAPIImporter.looksLikeDocument(bytes) || path.hasSuffix(".json") {
        do throws(ImportError) {
          var options = ImportOptions()
          source.allowReferences(in: &options, alsoIn: references.folders, fetches: false)
          var importer = OpenAPIImporter(options: options, overlay: overlay)
          importer.mergesOverlay = mergesOverlay
          let result = try importer.importDocument(bytes)
          // If a document is compared with itself, its warnings are reported once, with its overlay.
          if !quiet, mergesOverlay { result.tellWarnings(of: path, alsoIn: references.folders) }
          return (result.catalogue, result.renamedModels)
        } catch {
          throw InputFile.invalid(path, error)
        }
      }
    }
    guard new != nil else {
      StandardError.write("\(path): error: only a document can be compared with its overlay; name a second catalogue")
      throw InputFile.invalidInput
    }
    return (try CatalogueInput.load(folder: path), [])
  }
}
