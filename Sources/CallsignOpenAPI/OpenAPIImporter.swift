import CallsignCatalogue

/// What a person decides about an import.
public struct ImportOptions: Sendable {
  /// The Swift type that carries the methods; from the document's title where neither this nor the notes name it.
  public var apiName: String?
  /// The base URL, where the document's own is not the one to use.
  public var server: String?
  /// Whether endpoints without a hand-written summary take the document's. Off by default: a document's sentences
  /// belong to its authors.
  public var copiesSummaries = false

  public init(apiName: String? = nil, server: String? = nil, copiesSummaries: Bool = false) {
    self.apiName = apiName
    self.server = server
    self.copiesSummaries = copiesSummaries
  }
}

/// A catalogue, and what of the document it says differently or not at all.
public struct ImportResult: Sendable {
  public var catalogue: Catalogue
  public var warnings: [ImportWarning]
  public var origin: ImportOrigin
}

/// The document that a catalogue comes from.
public struct ImportOrigin: Sendable, Equatable {
  public var title: String
  public var version: String

  public init(title: String, version: String) {
    self.title = title
    self.version = version
  }
}

/// Turns an OpenAPI 3.0 or 3.1 document into a catalogue.
///
/// The same document, notes and options give the same catalogue each time. Nothing is left out silently: what a
/// catalogue cannot say is in ``ImportResult/warnings``.
public struct OpenAPIImporter: Sendable {
  public var options: ImportOptions
  public var notes: ImportNotes

  public init(options: ImportOptions = ImportOptions(), notes: ImportNotes = ImportNotes()) {
    self.options = options
    self.notes = notes
  }

  /// Whether the bytes look like an OpenAPI or Swagger document rather than a catalogue file.
  public static func looksLikeDocument(_ bytes: [UInt8]) -> Bool {
    guard let value = try? DocumentParser.parse(bytes) else { return false }
    return value["openapi"] != nil || value["swagger"] != nil
  }

  /// Imports a document in JSON or YAML.
  ///
  /// - Throws: ``ImportError`` when the bytes are no OpenAPI 3 document, or its references lead nowhere.
  public func importDocument(_ bytes: [UInt8]) throws(ImportError) -> ImportResult {
    let log = ImportLog()
    let document = try OpenAPIDocument(try DocumentParser.parse(bytes))
    let schemas = SchemaReader(document, log: log)
    try schemas.readComponents()
    let security = try SecurityReader(document, log: log)
    var reader = OperationReader(
      document: document, schemas: schemas, security: security, log: log,
      servers: try ServerReader(document, override: options.server, log: log))
    let read = try reader.read()
    if document.root["webhooks"] != nil {
      log.note("webhooks are calls to the caller, and are left out", at: "#/webhooks")
    }
    var normalizer = Normalizer(schemas, operations: read, log: log)
    let operations = normalizer.run()
    var namer = ModelNamer(components: normalizer.components, operations: operations, notes: notes, log: log)
    namer.run()
    let builder = CatalogueBuilder(
      document: document, options: options, notes: notes, log: log, namer: namer, components: normalizer.components,
      operations: operations, hosts: reader.servers.hosts, schemes: security.schemes)
    let catalogue = builder.build()
    log.noteCountedKeywords()
    return ImportResult(
      catalogue: catalogue, warnings: log.warnings,
      origin: ImportOrigin(title: document.title, version: document.version))
  }
}
