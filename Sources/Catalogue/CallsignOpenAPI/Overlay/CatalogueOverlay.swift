import CallsignCatalogue
import CallsignYAML

/// The keys of an overlay.
enum OverlayKey: String, CatalogueKey {
  /// How to read the document. Everything else is merged into the result.
  case `import`
  case api, groups, endpoints, params, fields, models
}

/// The keys of `import`.
enum OverlayImportKey: String, CatalogueKey { case names, files, required }

/// The keys of an endpoint that only an overlay has.
enum OverlayEndpointKey: String, CatalogueKey { case first, add, group }

/// The key of a model that only an overlay has.
enum OverlayModelKey: String, CatalogueKey { case add = "$add" }

/// Changes that people make to a catalogue imported from a document, in the catalogue's format.
///
/// An overlay is a file next to the catalogue's folder. Every import merges it into the document's catalogue. `spec/README.md`
/// describes the format.
public struct CatalogueOverlay: Sendable {
  /// A text with its location.
  package struct Marked: Sendable {
    package var text: String
    package var location: SourceLocation
  }

  /// The mistakes in the overlay itself, whatever it is merged into.
  public private(set) var diagnostics: [Diagnostic] = []
  /// The name of the Swift client type.
  package private(set) var apiName: String?
  /// Better names for models, by the importer's names.
  package private(set) var modelNames: [String: Marked] = [:]
  /// File names without extension, by the document's tags.
  package private(set) var fileNames: [String: Marked] = [:]
  /// Members that every response of an operation has if the response is an object.
  package private(set) var requiredOfResponses: [Marked] = []

  let source: SourceText?
  private(set) var sections = Keyed<OverlayKey, YAMLEntry>()

  /// Reads an overlay. You can merge one with errors; the result is then the errors.
  public init(_ file: CatalogueSource) {
    do throws(SourceProblem) {
      source = try SourceText(file: file.path, bytes: file.bytes)
    } catch {
      source = nil
      let location = SourceLocation(file: file.path, line: error.line, column: error.column)
      diagnostics = [Diagnostic(.error, error.message, at: location)]
    }
    guard let source else { return }
    let yaml = YAMLReader(source)
    diagnostics += yaml.diagnostics
    guard let root = yaml.root?.withLongForms().numbered(Self.number), !root.isNull else { return }
    let reader = FileReader(source)
    sections = reader.mapping(root, OverlayKey.self, in: "an overlay") ?? Keyed()
    if let entry = sections[.import] { readImport(entry, reader) }
    if let entries = sections[.api]?.value.entries, let node = entries[APISectionKey.name.rawValue], !node.isNull {
      apiName = node.text
    }
    diagnostics += reader.diagnostics
  }

  /// The model templates in the overlay, in its order. An import writes a model as the use of a template if the template makes the
  /// same model from some types and words.
  public var templates: [ModelTemplate] {
    guard let source, let models = sections[.models] else { return [] }
    let parts = ReusableParts()
    let root = models.value.mapping([YAMLEntry(key: models.key, value: models.value)])
    _ = parts.collect([(source, root)])
    return (models.value.keys ?? []).compactMap { entry in
      guard let key = entry.key.text, let name = key.split(separator: "<").first.map(String.init),
        let template = parts.templates[name], template.entry.key.text == key
      else { return nil }
      let reader = FileReader(source, parts: parts)
      let model = reader.readModel(YAMLEntry(key: entry.key.scalar(name), value: entry.value))
      guard let model, reader.diagnostics.isEmpty else { return nil }
      return ModelTemplate(name: name, parameters: template.parameters, model: model)
    }
  }

  /// The number of the overlay's text for nodes in a merged tree.
  static let number: UInt16 = 1

  /// The endpoints for which the overlay has a summary.
  package var summarizedEndpoints: Set<String> {
    let entries = sections[.endpoints]?.value.entries ?? []
    return Set(
      entries.filter { entry in
        if case .scalar = entry.value.content { return !entry.value.isNull }
        return entry.value.entries?[EndpointKey.summary.rawValue].map { !$0.isNull } ?? false
      }.names)
  }

  /// The endpoints that the overlay removes.
  package var removedEndpoints: Set<String> {
    Set((sections[.endpoints]?.value.entries ?? []).filter(\.value.isRemoval).names)
  }

  /// Whether it states which credentials operations accept.
  package var saysAuth: Bool {
    let groups = sections[.groups]?.value.entries ?? []
    return ([sections[.api]?.value].compactMap(\.self) + groups.map(\.value)).contains {
      $0.entries?[EndpointKey.auth.rawValue] != nil
    }
  }

  /// The endpoints for which the overlay states whether and how they have pages.
  package var endpointsWithPages: Set<String> {
    let entries = sections[.endpoints]?.value.entries ?? []
    return Set(entries.filter { $0.value.entries?[EndpointKey.pages.rawValue] != nil }.names)
  }

  private mutating func readImport(_ entry: YAMLEntry, _ reader: FileReader) {
    guard !entry.value.isNull, let keys = reader.mapping(entry.value, OverlayImportKey.self, in: "`import`") else {
      return
    }
    func names(_ key: OverlayImportKey) -> [String: Marked] {
      var result: [String: Marked] = [:]
      for entry in keys[key].map({ reader.entries($0) }) ?? [] {
        guard let name = reader.name(entry), let text = reader.text(entry) else { continue }
        result[name] = Marked(text: text, location: reader.location(entry.key))
      }
      return result
    }
    modelNames = names(.names)
    fileNames = names(.files)
    guard let required = keys[.required] else { return }
    guard case .list(let nodes) = required.value.content else {
      reader.error("`required` lists the members that every response has, such as `[data]`", at: required.value)
      return
    }
    for node in nodes {
      if let text = node.text, !node.isNull {
        requiredOfResponses.append(Marked(text: text, location: reader.location(node)))
      } else {
        reader.error("`required` lists names, not \(node.kind)", at: node)
      }
    }
  }

  /// Merges the overlay into the files of a catalogue, which must be valid in themselves.
  ///
  /// - Returns: The catalogue with the changes, or the reason why there is none. A line that changes nothing because it names
  ///   something that is not in the files gives a warning at that line.
  public func merged(onto files: [CatalogueSource]) -> LoadResult {
    guard let source, !diagnostics.hasErrors else { return LoadResult(catalogue: nil, diagnostics: diagnostics) }
    var merge = OverlayMerge(self, source)
    let result = merge.run(files)
    return LoadResult(
      catalogue: result.catalogue, diagnostics: (diagnostics + result.diagnostics).sortedByPlace())
  }
}
