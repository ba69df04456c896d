import ArgumentParser
import CallsignCatalogue
import CallsignOpenAPI
import Foundation

/// `callsign import-openapi FILE --into DIR`
struct ImportOpenAPI: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import-openapi",
    abstract: "Turns an OpenAPI 3 document into catalogue files.",
    discussion: """
      Reads OpenAPI 3.0 and 3.1 in JSON or YAML, and writes one file for each tag, and files for what they share. \
      Files of an earlier import that are no longer needed are removed. Summaries, rate limits and names that people \
      write are kept in a file beside the folder (FOLDER.notes.yaml), which every import reads. What a catalogue \
      cannot say is reported on standard error.
      """)

  @Argument(help: "The OpenAPI document.")
  var document: String

  @Option(help: "The catalogue folder; it is made if need be.")
  var into: String

  @Option(help: "The file with hand-written notes. Default: the folder's name with .notes.yaml.")
  var notes: String?

  @Option(help: "The Swift type that carries the methods. Default: the notes' or the document's title.")
  var name: String?

  @Option(help: "The base URL, instead of the document's servers.")
  var server: String?

  @Flag(help: "Take the document's summaries where the notes have none.")
  var summaries = false

  @Flag(name: .shortAndLong, help: "Report errors only.")
  var quiet = false

  func run() throws {
    let bytes = try InputFile.bytes(document)
    let notesPath = notes ?? Self.notesPath(beside: into)
    var importNotes = ImportNotes()
    let hasNotes = FileManager.default.fileExists(atPath: notesPath)
    if hasNotes || notes != nil {
      let notesBytes = try InputFile.bytes(notesPath)
      do throws(ImportError) {
        importNotes = try ImportNotes(yaml: notesBytes)
      } catch {
        throw InputFile.invalid(notesPath, error)
      }
    }
    let options = ImportOptions(apiName: name, server: server, copiesSummaries: summaries)
    let result: ImportResult
    do throws(ImportError) {
      result = try OpenAPIImporter(options: options, notes: importNotes).importDocument(bytes)
    } catch {
      throw InputFile.invalid(document, error)
    }
    if !quiet {
      for warning in result.warnings { StandardError.write("\(document): \(warning)") }
    }
    let writer = CatalogueWriter(
      origin: result.origin, notes: hasNotes ? (notesPath as NSString).lastPathComponent : nil)
    let files = writer.files(for: result.catalogue)
    let changed = try CatalogueFolderWriter(path: into).write(files)
    if !quiet {
      let endpoints = result.catalogue.groups.reduce(0) { $0 + $1.endpoints.count }
      let models = result.catalogue.groups.reduce(0) { $0 + $1.models.count }
      let serious = result.warnings.filter { $0.severity == .warning }.count
      print(
        "\(result.origin.title) \(result.origin.version): \(endpoints) endpoints and \(models) models "
          + "in \(files.count) files (\(changed) changed), \(serious) warnings")
    }
  }

  static func notesPath(beside folder: String) -> String {
    var path = folder[...]
    while path.count > 1, path.hasSuffix("/") { path = path.dropLast() }
    return path + ".notes.yaml"
  }
}
