import CallsignCatalogue
import Foundation

/// The options that a person chooses for an import.
public struct ImportOptions: Sendable {
  /// The Swift client type's name. If neither this nor the overlay sets it, it comes from the document's title.
  public var apiName: String?
  /// Base URLs to use instead of the document's, by the host's name in the catalogue. The first host is `api`.
  public var servers: [String: String] = [:]
  /// The credentials that operations accept if the document does not say; see ``auth(_:)``. Default: empty, which means none.
  public var auth: [AuthRequirement] = []
  /// Whether endpoints, parameters, members and values without a hand-written summary take the document's. Off by default, because
  /// a document's sentences belong to its authors.
  public var copiesSummaries = false

  /// Whether a broken part of the document ends the import instead of being repaired with a warning that names the place and the
  /// repair. Off by default.
  public var isStrict = false
  /// The document's file name, which lets the files that it refers to refer back to it; `nil` if it has none.
  public var fileName: String?
  /// Reads a file that the document refers to, given its path relative to the document's folder, and returns `nil` if there is
  /// none. Without a reader, references to other files are read as any JSON, with a warning. It throws for a file that may not be
  /// read; the reference then counts as broken.
  public var readFile: (@Sendable (_ path: String) throws(ImportError) -> [UInt8]?)?
  /// Reads what a URL in the document refers to, and returns `nil` if there is nothing. Without it, such references count as
  /// broken, with a warning. It throws for a URL that may not or cannot be read.
  public var readURL: (@Sendable (_ url: String) throws(ImportError) -> [UInt8]?)?

  /// Creates options; each one that you leave out has its default.
  public init(
    apiName: String? = nil, servers: [String: String] = [:], auth: [AuthRequirement] = [],
    copiesSummaries: Bool = false, isStrict: Bool = false, fileName: String? = nil,
    readFile: (@Sendable (_ path: String) throws(ImportError) -> [UInt8]?)? = nil,
    readURL: (@Sendable (_ url: String) throws(ImportError) -> [UInt8]?)? = nil
  ) {
    self.readURL = readURL
    self.apiName = apiName
    self.servers = servers
    self.auth = auth
    self.copiesSummaries = copiesSummaries
    self.isStrict = isStrict
    self.fileName = fileName
    self.readFile = readFile
  }

  /// Parses credentials as written in a catalogue's `auth:`: `bearer`, `oauth2(read, write)`, or `[app_id, app_key]` for
  /// credentials that are sent together.
  ///
  /// - Throws: ``ImportError`` if the words cannot be parsed.
  public static func auth(_ words: [String]) throws(ImportError) -> [AuthRequirement] {
    if words.isEmpty { return [] }
    switch AuthRequirement.list(words) {
    case .success(let requirements): return requirements
    case .failure(let problem):
      throw .invalid("\(words.joined(separator: ", ")): \(problem.message)", at: "--auth")
    }
  }
}

/// A model that the overlay's `import` gives another name than the importer would.
public struct ModelRename: Sendable, Hashable {
  /// The importer's name.
  public var old: String
  /// The name in the catalogue.
  public var new: String
}

/// A catalogue, and the parts of the document that it states differently or not at all.
public struct ImportResult: Sendable {
  /// A catalogue that passes the loader's checks.
  public var catalogue: Catalogue
  /// The warnings, in the order in which they arose.
  public var warnings: [ImportWarning]
  /// Lines of the overlay that change nothing, or may not do what was intended.
  public var diagnostics: [Diagnostic]
  /// The document's title and version.
  public var origin: ImportOrigin
  /// The models that the overlay's `import` renames, if the overlay's other changes are not merged.
  public var renamedModels: [ModelRename] = []
  /// The overlay's templates, for the catalogue writer.
  public var templates: [ModelTemplate] = []
  /// The models that the overlay adds.
  public var addedModels: Set<String> = []
  let places: DocumentPlaces

  /// The warnings about a part of the catalogue and about the document as a whole.
  package func warnings(of part: Catalogue) -> [ImportWarning] { places.warnings(warnings, of: part) }
}

/// Turns an OpenAPI 3 or Swagger 2.0 document into a catalogue.
///
/// The same document, overlay and options always give the same catalogue. Nothing is left out silently: ``ImportResult/warnings``
/// lists what the catalogue cannot express.
public struct OpenAPIImporter: Sendable {
  /// The options for this import.
  public var options: ImportOptions
  /// The changes to merge into the document's catalogue.
  public var overlay: CatalogueOverlay?
  /// Texts to keep from an earlier import, by the operation's name.
  public var adopted: [String: AdoptedText]
  /// Summaries to keep from an earlier import, for everything except operations.
  public var adoptedSummaries: AdoptedSummaries
  /// Whether the overlay's changes are merged. If not, its `import` section still applies, so that the same models have the same
  /// names; ``ImportResult/renamedModels`` lists the names that they would have otherwise.
  public var mergesOverlay = true

  /// Creates an importer with the given options and human additions.
  public init(
    options: ImportOptions = ImportOptions(), overlay: CatalogueOverlay? = nil, adopted: [String: AdoptedText] = [:],
    adoptedSummaries: AdoptedSummaries = AdoptedSummaries()
  ) {
    self.options = options
    self.overlay = overlay
    self.adopted = adopted
    self.adoptedSummaries = adoptedSummaries
  }

  /// Whether the bytes look like an OpenAPI or Swagger document instead of a catalogue file.
  public static func looksLikeDocument(_ bytes: [UInt8]) -> Bool {
    guard let value = try? DocumentParser.parse(bytes) else { return false }
    return value["openapi"] != nil || value["swagger"] != nil
  }

  /// Imports a JSON or YAML document.
  ///
  /// - Throws: ``ImportError`` if the bytes are not an OpenAPI 3 or Swagger 2.0 document, or the overlay has errors. In a strict
  ///   import, also if a part of the document is broken.
  public func importDocument(_ bytes: [UInt8]) throws(ImportError) -> ImportResult {
    // Schemas are read recursively, through chains of `allOf` from one to the next.
    let result = DeepStack.run { () -> Result<ImportResult, ImportError> in
      let log = ImportLog(isStrict: options.isStrict)
      do throws(ImportError) { return .success(try run(bytes, log)) } catch { return .failure(log.readable(error)) }
    }
    guard let result else { throw .notOpenAPI("the document could not be imported; try again") }
    return try result.get()
  }

  private func run(_ bytes: [UInt8], _ log: ImportLog) throws(ImportError) -> ImportResult {
    if let overlay, overlay.diagnostics.hasErrors { throw .overlay(overlay.diagnostics) }
    let guide = ImportGuide(
      overlay: overlay, mergesOverlay: mergesOverlay, adopted: adopted, summaries: adoptedSummaries)
    let document = try self.document(bytes, log)
    let schemas = SchemaReader(document, log: log)
    try schemas.readComponents()
    var security = try SecurityReader(document, log: log)
    try security.take(options.auth, isSaid: overlay?.saysAuth == true)
    var reader = OperationReader(
      document: document, schemas: schemas, security: security, log: log,
      servers: try ServerReader(document, overrides: options.servers, log: log),
      removed: overlay?.removedEndpoints ?? [])
    let read = try reader.read()
    try reader.servers.checkOverrides()
    DocumentNotes(document: document, log: log).take()
    var webhookReader = WebhookReader(document: document, schemas: schemas, log: log)
    let webhooks = try webhookReader.payloads()
    if read.isEmpty, webhooks.isEmpty { try checkModelsOnly(document, schemas, log) }
    // Without operations, the document offers only its models.
    let others = read.isEmpty ? schemas.componentOrder.map { Use(.named($0)) } : []
    var normalizer = Normalizer(schemas, operations: read, received: webhooks + others, log: log)
    var operations = normalizer.run()
    let fitter = ParameterFitter(normalizer.components, log: log)
    for index in operations.indices { fitter.fit(&operations[index]) }
    let ownName = options.apiName ?? CatalogueBuilder.apiName(title: document.title)
    let apiName = overlay?.apiName ?? ownName
    var namer = ModelNamer(
      components: normalizer.components, operations: operations, apiName: apiName, guide: guide, log: log)
    namer.run()
    let builder = CatalogueBuilder(
      document: document, apiName: apiName, options: options, guide: guide, log: log, namer: namer,
      components: normalizer.components,
      operations: operations, hosts: reader.servers.hosts, schemes: security.schemes, webhooks: webhookReader.scheme)
    let (catalogue, required) = builder.build()
    log.tellCounts()
    var result = ImportResult(
      catalogue: catalogue, warnings: log.readableWarnings,
      diagnostics: staleDecisions(renamed: namer.renamed, tags: Set(operations.map(\.tag)), required: required),
      origin: ImportOrigin(title: document.title, version: document.version),
      places: DocumentPlaces(operations, models: namer.componentNames, document, log))
    if !mergesOverlay {
      result.catalogue.api.name = ownName
      result.renamedModels = renamedModels(normalizer.components, operations, apiName: ownName, named: namer)
    } else if let overlay {
      try merge(overlay, into: &result)
    }
    return result
  }

  /// The document, with the files and URLs that it refers to.
  private func document(_ bytes: [UInt8], _ log: ImportLog) throws(ImportError) -> OpenAPIDocument {
    let bundler = ReferenceBundler(
      fileName: options.fileName ?? "", readFile: options.readFile, readURL: options.readURL, log: log)
    return try OpenAPIDocument(try bundler.bundled(try DocumentParser.parse(bytes, log: log)), log: log)
  }

  /// Checks a document without operations and webhooks: it must have models, unless it has no `paths` at all.
  private func checkModelsOnly(
    _ document: OpenAPIDocument, _ schemas: SchemaReader, _ log: ImportLog
  ) throws(ImportError) {
    guard document.root["paths"] != nil else { return }
    if log.isStrict || schemas.componentOrder.isEmpty {
      let hooks = OpenAPIDocument.webhookSections.contains { document.root[$0]?.object?.members.isEmpty == false }
      throw .notOpenAPI(
        "the document's `paths` have no operations" + (hooks ? ", and its webhooks no payloads that are objects" : "")
          + log.firstPathLeftOut)
    }
    log.warn("the document has no operations; only its schemas become models", at: "#/paths")
  }

  /// The models that the overlay's `import` renames.
  ///
  /// - Parameter namer: The names with the overlay's `import`.
  private func renamedModels(
    _ components: [(pointer: String, use: Use)], _ operations: [OperationShape], apiName: String,
    named namer: ModelNamer
  ) -> [ModelRename] {
    var plain = ModelNamer(
      components: components, operations: operations, apiName: apiName, guide: ImportGuide(), log: ImportLog())
    plain.run()
    return namer.renamed(since: plain)
  }

  /// Merges human changes with the contents of the files, key by key.
  private func merge(_ overlay: CatalogueOverlay, into result: inout ImportResult) throws(ImportError) {
    let imported = result.catalogue
    let files = CatalogueWriter().files(for: imported).filter { $0.path != CatalogueExamples.fileName }
    let merged = overlay.merged(onto: files.map { CatalogueSource(path: $0.path, bytes: Array($0.text.utf8)) })
    result.diagnostics = merged.diagnostics + result.diagnostics
    guard var catalogue = merged.catalogue else { throw .overlay(result.diagnostics) }
    catalogue.examples = imported.examples
    catalogue.deriveSummariesAnew(since: imported)
    result.warnings = result.places.warnings(
      result.warnings, withoutOperations: imported.endpointNames.subtracting(catalogue.endpointNames),
      models: imported.modelNames.subtracting(catalogue.modelNames))
    result.addedModels = catalogue.modelNames.subtracting(imported.modelNames)
    result.templates = overlay.templates
    result.catalogue = catalogue
  }
}

extension OpenAPIImporter {
  /// Warns about lines of the overlay's `import` that name something that the document lacks.
  ///
  /// - Parameter required: The members of responses that the overlay requires, with whether the document did not.
  private func staleDecisions(renamed: Set<String>, tags: Set<String>, required: [String: Bool]) -> [Diagnostic] {
    guard let overlay else { return [] }
    var stale: [Diagnostic] = []
    for (name, mark) in overlay.modelNames where !renamed.contains(name) {
      stale.append(
        Diagnostic(.warning, "the importer gives no model the name `\(name)`; remove this", at: mark.location))
    }
    for (tag, mark) in overlay.fileNames where !tags.contains(tag) {
      stale.append(Diagnostic(.warning, "the document has no tag `\(tag)`; remove this", at: mark.location))
    }
    for mark in mergesOverlay ? overlay.requiredOfResponses : [] where required[mark.text] != true {
      let problem =
        required[mark.text] == nil
        ? "no response has an object `\(mark.text)`"
        : "the document now says that responses always have `\(mark.text)`"
      stale.append(Diagnostic(.warning, "\(problem); remove this", at: mark.location))
    }
    return stale.sorted { ($0.location.line, $0.location.column) < ($1.location.line, $1.location.column) }
  }
}

extension Catalogue {
  fileprivate var endpointNames: Set<String> { Set(groups.flatMap(\.endpoints).map(\.name)) }
  fileprivate var modelNames: Set<String> { Set(groups.flatMap(\.models).map(\.name)) }

  /// Updates the summaries that the importer wrote for endpoints that now call something else.
  fileprivate mutating func deriveSummariesAnew(since before: Catalogue) {
    let old = Dictionary(before.groups.flatMap(\.endpoints).map { ($0.name, $0) }) { first, _ in first }
    for group in groups.indices {
      for index in groups[group].endpoints.indices {
        let endpoint = groups[group].endpoints[index]
        guard let old = old[endpoint.name],
          endpoint.summary == AdoptedText.derivedSummary(method: old.method, path: old.path)
        else { continue }
        groups[group].endpoints[index].summary = AdoptedText.derivedSummary(
          method: endpoint.method, path: endpoint.path)
      }
    }
  }
}

/// Runs work on a separate thread with a stack that is deep enough for recursion from schema to schema.
///
/// Threads of Swift concurrency have a 512 KB stack on Apple platforms.
private enum DeepStack {
  private static let byteCount = 64 << 20

  static func run<Result: Sendable>(_ work: @escaping @Sendable () -> Result) -> Result? {
    let box = Box<Result>()
    let done = DispatchSemaphore(value: 0)
    let thread = Thread {
      box.value = work()
      done.signal()
    }
    thread.stackSize = byteCount
    thread.start()
    done.wait()
    return box.value
  }

  // The semaphore orders the only write before the only read.
  private final class Box<Value: Sendable>: @unchecked Sendable {
    var value: Value?
  }
}
