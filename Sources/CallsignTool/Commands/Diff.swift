import ArgumentParser
import CallsignCatalogue
import CallsignDiff
import CallsignOpenAPI
import Foundation

/// `callsign diff OLD NEW`
struct Diff: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Says what changed between two catalogues, and what of it breaks callers.",
    discussion: """
      OLD and NEW are catalogue folders, or OpenAPI documents, which are imported for the comparison with the same \
      notes. Lines begin with `!` where callers of the generated Swift may have to change something. The exit status \
      is 1 if there are such lines, 0 if not, 65 when a catalogue is not usable.
      """)

  @Argument(help: "The catalogue or document before.", completion: .directory)
  var old: String

  @Argument(help: "The catalogue or document now.", completion: .directory)
  var new: String

  @Option(help: "Hand-written notes for documents. Default: those beside the catalogue folder, if one is given.")
  var notes: String?

  @Flag(help: "Print a JSON array of changes.")
  var json = false

  @Flag(name: .shortAndLong, help: "Print only how many changes there are.")
  var quiet = false

  func run() throws {
    let notes = try readNotes()
    let diff = CatalogueDiff(from: try catalogue(at: old, notes), to: try catalogue(at: new, notes))
    let report = DiffReport(diff)
    print(json ? report.json : quiet ? report.summary : report.text)
    if diff.hasBreaks { throw ExitCode.failure }
  }

  private func readNotes() throws -> ImportNotes {
    var path = notes
    if path == nil {
      // The names of a catalogue and of a document can only be compared when they come from the same notes.
      path = [new, old].map(ImportOpenAPI.notesPath).first { FileManager.default.fileExists(atPath: $0) }
    }
    guard let path else { return ImportNotes() }
    let bytes = try InputFile.bytes(path)
    do throws(ImportError) {
      return try ImportNotes(yaml: bytes)
    } catch {
      throw InputFile.invalid(path, error)
    }
  }

  private func catalogue(at path: String, _ notes: ImportNotes) throws -> Catalogue {
    var isFolder: ObjCBool = false
    let exists = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
    if exists, !isFolder.boolValue {
      let bytes = try InputFile.bytes(path)
      if OpenAPIImporter.looksLikeDocument(bytes) || path.hasSuffix(".json") {
        do throws(ImportError) {
          return try OpenAPIImporter(notes: notes).importDocument(bytes).catalogue
        } catch {
          throw InputFile.invalid(path, error)
        }
      }
    }
    let result = CatalogueLoader().load(folder: path)
    guard let catalogue = result.catalogue else {
      for diagnostic in result.diagnostics { StandardError.write("\(diagnostic)") }
      throw InputFile.invalidInput
    }
    return catalogue
  }
}
