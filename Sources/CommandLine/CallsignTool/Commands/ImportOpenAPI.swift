import ArgumentParser
import Callsign
import CallsignCatalogue
import CallsignCommandLine
import CallsignGenerator
import CallsignHTTP
import CallsignOpenAPI
import Foundation

/// `callsign import-openapi FILE --into DIR`
struct ImportOpenAPI: BlockingCommand {
  static let configuration = CommandConfiguration(
    commandName: "import-openapi",
    abstract: "Turns an OpenAPI 3 or Swagger 2.0 document into catalogue files.",
    discussion: """
      Reads OpenAPI 3.0, 3.1 and 3.2 and Swagger 2.0 in JSON or YAML, with the files in its folder that it refers to, and \
      writes one file for each tag, and files for what they share. A broken part of the document is repaired or left \
      out, with a warning. \
      Files of an earlier import that nothing needs any more are removed. Keep your changes in an \
      overlay next to the folder or the document (NAME.overlay.yaml), which is merged onto every import; a line of it \
      that no longer applies is a warning. Without one, summaries and rate limits that you wrote into the folder's \
      files are kept. Parts that a catalogue cannot express are reported on standard error.
      """)

  @Argument(help: "The OpenAPI document: a file, an `https` URL, or - for standard input.")
  var document: String

  @Option(help: "The catalogue folder; it is made if need be.")
  var into: String

  @Option(help: "The file with changes to the import. Default: the folder's or the document's name with .overlay.yaml.")
  var overlay: String?

  @Option(help: "The Swift type that carries the methods. Default: the overlay's or the document's title.")
  var name: String?

  @Option(
    name: .customLong("server"),
    help:
      "The base URL, instead of the document's servers; NAME=URL instead of one that operations name; may be repeated.")
  var servers: [String] = []

  @OptionGroup var auth: AuthOptions

  @OptionGroup var references: ReferenceOptions

  @Flag(
    name: .customLong("fetch-references"),
    help:
      "Fetch what the document refers to by `https://` URLs. A document by URL may refer to its own server without it.")
  var fetchesReferences = false

  @Flag(help: "Take the document's summaries of operations, parameters and members if you have written none.")
  var summaries = false

  @Flag(help: "Refuse a document with a broken part, or with a part that would be lost, instead of a warning.")
  var strict = false

  @Flag(name: .shortAndLong, help: "Report errors only.")
  var quiet = false

  func validate() throws {
    if into.isEmpty { throw ValidationError("--into is empty; name the catalogue's folder") }
    if let name { try APIOptions.check(name: name) }
    _ = try APIOptions.hosts(of: servers)
  }

  func work() throws {
    let outcome = try importDocument()
    // Written after the files, which then exist even if a reader closes the pipe after the first lines.
    for message in outcome.messages { StandardError.write(message) }
    if !quiet { print(outcome.summary.printable) }
  }

  /// The messages about an import.
  struct Outcome {
    /// Lines for standard error; none if only errors are shown.
    var messages: [String]
    /// The API's title and version, and the size of the catalogue, on one line.
    var summary: String
    /// The models that the overlay adds.
    var addedModels: Set<String>
  }

  /// Writes the catalogue's files.
  ///
  /// - Parameters:
  ///   - choice: The operations that will be taken from the catalogue. Warnings about other operations are left out. Default: all.
  ///   - overlayName: The name of the overlay to mention in the API's files. Default: the name of the overlay that is read.
  func importDocument(
    for choice: OperationChoice? = nil, overlayName: ((Catalogue) -> String)? = nil
  ) throws -> Outcome {
    var source = DocumentSource(document)
    let bytes = try source.bytes()
    let overlayFile = try OverlayFile(given: overlay, beside: source.isFile ? [into, document] : [into])
    var messages = quiet ? [] : overlayFile?.warnings ?? []
    var options = ImportOptions(
      apiName: name, servers: try APIOptions.hosts(of: servers), auth: try auth.requirements(),
      copiesSummaries: summaries, isStrict: strict)
    source.allowReferences(in: &options, alsoIn: references.folders, fetches: fetchesReferences)
    let (texts, others) = adoptedTexts(overlayFile)
    let result: ImportResult
    do throws(ImportError) {
      result = try OpenAPIImporter(
        options: options, overlay: overlayFile?.overlay, adopted: texts, adoptedSummaries: others
      ).importDocument(bytes)
    } catch {
      throw InputFile.invalid(document, error)
    }
    let chosen = try choice?.names(in: result.catalogue) ?? []
    let warnings =
      chosen.isEmpty
      ? result.warnings
      : result.warnings(of: CatalogueSelection(chosen, models: result.addedModels).applied(to: result.catalogue))
    if !quiet {
      messages += result.diagnostics.map(\.description)
      messages += ImportWarning.told(warnings).map { "\(document.shownPath): \($0)" }
    }
    try checkNothingIsLost(warnings, messages)
    let writer = CatalogueWriter(
      origin: result.origin, overlay: overlayName?(result.catalogue) ?? overlayFile?.name, templates: result.templates)
    let files = writer.files(for: result.catalogue)
    let changed = try CatalogueFolderWriter(path: into).write(files)
    let serious =
      ImportWarning.told(result.warnings).filter { $0.severity == .warning }.count + result.diagnostics.count
    return Outcome(
      messages: messages,
      summary: "\(result.origin.title) \(result.origin.version): \(result.catalogue.counts) in "
        + "\(files.count.counting("file")) (\(changed) changed), \(serious.counting("warning"))",
      addedModels: result.addedModels)
  }

  /// Rejects a strict import in which a part of the document is repaired, left out or changed.
  private func checkNothingIsLost(_ warnings: [ImportWarning], _ messages: [String]) throws {
    let lost = ImportWarning.told(warnings.filter { $0.severity == .warning && !$0.isAboutSummary })
    guard strict, !lost.isEmpty else { return }
    for message in quiet ? lost.map({ "\(document): \($0)" }) : messages { StandardError.write(message) }
    StandardError.write(
      "\(document): error: the catalogue would not say all that the document does (\(lost.count.counting("warning"))), which "
        + "--strict refuses")
    throw InputFile.invalidInput
  }

  /// The texts that people wrote into the folder's files, unless the files come from an import with an overlay, which then contains
  /// everything.
  private func adoptedTexts(_ overlay: OverlayFile?) -> ([String: AdoptedText], AdoptedSummaries) {
    guard FileManager.default.fileExists(atPath: into),
      let previous = CatalogueLoader().load(folder: into).catalogue
    else { return ([:], AdoptedSummaries()) }
    let folder = CatalogueFolderWriter(path: into)
    if overlay != nil, folder.isImportWithOverlay { return ([:], AdoptedSummaries()) }
    let texts = AdoptedText.texts(of: previous)
    let summaries = AdoptedSummaries(of: previous)
    if !texts.isEmpty || summaries != AdoptedSummaries(), !quiet {
      let counts = [(texts.count, "operation"), (summaries.modelCount, "model")]
        .filter { $0.0 > 0 }.map { $0.0.counting($0.1) }
      let owners = counts.isEmpty ? "the API" : counts.joined(separator: " and ")
      StandardError.write(
        "\(into): note: the texts of \(owners) are kept; better move them to "
          + (OverlayFile.path(beside: into) as NSString).lastPathComponent)
    }
    return (texts, summaries)
  }
}
