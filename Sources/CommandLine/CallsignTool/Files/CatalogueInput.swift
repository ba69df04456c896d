import ArgumentParser
import CallsignCatalogue
import CallsignCommandLine
import CallsignOpenAPI
import Foundation

/// The catalogue for a command: catalogue files, or an OpenAPI or Swagger document, which is imported with the overlay next to it.
/// A document can also be an `https` URL or standard input (`-`), without an overlay.
enum CatalogueInput {
  /// - Parameters:
  ///   - folders: The folders whose files a document can refer to, in addition to its own folder. Default: none.
  ///   - auth: The credentials to use if a document states none. Default: none.
  ///   - isQuiet: Whether to suppress a document's warnings. Default: no.
  static func catalogue(
    at path: String, alsoIn folders: [String] = [], auth: [AuthRequirement] = [], isQuiet: Bool = false
  ) throws -> Catalogue {
    try read(path, ReferenceRecord(), alsoIn: folders, auth: auth, isQuiet: isQuiet).catalogue
  }

  /// A catalogue, and the bytes of the document that it was imported from; empty for catalogue files. Standard input can be read
  /// only once. A document's warnings are suppressed.
  ///
  /// - Parameters:
  ///   - folders: The folders whose files a document can refer to, in addition to its own folder.
  ///   - auth: The credentials to use if a document states none.
  static func catalogueAndDocument(
    at path: String, alsoIn folders: [String], auth: [AuthRequirement]
  ) throws -> (catalogue: Catalogue, document: [UInt8]) {
    try read(path, ReferenceRecord(), alsoIn: folders, auth: auth, isQuiet: true)
  }

  /// Reads on a thread outside Swift concurrency. Reading a document from a URL blocks its thread, and Swift concurrency has only
  /// one on a machine with one core.
  static func reading<Value: Sendable>(_ read: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
      DispatchQueue.global().async { continuation.resume(with: Result(catching: read)) }
    }
  }

  /// A catalogue with only one operation and everything that it needs.
  ///
  /// - Parameters:
  ///   - folders: The folders whose files a document can refer to, in addition to its own folder.
  ///   - auth: The credentials to use if a document states none.
  ///   - operation: The operation's name. If no operation has it, the result is the whole catalogue.
  static func catalogue(
    at path: String, alsoIn folders: [String], auth: [AuthRequirement], of operation: String
  ) throws -> Catalogue {
    let (excerpts, whole) = try excerpts(at: path, alsoIn: folders, auth: auth)
    if excerpts?.operations.contains(where: { $0.name == operation }) == true,
      let catalogue = excerpts?.catalogue(of: [operation])
    {
      return catalogue
    }
    return try whole ?? catalogue(at: path, alsoIn: folders, auth: auth)
  }

  /// All operations, as a list.
  ///
  /// - Parameter folders: The folders whose files a document can refer to, in addition to its own folder.
  static func operations(at path: String, alsoIn folders: [String]) throws -> OperationList {
    let (excerpts, whole) = try excerpts(at: path, alsoIn: folders)
    if let excerpts { return OperationList(excerpts) }
    return OperationList(try whole ?? catalogue(at: path, alsoIn: folders))
  }

  /// A catalogue's excerpts; `nil` without a message if they cannot be read. For completion while the user types.
  static func readable(at path: String, alsoIn folders: [String]) -> CatalogueExcerpts? {
    let path = (path as NSString).expandingTildeInPath
    let folders = folders.map { ($0 as NSString).expandingTildeInPath }
    let files = CatalogueFiles(path, alsoIn: folders)
    if let kept = files.kept { return kept }
    let references = ReferenceRecord()
    return quietly(path, references, alsoIn: folders).flatMap { files.keep($0, references) }
  }

  /// - Returns: The cached catalogue, or the one that was read and possibly cached; without excerpts if it cannot be split.
  private static func excerpts(
    at path: String, alsoIn folders: [String], auth: [AuthRequirement] = []
  ) throws -> (CatalogueExcerpts?, whole: Catalogue?) {
    let files = CatalogueFiles(path, alsoIn: folders, auth: auth)
    if let kept = files.kept { return (kept, nil) }
    let references = ReferenceRecord()
    let catalogue = try read(path, references, alsoIn: folders, auth: auth).catalogue
    return (files.key == nil ? nil : files.keep(catalogue, references), catalogue)
  }

  private static func quietly(
    _ path: String, _ references: ReferenceRecord, alsoIn folders: [String]
  ) -> Catalogue? {
    guard let isFolder = try? URL(fileURLWithPath: path).resourceValues(forKeys: [.isDirectoryKey]).isDirectory else {
      return nil
    }
    guard !isFolder, let data = FileManager.default.contents(atPath: path),
      OpenAPIImporter.looksLikeDocument([UInt8](data))
    else { return CatalogueLoader().load(folder: path).catalogue }
    let place = OverlayFile.path(beside: path)
    let overlay = FileManager.default.contents(atPath: place).map {
      CatalogueOverlay(CatalogueSource(path: place, bytes: [UInt8]($0)))
    }
    return try? importer(path, overlay, references, alsoIn: folders, auth: []).importDocument([UInt8](data)).catalogue
  }

  private static func read(
    _ path: String, _ references: ReferenceRecord, alsoIn folders: [String], auth: [AuthRequirement],
    isQuiet: Bool = false
  ) throws -> (catalogue: Catalogue, document: [UInt8]) {
    let isWithout = isWithoutCredentials(auth)
    func imported(
      _ bytes: [UInt8], by importer: OpenAPIImporter
    ) throws -> (catalogue: Catalogue, document: [UInt8]) {
      let result: ImportResult
      do throws(ImportError) { result = try importer.importDocument(bytes) } catch {
        throw InputFile.invalid(path, error)
      }
      if !isQuiet { result.tellWarnings(of: path, alsoIn: folders) }
      return (isWithout ? result.catalogue.withoutCredentials : result.catalogue, bytes)
    }
    var source = DocumentSource(path)
    if !source.isFile {
      let bytes = try source.bytes()
      var options = ImportOptions(auth: isWithout ? [] : auth, copiesSummaries: true)
      source.allowReferences(in: &options, alsoIn: folders, fetches: false)
      return try imported(bytes, by: OpenAPIImporter(options: options))
    }
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
      StandardError.write(
        "\(path.shownPath): error: the file or folder does not exist; name a folder with catalogue files (*.yaml), "
          + "or an OpenAPI document"
      )
      throw InputFile.noInput
    }
    if !isFolder.boolValue {
      let bytes = try InputFile.bytes(path)
      if OpenAPIImporter.looksLikeDocument(bytes) {
        let overlay = try OverlayFile(given: nil, beside: [path])
        return try imported(
          bytes, by: importer(path, overlay?.overlay, references, alsoIn: folders, auth: isWithout ? [] : auth))
      }
    }
    if isWithout { return (try load(folder: path).withoutCredentials, []) }
    guard auth.isEmpty else {
      throw ValidationError("--auth is for OpenAPI documents; in a catalogue, write `auth` under `api`")
    }
    return (try load(folder: path), [])
  }

  /// Whether calls carry no credentials, whatever the API's document requires.
  static func isWithoutCredentials(_ auth: [AuthRequirement]) -> Bool { auth == [AuthRequirement(scheme: "none")] }

  /// The catalogue in a folder. If it cannot be read, the errors go to standard error.
  static func load(folder: String) throws -> Catalogue {
    let result = CatalogueLoader().load(folder: folder)
    guard let catalogue = result.catalogue else {
      for diagnostic in result.diagnostics { StandardError.write("\(diagnostic)") }
      throw InputFile.invalidInput
    }
    return catalogue
  }

  private static func importer(
    _ path: String, _ overlay: CatalogueOverlay?, _ references: ReferenceRecord, alsoIn folders: [String],
    auth: [AuthRequirement]
  ) -> OpenAPIImporter {
    let files = ReferencedFiles(beside: path, alsoIn: folders)
    // Nothing is written to files, so help and assistants' tools may use the document's sentences.
    let options = ImportOptions(
      auth: auth, copiesSummaries: true, fileName: files.fileName, readFile: references.noting(files))
    return OpenAPIImporter(options: options, overlay: overlay)
  }
}

extension ImportResult {
  /// Reports on standard error how many warnings there are about a document that a command reads instead of a catalogue. Warnings
  /// about sentences that people should write do not count.
  ///
  /// - Parameter folders: The folders whose files it can refer to, in addition to its own folder.
  func tellWarnings(of path: String, alsoIn folders: [String]) {
    let count = warnings.filter { $0.severity == .warning && !$0.isAboutSummary }.count + diagnostics.count
    if count == 0 { return }
    let options = folders.map { " --allow-references \($0.shellQuoted)" }.joined()
    StandardError.write(
      "\(path.shownPath): \(count.counting("warning")); `callsign import-openapi \(path.shownPath.shellQuoted) --into FOLDER\(options)` shows "
        + (count == 1 ? "it" : "them"))
  }
}

extension OperationList {
  fileprivate init(_ excerpts: CatalogueExcerpts) {
    self.init(
      excerpts.operations.map { Line(name: $0.name, method: $0.method, path: $0.path, summary: $0.summary) })
  }
}

extension Int {
  /// `1 file`, `2 files`.
  func counting(_ noun: String) -> String { "\(self) \(noun)\(self == 1 ? "" : "s")" }
}

extension Catalogue {
  /// The same operations, which then accept only calls without credentials.
  var withoutCredentials: Catalogue {
    var result = self
    for group in result.groups.indices {
      for endpoint in result.groups[group].endpoints.indices {
        result.groups[group].endpoints[endpoint].auth = [AuthRequirement(scheme: "none")]
      }
    }
    return result
  }

  var endpointCount: Int { groups.reduce(0) { $0 + $1.endpoints.count } }
  var modelCount: Int { groups.reduce(0) { $0 + $1.models.count } }

  /// `4 endpoints and 3 models`
  var counts: String { endpointCount.counting("endpoint") + " and " + modelCount.counting("model") }
}
