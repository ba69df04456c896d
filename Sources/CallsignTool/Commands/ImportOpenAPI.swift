import ArgumentParser
import CallsignCatalogue
import CallsignOpenAPI
import Foundation

/// `callsign import-openapi FILE --into DIR`
struct ImportOpenAPI: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import-openapi",
    abstract: "Turns an OpenAPI 3 or Swagger 2.0 document into catalogue files.",
    discussion: """
      Reads OpenAPI 3.0, 3.1 and 3.2 and Swagger 2.0 in JSON or YAML, with the files beside it that it refers to, and \
      writes one file for each tag, and files for what they share. A broken part of the document is repaired or left \
      out, with a warning. \
      Files of an earlier import that are no longer needed are removed. Summaries, rate limits and names that people \
      write are kept in a file beside the folder (FOLDER.notes.yaml), which every import reads; for operations that \
      it does not mention, what people wrote into the folder's files is kept. What a catalogue cannot say is reported \
      on standard error.
      """)

  @Argument(help: "The OpenAPI document.")
  var document: String

  @Option(help: "The catalogue folder; it is made if need be.")
  var into: String

  @Option(help: "The file with hand-written notes. Default: the folder's name with .notes.yaml.")
  var notes: String?

  @Option(help: "The Swift type that carries the methods. Default: the notes' or the document's title.")
  var name: String?

  @Option(
    name: .customLong("server"),
    help:
      "The base URL, instead of the document's servers; NAME=URL instead of one that operations name; may be repeated.")
  var servers: [String] = []

  @Flag(help: "Take the document's summaries where the notes have none.")
  var summaries = false

  @Flag(help: "Refuse a document with a broken part instead of repairing it.")
  var strict = false

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
    if !summaries { adoptSummaries(into: &importNotes) }
    let folder = URL(fileURLWithPath: document).deletingLastPathComponent()
    let options = ImportOptions(
      apiName: name, servers: try serversByName(), copiesSummaries: summaries, isStrict: strict,
      readFile: { path in (try? Data(contentsOf: folder.appending(path: path))).map { [UInt8]($0) } })
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

  private func serversByName() throws -> [String: String] {
    var result: [String: String] = [:]
    for server in servers {
      let parts = server.split(separator: "=", maxSplits: 1)
      let isNamed = parts.count == 2 && !parts[0].contains(":")
      let name = isNamed ? String(parts[0]) : "api"
      guard result.updateValue(isNamed ? String(parts[1]) : server, forKey: name) == nil else {
        throw ValidationError("--server gives the host `\(name)` twice")
      }
    }
    return result
  }

  /// Keeps what people wrote into the folder's files, where the notes say nothing of the operation.
  private func adoptSummaries(into notes: inout ImportNotes) {
    guard FileManager.default.fileExists(atPath: into),
      let previous = CatalogueLoader().load(folder: into).catalogue
    else { return }
    let known = Set(notes.adoptEndpoints(of: previous))
    if !known.isEmpty, !quiet {
      StandardError.write(
        "\(into): note: the summaries of \(known.count) operations are kept; better move them to the notes")
    }
  }

  static func notesPath(beside folder: String) -> String {
    var path = folder[...]
    while path.count > 1, path.hasSuffix("/") { path = path.dropLast() }
    return path + ".notes.yaml"
  }
}
